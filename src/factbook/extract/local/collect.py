"""From what the rules found to a draft: one entity a name, each with its ref and mentions."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from factbook.extract.ground import splits_word
from factbook.extract.local.scene import (
    Attribute,
    End,
    Finding,
    Link,
    Name,
    Observed,
    Scene,
    Statement,
)
from factbook.model.draft import (
    Draft,
    DraftEntity,
    DraftFact,
    DraftMention,
    DraftObservation,
    DraftRelation,
    Dropped,
)
from factbook.model.episode import Episode, StoredMessage
from factbook.model.record import SELF
from factbook.text.names import fold
from factbook.text.stop_names import is_stop_name


@dataclass(slots=True)
class _Entity:
    ref: str
    name: str
    kinds: Counter[str] = field(default_factory=Counter[str])
    told_kind: str = ""
    mentions: dict[tuple[str, int, int], DraftMention] = field(
        default_factory=dict[tuple[str, int, int], DraftMention]
    )
    aliases: dict[str, None] = field(default_factory=dict[str, None])
    importance: float = 0.0
    phrase: bool = True
    metadata: dict[str, str] = field(default_factory=dict[str, str])


class Collector:
    """Gathers one episode's findings."""

    def __init__(self, episode: Episode, extractor: str, user: str = "") -> None:
        self._episode = episode
        self._extractor = extractor
        self._user = fold(user)
        self._entities: dict[str, _Entity] = {}
        self._facts: dict[tuple[object, ...], DraftFact] = {}
        self._relations: dict[tuple[object, ...], DraftRelation] = {}
        self._observations: list[DraftObservation] = []
        self._dropped: list[Dropped] = []
        self._myself: dict[str, str] = {}

    def drop(self, reason: str, what: str) -> None:
        self._dropped.append(Dropped(reason=reason, what=what))

    def speaker(self, message: StoredMessage) -> str:
        """The ref of who says the message; `self` for the space's own user."""
        if not message.speaker or fold(message.speaker) == self._user:
            return SELF
        entity = self._entity(" ".join(message.speaker.split()))
        entity.kinds["person"] += 3
        entity.phrase = False
        return entity.ref

    def introduce(self, scene: Scene, name: Name) -> None:
        """The speaker says that this is their name: from here on it means them."""
        end = scene.end(name)
        message = scene.passage.message
        said = " ".join(scene.said(end.start, end.stop).split())
        ref = self.speaker(message)
        key = SELF if ref == SELF else fold(message.speaker)
        entity = self._entities.setdefault(key, _Entity(ref=ref, name=said, phrase=False))
        entity.kinds["person"] += 3
        if len(said) > len(entity.name) and ref == SELF:
            entity.name = said
        entity.aliases[said] = None
        self._myself[fold(said)] = key
        quote = scene.quote(scene.words[name.start])
        fact = Attribute(
            of=End(end.start, end.stop, end.kind),
            attribute="name",
            value=said,
            start=quote[0],
            stop=quote[1],
        )
        self._attribute(scene, replace(fact, importance=0.8))

    def add(self, scene: Scene, findings: list[Finding]) -> None:
        """Takes the names of a scene and what the rules found in it."""
        message = scene.passage.message
        if message.role == "user":
            self.speaker(message)
        for name in scene.names:
            self._end(scene, scene.end(name))
        for finding in findings:
            match finding:
                case Link():
                    self._link(scene, finding)
                case Attribute():
                    self._attribute(scene, finding)
                case Statement():
                    self._statement(scene, finding)
                case Observed():
                    self._observe(scene, finding)

    def draft(self) -> Draft:
        return Draft(
            episode_id=self._episode.id,
            extractor=self._extractor,
            entities=tuple(self._draft_entity(entity) for entity in self._entities.values()),
            facts=tuple(self._facts.values()),
            relations=tuple(self._relations.values()),
            observations=tuple(self._observations),
            dropped=tuple(self._dropped),
        )

    def _draft_entity(self, entity: _Entity) -> DraftEntity:
        kinds = entity.kinds.most_common(1)
        return DraftEntity(
            ref=entity.ref,
            name=entity.name,
            kind=entity.told_kind or (kinds[0][0] if kinds else "other"),
            aliases=tuple(alias for alias in entity.aliases if alias != entity.name),
            importance=entity.importance or 0.5,
            mentions=tuple(entity.mentions.values()),
            phrase=entity.phrase,
            metadata=entity.metadata,
        )

    def _entity(self, name: str) -> _Entity:
        key = self._myself.get(fold(name), fold(name))
        if key not in self._entities:
            self._entities[key] = _Entity(ref=f"e{len(self._entities) + 1}", name=name)
        return self._entities[key]

    def _end(self, scene: Scene, end: End) -> str:
        message = scene.passage.message
        said = message.text[end.start : end.stop]
        if end.kind == SELF:
            if self.speaker(message) != SELF:
                entity = self._entity(" ".join(message.speaker.split()))
            elif SELF in self._entities:
                entity = self._entities[SELF]
            else:
                return SELF
            if (
                end.start == end.stop
            ):  # a subject left out (`moved to Oslo`): the speaker isn't mentioned
                return entity.ref
        else:
            entity = self._entity(end.name or " ".join(said.split()))
            if end.kind:
                entity.kinds[end.kind] += 1
                entity.phrase = False
        entity.mentions.setdefault(
            (message.id, end.start, end.stop),
            DraftMention(message_id=message.id, start=end.start, end=end.stop, text=said),
        )
        return entity.ref

    def _ref(self, scene: Scene, end: End) -> str:
        """The ref of an end of which nothing more is told than it was before."""
        if end.kind == SELF:
            return self._end(scene, end)
        return self._entity(self._name(scene, end)).ref

    def _name(self, scene: Scene, end: End) -> str:
        return end.name or " ".join(scene.said(end.start, end.stop).split())

    def _link(self, scene: Scene, link: Link) -> None:
        left, right = self._end(scene, link.left), self._end(scene, link.right)
        if left == right:
            return
        if link.label == "has_pet" and link.right.kind:
            self._entity(self._name(scene, link.right)).told_kind = "animal"
        key = (left, link.label, right, link.retracts, link.when)
        self._relations.setdefault(
            key,
            DraftRelation(
                from_ref=left,
                label=link.label,
                to_ref=right,
                message_id=scene.passage.message.id,
                quote=scene.said(link.start, link.stop),
                note=link.note,
                valid_at=link.when.valid_at,
                invalid_at=link.when.invalid_at,
                grain=link.when.grain,
                importance=link.importance,
                retracts=link.retracts,
                told_by=scene.told_by(link.right) or scene.told_by(link.left),
            ),
        )

    def _attribute(self, scene: Scene, fact: Attribute) -> None:
        ref = self._end(scene, fact.of)
        key = (ref, fact.attribute, fact.value, fact.retracts, fact.when)
        self._facts.setdefault(
            key,
            DraftFact(
                ref=ref,
                attribute=fact.attribute,
                value=fact.value,
                message_id=scene.passage.message.id,
                quote=scene.said(fact.start, fact.stop),
                valid_at=fact.when.valid_at,
                invalid_at=fact.when.invalid_at,
                grain=fact.when.grain,
                importance=fact.importance,
                retracts=fact.retracts,
                told_by=scene.told_by(fact.of),
            ),
        )

    def _observe(self, scene: Scene, seen: Observed) -> None:
        message = scene.passage.message
        if any(splits_word(message.text, at) for at in (seen.start, seen.stop)):
            return
        refs = dict.fromkeys(self._ref(scene, end) for end in seen.about)
        self._observations.append(
            DraftObservation(
                refs=tuple(refs),
                message_id=message.id,
                quote=scene.said(seen.start, seen.stop),
                text=seen.text,
                sort=seen.sort,
                holds=seen.holds,
                valid_at=seen.when.valid_at,
                invalid_at=seen.when.invalid_at,
                grain=seen.when.grain,
                importance=seen.importance,
                told_by=scene.told_by(End(seen.start, seen.start, "")),
            )
        )

    def _statement(self, scene: Scene, statement: Statement) -> None:
        message = scene.passage.message
        said = message.text[statement.start : statement.stop]
        name = " ".join(said.split())
        cut = any(
            splits_word(message.text, at) for at in (statement.start, statement.stop)
        )  # `n't I` of `don't I`
        if is_stop_name(name) or cut:
            return
        key = f"{statement.kind}: {fold(name)}"
        entity = self._entities.setdefault(
            key, _Entity(ref=f"e{len(self._entities) + 1}", name=name, phrase=False)
        )
        entity.kinds[statement.kind] += 1
        entity.importance = max(entity.importance, statement.importance)
        entity.metadata.update(statement.metadata)
        entity.mentions.setdefault(
            (message.id, statement.start, statement.stop),
            DraftMention(
                message_id=message.id, start=statement.start, end=statement.stop, text=said
            ),
        )
