"""The verbs that say a relation, by lemma and preposition.

A verb that stands in no line here gives a relation of its own lemma only where `PLAIN` lists it:
most verbs of talk (`say`, `think`, `get`) say nothing that a memory should hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from factbook.extract.local.rules.nouns import (
    GATHERINGS,
    GROUPS_OF_PEOPLE,
    LED,
    SCHOOLS,
    WORKPLACES,
)
from factbook.extract.local.rules.sense import (
    ACTORS,
    ANYTHING,
    EFFORTS,
    GROUPS,
    PEOPLE,
    PLACES,
    SYSTEMS,
    TOOLS,
    Sense,
)
from factbook.model.relation_table import LIVING
from factbook.model.relations import LABELS

__all__ = ["LABELS", "PLAIN", "SENSES", "Sense"]

_PERSON = frozenset({"person"})
_ORG = frozenset({"organization"})
_EMPLOYERS = frozenset({"organization", "place", "product", "technology", "other"})
"""An employer may pass for what it makes, or for where it is."""
_FIRMS = frozenset({"organization", "product"})
"""A firm may go by what it makes."""
_SCHOOLS = frozenset({"organization", "place", "other"})
_MACHINES = frozenset({"project", "product", "technology", "other"})
"""What runs: the kinds of services, which one calls and another stores its data in."""


def _at_work() -> dict[str, Sense]:
    works = Sense(
        label="works_at",
        past=True,
        right=_EMPLOYERS | {""},
        phrase="any",
        nouns=WORKPLACES,
        group=True,
    )
    within = replace(works, right=_ORG | {""})
    serves = replace(works, right=_EMPLOYERS - {"place"} | {""})
    helps = Sense(
        label="volunteers_at",
        past=True,
        right=_EMPLOYERS | {""},
        phrase="any",
        nouns=WORKPLACES,
        group=True,
    )
    on = Sense(
        label="works_on", past=True, right=EFFORTS, group=True, shared=True, phrase="distinct"
    )
    together = Sense(label="works_with", right=_PERSON, group=True)
    leads = Sense(label="leads", past=True, right=EFFORTS | GROUPS, shared=True)
    manages = Sense(label="manages", right=EFFORTS | GROUPS | {"person"})
    answers = Sense(label="responsible_for", right=EFFORTS - {"event"} | _ORG, group=True)
    mentors = Sense(label="mentors", right=PEOPLE)
    return {
        "work at": works, "work for": serves, "intern at": works, "teach at": works, "consult for": serves,
        "work in": within, "freelance for": works, "moonlight at": works, "practice at": works, "lecture at": works,
        "employ ": Sense(label="works_at", left=_ORG, right=PEOPLE, turned=True),
        "employ at": works, "drive for": serves, "fly for": serves, "write for": within, "code for": serves,
        "contract for": serves, "intern with": serves, "intern for": serves, "temp at": works, "temp for": serves,
        "nurse at": works, "cook at": works, "bartend at": works, "start at": replace(works, begins=True, right=_ORG),
        "begin at": replace(works, begins=True, right=_ORG), "train at": within, "waitress at": works,
        "join ": Sense(label="works_at", past=True, right=_ORG, begins=True),
        "volunteer at": helps, "volunteer for": replace(helps, right=_ORG | {"other"}), "volunteer with": helps,
        "work with": together, "collaborate with": together, "pair with": together, "team up with": together,
        "work on": on, "pair on": on, "collaborate on": on, "contribute to": on, "hack on": on, "work together": on,
        "lead ": leads, "head ": leads, "head up": leads, "chair ": leads, "spearhead ": leads, "captain ": leads,
        "run ": Sense(
            label="leads", past=True, right=frozenset({"project", "organization", "campaign", ""}), nouns=LED,
            phrase="any", shared=True,
        ),
        "coach ": Sense(label="leads", past=True, right=_ORG | {""}, nouns=GROUPS_OF_PEOPLE),
        "manage ": manages, "oversee ": manages, "supervise ": manages,
        "look after": answers, "handle ": replace(answers, right=EFFORTS - {"", "event", "other"}),
        "report to": Sense(label="reports_to", right=_PERSON, group=True),
        "work under": Sense(label="reports_to", right=_PERSON), "answer to": Sense(label="reports_to", right=_PERSON),
        "report into": Sense(label="reports_to", right=_PERSON, group=True),
        "assign to": Sense(label="assigned_to", left=EFFORTS, right=PEOPLE),
        "hire ": Sense(label="hired", left=PEOPLE | _ORG, right=PEOPLE, event=True, group=True),
        "recruit ": Sense(label="hired", left=PEOPLE | _ORG, right=PEOPLE, event=True, group=True),
        "mentor ": mentors, "tutor ": mentors, "advise ": replace(mentors, right=_PERSON),
        "conduct ": Sense(label="leads", past=True, right=_ORG | {""}, phrase="any", nouns=GROUPS_OF_PEOPLE),
        "pick up": Sense(label="assigned_to", right=frozenset({"task"}), event=True, turned=True),
        "give to": Sense(label="assigned_to", left=frozenset({"task"}), right=PEOPLE),
        "belong to": Sense(label="member_of", right=_ORG | {""}, nouns=GROUPS_OF_PEOPLE),
        "play for": Sense(label="member_of", right=_ORG | {"other", ""}, phrase="any", nouns=GROUPS_OF_PEOPLE),
        "play in": Sense(label="member_of", right=_ORG | {""}, phrase="any", nouns=GROUPS_OF_PEOPLE),
        "sing in": Sense(label="member_of", right=_ORG | {""}, phrase="any", nouns=GROUPS_OF_PEOPLE),
        "serve on": Sense(label="member_of", right=_ORG | {""}, phrase="any", nouns=GROUPS_OF_PEOPLE),
        "sit on": Sense(label="member_of", right=_ORG | {""}, phrase="any", nouns=GROUPS_OF_PEOPLE),
    }  # fmt: skip


def _of_things() -> dict[str, Sense]:
    uses = Sense(label="uses", past=True, left=ACTORS | SYSTEMS, right=TOOLS, group=True)
    keeps = replace(uses, past=False, stays=True)
    made_with = Sense(label="uses", left=SYSTEMS | PEOPLE, right=TOOLS, made=True, group=True)
    kept = Sense(
        label="uses",
        past=True,
        left=ACTORS - {""},
        right=frozenset({"technology", "product"}),
        group=True,
    )
    drives = Sense(label="uses", left=TOOLS, right=SYSTEMS, turned=True)
    owns = Sense(label="owns", left=ACTORS, right=EFFORTS | _ORG, group=True, phrase="any")
    needs = Sense(label="depends_on", left=SYSTEMS | EFFORTS, right=SYSTEMS | EFFORTS, group=True)
    calls = Sense(
        label="depends_on",
        left=_MACHINES | {""},
        right=frozenset({"project", "technology", "product"}),
    )
    blocks = Sense(label="blocks", left=EFFORTS | {"person"}, right=EFFORTS)
    causes = Sense(label="causes", left=EFFORTS, right=EFFORTS, event=True, phrase="any")
    located = Sense(
        label="located_in",
        left=frozenset({"organization", "place", "project", "event", "other", ""}),
        right=PLACES,
    )
    whole = Sense(label="part_of", left=SYSTEMS, right=SYSTEMS, stays=True)
    holds = Sense(
        label="part_of", left=SYSTEMS - {""}, right=SYSTEMS - {"technology", ""}, turned=True
    )
    return {
        "use ": uses, "adopt ": uses, "rely on": uses, "store in": kept, "keep in": kept,
        **dict.fromkeys(
            ("track in", "track with", "manage in", "manage with", "manage through", "plan in", "plan with", "edit in",
             "edit with", "take in", "pay through", "pay via", "chat on", "chat over", "communicate via", "communicate on",
             "deploy via", "back up to", "log to", "log in", "sync to", "sync through", "sync via", "monitor with",
             "monitor through", "draw in", "sketch in", "prototype in", "bank with", "stream on", "publish on"),
            kept,
        ),
        "sync with": made_with, "utilize ": uses, "leverage ": uses,
        "stick with": keeps, "stick to": keeps, "stay with": keeps, "stay on": keeps,
        "standardize on": keeps, "standardise on": keeps, "settle on": keeps,
        "run on": made_with, "build with": made_with, "build on": made_with, "build in": made_with,
        "rebuild in": made_with, "rebuild with": made_with, "write in": made_with, "write with": made_with,
        "rewrite in": made_with, "deploy on": made_with, "deploy to": made_with, "deploy with": made_with,
        "host on": made_with, "host with": made_with, "implement in": made_with, "implement with": made_with,
        "develop in": made_with, "develop with": made_with, "code in": made_with, "make with": made_with,
        "base on": made_with, "integrate with": made_with, "sit on": made_with, "program in": made_with,
        "run in": replace(made_with, right=frozenset({"technology"})), "test with": made_with,
        "power ": drives, "back ": drives, "underpin ": drives,
        "own ": owns, "maintain ": replace(owns, phrase="certain"), "co-own ": owns,
        "depend on": needs, "hinge on": needs,
        "require ": Sense(label="depends_on", left=SYSTEMS - {"", "organization"}, right=TOOLS),
        "need ": Sense(label="depends_on", left=frozenset({"project", "product"}), right=_MACHINES),
        "call ": replace(calls, right=frozenset({"project"}), left=_MACHINES - {"other"}),
        "talk to": calls, "connect to": calls, "read from": calls, "write to": calls, "pull from": calls,
        "query ": replace(calls, left=_MACHINES), "consume ": replace(calls, left=_MACHINES),
        "belong to": whole, "fall under": whole, "fold into": whole, "merge into": whole,
        "include ": holds, "contain ": holds, "comprise ": holds,
        "wait on": replace(blocks, left=EFFORTS, turned=True), "wait for": replace(blocks, left=EFFORTS, turned=True),
        "block on": replace(blocks, left=EFFORTS, turned=True), "block ": blocks, "hold up": blocks, "delay ": replace(blocks, left=EFFORTS - {""}),
        "cause ": causes, "trigger ": causes, "lead to": replace(causes, left=EFFORTS - {""}),
        "break ": replace(causes, left=EFFORTS - {""}, right=EFFORTS - {""}),
        "locate in": located, "headquarter in": located, "base in": located, "situate in": located,
        "locate near": located, "situate near": located, "locate at": located,
    }  # fmt: skip


def _of_places() -> dict[str, Sense]:
    lives = Sense(label="lives_in", past=True, right=PLACES, group=True, shared=True)
    arrives = replace(lives, begins=True)
    visited = Sense(label="visited", right=PLACES, event=True, group=True, shared=True)
    origin = Sense(label="comes_from", right=PLACES, stays=True)
    studies = Sense(label="studies_at", past=True, right=_SCHOOLS, group=True)
    attended = Sense(
        label="attended",
        right=frozenset({"event", "organization", ""}),
        event=True,
        group=True,
        shared=True,
        phrase="any",
        nouns=GATHERINGS,
    )
    went = replace(attended, right=frozenset({"event"}))
    return {
        "live in": lives, "live at": lives, "reside in": lives, "settle in": lives, "live near": lives,
        "dwell in": lives, "rent in": lives,
        "relocate to": arrives, "move to": arrives, "emigrate to": arrives, "immigrate to": arrives,
        "grow in": replace(origin, event=True), "raise in": replace(origin, event=True),
        "come from": origin, "hail from": origin, "originate from": origin,
        "bear in": Sense(label="born_in", right=PLACES, event=True),
        "visit ": visited, "go to": visited, "travel to": visited, "fly to": visited, "drive to": visited,
        "tour ": visited, "explore ": visited, "hike in": visited, "vacation in": visited, "holiday in": visited, "honeymoon in": visited,
        "spend in": visited, "return to": visited, "sail to": visited, "cycle to": visited,
        "attend ": attended, "speak at": went, "present at": went, "exhibit at": went, "talk at": went,
        "participate in": replace(attended, right=frozenset({"event", ""})), "compete in": went, "run ": went, "come to": went,
        "take part in": went, "show up at": went, "show up to": went, "keynote at": went, "volunteer at": went,
        "study at": studies, "enroll at": studies, "enrol at": studies, "major at": studies,
        "graduate from": Sense(label="studied_at", right=_SCHOOLS, event=True, group=True),
    }  # fmt: skip


def _of_deeds() -> dict[str, Sense]:
    made = Sense(
        label="created",
        left=PEOPLE | _ORG,
        right=EFFORTS,
        event=True,
        group=True,
        shared=True,
        phrase="named",
    )
    drew = replace(made, right=EFFORTS - {""})
    judged = Sense(label="approved", right=EFFORTS, event=True, group=True)
    return {
        "create ": made, "build ": made, "write ": made, "design ": made, "develop ": made, "invent ": made,
        "author ": made, "code ": made, "program ": made, "compose ": made, "draft ": made, "film ": drew,
        "file ": replace(drew, right=frozenset({"task"})), "open ": Sense(label="created", right=frozenset({"task"}), event=True),
        "file as": replace(drew, right=frozenset({"task"})),
        "found ": Sense(
            label="founded", right=_ORG | {"project", ""}, event=True, group=True, shared=True, phrase="any",
            nouns=WORKPLACES | GROUPS_OF_PEOPLE | {"business"},
        ),
        "start ": Sense(label="founded", right=_ORG, event=True, shared=True),
        "establish ": Sense(label="founded", right=_ORG, event=True, shared=True),
        "put together": made, "come up with": made, "make ": replace(drew, right=frozenset({"project", "campaign"})),
        "prototype ": made, "craft ": made, "set up": replace(drew, right=frozenset({"project", "campaign"})),
        "endorse ": judged, "ratify ": judged, "shoot down": replace(judged, label="rejected"),
        "look over": replace(judged, label="reviewed"), "solve ": replace(judged, label="fixed"),
        "squash ": replace(judged, label="fixed"), "hotfix ": replace(judged, label="fixed"),
        "approve ": judged, "sign off": judged, "sign off on": judged, "greenlight ": judged, "okay ": judged,
        "reject ": replace(judged, label="rejected"), "veto ": replace(judged, label="rejected"),
        "turn down": replace(judged, label="rejected"), "decline ": replace(judged, label="rejected"),
        "review ": replace(judged, label="reviewed"), "proofread ": replace(judged, label="reviewed"),
        "fix ": replace(judged, label="fixed"), "repair ": replace(judged, label="fixed"),
        "patch ": replace(judged, label="fixed"), "debug ": replace(judged, label="fixed", right=EFFORTS - {""}),
        "resolve ": replace(judged, label="fixed", right=frozenset({"task", "project"})),
        "replace ": Sense(label="replaced", left=ANYTHING - {""}, right=ANYTHING - {""}, event=True),
        "succeed ": Sense(label="replaced", right=_PERSON, event=True),
        "acquire ": Sense(label="acquired", left=_FIRMS, right=_ORG | {"product", "project"}, event=True),
        "buy ": Sense(label="acquired", left=_FIRMS, right=_ORG, event=True),
        "take over": Sense(label="acquired", left=_ORG, right=_ORG, event=True), "purchase ": Sense(label="acquired", left=_FIRMS, right=_ORG, event=True), "snap up": Sense(label="acquired", left=_FIRMS, right=_ORG, event=True),
        "partner with": Sense(label="partners_with", left=_ORG, right=_ORG, stays=True),
        "compete with": Sense(label="competes_with", left=_ORG | {"product"}, right=_ORG | {"product"}),
        "compete against": Sense(label="competes_with", left=_ORG | {"product"}, right=_ORG | {"product"}),
        "invest in": Sense(label="invested_in", left=PEOPLE | _ORG, right=_ORG, event=True, group=True),
        "fund ": Sense(label="funds", left=PEOPLE | _ORG, right=EFFORTS | _ORG, group=True),
        "bankroll ": Sense(label="funds", left=PEOPLE | _ORG, right=EFFORTS | _ORG, group=True),
        "pay for": Sense(label="funds", left=_ORG, right=EFFORTS - {""} | _ORG),
        "finance ": Sense(label="funds", left=PEOPLE | _ORG, right=EFFORTS | _ORG, group=True),
        "sponsor ": Sense(label="funds", left=PEOPLE | _ORG, right=EFFORTS | _ORG, group=True),
    }  # fmt: skip


def _of_people() -> dict[str, Sense]:
    likes = Sense(label="likes", left=LIVING, right=ANYTHING - {"self"}, phrase="loose")
    dislikes = Sense(label="dislikes", left=LIVING, right=ANYTHING - {"self"}, phrase="loose")
    met = Sense(label="met", right=_PERSON, event=True, group=True)
    return {
        "play ": Sense(label="plays", right=frozenset({"product", "work", "other", ""}), phrase="any", shared=True),
        "marry ": Sense(label="spouse_of", right=PEOPLE, begins=True),
        "marry to": Sense(label="spouse_of", right=PEOPLE, begins=True),
        "engage to": Sense(label="partner_of", right=PEOPLE, begins=True),
        "date ": Sense(label="partner_of", right=PEOPLE), "go out with": Sense(label="partner_of", right=PEOPLE),
        "know ": Sense(label="knows", right=_PERSON),
        "meet ": met, "meet with": met, "run into": met, "bump into": met, "catch up with": met,
        "prefer ": Sense(label="prefers", right=ANYTHING, phrase="any"), "favor ": Sense(label="prefers", phrase="loose"),
        "favour ": Sense(label="prefers", phrase="loose"),
        "like ": likes, "love ": likes, "enjoy ": likes, "adore ": likes,
        "dislike ": dislikes, "hate ": dislikes, "despise ": dislikes, "loathe ": dislikes, "detest ": dislikes,
        "hat ": dislikes,
    }  # fmt: skip


def _more() -> dict[str, tuple[Sense, ...]]:
    """What the same words say of other ends."""
    owns = Sense(label="owns", left=ACTORS, right=EFFORTS, begins=True, group=True)
    leads = Sense(label="leads", past=True, right=_ORG | {""}, nouns=GROUPS_OF_PEOPLE, begins=True)
    return {
        "join ": (
            Sense(label="member_of", right=frozenset({""}), phrase="any", nouns=GROUPS_OF_PEOPLE, begins=True, group=True),
        ),
        "move to": (Sense(label="moved_to", right=frozenset({""}), nouns=GROUPS_OF_PEOPLE, event=True, group=True),),
        "transfer to": (Sense(label="moved_to", right=frozenset({""}), nouns=GROUPS_OF_PEOPLE, event=True, group=True),),
        "meet at": (
            Sense(label="attended", right=frozenset({"event"}), event=True, group=True),
        ),
        "base in": (Sense(label="lives_in", past=True, right=PLACES),),
        "belong to": (Sense(label="owns", left=EFFORTS | _ORG, right=_PERSON, turned=True),),
        "work for": (Sense(label="reports_to", right=_PERSON),),
        "take over": (leads, owns), "inherit ": (leads, owns),
        "go to": (
            Sense(
                label="attended", right=frozenset({"event", ""}), event=True, group=True, shared=True, phrase="distinct",
                nouns=GATHERINGS - SCHOOLS,
            ),
            Sense(label="studies_at", past=True, right=_ORG, nouns=SCHOOLS, strict=True),
        ),
        "coach ": (Sense(label="mentors", right=PEOPLE),),
        "run ": (
            Sense(label="uses", past=True, left=ACTORS | SYSTEMS, right=frozenset({"technology"}), group=True),
        ),
        "work with": (
            Sense(label="uses", past=True, right=frozenset({"technology"}), group=True),
            Sense(label="partners_with", left=_ORG, right=_ORG, stays=True),
        ),
        "collaborate with": (Sense(label="partners_with", left=_ORG, right=_ORG, stays=True),),
        "team up with": (Sense(label="partners_with", left=_ORG, right=_ORG, stays=True),),
        "open ": (
            Sense(
                label="founded", left=PEOPLE, right=frozenset({""}), event=True, shared=True, phrase="any",
                nouns=WORKPLACES - {"bar", "court", "embassy", "office"},
            ),
        ),
    }  # fmt: skip


def _key(written: str) -> tuple[str, str]:
    lemma, _, preposition = written.partition(" ")
    return lemma, preposition


def _senses() -> dict[tuple[str, str], tuple[Sense, ...]]:
    """Keys are lemma and preposition (or particle); the empty one is the direct object."""
    out: dict[tuple[str, str], tuple[Sense, ...]] = {}
    for table in (_of_deeds(), _at_work(), _of_things(), _of_places(), _of_people()):
        for written, sense in table.items():
            out[_key(written)] = (*out.get(_key(written), ()), sense)
    for written, senses in _more().items():
        out[_key(written)] = (*out.get(_key(written), ()), *senses)
    return out


SENSES: Mapping[tuple[str, str], tuple[Sense, ...]] = _senses()
"""Where there are several, the first that the ends fit is meant."""

PLAIN = frozenset(
    """teach support help win publish launch sell ship follow host organize study paint read watch finish
    complete sue direct perform release edit translate produce represent defeat beat nominate
    recommend train research document migrate deprecate merge test monitor audit rent lease supply deliver
    distribute license feature star record sing photograph coordinate""".split()
)
"""Verbs that give a relation of their own lemma, between two names (or the speaker and a name)."""
