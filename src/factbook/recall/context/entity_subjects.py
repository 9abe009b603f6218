"""What is known of one entity, for the forms of `render` that show whole entities."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from factbook.model.kinds import STATEMENTS
from factbook.model.record import EntityRecord, Fact, Relation
from factbook.recall.find.known_rows import KnownRows
from factbook.recall.phrase.kind_details import details, event_attributes, when
from factbook.recall.request import RecallRequest
from factbook.render import row_words
from factbook.render.listing import Subject


def subject_of(
    owner: EntityRecord,
    rows: KnownRows,
    request: RecallRequest,
    *,
    describes: bool,
    gone: Collection[str] = (),
    whose: str = "",
) -> Subject:
    """Returns what is known of the entity now: conflicts as such, superseded and expired statements
    not at all.

    Args:
        describes: whether its description and details are told. gone: ids of facts and relations
            that expired with a preference. whose: whose wish it is, if its words say so.
    """
    kind = request.kinds.get(owner.kind)
    dated = event_attributes(kind)
    facts = [
        row
        for row in rows.facts.values()
        if row.id not in gone and _is_of(row.entity_id, row, owner, rows)
        if row.attribute in dated or not row.is_over_at(request.now)
    ]
    ties = [
        row
        for row in rows.relations.values()
        if row.id not in gone
        and _is_of(row.from_id, row, owner, rows)
        and not row.is_over_at(request.now)
    ]
    description = owner.description if describes else ""
    tags = _Tags(request.where.projects, [*([owner] if describes else []), *facts, *ties])
    clashes = rows.clashes.get(owner.id, {})
    told: dict[str, str] = {}
    pairs: dict[str, list[str]] = {}
    for row in facts:
        clash = clashes.get(row.attribute, ())
        if clash:
            told[row.attribute] = row_words.conflict(row.attribute, clash, request.now)
            pairs[row.attribute] = [
                f"UNRESOLVED: {' or '.join(dict.fromkeys(each.value for each in clash))}"
            ]
        elif row.attribute in dated:
            told[row.id] = tags.on(row_words.figure(row, when(row)), row)
            pairs.setdefault(row.attribute, []).append(
                tags.on(row_words.dated(row, when(row)), row)
            )
        else:
            told[row.id] = tags.on(row_words.fact(row), row)
            pairs.setdefault(row.attribute, []).append(
                tags.on(row_words.claimed(row.value, row), row)
            )
    links: list[tuple[str, str]] = []
    tied: list[str] = []
    for tie in ties:
        other = rows.entity(tie.to_id)
        if other is None or other.is_hidden_at(request.now):
            continue
        links.append((tie.label, f"{request.space} {other.id}"))
        if dispute := rows.disputes.get(owner.id, {}).get(tie.label, ()):
            claims = rows.claims(dispute)
            tied.append(row_words.dispute(tie.label, claims, request.now))
            pairs[tie.label] = [
                f"UNRESOLVED: {' or '.join(dict.fromkeys(value for value, _ in claims))}"
            ]
        else:
            tied.append(tags.on(row_words.relation(tie, rows.names), tie))
            pairs.setdefault(tie.label, []).append(
                tags.on(row_words.claimed(row_words.named(other), tie), tie)
            )
    for name, value in (
        details(owner, kind, {row.attribute for row in facts}).items() if describes else ()
    ):
        told[name] = row_words.detail(name, value)
        pairs[name] = [value]
    whose = whose or (
        ""
        if owner.kind not in STATEMENTS or owner.id in rows.shared
        else row_words.whose_wish(owner)
    )
    named = f"{owner.name} {description}".casefold()
    return Subject(
        key=f"{request.space} {owner.id}",
        name=row_words.named(owner),
        kind=owner.kind,
        label=owner.label or owner.kind,
        section=kind.section if kind is not None else "",
        space=request.mark,
        scope=tags.all,
        whose="" if whose.casefold() in named else whose,
        description=tags.on(description.strip().removesuffix("."), owner) if description else "",
        statements=tuple(dict.fromkeys([*told.values(), *tied])),
        facts=tuple(dict.fromkeys(told.values())),
        pairs={key: "; ".join(dict.fromkeys(values)) for key, values in pairs.items()},
        links=tuple(dict.fromkeys(links)),
    )


class _Tags:
    """Marks what is of a project, or general, where that is to be told: the whole if all its parts
    have the same mark (`all`), else each part.
    """

    def __init__(
        self, projects: Sequence[str], rows: Sequence[EntityRecord | Fact | Relation]
    ) -> None:
        self._projects = projects
        labels = {row_words.label(row.source.project, projects) for row in rows}
        self._differ = len(labels) > 1
        self.all = "" if self._differ else next(iter(labels), "")

    def on(self, text: str, row: EntityRecord | Fact | Relation) -> str:
        """The text with its mark, if parts have marks of their own."""
        label = row_words.label(row.source.project, self._projects) if self._differ else ""
        return f"{text} ({label})" if label else text


def _is_of(key: str, row: Fact | Relation, owner: EntityRecord, rows: KnownRows) -> bool:
    return rows.canonical.get(key) == owner.id and row.expired_at is None
