"""Judging what a reply lists: what the messages bear out becomes drafts, the rest is listed as dropped, with the reason."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from factbook.extract.fitting import fitting, is_backwards, is_cued, likely
from factbook.extract.ground import ground, nearest_kind
from factbook.extract.labels import LABELS, known_label
from factbook.extract.llm import evidence, reply
from factbook.extract.llm.evidence import Span
from factbook.extract.llm.messages import Said
from factbook.extract.llm.reply import Item, Listed
from factbook.extract.llm.sheet import STATEMENTS, Sheet, is_user
from factbook.extract.llm.times import Holds, holds, is_dated
from factbook.extract.stop_names import is_stop_name
from factbook.model.draft import Draft, DraftFact, DraftRelation, Dropped
from factbook.model.episode import Episode
from factbook.model.record import SELF, EntityType
from factbook.ports.models import ExtractionContext
from factbook.text.kinds import declared_kind, snake_case
from factbook.text.names import fold

MOST_DROPPED = 100
"""So many are listed one by one in a draft; the last one tells how many more there were."""
LONGEST_LABEL = 40

_KINDS: Mapping[str, str] = {
    **dict.fromkeys("human individual name people man woman employee user_name contact per".split(), "person"),
    **dict.fromkeys(
        "team institution university school business startup firm agency brand club band department group".split(),
        "organization",
    ),
    **dict.fromkeys("loc gpe address region state building site venue area".split(), "place"),
    **dict.fromkeys(
        "software language framework library database platform protocol programming_language operating_system os".split(),
        "technology",
    ),
    **dict.fromkeys("device app application hardware website".split(), "product"),
    **dict.fromkeys("codebase repository repo pipeline initiative feature component".split(), "project"),
    **dict.fromkeys("todo action_item issue bug".split(), "task"),
    **dict.fromkeys("kpi figure measure".split(), "metric"),
    **dict.fromkeys("choice".split(), "decision"),
    **dict.fromkeys("problem complaint frustration".split(), "pain_point"),
    **dict.fromkeys("idea subject".split(), "concept"),
}
"""What models call the built-in kinds, besides their declared names."""

_KEYS: Mapping[str, str] = {
    **dict.fromkeys("title job_title job position occupation profession".split(), "role"),
    **dict.fromkeys("allergy allergic_to".split(), "allergies"),
    **dict.fromkeys("hobby interests".split(), "hobbies"),
    **dict.fromkeys("due due_date due_by".split(), "deadline"),
    **dict.fromkeys("reason because why".split(), "rationale"),
    **dict.fromkeys("birth_date date_of_birth".split(), "birthday"),
    **dict.fromkeys("email_address".split(), "email"),
    **dict.fromkeys("phone_number telephone".split(), "phone"),
    **dict.fromkeys("cost".split(), "price"),
}
_LINKS: Mapping[str, str] = {
    **dict.fromkeys("company organization workplace".split(), "works_at"),
    **dict.fromkeys("location based_in headquarters city country".split(), "located_in"),
    **dict.fromkeys("manager boss supervisor".split(), "reports_to"),
    **dict.fromkeys("ceo cto cfo coo director employee".split(), "employs"),
    **dict.fromkeys("language technology framework database platform deployment".split(), "uses"),
    **dict.fromkeys("sister brother sibling".split(), "sibling_of"),
    **dict.fromkeys("wife husband spouse".split(), "spouse_of"),
    **dict.fromkeys("son daughter child".split(), "has_child"),
    **dict.fromkeys("mother father parent".split(), "has_parent"),
    **dict.fromkeys("author creator".split(), "created_by"),
    "founder": "founded_by",
    "friend": "friend_of",
    "colleague": "colleague_of",
    "owner": "owned_by",
}
"""Keys of facts that say a relation."""
_NO_KEYS = frozenset("kind type entity_type id".split())
"""What a reply says of an entity that no message says."""
_NAMES = frozenset({"name", "full_name", "nickname", "alias", "also_known_as"})
_SECRET = re.compile(r"(?:^|_)(?:password|passwd|pin|secret|token|api_key|credential|passphrase)s?(?:_|$)")

_METADATA: Mapping[str, frozenset[str]] = {
    "decision": frozenset({"action", "rationale", "affected_entities", "reversible", "outcome"}),
    "preference": frozenset({"category", "value", "owner"}),
    "pain_point": frozenset({"severity", "frequency", "resolved", "related_campaigns"}),
    "task": frozenset({"owner", "deadline"}),
}
"""What goes with a statement, by document 002."""
_CHOICES: Mapping[str, frozenset[str]] = {
    "severity": frozenset({"low", "medium", "high"}),
    "category": frozenset({"communication", "analysis", "risk", "reporting"}),
    "reversible": frozenset({"true", "false"}),
    "resolved": frozenset({"true", "false"}),
}


@dataclass(frozen=True, slots=True)
class _Proof:
    """The words of a message on which a statement rests."""

    said: Said
    span: Span

    @property
    def quote(self) -> str:
        return self.said.message.text[slice(*self.span)]


class Judge:
    """Judges one reply about one batch."""

    def __init__(self, messages: Sequence[Said], context: ExtractionContext) -> None:
        self._messages = messages
        self._context = context
        self._sheets = {each.episode_id: Sheet(context) for each in messages}
        self._dropped: list[Dropped] = []

    def drafts(self, listed: Listed, episodes: Sequence[Episode], extractor: str) -> list[Draft]:
        """One draft an episode. What was dropped of the reply as a whole stands in the first."""
        for each in self._messages:
            if each.is_cut:
                self._drop("too_long", f"message {each.message.id} beyond {len(each.text)} characters")
            self._sheets[each.episode_id].add_message(each)
        for item in listed.entities:
            self._entity(item)
        for sheet in self._sheets.values():
            for name in sheet.part():
                self._drop("compound", name)
            sheet.introduce()
        for item in listed.facts:
            self._fact(item)
        for item in listed.relations:
            self._relation(item)
        drafts = [self._draft(each, extractor) for each in episodes]
        dropped = [*listed.dropped, *self._dropped, *drafts[0].dropped]
        return [replace(drafts[0], dropped=bounded(dropped)), *drafts[1:]]

    def _draft(self, episode: Episode, extractor: str) -> Draft:
        sheet = self._sheets.get(episode.id)
        if sheet is None:
            return Draft(episode_id=episode.id, extractor=extractor)
        draft = sheet.draft(episode.id, extractor)
        grounded = ground(draft, episode, self._context.kinds)
        return replace(grounded, dropped=bounded(grounded.dropped))

    def _drop(self, reason: str, *what: str) -> None:
        self._dropped.append(Dropped(reason=reason, what=" ".join(" ".join(what).split())[:200]))

    # --- entities -------------------------------------------------------------------------------------------------

    def _entity(self, item: Item) -> None:
        name = reply.text(item, reply.NAME)
        if not name:
            self._drop("no_name", reply.text(item, reply.KIND))
            return
        if is_user(name):
            return
        kind = self.kind(reply.text(item, reply.KIND), name)
        aliases = reply.first_texts(item, reply.ALIASES)
        placed = [self._place(sheet, name, kind, item, aliases) for sheet in self._sheets.values()]
        if not any(placed):
            reason = "stop_name" if is_stop_name(name) else "plain_phrase" if None in placed else "ungrounded"
            self._drop(reason, name)

    def _place(self, sheet: Sheet, name: str, kind: str, item: Item, aliases: Sequence[str]) -> bool | None:
        """Whether the name stands in an episode and was taken; None if it is only a plain phrase there."""
        found = sheet.find(name, users_only=kind in STATEMENTS)
        if found is None or is_stop_name(found) or (kind in STATEMENTS and sheet.is_asked(found, kind)):
            return False
        if kind in _METADATA and not sheet.is_stated(found, kind):
            return None
        if kind in _NAMED and (is_user(found.split()[0]) or sheet.is_plain(found, kind)):
            return None
        about = " ".join(reply.text(item, reply.ABOUT).split())
        if about and not sheet.bears_out(about, found):
            self._drop("ungrounded", name, about)
            about = ""
        entity = sheet.entity(self._without_kind(found, kind), kind)
        entity.importance = max(entity.importance, reply.weight(item))
        entity.about = entity.about or about
        for alias in aliases:
            if not sheet.add_alias(entity, alias):
                self._drop("no_alias", f"{name}: {alias}")
        return True

    def _without_kind(self, name: str, kind: str) -> str:
        """`Black Friday` for `Black Friday campaign`, `Globex` for `Globex people`."""
        rest, _, last = name.rpartition(" ")
        declared = self._context.kinds.get(kind)
        generic = {kind, *(declared.other_names if declared else ()), *_GENERIC}
        return rest if rest != rest.lower() and last in generic else name

    def kind(self, given: str, name: str) -> str:
        """The declared kind that is meant; of a name that the space knows, the one that it has there."""
        kinds: Mapping[str, EntityType] = self._context.kinds
        key = snake_case(given)
        kind = declared_kind(key, kinds) or (_KINDS.get(key) if _KINDS.get(key) in kinds else None)
        kind = kind or nearest_kind(given, kinds)
        known = self._context.known.get(fold(name), "other")
        return known if known != "other" and known in kinds and kind not in STATEMENTS else kind

    # --- where it stands ------------------------------------------------------------------------------------------

    def _proof(self, item: Item, *needed: str) -> _Proof | str:
        """The words that a statement rests on, or why there are none.

        The quote is looked for in the message that is named, then in the others: it counts if it stands in one of them.
        For one that stands nowhere, the sentence of the named message that has most of its words is taken.
        Without a quote, the sentences that hold what is needed are taken.
        """
        quote = reply.text(item, reply.QUOTE)
        number = reply.number(item, reply.MSG)
        users = [each for each in self._messages if each.is_users]
        named = [each for each in users if each.number == number]
        if not evidence.words(quote):
            return self._derived(named or users, needed)
        for some in (named, users):
            found = [_Proof(each, span) for each in some if (span := evidence.find_quote(quote, each.text))]
            if len(found) == 1:
                return found[0]
        others = [each for each in self._messages if not each.is_users]
        if any(evidence.find_quote(quote, each.text) for each in others):
            return "not_the_users"
        near = [_Proof(each, span) for each in named if (span := evidence.nearest(quote, each.text))]
        return near[0] if near else "ungrounded"

    def _derived(self, messages: Sequence[Said], needed: Sequence[str]) -> _Proof | str:
        found: list[_Proof] = []
        for each in messages:
            spans = [evidence.find_name(name, each.text) for name in needed if not is_user(name)]
            there = [span for span in spans if span is not None]
            if there and len(there) == len(spans):
                whole = min(start for start, _ in there), max(stop for _, stop in there)
                span = evidence.around(whole, each.text)
                if span[1] - span[0] <= evidence.LONGEST_QUOTE:
                    found.append(_Proof(each, span))
        return found[0] if len(found) == 1 else "no_quote"

    def _doubt(self, proof: _Proof) -> str:
        """Why the words say nothing, though they stand there; empty if they do."""
        if evidence.is_asked(proof.span, proof.said.text):
            return "asked"
        return "supposed" if evidence.is_doubtful(proof.span, proof.said.text) else ""

    def _ended(self, item: Item, proof: _Proof) -> bool | None:
        """Whether it is taken back; None where the reply says so and no word does."""
        if evidence.is_over(proof.quote):
            return True
        ended = reply.flag(item, reply.ENDED)
        return None if ended and not evidence.may_be_over(proof.quote, proof.said.text) else ended

    def _holds(self, item: Item, proof: _Proof, what: str) -> Holds:
        said = proof.said
        since, until = reply.text(item, reply.SINCE), reply.text(item, reply.UNTIL)
        found = holds(since, until, proof.span, said.text, said.message.at)
        if found.wrong:
            self._drop("wrong_date", f"{what} {since} {until}")
        return found

    def _told_by(self, item: Item, sheet: Sheet, said: Said) -> str | None:
        """Who says so, as the text names them; empty for who writes, None for somebody whom the text doesn't name."""
        name = reply.text(item, reply.TOLD_BY)
        if not name or is_user(name) or fold(name) in (fold(said.message.speaker), fold(self._context.user)):
            return ""
        span = evidence.find_name(name, said.text)
        return " ".join(said.text[slice(*span)].split()) if span else sheet.find(name, users_only=True)

    # --- relations ------------------------------------------------------------------------------------------------

    def _relation(self, item: Item) -> None:
        left, right = reply.text(item, reply.FROM), reply.text(item, reply.TO)
        label, turned = known_label(_label(item))
        what = f"{left} {label} {right}"
        if not left or not right or not label:
            self._drop("no_label" if left and right else "unknown_end", what)
            return
        if turned:
            left, right = right, left
        proof = self._proof(item, left, right)
        if isinstance(proof, str):
            self._drop(proof, what)
            return
        reason = self._link(item, proof, left, label, right, what)
        if reason:
            self._drop(reason, what)

    def _link(self, item: Item, proof: _Proof, left: str, label: str, right: str, what: str) -> str:
        """Takes a relation; why not, if it isn't taken."""
        said = proof.said
        sheet = self._sheets[said.episode_id]
        if doubt := self._doubt(proof):
            return doubt
        wide = self._widened(proof, sheet, [left, right])
        if wide is None:
            return "unsupported"
        ended, told_by = self._ended(item, wide), self._told_by(item, sheet, said)
        if ended is None or told_by is None:
            return "not_ended" if ended is None else "ungrounded"
        kinds = likely(label)
        first, second = sheet.end(left, said, kinds[0]), sheet.end(right, said, kinds[1])
        if isinstance(first, str) or isinstance(second, str):
            return first if isinstance(first, str) else str(second)
        if first is second:
            return "same_ends"
        if SELF in (first.ref, second.ref) and not evidence.is_own(wide.span, said.text):
            return "not_self"
        fit = fitting(label, first.end_kind, second.end_kind)
        if fit is None:
            return "unfit_ends"
        label, turn = fit
        other = second if first.ref == SELF else first if second.ref == SELF else None
        if other is not None and is_backwards(label, (first.ref == SELF) != turn, wide.quote):
            turn = not turn
        if turn:
            first, second = second, first
        sentences = said.text[slice(*evidence.around(wide.span, said.text))]
        if not is_cued(label, sentences) and not evidence.is_foreign(said.text):
            return "uncued"
        if not ended and label in _PAST and any(evidence.is_left(each, sentences) for each in second.names()):
            label = _PAST[label]
        when = self._holds(item, wide, what)
        relation = DraftRelation(
            from_ref=sheet.used(first),
            label=label,
            to_ref=sheet.used(second),
            message_id=said.message.id,
            quote=wide.quote,
            valid_at=when.valid_at,
            invalid_at=when.invalid_at,
            grain=when.grain,
            importance=reply.weight(item),
            retracts=ended,
            told_by=told_by,
        )
        sheet.add_relation(relation)
        return ""

    def _widened(self, proof: _Proof, sheet: Sheet, names: Sequence[str]) -> _Proof | None:
        """The proof, or its sentences, in which at least one of the named ends stands; None if none does."""
        others = [each for each in names if not is_user(each)]
        text = proof.said.text
        whole = evidence.around(proof.span, text)
        for span in (proof.span, whole if whole[1] - whole[0] <= evidence.LONGEST_QUOTE else proof.span):
            if any(sheet.names_in(each, text[slice(*span)]) for each in others):
                return _Proof(proof.said, span)
        return None

    # --- facts ----------------------------------------------------------------------------------------------------

    def _fact(self, item: Item) -> None:
        of, key, value = (reply.text(item, keys) for keys in (reply.OF, reply.KEY, reply.VALUE))
        key = _KEYS.get(snake_case(key), snake_case(key))
        value = value or reply.said(item, reply.VALUE)
        what = f"{of} {key} {value}"
        if key in _NO_KEYS:
            key = ""
        if not of or not key or not value:
            self._drop("unknown_end" if not of else "no_label" if not key else "no_value", what)
        elif _SECRET.search(key):
            self._drop("secret", f"{of} {key}")
        elif key in STATEMENTS and key in self._context.kinds:
            self._entity({**item, "name": value, "kind": key})
        elif (label := _LINKS.get(key, key)) and known_label(label)[0] in LABELS and not self._is_attribute(key, of):
            if label == "located_in" != key and self._is_person(of):
                self._drop("no_label", what)  # where somebody's employer is, they needn't live
            else:
                self._relation({**item, "from": of, "label": label, "to": value})
        else:
            proof = self._proof(item, of, value)
            reason = proof if isinstance(proof, str) else self._state(item, proof, of, key, value)
            if reason:
                self._drop(reason, what)

    def _is_person(self, name: str) -> bool:
        return is_user(name) or any(sheet.kind(name) == "person" for sheet in self._sheets.values())

    def _is_attribute(self, key: str, of: str) -> bool:
        """Whether it is declared for any kind, or goes with the decision or the like of that name."""
        declared = any(key in kind.attributes for kind in self._context.kinds.values())
        return declared or any(key in _METADATA.get(sheet.kind(of), ()) for sheet in self._sheets.values())

    def _state(self, item: Item, proof: _Proof, of: str, key: str, value: str) -> str:
        """Takes a fact; why not, if it isn't taken."""
        said = proof.said
        sheet = self._sheets[said.episode_id]
        entity = sheet.end(of, said, "other")
        if isinstance(entity, str):
            return entity
        if entity.kind in _METADATA:
            return self._detail(entity.metadata, entity.kind, key, value, said)
        if doubt := self._doubt(proof):
            return doubt
        if key in _NAMES:
            return self._name(sheet, entity.ref, of, value, proof)
        text = proof.said.text
        if entity.ref == SELF and not evidence.is_own(proof.span, text):
            return "not_self"
        whole = evidence.around(proof.span, text)
        if not evidence.is_made_of(value, text[slice(*whole)]) and not is_dated(value, text, said.message.at):
            return "ungrounded"
        if fold(value) in ("", fold(of), fold(entity.name)):
            return "no_value"
        ended, told_by = self._ended(item, proof), self._told_by(item, sheet, said)
        if ended is None or told_by is None:
            return "not_ended" if ended is None else "ungrounded"
        when = self._holds(item, proof, f"{of} {key}")
        fact = DraftFact(
            ref=sheet.used(entity),
            attribute=key,
            value=value,
            message_id=said.message.id,
            quote=proof.quote,
            valid_at=when.valid_at,
            invalid_at=when.invalid_at,
            grain=when.grain,
            importance=reply.weight(item),
            retracts=ended,
            told_by=told_by,
        )
        sheet.add_fact(fact)
        return ""

    def _name(self, sheet: Sheet, ref: str, of: str, value: str, proof: _Proof) -> str:
        """A name that somebody says is theirs, or another name of something."""
        speaker = sheet.speaker(proof.said)
        if is_user(of) or ref == speaker.ref:
            if not sheet.call(speaker, value, proof.said):
                return "no_alias"
            fact = DraftFact(
                ref=sheet.used(speaker),
                attribute="name",
                value=sheet.find(value, users_only=True) or value,
                message_id=proof.said.message.id,
                quote=proof.quote,
                importance=0.8,
            )
            sheet.add_fact(fact)
            return ""
        entity = sheet.end(of, proof.said, "other")
        return "" if not isinstance(entity, str) and sheet.add_alias(entity, value) else "no_alias"

    def _detail(self, metadata: dict[str, str], kind: str, key: str, value: str, said: Said) -> str:
        """What goes with a decision, preference, pain point or task."""
        if key not in _METADATA[kind]:
            return "no_label"
        if key in _CHOICES:
            value = value.casefold()
            if value not in _CHOICES[key]:
                return "no_value"
        elif not evidence.is_made_of(value, said.text) and not is_dated(value, said.text, said.message.at):
            return "ungrounded"
        metadata.setdefault(key, SELF if key == "owner" and is_user(value) else value)
        return ""


_PAST = {"works_at": "worked_at", "works_on": "worked_on", "lives_in": "lived_in", "uses": "used", "leads": "led"}
_NAMED = frozenset(
    {"person", "organization", "place", "concept", "event", "other", "project", "product", "technology", "campaign"}
)
_GENERIC = frozenset(
    "people folks guys team teams office offices staff crew headquarters branch account employees".split()
)
"""What follows a name without being part of it."""


def _label(item: Item) -> str:
    label = snake_case(reply.text(item, reply.LABEL))
    if label in ("", "other"):
        label = snake_case(reply.text(item, ("verb",)))
    return label if len(label) <= LONGEST_LABEL and label[:1].isalpha() else ""


def bounded(dropped: Sequence[Dropped]) -> tuple[Dropped, ...]:
    """The first of them, and how many more there were."""
    if len(dropped) <= MOST_DROPPED:
        return tuple(dropped)
    more = Dropped(reason="more", what=f"{len(dropped) - MOST_DROPPED + 1} more")
    return (*dropped[: MOST_DROPPED - 1], more)
