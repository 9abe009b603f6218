"""The parse of a passage as plain values: words and their heads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(eq=False, slots=True)
class Word:
    """A token: `start:stop` are its characters in the passage, `pos` its part of speech (Universal
    Dependencies), `tag` the finer one (Penn Treebank), `dep` how it hangs on its `head` (ClearNLP's
    labels); a root is its own head.
    """

    i: int
    text: str
    lower: str
    lemma: str
    pos: str
    tag: str
    dep: str
    start: int
    stop: int
    sentence: int
    head: Word = field(init=False, repr=False)
    children: list[Word] = field(default_factory=list["Word"], repr=False)

    def __post_init__(self) -> None:
        self.head = self

    def child(self, *deps: str) -> Word | None:
        """The first child that hangs on it so."""
        return next((word for word in self.children if word.dep in deps), None)

    def children_by(self, *deps: str) -> list[Word]:
        return [word for word in self.children if word.dep in deps]

    def above(self) -> Iterator[Word]:
        """Its head, the head's head, and so on up to the root."""
        word = self
        while word.head is not word:
            word = word.head
            yield word

    def subtree(self) -> list[Word]:
        """The word and all that hangs on it, in the order of the text."""
        out: list[Word] = [self]
        for word in out:
            out.extend(word.children)
        return sorted(out, key=lambda word: word.i)

    def with_conjuncts(self) -> list[Word]:
        """The word and those coordinated with it (`Ana, Tom and Wei`), in order."""
        out: list[Word] = [self]
        for word in out:
            out.extend(word.children_by("conj"))
        return sorted(out, key=lambda word: word.i)
