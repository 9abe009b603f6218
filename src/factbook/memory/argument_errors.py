"""Wrong types in calls: what is raised from within names the argument instead."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from factbook.errors import FactbookError, InputError

T = TypeVar("T")


def name_arguments(cls: type[T]) -> type[T]:
    """Makes each public method raise InputError, with the argument's name, where a wrong type made
    it fail.
    """
    for name in dir(cls):
        method = inspect.getattr_static(cls, name)
        if not name.startswith("_") and inspect.isfunction(method):
            setattr(cls, name, _name_wrong(method))
    return cls


def _name_wrong(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return method(*args, **kwargs)
        except (TypeError, AttributeError, LookupError, ValueError, ArithmeticError) as error:
            wrong = None if isinstance(error, FactbookError) else _find_wrong(method, args, kwargs)
            if wrong is None and isinstance(error, OverflowError):
                wrong = "a number is too large"
            if wrong is None:
                raise
            raise InputError(wrong) from error

    return call


def _find_wrong(
    method: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> str | None:
    """Says which argument is of another type than the method's; None where each is right, or it
    can't be called so.
    """
    try:
        given = inspect.signature(method).bind(*args, **kwargs).arguments
    except TypeError:
        return None
    hints = get_type_hints(method)
    for name, value in given.items():
        if name in hints and not _is_fitting(value, hints[name]):
            return (
                f"{name} is of the wrong type ({type(value).__name__}), or holds something that is"
            )
    return None


# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# A value of any type is narrowed here, and what it holds stays unknown.


def _is_fitting(value: Any, hint: Any) -> bool:  # noqa: C901 - every shape of a type
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return any(_is_fitting(value, part) for part in parts)
    if origin is Literal:
        return value in parts if isinstance(value, str) else False
    if origin is not None and issubclass(origin, Mapping):
        if not isinstance(value, Mapping):
            return False
        return _are_fitting(value.keys(), parts[0]) and _are_fitting(value.values(), parts[1])
    if origin is not None and parts and issubclass(origin, Iterable):
        if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
            return False
        if not isinstance(value, list | tuple | set | frozenset):
            return True  # what can be gone through once only is left as it is
        return _are_fitting(value, parts[0])
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if isinstance(hint, type) and not getattr(hint, "_is_protocol", False):
        return isinstance(value, hint)
    return origin is None or callable(value)


def _are_fitting(values: Iterable[Any], hint: Any) -> bool:
    return all(_is_fitting(each, hint) for each in values)
