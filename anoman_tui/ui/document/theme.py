"""The default colours of the answer view, as CSS over the variables that every theme has."""

from typing import Final

ANSWER_CSS: Final = """
AnswerView {
    width: 1fr;
    height: 1fr;
    background: $background;
    color: $foreground;
    & > .answer--text, & > .answer--image, & > .answer--note { color: $foreground; }
    & > .answer--heading { color: $text-primary; text-style: bold; }
    & > .answer--quote, & > .answer--mark { color: $text-secondary; }
    & > .answer--code { color: $text-warning; background: $surface; }
    & > .answer--link { color: $text-accent; }
    & > .answer--url, & > .answer--rule, & > .answer--border { color: $text-muted; }
    & > .answer--reasoning { color: $text-muted; text-style: italic; }
    & > .answer--reasoning-head { color: $text-muted; }
    & > .answer--note-muted { color: $text-muted; }
    & > .answer--note-success { color: $text-success; }
    & > .answer--note-warning { color: $text-warning; }
    & > .answer--note-error { color: $text-error; text-style: bold; }
    & > .answer--scrollbar { color: $panel; }
    & > .answer--scrollbar-thumb { color: $text-muted; }
    & > .answer--hint { color: $text-accent; background: $surface; text-style: bold; }
    & > .answer--found { color: $background; background: $text-warning; }
    & > .answer--found-here { color: $background; background: $text-accent; text-style: bold underline; }
    & > .answer--fence, & > .answer--operator { color: $foreground; background: $surface; }
    & > .answer--fence-info { color: $text-muted; background: $surface; text-style: italic; }
    & > .answer--comment { color: $text-muted; background: $surface; text-style: italic; }
    & > .answer--keyword { color: $text-accent; background: $surface; text-style: bold; }
    & > .answer--string { color: $text-success; background: $surface; }
    & > .answer--number { color: $text-warning; background: $surface; }
    & > .answer--name { color: $text-primary; background: $surface; }
    & > .answer--type { color: $text-secondary; background: $surface; }
    & > .answer--inserted { color: $text-success; background: $surface; }
    & > .answer--deleted { color: $text-error; background: $surface; }
}
AnswerView:nocolor {
    & > .answer--heading { text-style: bold underline; }
    & > .answer--code { text-style: reverse; }
    & > .answer--note-warning { text-style: bold; }
    & > .answer--note-error, & > .answer--hint { text-style: bold reverse; }
    & > .answer--found { color: $foreground; background: $background; text-style: reverse; }
    & > .answer--found-here { color: $foreground; background: $background; text-style: bold underline reverse; }
}
"""
