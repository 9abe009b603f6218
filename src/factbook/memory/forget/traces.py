"""What was said of an entity that shall be forgotten: sentences that go, doubtful ones, its own
words, its namesakes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from factbook.memory.forget.leftovers import Judge, Judged, Span, sentence_id
from factbook.model.episode import StoredMessage
from factbook.model.line import LineFilter
from factbook.model.receipt import Doubtful
from factbook.model.record import SELF, EntityRecord, Mention, Note
from factbook.text.common_words import is_common
from factbook.text.legal_forms import GENERATIONS, PARTICLES, SMALL_WORDS, TITLES
from factbook.text.name_masks import Mask, Spans
from factbook.text.names import fold, name_keys
from factbook.text.nicknames import same_given, share_formal
from factbook.text.sentences import sentences
from factbook.text.stop_names import is_stop_name
from factbook.text.words import words
from factbook.views.view import View

_EVERY = LineFilter(superseded=True)
_SAID = LineFilter(superseded=True, kinds=("message",))
_PART = re.compile(r"[^\W\d_][^\W\d_'’]+")
_BESIDE_BEFORE = re.compile(r"([^\W\d_][\w'’]*)[ \t]$")
_NEAR = 80
"""So many characters before a part of a name are looked at for another name."""
_BESIDE_AFTER = re.compile(r"[ \t]([^\W\d_][\w'’]*)")


@dataclass(kw_only=True, slots=True)
class Traces:
    """What is left of somebody beside rows of their own.

    Attributes:
        cut: sentences that go, by the id of the message, note or entity. messages: those that go
            whole. own: those that the forgotten one said. proper: words that are masked where they
            are written as a name. lines: what goes, in words. doubtful: what a person has to
            decide.
    """

    cut: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    messages: set[str] = field(default_factory=set[str])
    own: list[str] = field(default_factory=list[str])
    mask: tuple[str, ...] = ()
    proper: tuple[str, ...] = ()
    lines: list[str] = field(default_factory=list[str])
    doubtful: dict[str, Doubtful] = field(default_factory=dict[str, Doubtful])

    def take(self, row_id: str, sentences: Iterable[str]) -> None:
        """Has these sentences of a row go."""
        self.cut[row_id] = tuple(dict.fromkeys((*self.cut.get(row_id, ()), *sentences)))

    def doubt(self, found: Doubtful) -> None:
        self.doubtful.setdefault(found.id, found)


def find(view: View, members: Sequence[str], names: Sequence[str]) -> Traces:
    """All traces of the entity whose ids and names these are."""
    return _Search(view, members, names).run()


class _Search:
    def __init__(self, view: View, members: Sequence[str], names: Sequence[str]) -> None:
        self._view = view
        self._reader, self._space = view.snapshot, view.space
        self._members = frozenset(members)
        self._names = names
        rows = self._reader.get(self._space, EntityRecord, members).values()
        self._is_person = any(row.kind == "person" for row in rows)
        self._own = {fold(word) for name in names for word in _PART.findall(name)}
        self._kinds: dict[str, str | None] = {}
        self._mentions = list(self._reader.mentions(self._space, members))
        self._found = Traces()
        self._alike: Mask | None = None

    def run(self) -> Traces:
        found = self._found
        everyday = [name for name in self._names if _is_everyday(name)]
        found.mask = tuple(name for name in self._names if name not in everyday)
        parts = self._parts() if self._is_person else []
        borne = [part for part in parts if self._is_borne(part)]
        found.proper = (*everyday, *(part for part in parts if part not in borne))
        self._mask = Mask(found.mask, "", proper=found.proper)
        self._alike = Mask([], "", proper=borne) if borne else None
        numbers, ids = self._lines([*self._names, *parts])
        self._namesakes()
        self._read_messages(numbers, ids.get("message", ()))
        self._read_rows(ids)
        return found

    # --- where to look ----------------------------------------------------------------------------

    def _lines(self, names: Iterable[str]) -> tuple[list[int], dict[str, list[str]]]:
        """Lines that may hold one of the names: numbers of messages, and ids by kind."""
        wanted = list(dict.fromkeys(stem for name in names for stem in words(name)))
        stats = self._reader.word_stats(self._space, wanted)
        numbers = (
            self._reader.find_words(self._space, wanted, _EVERY, limit=stats.lines)
            if wanted
            else []
        )
        told: list[int] = []
        ids: dict[str, list[str]] = {}
        for hit in self._reader.hits(self._space, numbers, ()):
            ids.setdefault(hit.kind, []).append(hit.id)
            if hit.kind == "message":
                told.append(hit.no)
        known = set(ids.setdefault("message", []))
        ids["message"] += sorted({each.message_id for each in self._mentions} - known)
        return told, ids

    def _parts(self) -> list[str]:
        """The words of a person's names that may stand for the whole."""
        whole = {fold(name) for name in self._names}
        out: dict[str, str] = {}
        for name in self._names:
            found = _PART.findall(name)
            for part in found if len(found) > 1 else ():
                folded = fold(part)
                if part[0].isupper() and folded not in whole and not _is_plain(folded):
                    out.setdefault(folded, part)
        return list(out.values())

    def _is_borne(self, part: str) -> bool:
        """Whether another bears that part of the name, as far as is known or was said."""
        hits = self._reader.names(self._space, [f"t:{fold(part)}"])
        if any(hit.entity_id not in self._members for found in hits.values() for hit in found):
            return True
        whole = {fold(name) for name in self._names}
        mask = Mask([], "", proper=[part])
        _, ids = self._lines([part])
        for message in self._reader.messages(self._space, ids["message"]).values():
            speaker = fold(message.speaker)
            if speaker not in whole and fold(part) in speaker.split():
                return True
            if any(_another(message.text, span, self._own) for span in mask.spans(message.text)):
                return True
        return False

    def _kind_of(self, name: str) -> str | None:
        folded = fold(name)
        if folded not in self._kinds:
            keys = [f"f:{folded}", f"t:{folded}"]
            found = self._reader.names(self._space, keys)
            hits = [
                hit
                for key in keys
                for hit in found.get(key, ())
                if hit.entity_id not in self._members
            ]
            self._kinds[folded] = hits[0].kind if hits else None
        return self._kinds[folded]

    # --- what is found there ----------------------------------------------------------------------

    def _namesakes(self) -> None:
        """Other entities that may be the same one under another name."""
        keys = {
            key
            for name in self._names
            for key in name_keys(name)
            if key[:2] in ("f:", "i:", "n:", "t:")
        }
        hits = [
            hit for found in self._reader.names(self._space, sorted(keys)).values() for hit in found
        ]
        for hit in sorted(hits, key=lambda hit: hit.entity_id):
            if hit.entity_id in self._members or hit.entity_id == SELF:
                continue
            if any(_are_alike(hit.name, name, is_person=self._is_person) for name in self._names):
                self._found.doubt(
                    Doubtful(id=hit.entity_id, text=hit.name, why="may be the same one")
                )

    def _read_messages(self, numbers: Sequence[int], ids: Sequence[str]) -> None:
        around = self._reader.find_around(self._space, numbers, _SAID, radius=1)
        near = [hit.id for hit in self._reader.hits(self._space, around, ())]
        messages = self._reader.messages(self._space, dict.fromkeys([*ids, *near])).values()
        mentioned: dict[str, list[Mention]] = {}
        for mention in self._mentions:
            mentioned.setdefault(mention.message_id, []).append(mention)
        judge = Judge(is_person=self._is_person, kind_of=self._kind_of)
        last: StoredMessage | None = None
        for message in sorted(messages, key=lambda each: (each.session, each.position)):
            if last is None or (last.session, last.position + 1) != (
                message.session,
                message.position,
            ):
                judge.begin()
            last = message
            if message.speaker and self._mask.text(message.speaker).strip() == "":
                self._found.own.append(message.id)
                judge.begin()
                continue
            judged = self._judge(judge, message.text, mentioned.get(message.id, ()))
            if judged.whole:
                self._found.messages.add(message.id)
                self._found.lines.append(message.text)
            else:
                self._keep(message.id, judged)

    def _judge(self, judge: Judge, text: str, mentions: Iterable[Mention] = ()) -> Judged:
        spans = self._mask.spans(text)
        told = [
            (each.start, each.end)
            for each in mentions
            if text[each.start : each.start + 1].isupper()
        ]
        alike = self._alike.spans(text) if self._alike else []
        named = Spans(spans)
        alike = [
            span for span in alike if not (named.over(*span) or _another(text, span, self._own))
        ]
        alike += [span for span in told if not named.over(*span)]
        return judge.read(text, spans, alike)

    def _keep(self, row_id: str, judged: Judged) -> None:
        if judged.goes:
            self._found.take(row_id, judged.goes)
            self._found.lines += judged.goes
        for sentence, why in judged.doubtful:
            self._found.doubt(Doubtful(id=sentence_id(row_id, sentence), text=sentence, why=why))

    def _read_rows(self, ids: Mapping[str, Sequence[str]]) -> None:
        """Notes of others, and descriptions of others, with what they said before."""
        judge = Judge(is_person=self._is_person, kind_of=self._kind_of)
        notes = self._reader.get(self._space, Note, ids.get("note", ()))
        kept = {key: row.text for key, row in notes.items() if not self._is_theirs(row)}
        others = self._reader.get(self._space, EntityRecord, ids.get("entity", ()))
        kept |= {
            key: row.description
            for key, row in others.items()
            if key not in self._members and row.description
        }
        before = self._earlier_texts(kept)
        for key, text in kept.items():
            for said in dict.fromkeys((text, *before.get(key, ()))):
                judge.begin()
                self._keep(key, self._judge(judge, said))

    def _is_theirs(self, note: Note) -> bool:
        return bool(note.entity_ids) and self._members.issuperset(note.entity_ids)

    def _earlier_texts(self, ids: Iterable[str]) -> dict[str, list[str]]:
        wanted, out = set(ids), dict[str, list[str]]()
        for commit in self._reader.log_of(self._space, wanted) if wanted else ():
            for row in (
                each for change in commit.changes for each in (change.before, change.after)
            ):
                if isinstance(row, Note | EntityRecord) and row.id in wanted:
                    out.setdefault(row.id, []).append(
                        row.text if isinstance(row, Note) else row.description
                    )
        return out


def resolve_sentences(view: View, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """The sentences that these ids of `sentence_id` mean, by the row they stand in; ids that mean
    none are left out.
    """
    wanted: dict[str, set[str]] = {}
    for key in ids:
        row_id, mark, _ = key.rpartition("#")
        if mark:
            wanted.setdefault(row_id, set()).add(key)
    snapshot, space = view.snapshot, view.space
    texts = {key: row.text for key, row in snapshot.messages(space, wanted).items()}
    texts |= {key: row.text for key, row in snapshot.get(space, Note, wanted).items()}
    texts |= {
        key: row.description for key, row in snapshot.get(space, EntityRecord, wanted).items()
    }
    out: dict[str, tuple[str, ...]] = {}
    for row_id, text in texts.items():
        told = [text[start:end] for start, end in sentences(text)]
        if meant := tuple(each for each in told if sentence_id(row_id, each) in wanted[row_id]):
            out[row_id] = meant
    return out


def _is_everyday(name: str) -> bool:
    """Whether a name is a word that is written everywhere: it counts only where it is written as a
    name.
    """
    found = _PART.findall(name)
    return len(found) == 1 and name[:1].isupper() and (is_common(fold(name)) or is_stop_name(name))


def _is_plain(folded: str) -> bool:
    """Whether a part of a name is too common, or too little, to stand for the whole."""
    small = (
        folded in TITLES or folded in PARTICLES or folded in SMALL_WORDS or folded in GENERATIONS
    )
    return len(folded) < 3 or small or is_common(folded) or is_stop_name(folded)


def _another(text: str, span: Span, own: set[str]) -> bool:
    """Whether a part of a name stands beside another name than the one it is a part of."""
    start = max(0, span[0] - _NEAR)
    before, after = _BESIDE_BEFORE.search(text[start : span[0]]), _BESIDE_AFTER.match(text, span[1])
    for found, first in ((before, True), (after, False)):
        word = found.group(1) if found else ""
        folded = fold(re.sub(r"['’]s$", "", word))
        if word[:1].isupper() and folded not in own and words(word):
            begins = (
                first
                and found is not None
                and not text[: start + found.start(1)].strip(" \n\"'“‘(")
            )
            if not (is_common(folded) or is_stop_name(word)) and not (begins and folded in TITLES):
                return True
    return False


def _are_alike(left: str, right: str, *, is_person: bool) -> bool:
    """Whether two different entities of these names may be one: the same name, a part of it, a
    short form.
    """
    mine, other = fold(left).split(), fold(right).split()
    if mine == other:
        return True
    if not is_person or not mine or not other:
        return False
    if len(mine) == 1:
        return mine[0] in other and not _is_plain(mine[0])
    first, given = mine[0], other[0]
    return mine[-1] == other[-1] and (
        first == given
        or (1 in (len(first), len(given)) and first[0] == given[0])
        or same_given(first, given)
        or share_formal(first, given)
    )
