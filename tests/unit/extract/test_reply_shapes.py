"""Objects of a model's reply in every shape that models give them: whole ones are taken, lost ones
are reported.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

import pytest

from factbook import Entity, EntityMemory
from factbook.errors import ReplyRejectedError
from factbook.extract.llm import LlmExtractor
from factbook.extract.llm.reply_lists import read_reply
from factbook.facades.entity_memory.extraction import KINDS, episode_of
from factbook.model import Draft
from factbook.ports.models import ExtractionContext
from tests.support.builders import START
from tests.support.models import ScriptedModel

TEXT = "Ada Berg is the lead cook at Kiln. Tom Lind, who said yes, rows at Kiln in Oslo with Zoe Marsh. It's late."
NAMES = ("Ada Berg", "Tom Lind", "Kiln", "Zoe Marsh")
WHOLE = [
    {"name": "Ada Berg", "entity_type": "person", "attributes": {"role": "lead cook"}},
    {"name": "Tom Lind", "entity_type": "person", "attributes": {"said": "yes"}},
    {"name": "Kiln", "entity_type": "organization", "attributes": {"city": "Oslo"}},
    {"name": "Zoe Marsh", "entity_type": "person", "attributes": {"rows": "with Tom"}},
]

Layout = Callable[[Sequence[str]], str]

LAYOUTS: dict[str, Layout] = {
    "array": lambda each: f"[{', '.join(each)}]",
    "lines": "\n".join,
    "bullets": lambda each: "Here they are:\n" + "\n".join(f"- {one}" for one in each),
    "numbers": lambda each: "\n".join(f"{number}. `{one}`" for number, one in enumerate(each, 1)),
    "numbers in an array": lambda each: (
        "[\n" + ",\n".join(f"{n}. {one}" for n, one in enumerate(each, 1)) + "\n]"
    ),
    "two arrays": lambda each: (
        f"People [1]: [{', '.join(each[:2])}]\nOthers: [{', '.join(each[2:])}] (see [2])"
    ),
    "two fences": lambda each: (
        f"```json\n[{each[0]}, {each[1]}]\n```\nand\n```json\n[{each[2]}, {each[3]}]\n```"
    ),
    "a fence each": lambda each: "\n".join(f"First:\n```json\n{one}\n```" for one in each),
    "commas alone": ", ".join,
    "a wrapper": lambda each: f'{{"entities": [{", ".join(each)}], "count": 4}}',
    "two lists": lambda each: (
        f'{{"people": [{each[0]}, {each[1]}], "entities": [{each[2]}, {each[3]}]}}'
    ),
    "a call": lambda each: (
        f'{{"name": "record", "arguments": {{"entities": [{", ".join(each)}]}}}}'
    ),
    "a call in a text": lambda each: json.dumps(
        {"name": "record", "arguments": f"[{', '.join(each)}]"}
    ),
    "a text": lambda each: json.dumps(f"[{', '.join(each)}]"),
    "nested": lambda each: (
        f'{{"result": {{"data": [[{each[0]}, {each[1]}], [{each[2]}, {each[3]}]]}}}}'
    ),
}

Damage = Callable[[str], str]


def _in_bare_keys(one: str) -> str:
    return re.sub(r'"(\w+)":', r"\1:", one)


DAMAGES: dict[str, Damage] = {
    "none": lambda one: one,
    "indented": lambda one: json.dumps(json.loads(one), indent=2),
    "remarks": lambda one: one.replace(', "attr', ', /* sure */ // of {this}\n # too\n "attr'),
    "no commas": lambda one: one.replace(', "attr', ' "attr').replace(', "ent', '\n"ent'),
    "trailing commas": lambda one: one.replace("}}", ",},}"),
    "inner quotes": lambda one: one.replace(" cook", ' "head" cook').replace(
        "yes", 'a "yes", twice'
    ),
    "single quotes": lambda one: one.replace('"', "'").replace("yes", "it's yes"),
    "bare keys": _in_bare_keys,
    "bare values": lambda one: re.sub(r'": "([^"]*)"', r'": \1', one),
    "typographic quotes": lambda one: re.sub(r'"([^"]*)"', r"“\1”", one),
    "no closing quote": lambda one: one.replace('g", "ent', 'g, "ent'),
    "no colon": lambda one: one.replace('"attributes":', '"attributes"'),
    "broad punctuation": lambda one: one.replace('":', '"：').replace(", ", "，"),
    "raw line breaks": lambda one: one.replace("lead cook", "lead\ncook"),
    "needless escapes": lambda one: one.replace("lead cook", "lead\\-cook"),
    "an ellipsis": lambda one: one.replace("}}", "}, ...}"),
}


def learned(reply: str) -> EntityMemory:
    em = EntityMemory(provider=lambda _: reply)
    em.learn(TEXT)
    return em


def described(em: EntityMemory) -> list[tuple[str, str, list[str]]]:
    return [
        (each.name, each.entity_type, sorted(each.attributes))
        for each in reversed(em.get_all_entities())
    ]


EXPECTED = [
    (str(each["name"]), str(each["entity_type"]), sorted(each["attributes"])) for each in WHOLE
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_every_object_is_taken_in_any_layout_with_any_slip(damage: str) -> None:
    each = [DAMAGES[damage](json.dumps(one)) for one in WHOLE]
    for name, layout in LAYOUTS.items():
        em = learned(layout(each))
        assert sorted(described(em)) == sorted(EXPECTED), f"{name}, {damage}"
        lost = {one.reason for one in em.dropped}
        assert lost == ({"abridged"} if damage == "an ellipsis" else set()), (
            f"{name}, {damage}: {em.dropped}"
        )


LOSSES: dict[str, Damage] = {
    "no end": lambda one: one.removesuffix("}}"),
    "no brace": lambda one: one.removesuffix("}"),
    "not a value": lambda one: one.replace('"organization"', "::"),
    "something between": lambda one: one.replace(', "attr', ', ~~ ?? ~~, "attr'),
    "no name": lambda one: one.replace('"name"', '"title"'),
    "a name that is none": lambda one: one.replace('"Kiln"', "[3]"),
    "a remark": lambda one: f"\n// {one}\n",
    "words": lambda _: "Kiln: an organization in Oslo",
}


@pytest.mark.parametrize("damage", LOSSES)
def test_what_is_lost_of_an_object_is_reported_and_the_others_are_taken(damage: str) -> None:
    each = [json.dumps(one) for one in WHOLE]
    each[2] = LOSSES[damage](each[2])
    for name in ("array", "two fences", "a wrapper", "two lists", "nested", "a text"):
        em = learned(LAYOUTS[name](each))
        others = [one for one in described(em) if one[0] != "Kiln"]
        assert sorted(others) == sorted(one for one in EXPECTED if one[0] != "Kiln"), (
            f"{name}, {damage}"
        )
        assert em.dropped or (name, damage) == ("two fences", "words"), f"{name}, {damage}"


@pytest.mark.parametrize("name", LAYOUTS)
def test_of_a_reply_that_ends_anywhere_what_is_whole_is_taken_and_the_rest_reported(
    name: str,
) -> None:
    each = [json.dumps(one) for one in WHOLE]
    reply = LAYOUTS[name](each)
    shown = reply.replace('\\"', '"') if name in {"a text", "a call in a text"} else reply
    for at in range(len(reply)):
        before = reply[:at].replace('\\"', '"') if shown != reply else reply[:at]
        whole = [str(one["name"]) for one, said in zip(WHOLE, each, strict=True) if said in before]
        begun = sum(f'{{"name": "{one}' in before for one in NAMES)
        em = learned(reply[:at]) if at else EntityMemory()
        complete = [one.name for one in em.entities if one.attributes]
        assert sorted(set(whole) - set(complete)) == [], f"{reply[:at]}: {em.dropped}"
        assert begun == len(whole) or em.dropped, reply[:at]


def test_a_statement_of_which_a_part_is_missing_is_not_taken() -> None:
    """It may have been the part that says the contrary."""
    ended = '{"from": "Ada", "to": "Kiln", "label": "works_at", "ended": true}'
    for cut in (-1, -3, -8, -12):
        with pytest.raises(ReplyRejectedError, match="cut off"):
            read_reply(f'{{"relations": [{ended[:cut]}')
        listed = read_reply(f'{{"entities": [{{"name": "Ada"}}], "relations": [{ended[:cut]}')
        assert (len(listed.entities), listed.relations) == (1, [])
        assert [each.reason for each in listed.dropped] == ["cut_off", "not_whole"]


@pytest.mark.parametrize(
    "reply",
    [
        '{"entities": ["Ada", "Kiln"], "relations": [["Ada", "works_at", "Kiln"]]}',
        '{"entities": ["Ada"]}\n{"relations": [["Ada", "works_at", "Kiln"]]}\n{"entities": ["Kiln"]}',
        '{"nodes": ["Ada"], "entities": ["Kiln"], "edges": [["Ada", "works_at", "Kiln"]]}',
        '{"entities": {"people": [{"name": "Ada"}], "companies": ["Kiln"]}, "links": [["Ada", "works_at", "Kiln"]]}',
        '[{"name": "Ada", "relations": [{"label": "works_at", "to": "Kiln"}]}, {"name": "Kiln"}]',
        json.dumps(
            {
                "name": "record",
                "arguments": '{"entities": ["Ada", "Kiln"], "relations": [["Ada", "works_at", "Kiln"]]}',
            }
        ),
        '{"entities": "Ada", "relations": {"from": "Ada", "label": "works_at", "to": "Kiln"}} {"name": "Kiln"}',
    ],
)
def test_lists_under_any_name_and_in_several_values_are_taken(reply: str) -> None:
    listed = read_reply(reply)
    assert sorted(each["name"] for each in listed.entities) == ["Ada", "Kiln"]
    assert [(each["from"], each["label"], each["to"]) for each in listed.relations] == [
        ("Ada", "works_at", "Kiln")
    ]
    assert listed.dropped == []


def test_what_is_said_twice_is_listed_once() -> None:
    one = (
        '{"entities": [{"name": "Ada"}], "facts": [{"of": "Ada", "key": "role", "value": "cook"}]}'
    )
    listed = read_reply(f"```json\n{one}\n```\nAgain:\n```json\n{one}\n```")
    assert (len(listed.entities), len(listed.facts)) == (1, 1)


@pytest.mark.parametrize(
    ("reply", "reason", "what"),
    [
        ('{"entities": ["Ada"], "people": [{"who": "Tom"}]}', "unknown_form", '{"who": "Tom"}'),
        ('{"entities": ["Ada"], "facts": "none of note"}', "no_object", "none of note"),
        ('{"entities": ["Ada"], "facts": {"Ada": "cook"}}', "no_object", "Ada: cook"),
        ('{"entities": {"Ada": 3, "Tom": null}}', "no_object", "Ada: 3"),
        ('[{"name": "Ada", "attributes": ["cook"]}]', "no_object", "Ada: ['cook']"),
        ('[{"name": "Ada"}, "Tom"]', "no_object", "Tom"),
    ],
)
def test_what_is_not_understood_is_named(reply: str, reason: str, what: str) -> None:
    assert [(each.reason, each.what) for each in read_reply(reply).dropped] == [(reason, what)]


def test_attributes_in_a_list_of_tables_are_all_kept() -> None:
    em = learned(
        '[{"name": "Kiln", "attributes": [{"city": "Oslo"}, {"seats": 12}, {"city": "Bergen"}]}]'
    )
    assert em.get_entity("kiln") is not None
    assert [each.attributes for each in em.entities] == [{"city": "Oslo; Bergen", "seats": "12"}]
    assert isinstance(em.entities[0], Entity)


def judged(text: str, *entities: dict[str, object]) -> Draft:
    model = ScriptedModel(replies=[json.dumps({"entities": entities})])
    (draft,) = LlmExtractor(model).extract(
        [episode_of(text, START)], ExtractionContext(kinds=KINDS)
    )
    return draft


def test_typed_records_of_the_document_are_read_from_a_reply() -> None:
    draft = judged(
        "We switched Campaign Alpha to Target CPA because it is cheaper. The reports are painfully slow, 3 times now.",
        {
            "type": "DECISION",
            "name": "Switch to Target CPA",
            "importance": 0.95,
            "metadata": {
                "action": "switch",
                "rationale": "it is cheaper",
                "affectedEntities": ["Campaign Alpha"],
                "reversible": True,
                "outcome": "sales doubled",
            },
        },
        {
            "type": "PAIN_POINT",
            "name": "slow report",
            "metadata": {"severity": "high", "frequency": 3, "resolved": False},
        },
    )
    assert [(each.name, each.kind, each.metadata) for each in draft.entities] == [
        (
            "switched Campaign Alpha to Target CPA",
            "decision",
            {
                "action": "switch",
                "rationale": "it is cheaper",
                "affected_entities": "Campaign Alpha",
                "reversible": "true",
            },
        ),
        (
            "reports are painfully slow",
            "pain_point",
            {"severity": "high", "frequency": "3", "resolved": "false"},
        ),
    ]
    assert [(each.reason, each.what) for each in draft.dropped] == [
        ("ungrounded", "switched Campaign Alpha to Target CPA outcome sales doubled")
    ]


@pytest.mark.parametrize(
    ("kind", "name", "text", "found"),
    [
        (
            "decision",
            "Move the standup to ten",
            "We moved our standup to ten.",
            "moved our standup to ten",
        ),
        (
            "decision",
            "hire two designers",
            "We're hiring two more designers in May.",
            "hiring two more designers",
        ),
        (
            "decision",
            "cancellation of the launch",
            "We decided on cancelling the launch.",
            "cancelling the launch",
        ),
        ("pain_point", "builds fail", "The build keeps failing on Mondays.", "build keeps failing"),
        (
            "pain_point",
            "long meetings",
            "I hate that every meeting is so long.",
            "meeting is so long",
        ),
        (
            "preference",
            "prefers short answer",
            "I prefer answers that are short.",
            "prefer answers that are short",
        ),
        ("task", "ordering new chairs", "I have to order two new chairs.", "order two new chairs"),
        ("task", "write the report", "Tom has written no word. The report waits.", ""),
        ("decision", "switch to Go", "Should we switch over to Go?", ""),
        ("decision", "buy the house", "Tom sold his house and his boat.", ""),
        ("pain_point", "slow", "It is slowly getting better.", ""),
        ("person", "Switch Berg", "We switched to Berg.", ""),
    ],
)
def test_a_statement_in_other_forms_has_the_words_of_the_message(
    kind: str, name: str, text: str, found: str
) -> None:
    draft = judged(text, {"type": kind, "name": name})
    assert [each.name for each in draft.entities] == ([found] if found else [])
    assert bool(draft.dropped) != bool(found)
