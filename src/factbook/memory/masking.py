"""Masking before anything is stored, by every verb: secrets always, personal data where wished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from factbook.errors import ConfigError
from factbook.model.entity import Entity
from factbook.model.record import EntityType, Note
from factbook.text.secrets import mask_secrets

Redact = bool | str | Sequence[str]
"""The personal data that is masked: True for the usual sorts, or their names
(`text.personal_data.SORTS`), `all`.
"""


def sorts_of(wish: Redact) -> tuple[str, ...]:
    """The sorts that a wish means.

    Raises:
        ConfigError: there is no such sort.
    """
    if not wish:
        return ()
    from factbook.text.personal_data import check_sorts  # 30 ms of patterns, for who asks for them

    try:
        return check_sorts(wish)
    except ValueError as error:
        raise ConfigError(str(error)) from None


@dataclass(frozen=True, kw_only=True, slots=True)
class Guard:
    """Masks the texts of one write, and counts what it masked by sort.

    Attributes:
        sorts: the personal data that goes. space: keys the marks of speakers. counts: so far.
    """

    sorts: Collection[str] = ()
    space: str = ""
    counts: Counter[str] = field(default_factory=Counter[str])

    def mask_text(self, text: str) -> str:
        """The text without secrets and personal data."""
        masked, secrets = mask_secrets(text)
        self.counts.update(secrets)
        if self.sorts:
            from factbook.text.personal_data import redact_text

            masked, personal = redact_text(masked, self.sorts)
            self.counts.update(personal)
        return masked

    def mask_name(self, name: str) -> str:
        """A name without secrets; names stay otherwise."""
        masked, secrets = mask_secrets(name)
        self.counts.update(secrets)
        return masked

    def mask_speaker(self, name: str) -> str:
        """A speaker's name; one that is a number or address becomes a mark that tells it from
        others.
        """
        masked = self.mask_name(name)
        if self.sorts:
            from factbook.text.personal_data import redact_label

            masked, personal = redact_label(masked, self.sorts, self.space)
            self.counts.update(personal)
        return masked

    def mask_table(self, values: Mapping[str, str]) -> dict[str, str]:
        """The table with its names and values masked."""
        return {
            self.mask_text(name): self.mask_value(name, value) for name, value in values.items()
        }

    def mask_tree(self, values: Mapping[str, object]) -> dict[str, object]:
        """The table with its names and every text within its values masked; what is no text stays
        as it is.
        """
        return {
            self._mask_key(name): self._mask_branch(name, value) for name, value in values.items()
        }

    def _mask_key(self, name: Any) -> Any:
        return self.mask_text(name) if isinstance(name, str) else name

    def _mask_branch(self, name: str, value: object) -> object:
        if isinstance(value, str):
            return self.mask_value(str(name), value)
        if isinstance(value, Mapping):
            return self.mask_tree(cast(Mapping[str, object], value))
        if isinstance(value, list | tuple):
            return [self._mask_branch(name, each) for each in cast(Sequence[object], value)]
        return value

    def mask_entity(self, entity: Entity) -> Entity:
        """The entity with its texts masked."""
        return replace(
            entity,
            name=self.mask_name(entity.name),
            entity_type=self.mask_name(entity.entity_type),
            aliases=[self.mask_name(name) for name in entity.aliases],
            description=self.mask_text(entity.description),
            attributes=self.mask_table(entity.attributes),
            metadata=self.mask_table(entity.metadata),
        )

    def mask_note(self, note: Note) -> Note:
        """The note with its texts masked."""
        return replace(
            note,
            text=self.mask_text(note.text),
            category=self.mask_text(note.category),
            metadata=self.mask_table(note.metadata),
        )

    def mask_kind(self, kind: EntityType) -> EntityType:
        """The kind with what it is called, and its examples, masked."""
        return replace(
            kind,
            section=self.mask_name(kind.section),
            other_names=tuple(map(self.mask_name, kind.other_names)),
            examples=tuple(map(self.mask_name, kind.examples)),
        )

    def mask_value(self, name: str, value: str) -> str:
        """A value beside its attribute, which may say what it is (`password`, `phone`)."""
        whole = self.mask_text(f"{name.replace('_', ' ')}: {value}")
        head = f"{name.replace('_', ' ')}: "
        return whole.removeprefix(head) if whole.startswith(head) else self.mask_text(value)
