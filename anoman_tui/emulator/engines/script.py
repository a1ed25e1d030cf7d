"""The texts of the scripted models: a few kinds of Markdown answer around the words of the prompt."""

import random
import re
from collections.abc import Callable, Iterator
from itertools import islice

from anoman_tui.emulator.tokens import count_tokens

_WORD = re.compile(r"[^\W\d_]{4,}")
_COMMON_WORDS = (
    "about also answer because been being between could does explain from give have here into just know like list make many more most "
    "much need only other please short should show some tell than that their them then there these they this those three through using "
    "very want what when where which while will with without would write your yours yang untuk dengan dari pada adalah bagaimana"
)
_COMMON = frozenset(_COMMON_WORDS.split())
_STORY = re.compile(r"\b(story|tale|poem|cerita|puisi|essay|letter)\b", re.IGNORECASE)
_CODE = re.compile(r"\b(code|function|python|script|regex|sql|program|class|bug|implement|kode|fungsi)\b", re.IGNORECASE)
_COMPARE = re.compile(r"\b(compare|versus|vs|difference|better|pros|cons|bandingkan|beda)\b", re.IGNORECASE)

_GREETING = re.compile(r"\b(hello|hi|hey|halo|hai|good (morning|evening))\b", re.IGNORECASE)

Section = Callable[[str, str, random.Random], str]


def keywords(prompt: str, count: int = 6) -> list[str]:
    """The prompt's telling words, in their order, without doubles."""
    words = (word for word in _WORD.findall(prompt) if word.lower() not in _COMMON)
    return list(islice(dict.fromkeys(word.lower() for word in words), count)) or ["question"]


def write_answer(prompt: str, length: int, rng: random.Random) -> str:
    """A Markdown answer of about `length` tokens; the prompt's words choose the kind. A greeting gets one line."""
    words = keywords(prompt)
    if _GREETING.search(prompt) and len(prompt.split()) <= 4:
        return rng.choice(_GREETINGS)
    blocks: list[str] = []
    size = 0
    for block in _blocks(prompt, words, rng):
        blocks.append(block)
        size += count_tokens(block) + 1
        if size >= length:
            break
    return "\n\n".join(blocks) + "\n"


def write_reasoning(prompt: str, length: int, rng: random.Random) -> str:
    """Plain sentences of about `length` tokens that think about the prompt."""
    words = keywords(prompt)
    thoughts: list[str] = []
    while count_tokens(" ".join(thoughts)) < length:
        thoughts.append(rng.choice(_THOUGHTS).format(a=rng.choice(words), b=rng.choice(words)))
    return " ".join(thoughts)


def _blocks(prompt: str, words: list[str], rng: random.Random) -> Iterator[str]:
    topic = " and ".join(words[:2])
    yield f"## {_title(prompt, topic)}"
    if _STORY.search(prompt):
        yield from _story(words, rng)
    elif _CODE.search(prompt):
        yield f"Here is a small, complete answer about **{topic}**."
        yield _code(topic, words[0], rng)
    elif _COMPARE.search(prompt):
        yield f"In short: it depends on what *{words[0]}* is for. The main points side by side:"
        yield _table(topic, words[0], rng)
    else:
        yield rng.choice(_OPENINGS).format(a=words[0], b=words[-1], topic=topic)
        yield _bullets(topic, words[0], rng)
    order = [_bullets, _code, _table, _steps, _paragraph]
    rng.shuffle(order)
    round_ = 0
    while True:
        for section in order:
            round_ += 1
            word = words[round_ % len(words)]
            yield f"### {round_}. {rng.choice(_HEADINGS).format(a=word)}"
            yield section(topic, word, rng)


def _title(prompt: str, topic: str) -> str:
    line = " ".join(prompt.split())
    return line.rstrip("?!. ").lstrip("# ") if 0 < len(line) <= 60 else topic.capitalize()


def _story(words: list[str], rng: random.Random) -> Iterator[str]:
    name = rng.choice(["Ayu", "Bima", "Clara", "Dimas", "Edda"])
    for line in rng.sample(_STORY_LINES, k=len(_STORY_LINES)):
        yield line.format(name=name, a=rng.choice(words))
    yield f"> And that is how {name} learned that a {words[0]} is worth the wait."


def _paragraph(topic: str, word: str, rng: random.Random) -> str:
    return " ".join(line.format(a=word, topic=topic) for line in rng.sample(_SENTENCES, k=3))


def _bullets(topic: str, word: str, rng: random.Random) -> str:
    lines = rng.sample(_POINTS, k=4)
    return "\n".join(f"- **{head}**: {text.format(a=word, topic=topic)}" for head, text in lines)


def _steps(topic: str, word: str, rng: random.Random) -> str:
    lines = rng.sample(_STEPS, k=4)
    return "\n".join(f"{number}. {text.format(a=word, topic=topic)}" for number, text in enumerate(lines, 1))


def _table(_topic: str, word: str, rng: random.Random) -> str:
    names = rng.sample(["Small", "Medium", "Large", "Remote", "Local"], k=3)
    rows = [
        f"| {name} {word} | {rng.randint(20, 900)} ms | {rng.randint(1, 9)}.{rng.randint(0, 9)} | {rng.choice(_NOTES)} |" for name in names
    ]
    return "\n".join(["| Variant | Latency | Score | Note |", "| --- | ---: | ---: | --- |", *rows])


def _code(_topic: str, word: str, rng: random.Random) -> str:
    name = re.sub(r"\W", "_", word)
    limit = rng.randint(3, 40)
    return (
        f"```python\ndef rank_{name}(items: list[str], limit: int = {limit}) -> list[str]:\n"
        f'    """Return the best {word} items, shortest first."""\n'
        f"    seen = dict.fromkeys(item.strip() for item in items)\n"
        f"    return sorted(seen, key=len)[:limit]\n```"
    )


_GREETINGS = ("Hello! How can I help you today?", "Hello, and welcome. What shall we look at?", "Hello! Ask me anything.")
_OPENINGS = (
    "The short answer: **{a}** is best understood through what it does, and {b} through what it costs.",
    "Three things matter about {topic}. The rest follows from them.",
    "It helps to look at {a} first and to come back to {b} at the end.",
)
_HEADINGS = ("What {a} means", "{a} in practice", "Limits of {a}", "How to check {a}", "A closer look at {a}", "Where {a} goes wrong")
_SENTENCES = (
    "Most of what is said about {a} holds only under load.",
    "A fair comparison keeps everything but {a} the same.",
    "With {topic}, the first measurement is nearly always misleading.",
    "People often mistake {a} for its own symptom.",
    "If {a} grows, the cost grows with it, though not in proportion.",
    "The careful reader asks where the numbers on {topic} came from.",
)
_POINTS = (
    ("Purpose", "{a} answers one question well and leaves the others alone"),
    ("Cost", "every step of {topic} has a price; count it before you start"),
    ("Time", "the first result about {a} comes early, the whole one late"),
    ("Risk", "a broken {a} is easy to see, a slow one is not"),
    ("Evidence", "keep what {topic} produced, not only what you concluded"),
    ("Scope", "begin with `{a}` alone and widen later"),
)
_STEPS = (
    "Write down what you expect of {a}.",
    "Change one thing about {topic}, and only one.",
    "Measure {a} three times and keep the middle value.",
    "Compare the result with a plain baseline.",
    "Stop when another round of {a} no longer changes the picture.",
)
_NOTES = ("steady", "best value", "fast start", "needs care", "for tests")
_THOUGHTS = (
    "The question is about {a}, so I should say what it is before judging it.",
    "There is a link between {a} and {b} that a reader may miss.",
    "A list would be clearer than a long paragraph here.",
    "I should check whether {b} changes the answer; it probably does not.",
    "An example of {a} makes this concrete.",
)
_STORY_LINES = (
    "Once upon a time, {name} kept a small {a} on the windowsill and spoke to it every evening.",
    "One night the rain did not stop, and the {a} began to hum a tune that nobody had taught it.",
    "{name} followed the sound down to the harbour, where the boats were *all* awake.",
    "An old ferryman said: “Whoever listens to a {a} must also answer.”",
    "So {name} answered, quietly, and the water became as flat as glass.",
)
