"""The prompt library: the files that come along, the user's own, their heads, and what is said of a bad one."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anoman_tui.core.library import KeepPrompts, SavedPrompt
from anoman_tui.core.panes import read_params
from anoman_tui.core.providers import BUILT_IN
from anoman_tui.core.target import parse_pane
from anoman_tui.core.variables import names
from anoman_tui.data import data_dir
from anoman_tui.emulator.ask import Ask, Turn
from anoman_tui.emulator.guardrails import inspect
from anoman_tui.emulator.models import MODELS
from anoman_tui.history.library import PromptError, PromptExistsError, PromptLibrary, read_library, read_prompt, save_prompt

HEAD = """---
title: A word in season
about: Look at the rhyme
tags: short, rhyme
system: "You are terse.\\nYou rhyme."
temperature: 0.2
max_tokens: 40
stop: ["END", "\\n\\n"]
effort: low
panes: anoman/chat/a chat/b@http://127.0.0.1:1
---

Write a line on {{season}}: --- and more.
"""


def test_a_head_and_a_prompt(tmp_path: Path) -> None:
    """Claim: the head's values are read, and the rest is the prompt without the blank lines around it."""
    file = tmp_path / "in-season.md"
    file.write_text(HEAD, "utf-8")
    assert read_prompt(file) == SavedPrompt(
        name="in-season",
        title="A word in season",
        text="Write a line on {{season}}: --- and more.",
        source="own",
        path=str(file),
        about="Look at the rhyme",
        tags=("short", "rhyme"),
        system="You are terse.\nYou rhyme.",
        params={"temperature": 0.2, "max_tokens": 40, "stop": ["END", "\n\n"], "effort": "low"},
        panes=("anoman/chat/a", "chat/b@http://127.0.0.1:1"),
    )


def test_a_plain_file_is_a_prompt(tmp_path: Path) -> None:
    """Claim: without a head everything is the prompt; the name is the title; line ends of Windows and a byte order mark do no harm."""
    (tmp_path / "my_own-one.txt").write_bytes(b"\xef\xbb\xbfOne: two\r\n\r\n---\r\nthree\r\n")
    found = read_prompt(tmp_path / "my_own-one.txt")
    assert (found.title, found.text, found.params, found.system) == ("My own one", "One: two\n\n---\nthree", {}, None)


def test_the_folders_in_order(tmp_path: Path) -> None:
    """Claim: samples come first, then one's own, each by name; hidden files and others are passed over; a bad file is named."""
    for name in ("b.md", "A.txt", ".hidden.md", "notes.html", "c.md~"):
        (tmp_path / name).write_text("x", "utf-8")
    (tmp_path / "bad.md").write_bytes(b"caf\xe9")
    (tmp_path / "folder.md").mkdir()
    library = read_library([("sample", tmp_path), ("own", tmp_path / "none"), ("own", tmp_path)])
    assert [(found.source, found.name) for found in library.prompts] == [("sample", "A"), ("sample", "b"), ("own", "A"), ("own", "b")]
    assert [problem.partition(": ")[0] for problem in library.problems] == [str(tmp_path / name) for name in ("bad.md", "folder.md")] * 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no prompt"),
        ("---\n---\n \n", "holds no prompt"),
        ("---\ntitle: x\nText", "line 3 is no `name: value`"),
        ("---\ntitle: x\n", "has no end|line 3"),
        ("---\ncolour: red\n---\nx", "line 2: 'colour' is unknown here; there are: title, about"),
        ("---\n\x1b[31m: red\n---\nx", "line 2: .* is unknown"),
        ("---\ntitle: a\ntitle: b\n---\nx", "line 3: title is there twice"),
        ("---\ntemperature: warm\n---\nx", "line 2: temperature is no number"),
        ("---\ntemperature: 7\n---\nx", "temperature is no number from 0 to 2"),
        ("---\nmax_tokens: 1.5\n---\nx", "max_tokens is no whole number"),
        ("---\nmax_tokens: true\n---\nx", "line 2: max_tokens is no number"),
        ("---\nstop: [1]\n---\nx", "line 2: stop is no text, or a JSON list"),
        ('---\nsystem: "open\n---\nx', "line 2: system is no text"),
        ("x" * 1_048_577, "has more than"),
    ],
)
def test_a_bad_file_is_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    """Claim: the sentence names the file, the line, and how to mend it, in one clean line."""
    file = tmp_path / "bad.md"
    file.write_text(text, "utf-8")
    with pytest.raises(PromptError, match=said) as wrong:
        read_prompt(file)
    assert str(wrong.value).startswith(f"{file}: ")
    assert str(wrong.value).isprintable()


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    """Claim: only files are read."""
    os.mkfifo(tmp_path / "pipe.md")
    assert "is no file" in read_library([("own", tmp_path)]).problems[0]


@given(
    text=st.text(max_size=60).filter(lambda text: bool(text.strip()) and "\r" not in text),
    system=st.none() | st.text(max_size=20),
    params=st.fixed_dictionaries(
        {},
        optional={
            "temperature": st.sampled_from([0, 0.25, 2.0]),
            "max_tokens": st.integers(1, 999),
            "stop": st.lists(st.text(min_size=1, max_size=4), min_size=1, max_size=2),
            "effort": st.just("low"),
        },
    ),
)
def test_what_is_saved_is_read_again(
    text: str, system: str | None, params: dict[str, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Claim: any prompt comes back, save for the blank lines around it, with its system prompt and parameters."""
    file = save_prompt(tmp_path_factory.getbasetemp() / "prompts", "any", text, system=system, params=params, replace=True)
    found = read_prompt(file)
    mended = text.encode("utf-8", "replace").decode().removeprefix("\ufeff")
    assert found.text == mended.strip("\n") or not mended.strip()
    assert found.system == (None if system is None else system.encode("utf-8", "replace").decode())
    assert read_params(found.params, "") == read_params(params, "")


def test_saving_takes_care(tmp_path: Path) -> None:
    """Claim: a plain prompt is a plain file of its owner's alone; a taken name is replaced on request only; bad names are refused."""
    folder = tmp_path / "prompts"
    file = save_prompt(folder, " My prompt ", "Why?\n")
    assert (file.name, file.read_text("utf-8"), stat.S_IMODE(file.stat().st_mode)) == ("My prompt.md", "Why?\n", 0o600)
    with pytest.raises(PromptExistsError, match="there is a prompt My prompt already"):
        save_prompt(folder, "my PROMPT", "How?")
    assert save_prompt(folder, "my PROMPT", "---\nHow?", replace=True) == file
    assert read_prompt(file).text == "---\nHow?"
    for name in ("", "../x", "a/b", ".x", "x" * 41):
        with pytest.raises(PromptError, match="cannot be used"):
            save_prompt(folder, name, "x")
    with pytest.raises(PromptError, match="no prompt to save"):
        save_prompt(folder, "x", " \n")
    (tmp_path / "file").write_text("")
    with pytest.raises(PromptError, match="cannot be saved"):
        save_prompt(tmp_path / "file", "x", "x")


def test_the_library_of_the_front_ends(tmp_path: Path) -> None:
    """Claim: what is saved stands after the samples, and the text of an error is one sentence."""
    (tmp_path / "samples").mkdir()
    (tmp_path / "samples" / "z.md").write_text("sample", "utf-8")
    library: KeepPrompts = PromptLibrary([tmp_path / "samples"], tmp_path / "own")
    path = library.save("a", "mine {{x}}", params={"stop": ("x",)})
    assert [(found.source, found.text, found.path) for found in library.read().prompts] == [
        ("sample", "sample", str(tmp_path / "samples" / "z.md")),
        ("own", "mine {{x}}", path),
    ]
    with pytest.raises(ValueError, match="save again to replace it"):
        library.save("A", "other")


# The samples.

SAMPLES = {found.name: found for found in read_library([("sample", data_dir("sample_prompts"))]).prompts}


def test_every_sample_can_be_read_and_says_what_to_look_at() -> None:
    """Claim: no problems; each has a title, one line on what to look at, and a tag, and its panes are of the embedded gateway."""
    assert read_library([("sample", data_dir("sample_prompts"))]).problems == ()
    for found in SAMPLES.values():
        assert found.title, found.name
        assert 20 <= len(found.about) <= 160, found.name
        assert found.tags, found.name
        for pane in found.panes:
            target = parse_pane(pane, BUILT_IN)
            assert target.provider.local, pane
            assert target.model in MODELS, pane
    kinds = {"short", "long", "code", "table", "reasoning", "multilingual", "injection", "pii", "variables"}
    assert kinds <= set(SAMPLES)
    assert names(SAMPLES["variables"].text) == ("reader", "text")


def checked(name: str) -> dict[str, str]:
    """The guardrails' verdict on a sample."""
    verdict = inspect(Ask("anoman", "chat", "scripted-fast", (Turn("user", SAMPLES[name].text),)))
    return {check.name: check.status for check in verdict.checks}


def test_the_samples_trip_the_guardrails_that_they_name() -> None:
    """Claim: injection is blocked, personal data masked, a secret warned of, and no other sample trips anything."""
    special = {"injection": ("injection", "block"), "pii": ("pii", "redacted"), "gateway-warn": ("policy", "warn")}
    for name in SAMPLES:
        tripped = {(check, status) for check, status in checked(name).items() if status != "pass"}
        assert tripped == ({special[name]} if name in special else set()), name
