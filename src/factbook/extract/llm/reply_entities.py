"""Judging the entities of a reply: each name stands in a message, is a name there, and is of a
declared kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from factbook.extract.ground import nearest_kind
from factbook.extract.llm import reply_lists
from factbook.extract.llm.dropped_items import Drops
from factbook.extract.llm.episode_sheet import DETAILED, STATEMENTS, EpisodeSheet, is_user
from factbook.extract.llm.reply_lists import Item
from factbook.model.record import EntityType
from factbook.ports.models import ExtractionContext
from factbook.text.kind_names import declared_kind, snake_case
from factbook.text.names import fold
from factbook.text.stop_names import is_stop_name
from factbook.text.word_lists import load_pairs, load_words

_KINDS: Mapping[str, str] = load_pairs("extract/llm/reply_words", "kinds")
"""Models' names for the built-in kinds, besides their declared names."""

_NAMED = frozenset(
    {
        "person",
        "organization",
        "place",
        "concept",
        "event",
        "other",
        "project",
        "product",
        "work",
        "animal",
        "technology",
        "campaign",
    }
)
_GENERIC = load_words("extract/llm/reply_words", "after names")
"""Words that follow a name without being part of it."""


class ReplyEntities:
    """Takes what a reply lists as entities into the sheets of the episodes in which they stand."""

    def __init__(
        self, context: ExtractionContext, sheets: Sequence[EpisodeSheet], drops: Drops
    ) -> None:
        self._context = context
        self._sheets = sheets
        self._drops = drops
        self._said: dict[str, str] = {}

    def as_said(self, name: str) -> str:
        """Returns the name in the messages' words, where the reply gives it in other forms."""
        return self._said.get(fold(name), name)

    def take_entity(self, item: Item) -> None:
        name = reply_lists.read_text(item, reply_lists.NAME)
        if not name:
            self._drops.note_dropped("no_name", reply_lists.read_text(item, reply_lists.KIND))
            return
        if is_user(name):
            return
        kind = self.find_kind(reply_lists.read_text(item, reply_lists.KIND), name)
        aliases = reply_lists.first_texts(item, reply_lists.ALIASES)
        placed = [self._place_name(sheet, name, kind, item, aliases) for sheet in self._sheets]
        if not any(placed):
            reason = (
                "stop_name"
                if is_stop_name(name)
                else "plain_phrase"
                if None in placed
                else "ungrounded"
            )
            self._drops.note_dropped(reason, name)

    def _place_name(
        self, sheet: EpisodeSheet, name: str, kind: str, item: Item, aliases: Sequence[str]
    ) -> bool | None:
        """Returns whether the name was taken into an episode; None if it is a plain phrase
        there.
        """
        found = sheet.words.find_name(name, users_only=kind in STATEMENTS)
        if found is None and kind in STATEMENTS and (found := sheet.words.find_said(name)):
            self._said[fold(name)] = found
        if found is None or is_stop_name(found):
            return False
        if kind in STATEMENTS and sheet.words.is_asked(found, kind):
            return False
        if kind in DETAILED and not sheet.words.is_stated(found, kind):
            return None
        if kind in DETAILED:
            found = sheet.words.with_negation(found)
        if kind in _NAMED and (is_user(found.split()[0]) or sheet.words.is_plain(found, kind)):
            return None
        about = " ".join(reply_lists.read_text(item, reply_lists.ABOUT).split())
        if about and not sheet.words.bears_out(about, found):
            self._drops.note_dropped("ungrounded", name, about)
            about = ""
        entity = sheet.take_entity(self._without_kind(found, kind), kind)
        entity.importance = max(entity.importance, reply_lists.read_weight(item))
        entity.about = entity.about or about
        for alias in aliases:
            if not sheet.add_alias(entity, alias):
                self._drops.note_dropped("no_alias", f"{name}: {alias}")
        return True

    def _without_kind(self, name: str, kind: str) -> str:
        """Returns `Black Friday` for `Black Friday campaign`, `Globex` for `Globex people`."""
        rest, _, last = name.rpartition(" ")
        declared = self._context.kinds.get(kind)
        generic = {kind, *(declared.other_names if declared else ()), *_GENERIC}
        return rest if rest != rest.lower() and last in generic else name

    def find_kind(self, given: str, name: str) -> str:
        """Returns the declared kind that is meant; of a known name, the kind that it has."""
        kinds: Mapping[str, EntityType] = self._context.kinds
        key = snake_case(given)
        kind = declared_kind(key, kinds) or (_KINDS.get(key) if _KINDS.get(key) in kinds else None)
        kind = kind or nearest_kind(given, kinds)
        known = self._context.known.get(fold(name), "other")
        return known if known != "other" and known in kinds and kind not in STATEMENTS else kind
