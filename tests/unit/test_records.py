"""Our `dataclass` makes what the standard one makes."""

import copy
import dataclasses
import inspect
import math
import pickle
from typing import Any, ClassVar

import pytest

from anoman_tui.core.records import dataclass


@dataclass(frozen=True, slots=True)
class Ours:
    """A class with every kind of plain field."""

    number: float
    text: str = "x"
    many: list[int] = dataclasses.field(default_factory=list)
    SHARED: ClassVar[int] = 3

    @property
    def double(self) -> float:
        """A property."""
        return self.number * 2


@dataclasses.dataclass(frozen=True, slots=True)
class Standard:
    """The same class."""

    number: float
    text: str = "x"
    many: list[int] = dataclasses.field(default_factory=list)
    SHARED: ClassVar[int] = 3

    @property
    def double(self) -> float:
        """A property."""
        return self.number * 2


@dataclass(frozen=True, slots=True)
class One:
    """A single field."""

    value: Any


@dataclass(frozen=True, slots=True)
class Empty:
    """No field."""


@dataclass(frozen=True, slots=True)
class Child(One):
    """A class with a base, left to the standard decorator."""

    more: int = 0


@dataclass(frozen=True, slots=True)
class Checked:
    """A class with a check."""

    value: int

    def __post_init__(self) -> None:
        if self.value < 0:
            raise ValueError("below zero")


@dataclass(frozen=True, slots=True)
class Uncompared:
    """A field that is not compared, left to the standard decorator."""

    value: int
    aside: int = dataclasses.field(default=0, compare=False)


def test_it_makes_what_the_standard_one_makes() -> None:
    """Claim: values, equality, hash, text, copies, replacement, dictionaries and matching are the same."""
    classes: list[Any] = [Ours, Standard]
    for made in classes:
        first, second = made(1.5), made(1.5, "x", [])
        assert first == second
        assert first is not second
        assert first != made(2)
        assert first != (1.5, "x", [])
        assert first.many is not second.many
        assert (first.double, made.SHARED) == (3.0, 3)
        assert repr(first) == f"{made.__name__}(number=1.5, text='x', many=[])"
        assert dataclasses.replace(first, text="y") == made(1.5, "y")
        assert dataclasses.asdict(first) == {"number": 1.5, "text": "x", "many": []}
        assert dataclasses.astuple(first) == (1.5, "x", [])
        assert copy.copy(first) == copy.deepcopy(first) == pickle.loads(pickle.dumps(first)) == first
        assert not hasattr(first, "__dict__")
        assert list(inspect.signature(made).parameters) == ["number", "text", "many"]
        match first:
            case made(number, text):
                assert (number, text) == (1.5, "x")
        with pytest.raises(TypeError):
            hash(first)
    ours: Any = Ours(1)
    assert ours != Standard(1)
    assert [field.name for field in dataclasses.fields(Ours)] == [field.name for field in dataclasses.fields(Standard)]


def test_nothing_can_be_changed() -> None:
    """Claim: fields are neither assigned nor deleted, and others are not added."""
    made: list[Any] = [Ours(1), Standard(1)]
    for one in made:
        with pytest.raises(dataclasses.FrozenInstanceError):
            one.text = "y"
        with pytest.raises(dataclasses.FrozenInstanceError):
            del one.text
        with pytest.raises((dataclasses.FrozenInstanceError, TypeError)):
            one.new = 1


def test_few_fields() -> None:
    """Claim: classes with one field or none compare and hash as tuples do; a value that is no number equals itself."""
    assert One(1) == One(1) != One(2)
    assert hash(One(1)) == hash((1,))
    assert One(math.nan) == One(math.nan)
    assert Empty() == Empty()
    assert hash(Empty()) == hash(())
    assert pickle.loads(pickle.dumps(Empty())) == Empty()
    endless: list[Any] = []
    endless.append(One(endless))
    assert repr(endless[0]) == "One(value=[...])" or "..." in repr(endless[0])


def test_the_step_after_the_fields() -> None:
    """Claim: `__post_init__` runs for each object, copies by `replace` included, and its errors come out."""
    assert Checked(1) == dataclasses.replace(Checked(2), value=1)
    with pytest.raises(ValueError, match="below zero"):
        Checked(-1)
    with pytest.raises(ValueError, match="below zero"):
        dataclasses.replace(Checked(1), value=-1)


def test_what_is_out_of_the_ordinary_is_left_to_the_standard_one() -> None:
    """Claim: bases and fields with options work as ever."""
    assert (Child(1, 2).value, Child(1, 2).more) == (1, 2)
    assert Child(1, 2) == Child(1, 2) != Child(1, 3)
    assert Uncompared(1, 2) == Uncompared(1, 3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        Child(1).more = 3  # type: ignore[misc]
