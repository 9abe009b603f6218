"""What a reply lists, in whatever shape it came: read leniently, judged elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from factbook.errors import ReplyRejectedError
from factbook.llm.objects import first, pairs, shown, texts
from factbook.llm.replies import json_values
from factbook.model.draft import Dropped
from factbook.text.kinds import snake_case

Item = Mapping[str, Any]

MOST_ITEMS = 300
"""Of each list of a reply."""
DEEPEST = 5

NAME = ("name", "entity", "entity_name", "n")
KIND = ("kind", "type", "entity_type", "category", "label")
ALIASES = ("aliases", "alias", "also_known_as", "other_names")
ABOUT = ("about", "description", "notes", "note", "summary", "content")
WEIGHT = ("weight", "importance", "score")
FROM = ("from", "source", "subject", "head", "from_entity", "from_name")
TO = ("to", "target", "object", "tail", "to_entity", "to_name")
LABEL = ("label", "relation", "predicate", "relation_type", "relationship", "type", "rel")
OF = ("of", "entity", "subject", "entity_name", "name")
KEY = ("key", "attribute", "property", "field", "predicate")
VALUE = ("value", "val", "object")
MSG = ("msg", "message", "message_number", "number", "m")
QUOTE = ("quote", "evidence", "source_text", "text", "q")
SINCE = ("since", "valid_from", "from_date", "start", "start_date", "valid_at")
UNTIL = ("until", "valid_until", "to_date", "end", "end_date", "invalid_at")
ENDED = ("ended", "retracts", "retracted", "negated", "is_past")
TOLD_BY = ("told_by", "said_by", "according_to")

_ENTITIES = ("entities", "entity_list", "nodes", "named_entities", "names")
_RELATIONS = ("relations", "relationships", "links", "edges", "triples", "triplets")
_FACTS = ("facts", "attributes", "properties", "statements")
_WRAPPERS = ("result", "results", "data", "output", "response", "extraction", "reply", "json", "items", "answer")


@dataclass(slots=True)
class Listed:
    """The objects of a reply, and what could not be read. `asked`: it has at least one of the lists asked for."""

    entities: list[Item] = field(default_factory=list[Item])
    relations: list[Item] = field(default_factory=list[Item])
    facts: list[Item] = field(default_factory=list[Item])
    dropped: list[Dropped] = field(default_factory=list[Dropped])
    asked: bool = False

    def count(self) -> int:
        return len(self.entities) + len(self.relations) + len(self.facts)


def read_reply(reply: str | Mapping[str, Any]) -> Listed:
    """What a reply lists: of all the values in it, that of the one with the most; lists that this lacks from the others.

    Raises:
        ReplyRejectedError: it holds nothing of the form asked for, or it was cut off before anything was in it.
    """
    every = [(reply, False)] if isinstance(reply, Mapping) else [(each.value, each.cut) for each in json_values(reply)]
    read = [(_listed(value), cut) for value, cut in every]
    read = [(listed, cut) for listed, cut in read if listed.asked]
    if not read:
        how = f"{len(reply)} characters without JSON" if not every else "JSON of another form"
        raise ReplyRejectedError(f"the model's reply holds no entities, relations or facts ({how})")
    best, cut = max(read, key=lambda each: each[0].count())
    for other, _ in read:
        best.entities = best.entities or other.entities
        best.relations = best.relations or other.relations
        best.facts = best.facts or other.facts
    if cut and not best.count():
        raise ReplyRejectedError("the model's reply was cut off before it held anything")
    if cut:
        best.dropped.append(Dropped(reason="cut_off", what="the end of the reply is missing"))
    for name in ("entities", "relations", "facts"):
        items: list[Item] = getattr(best, name)
        if len(items) > MOST_ITEMS:
            best.dropped.append(Dropped(reason="too_many", what=f"{len(items) - MOST_ITEMS} {name}"))
            del items[MOST_ITEMS:]
    return best


def _listed(value: object) -> Listed:
    out = Listed()
    _take(out, value, DEEPEST)
    return out


def _take(out: Listed, value: object, depth: int) -> None:
    """Finds the lists of an object, within wrappers; a bare list or object is taken for what its keys say."""
    if depth <= 0:
        return
    if isinstance(value, list):
        for each in cast(list[object], value):
            _sort(out, each, depth)
        return
    if not isinstance(value, Mapping):
        return
    given = {str(key).strip().casefold(): each for key, each in cast(Mapping[object, Any], value).items()}
    entities, relations, facts = (first(given, keys) for keys in (_ENTITIES, _RELATIONS, _FACTS))
    if isinstance(first(given, NAME), str) or _is_relation(given):
        _sort(out, given, depth)
    elif any(isinstance(each, list | Mapping) for each in (entities, relations, facts)):
        out.asked = True
        out.entities += _entities(out, entities)
        out.relations += _items(out, relations)
        out.facts += _facts(out, facts)
    else:
        for key in _WRAPPERS:
            _take(out, given.get(key), depth - 1)


def _sort(out: Listed, value: object, depth: int) -> None:
    """One object of a list whose kind isn't said."""
    if isinstance(value, list):
        _take(out, cast(object, value), depth - 1)
        return
    if not isinstance(value, Mapping):
        return
    given = cast(Item, value)
    if _is_relation(given):
        out.asked = True
        out.relations += _items(out, [given])
    elif first(given, KEY) is not None and first(given, VALUE) is not None and first(given, OF) is not None:
        out.asked = True
        out.facts += _items(out, [given])
    elif isinstance(first(given, NAME), str):
        out.asked = True
        out.entities += _entities(out, [given])
    else:
        _take(out, given, depth - 1)


def _is_relation(given: Item) -> bool:
    return first(given, FROM) is not None and first(given, TO) is not None and first(given, VALUE[:2]) is None


def _items(out: Listed, value: object) -> Iterator[Item]:
    for each in cast(list[object], value) if isinstance(value, list) else []:
        if each == {}:
            continue  # the last one of a reply that was cut off
        if isinstance(each, Mapping):
            yield {str(key).strip().casefold(): one for key, one in cast(Mapping[object, Any], each).items()}
        elif len(triple := cast(list[object], each) if isinstance(each, list) else []) == 3:
            yield dict(zip(("from", "label", "to"), triple, strict=True))
        else:
            out.dropped.append(Dropped(reason="no_object", what=" ".join(f"{each!s}".split())[:80]))


def _entities(out: Listed, value: object) -> Iterator[Item]:
    """Objects; names alone; a table by name, or by kind. Attributes that stand within one are facts of it."""
    for one in _by_name(value):
        given = one
        if isinstance(one, str):
            given = {"name": one}
        for each in _items(out, [given]):
            yield each
            name, inner = first(each, NAME), first(each, _FACTS)
            for key, said in (pairs(inner) or {}).items():
                out.facts.append(
                    {**{k: each[k] for k in (*MSG, *QUOTE) if k in each}, "of": name, "key": key, "value": said}
                )


def _by_name(value: object) -> Iterator[object]:
    if isinstance(value, list):
        yield from cast(list[object], value)
    elif isinstance(value, Mapping):
        for key, each in cast(Mapping[object, object], value).items():
            if isinstance(each, Mapping):
                yield {"name": str(key), **cast(Mapping[str, object], each)}
            elif isinstance(each, list):
                names = [one for one in cast(list[object], each) if isinstance(one, str)]
                yield from ({"name": one, "kind": str(key)} for one in names)
            elif isinstance(each, str):
                yield {"name": str(key), "kind": each}


def _facts(out: Listed, value: object) -> Iterator[Item]:
    """Objects, or a table of tables: whose, then what."""
    if not isinstance(value, Mapping):
        yield from _items(out, value)
        return
    for of, table in cast(Mapping[object, object], value).items():
        for key, said in (pairs(table) or {}).items():
            yield {"of": str(of), "key": key, "value": said}


def text(item: Item, keys: tuple[str, ...]) -> str:
    """The text under one of the keys, on one line; empty for anything else than a text or a number."""
    value = first(item, keys)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).split())


def number(item: Item, keys: tuple[str, ...]) -> int | None:
    """A message's number, also as `"[3]"`."""
    digits = "".join(char for char in text(item, keys) if char in "0123456789")
    return int(digits[:6]) if digits else None


_WORDS = {"critical": 0.95, "very_high": 0.95, "high": 0.9, "medium": 0.6, "normal": 0.5, "low": 0.3}


def weight(item: Item) -> float:
    """Importance within 0–1, also from a word, a percentage or a figure out of ten; 0.5 where there is none."""
    value = first(item, WEIGHT)
    if isinstance(value, str):
        said = value.strip()
        if (word := snake_case(said)) in _WORDS:
            return _WORDS[word]
        try:
            value = float(said.removesuffix("%"))
        except ValueError:
            return 0.5
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value or value < 0:
        return 0.5
    return float(value if value <= 1 else value / 10 if value <= 10 else value / 100 if value <= 100 else 0.5)


def flag(item: Item, keys: tuple[str, ...]) -> bool:
    """Whether it is true, in whatever words."""
    value = first(item, keys)
    return value is True or (isinstance(value, str) and value.strip().casefold() in {"true", "yes", "1"}) or value == 1


def said(item: Item, keys: tuple[str, ...]) -> str:
    """The value under one of the keys in words, also of a list or a truth value."""
    return " ".join(shown(first(item, keys)).split())


def first_texts(item: Item, keys: tuple[str, ...]) -> list[str]:
    """The texts under one of the keys, one or a list of them."""
    value = first(item, keys)
    return [value] if isinstance(value, str) and value.strip() else [each for each in texts(value) if each.strip()]
