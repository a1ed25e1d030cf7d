"""`dataclass` for frozen classes with slots, made in a sixth of the time; everything else is left to the standard one.

The standard decorator compiles six functions for each such class, and a program with hundreds of them waits for that at every
start. Here only `__init__` is compiled, when the first object is made; the others are the same functions in every class.
`fields`, `replace`, `asdict`, `match`, copies and pickles see no difference.
"""

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, **options):
        """What `dataclasses.dataclass` does."""

        def make(cls):
            return _record(cls) if options == {"frozen": True, "slots": True} and _is_plain(cls) else standard(cls)

        standard = dataclasses.dataclass(**options)
        return make if cls is None else make(cls)


_SHARED = ("__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__", "__getstate__", "__setstate__")
_UNSET = object()


def _is_plain(cls: type) -> bool:
    """Whether a class has no bases, no methods of those that are made here, and plain fields."""
    own = vars(cls)
    methods = any(name in own for name in (*_SHARED, "__slots__"))
    return cls.__bases__ == (object,) and not methods and all(_is_plain_field(value) for value in own.values())


def _is_plain_field(value: object) -> bool:
    if not isinstance(value, dataclasses.Field):
        return True
    return value.init and value.repr and value.compare and value.hash is None and value.kw_only is dataclasses.MISSING


def _record(cls: type) -> type:
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    params = made.__dataclass_params__
    params.init = params.repr = params.eq = params.frozen = True
    made.__record__ = _values_of(tuple(field.name for field in dataclasses.fields(made)))
    made.__init__ = _first_init(made)
    for name, function in _FUNCTIONS.items():
        setattr(made, name, function)
    return made  # type: ignore[no-any-return]


def _values_of(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """What gives the values of an object as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return staticmethod(lambda record: tuple(getattr(record, name) for name in names))


def _first_init(cls: Any) -> Any:
    """Called for the first object of a class: compiles the function for all further ones."""

    def __init__(self: Any, *values: Any, **named: Any) -> None:  # noqa: N807
        cls.__init__ = _init(cls, dataclasses.fields(cls))
        cls.__init__(self, *values, **named)

    __init__.__qualname__, __init__.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    return __init__


def _init(cls: type, fields: tuple["dataclasses.Field[Any]", ...]) -> Any:
    """The one function that differs from class to class."""
    scope: dict[str, Any] = {"_unset": _UNSET}
    head, body = ["self"], []
    for field in fields:
        name = field.name
        scope[f"_set_{name}"] = vars(cls)[name].__set__
        value = name
        if field.default is not dataclasses.MISSING:
            scope[f"_default_{name}"] = field.default
            head.append(f"{name}=_default_{name}")
        elif field.default_factory is not dataclasses.MISSING:
            scope[f"_make_{name}"] = field.default_factory
            head.append(f"{name}=_unset")
            value = f"_make_{name}() if {name} is _unset else {name}"
        else:
            head.append(name)
        body.append(f"    _set_{name}(self, {value})")
    if hasattr(cls, "__post_init__"):
        body.append("    self.__post_init__()")
    code = f"def __init__({', '.join(head)}):\n" + "\n".join(body or ["    pass"])
    exec(code, scope)  # noqa: S102  names of fields are identifiers
    made = scope["__init__"]
    made.__qualname__, made.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    return made


@recursive_repr()
def _repr(self: Any) -> str:
    inner = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self))
    return f"{type(self).__qualname__}({inner})"


def _eq(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    return self.__record__(self) == self.__record__(other)


def _hash(self: Any) -> int:
    return hash(self.__record__(self))


def _setattr(self: Any, name: str, value: object) -> None:  # noqa: ARG001
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _delattr(self: Any, name: str) -> None:  # noqa: ARG001
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _getstate(self: Any) -> list[Any]:
    return list(self.__record__(self))


def _setstate(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


_FUNCTIONS = dict(zip(_SHARED[1:], (_repr, _eq, _hash, _setattr, _delattr, _getstate, _setstate), strict=True))
