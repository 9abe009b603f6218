"""What a reply lists, in whatever shape it came: read leniently, judged elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from factbook.errors import ReplyRejectedError
from factbook.llm.objects import Taken, first_value, is_whole, list_texts, read_pairs
from factbook.llm.replies import find_json
from factbook.model.draft import Dropped
from factbook.model.values import in_words
from factbook.text.kind_names import snake_case

Item = Mapping[str, Any]

MOST_ITEMS = 300
"""Of each list of a reply."""
DEEPEST = 8

LISTS = ("entities", "relations", "facts", "observations", "judged")
"""The lists that are asked for; `judged` are verdicts on the observations of others."""
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
SINCE = ("since", "when", "valid_from", "from_date", "start", "start_date", "valid_at")
UNTIL = ("until", "valid_until", "to_date", "end", "end_date", "invalid_at")
ENDED = ("ended", "retracts", "retracted", "negated", "is_past")
NOTE = ("note", "notes", "comment", "details", "description", "context")
TOLD_BY = ("told_by", "said_by", "according_to")
WHOM = ("about", "of", "entity", "entities", "subject", "who", "whom")
SORT = ("sort", "type", "kind", "category")
HOLDS = ("holds", "hold")
NUMBER = ("n", "number", "no", "id")
KEEP = ("keep", "kept")
STANDS = ("stands", "stands_for", "pronouns")

_ENTITIES = ("entities", "entity_list", "nodes", "named_entities", "names")
_RELATIONS = ("relations", "relationships", "links", "edges", "triples", "triplets")
_FACTS = ("facts", "attributes", "properties", "statements")
_OBSERVATIONS = ("observations",)
_JUDGED = ("judged", "verdicts", "judgements", "judgments")
_DETAILS = ("metadata", "details")
"""The details that an entity of a kind with a schema holds."""
_WRAPPERS = (
    *(
        "result",
        "results",
        "data",
        "output",
        "response",
        "extraction",
        "reply",
        "json",
        "items",
        "answer",
    ),
    *("tool_calls", "content"),
)
_CALLED = ("arguments", "parameters", "input", "function")
"""The keys of a tool call, beside the tool's name."""


@dataclass(slots=True)
class Listed:
    """The objects of a reply, and what could not be read. `asked`: it has at least one of the lists
    asked for.
    """

    entities: list[Item] = field(default_factory=list[Item])
    relations: list[Item] = field(default_factory=list[Item])
    facts: list[Item] = field(default_factory=list[Item])
    observations: list[Item] = field(default_factory=list[Item])
    judged: list[Item] = field(default_factory=list[Item])
    dropped: list[Dropped] = field(default_factory=list[Dropped])
    asked: bool = False

    def count_items(self) -> int:
        return sum(len(getattr(self, name)) for name in LISTS)

    def note_dropped(self, reason: str, what: object) -> None:
        self.dropped.append(Dropped(reason=reason, what=" ".join(f"{what!s}".split())[:80]))


def read_reply(reply: str | Mapping[str, Any]) -> Listed:
    """Returns what all the values of a reply list, in order; what is said twice in the same words,
    once.

    Every object is either listed or dropped with a reason.

    Raises:
        ReplyRejectedError: it holds nothing of the form asked for, or it was cut off before
            anything was in it.
    """
    found = find_json(reply)
    taken = Taken()
    listed = Listed(dropped=list(found.losses))
    for value in found.values:
        _ListFinder(listed, taken).take_value(value)
    if not listed.asked:
        how = "JSON of another form" if found.values else f"{len(reply)} characters without JSON"
        raise ReplyRejectedError(f"the model's reply holds no entities, relations or facts ({how})")
    if found.cut and not listed.count_items():
        raise ReplyRejectedError("the model's reply was cut off before it held anything")
    for value in found.values:
        for left in taken.left_over(value):
            listed.note_dropped("unknown_form", json.dumps(left, ensure_ascii=False, default=str))
    for name in LISTS:
        items: list[Item] = _drop_repeated(getattr(listed, name))
        if len(items) > MOST_ITEMS:
            listed.note_dropped("too_many", f"{len(items) - MOST_ITEMS} {name}")
        setattr(listed, name, items[:MOST_ITEMS])
    return listed


def _drop_repeated(items: list[Item]) -> list[Item]:
    return list(
        {json.dumps(each, sort_keys=True, default=str): each for each in reversed(items)}.values()
    )[::-1]


class _ListFinder:
    """Finds the lists of a value, within wrappers; a bare list or object is taken for what its keys
    say.
    """

    def __init__(self, out: Listed, taken: Taken) -> None:
        self._out = out
        self._taken = taken

    def take_value(self, value: object, depth: int = DEEPEST) -> None:
        """Takes the objects of a list, the one object, or what a wrapper holds."""
        if depth <= 0:
            return
        if isinstance(value, list):
            for each in cast(list[object], value):
                self.take_value(each, depth - 1)
        elif isinstance(value, Mapping):
            self._sort_object(
                cast(Item, value), _fold_keys(cast(Mapping[object, Any], value)), depth
            )
        elif isinstance(value, str) and value.strip() and self._out.asked:
            self._out.note_dropped("no_object", value)

    def _sort_object(self, value: Item, given: Item, depth: int) -> None:
        """Takes an object as a relation, a fact, an observation, a verdict, an entity, or lists
        under their names.
        """
        listed = (*_ENTITIES, *_RELATIONS, *_FACTS, *_OBSERVATIONS, *_JUDGED)
        lists = [key for key in listed if _has_list(given, key)]
        called = [key for key in _CALLED if _has_list(given, key)]
        if _is_relation(given):
            self._out.asked = True
            self._take_relations([value])
        elif _has_values(given, KEY, VALUE, OF):
            self._out.asked = True
            self._take_facts([value])
        elif _has_values(given, SORT[:1], QUOTE):
            self._out.asked = True
            self._take_observations([value])
        elif _has_values(given, KEEP, NUMBER):
            self._out.asked = True
            self._take_judged([value])
        elif (
            isinstance(first_value(given, NAME), str)
            and not called
            and not set(lists) & set(_ENTITIES)
        ):
            self._out.asked = True
            self._take_entities([value])
        elif lists:
            self._out.asked = True
            self._taken.open(value)
            self._take_lists(given)
        for key in (*_WRAPPERS, *_CALLED):
            if value not in self._taken and _has_list(given, key):
                self._taken.open(value)
                self.take_value(given[key], depth - 1)

    def _take_lists(self, given: Item) -> None:
        doors = (
            (_ENTITIES, self._take_entities),
            (_RELATIONS, self._take_relations),
            (_FACTS, self._take_facts),
            (_OBSERVATIONS, self._take_observations),
            (_JUDGED, self._take_judged),
        )
        for keys, take in doors:
            for key in keys:
                take(given.get(key))

    def _take_relations(self, value: object) -> None:
        self._out.relations += self._whole_objects(value)

    def _take_judged(self, value: object) -> None:
        self._out.judged += self._whole_objects(value)

    def _take_facts(self, value: object) -> None:
        """Takes objects, or a table of tables: whose, then what."""
        if not isinstance(value, Mapping):
            self._out.facts += self._whole_objects(value)
            return
        for of, table in cast(Mapping[object, object], value).items():
            self._taken.add(table)
            if (told := read_pairs(table)) is None:
                self._out.note_dropped("no_object", f"{of}: {table}")
            for key, said in (told or {}).items():
                self._out.facts.append({"of": str(of), "key": key, "value": said})

    def _take_observations(self, value: object, **known: object) -> None:
        """Takes objects, or quotes alone; `known` is said of them by what they stand in."""
        for one in self._each_element(value):
            said = {"quote": one} if isinstance(one, str) else one
            self._out.observations += [{**known, **each} for each in self._whole_objects([said])]

    def _take_entities(self, value: object) -> None:
        """Takes objects; names alone; a table by name, or by kind. Attributes that stand within one
        are facts of it.
        """
        for one in self._by_name(value):
            for each in self._find_items([{"name": one} if isinstance(one, str) else one]):
                self._out.entities.append(each)
                self._take_inner(each)

    def _take_inner(self, entity: Item) -> None:
        """Takes the facts, relations and observations that stand within an entity."""
        name, proof = (
            first_value(entity, NAME),
            {key: entity[key] for key in (*MSG, *QUOTE) if key in entity},
        )
        for inner in (entity[key] for key in (*_FACTS, *_DETAILS) if key in entity):
            told = read_pairs(inner)
            if inner and told is None:
                self._out.note_dropped("no_object", f"{name}: {inner}")
            for key, said in (told or {}).items():
                self._out.facts.append({**proof, "of": name, "key": key, "value": said})
        for key in (key for key in _RELATIONS if key in entity):
            for each in self._each_element(entity[key]):
                self._take_relations([_relation_from(name, proof, each)])
        for key in (key for key in _OBSERVATIONS if key in entity):
            self._take_observations(entity[key], about=name)

    def _by_name(self, value: object) -> Iterator[object]:
        if not isinstance(value, Mapping):
            yield from self._each_element(value)
            return
        for key, each in cast(Mapping[object, object], value).items():
            self._taken.add(each)
            if isinstance(each, Mapping):
                yield {"name": str(key), **cast(Mapping[str, object], each)}
            elif isinstance(each, list):
                yield from (_of_kind(str(key), one) for one in cast(list[object], each))
            elif isinstance(each, str):
                yield {"name": str(key), "kind": each}
            elif each is not None:
                self._out.note_dropped("no_object", f"{key}: {each}")

    def _whole_objects(self, value: object) -> Iterator[Item]:
        """Yields the objects of a list that miss no part: a missing one may have said the
        contrary.
        """
        for each in self._each_element(value):
            if is_whole(each):
                yield from self._find_items([each])
            else:
                self._taken.add(each)
                self._out.note_dropped(
                    "not_whole", json.dumps(each, ensure_ascii=False, default=str)
                )

    def _find_items(self, value: Sequence[Any]) -> Iterator[Item]:
        for each in value:
            self._taken.add(each)
            if isinstance(each, Mapping):
                if each:
                    yield _fold_keys(cast(Mapping[object, Any], each))
                continue
            triple = cast(list[object], each) if isinstance(each, list) else []
            if len(triple) == 3:
                yield dict(zip(("from", "label", "to"), triple, strict=True))
            else:
                self._out.note_dropped("no_object", str(cast(object, each)))

    def _each_element(self, value: object) -> Sequence[object]:
        """Returns the elements of a list; a single object or name is one."""
        if isinstance(value, list):
            return cast(list[object], value)
        return [] if value is None or value == "" else [value]


def _fold_keys(given: Mapping[object, Any]) -> Item:
    return {str(key).strip().casefold(): each for key, each in given.items()}


def _has_list(given: Item, key: str) -> bool:
    """Returns whether there is something under the key that may list objects."""
    return isinstance(given.get(key), list | Mapping)


def _is_relation(given: Item) -> bool:
    return _has_values(given, FROM, TO) and first_value(given, VALUE[:2]) is None


def _has_values(given: Item, *parts: tuple[str, ...]) -> bool:
    """Returns whether each part has a value, under one of its keys."""
    return all(first_value(given, keys) is not None for keys in parts)


def _relation_from(name: object, proof: Item, one: object) -> object:
    """Returns a relation that stands within an entity: from it, unless it says otherwise."""
    if not is_whole(one) or not isinstance(one, Mapping):
        return one
    given = _fold_keys(cast(Mapping[object, Any], one))
    return {**proof, "from": name, **given} if first_value(given, FROM) is None else given


def _of_kind(kind: str, one: object) -> object:
    if isinstance(one, str):
        return {"name": one, "kind": kind}
    return {"kind": kind, **cast(Mapping[str, object], one)} if isinstance(one, Mapping) else one


def read_text(item: Item, keys: tuple[str, ...]) -> str:
    """Returns the text or number under one of the keys, on one line; else an empty text."""
    value = first_value(item, keys)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).split())


def read_message_number(item: Item, keys: tuple[str, ...]) -> int | None:
    """Returns a message's number, also as `"[3]"`."""
    digits = "".join(char for char in read_text(item, keys) if char in "0123456789")
    return int(digits[:6]) if digits else None


_WORDS = {
    "critical": 0.95,
    "very_high": 0.95,
    "high": 0.9,
    "medium": 0.6,
    "normal": 0.5,
    "low": 0.3,
}


_SCALES = (1, 10, 100)
"""Figures that stand for the most importance, the smaller tried first."""


def read_weight(item: Item, default: float = 0.5) -> float:
    """Returns importance within 0–1, also from a word, a percentage or a figure out of ten; the
    default where there is none.
    """
    value = first_value(item, WEIGHT)
    if isinstance(value, str):
        said = value.strip()
        if (word := snake_case(said)) in _WORDS:
            return _WORDS[word]
        try:
            value = float(said.removesuffix("%"))
        except ValueError:
            return default
    if isinstance(value, bool) or not isinstance(value, int | float):
        return default
    scale = next((most for most in _SCALES if 0 <= value <= most), None)
    return default if scale is None else value / scale


def read_flag(item: Item, keys: tuple[str, ...]) -> bool:
    """Returns whether it is true, in whatever words."""
    value: object = first_value(item, keys)
    if isinstance(value, str):
        return value.strip().casefold() in {"true", "yes", "1"}
    return value == 1


def read_yes_or_no(item: Item, keys: tuple[str, ...]) -> bool | None:
    """Returns True for a clear yes, False for a clear no, None for anything else."""
    said = read_words(item, keys).casefold()
    return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}.get(said)


def read_words(item: Item, keys: tuple[str, ...]) -> str:
    """Returns the value under one of the keys in words, also of a list or a truth value."""
    return " ".join(in_words(first_value(item, keys)).split())


def first_texts(item: Item, keys: tuple[str, ...]) -> list[str]:
    """Returns the texts under one of the keys, one or a list of them."""
    value = first_value(item, keys)
    return (
        [value]
        if isinstance(value, str) and value.strip()
        else [each for each in list_texts(value) if each.strip()]
    )
