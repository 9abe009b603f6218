"""Resolving: a draft, or a write by hand, and what is known become changes. Everything here is pure.

A draft goes through one folder, read in this order: `plan` leads; `unnamed_roles` and `corrections`
read it; `entity_linking` decides whom its names mean, over the candidates of `name_bearers`, by
`name_match` with `person_names` and `thing_names`; `draft_statements` lays its facts and relations
out on the `timeline` of each attribute or link, by `validity_stretches` and `link_groups`;
`identity_settling` decides what is one by then, by `entity_match`. A `change_sheet` collects the
changes. `conflicts` and `as_one` read what holds; `duplicates`, `relearning` and `undo` are verbs of
their own. `by_hand/` has the writes by hand, `records/` compares rows of tables.
"""
