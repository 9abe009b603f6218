"""What a language model was asked and what it took."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Usage:
    """Sums over calls; two of them can be added.

    Attributes:
        calls: questions put to the model, however often each was tried.
        retries: further tries after one that failed for now.
        failures: calls that ended in an error. cut: replies that ended at the ceiling of tokens.
        input_tokens: of the prompts, those from a server's cache too, as the server counts them; 0
            where it doesn't.
        output_tokens: of the replies, likewise; thoughts included.
        seconds: spent waiting for the model, all tries and the waits between them included.
        cost: in the currency of the given prices; None where none were given. A sum counts the
            known part.
    """

    calls: int = 0
    retries: int = 0
    failures: int = 0
    cut: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    cost: float | None = None

    def __add__(self, other: Usage) -> Usage:
        known = [each for each in (self.cost, other.cost) if each is not None]
        return Usage(
            calls=self.calls + other.calls,
            retries=self.retries + other.retries,
            failures=self.failures + other.failures,
            cut=self.cut + other.cut,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            seconds=self.seconds + other.seconds,
            cost=sum(known) if known else None,
        )
