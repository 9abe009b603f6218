"""What can go wrong between us and a model's server: whether it may pass, and what to do about it
in one sentence.

A server's own words may repeat the key or the prompt: they are looked at and never shown.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal, cast

from factbook.errors import ExtractError, ModelUnavailableError, ReplyRejectedError

Kind = Literal[
    "unreachable", "timeout", "status", "unreadable", "refused", "filtered", "silent", "unanswered"
]
"""`silent`: a reply without a word; `unanswered`: its tokens were spent before the answer began."""
Cause = Literal["credit", "key", "rights", "model", "often", "long", "server", "address", "request"]
"""What a status is about; `server`: it has trouble of its own; `request`: something in it that the
model can't have.
"""

PASSING = frozenset({408, 409, 425, 429})
"""Statuses that may be another one on the next try, as all of 500 and more but 501."""
NO_ADDRESS = frozenset({405, 407, 410, 426})
"""Statuses that say that something else stands at the address, as all below 400."""
LONGEST_SAID = 20_000
CODES = frozenset(
    """api_error authentication_error billing_error content_filter context_length_exceeded insufficient_quota
    internal_server_error invalid_api_key invalid_request_error invalid_value model_not_found not_found_error
    overloaded_error permission_error quota_exceeded rate_limit_error rate_limit_exceeded request_too_large server_error
    timeout_error unsupported_parameter unsupported_value""".split()
)
"""Of the big providers. Only these are shown: what else stands in a code's place could be
anything.
"""

_NO_KEY = re.compile(r"api[ _-]?key|unauthorized|authentication")
_NO_MODEL = re.compile(
    r"model_not_found|(?:invalid|unknown|no such|not a valid) model|model.{0,120}?not (?:found|"
    r"exist)"
)
_NO_CREDIT = re.compile(r"insufficient_quota|billing|credit balance|exceeded your current quota")
_TOO_LONG = re.compile(
    r"context[ _](?:length|size|window)|maximum context|prompt is too long|too many tokens"
)
_FORM = re.compile(r"schema|grammar|response_format|structured output|tool|requested parameters")
_MISSED = re.compile(r"json_validate_failed|failed_generation")
_FILTER = re.compile(r"content_filter|content_policy|content management policy")


@dataclass(frozen=True, kw_only=True, slots=True)
class Trouble:
    """One failed try.

    Attributes:
        status: HTTP's. code: the server's name for it, where that is one of `CODES`.
        said: the server's words in lower case, to look for a cause in. retry_after: seconds that
            the server asks for.
    """

    kind: Kind
    status: int = 0
    code: str = ""
    said: str = field(default="", repr=False)
    retry_after: float | None = None

    @property
    def cause(self) -> Cause:
        """Of a status. Some servers say 400 to what others have statuses of their own for; their
        words tell.
        """
        status, words = self.status, self.said if self.status in (400, 422) else ""
        if status == 402 or _NO_CREDIT.search(self.said):
            return "credit"
        if status == 401 or _NO_KEY.search(words):
            return "key"
        if status == 403:
            return "rights"
        if status == 404 or _NO_MODEL.search(words):
            return "model"
        if status == 429:
            return "often"
        if status == 413 or _TOO_LONG.search(self.said):
            return "long"
        if status in PASSING or (status >= 500 and status != 501):
            return "server"
        return "address" if status < 400 or status in NO_ADDRESS else "request"

    @property
    def may_pass(self) -> bool:
        """Whether the same try may succeed soon."""
        if self.kind == "status":
            return self.cause in ("often", "server")
        return self.kind in ("unreachable", "timeout", "unreadable")

    @property
    def is_lasting(self) -> bool:
        """Whether the same call will always fail, whatever is mended around it."""
        if self.kind == "status":
            return self.cause in ("long", "request")
        return not self.may_pass

    @property
    def is_about_form(self) -> bool:
        """Whether the server speaks of the form that the reply was to have."""
        return bool(_FORM.search(self.said))

    @property
    def is_chance(self) -> bool:
        """Whether the server takes the form, and the model missed it this time."""
        return bool(_MISSED.search(self.said))


class TroubleError(Exception):
    """A try failed; not for callers. Its text is the kind alone."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.kind)
        self.trouble = trouble


@dataclass(frozen=True, kw_only=True, slots=True)
class Advice:
    """Advice for failures, for one provider.

    Attributes:
        where: the server's address without what may be secret in it.
        reach: what to do if it doesn't answer. key: where its key is set. find: what to do if it
            has no such model.
    """

    where: str
    reach: str
    key: str
    find: str


def from_status(status: int, headers: Mapping[str, str], body: object) -> Trouble:
    """Returns the trouble that a status other than 2xx stands for.

    Args:
        body: what came with it, as an object if it is JSON.
    """
    said = json.dumps(body, default=str)[:LONGEST_SAID].lower()
    kind: Kind = "filtered" if status == 400 and _FILTER.search(said) else "status"
    return Trouble(
        kind=kind,
        status=status,
        code=_error_code(body),
        said=said,
        retry_after=_retry_after(headers),
    )


def as_error(trouble: Trouble, name: str, advice: Advice, timeout: float) -> ExtractError:
    """Returns the failure as the error that a caller decides by."""
    words = f"{name} {_explain_trouble(trouble, advice, timeout)}"
    if trouble.is_lasting:
        return ReplyRejectedError(words)
    return ModelUnavailableError(words, retry_after=trouble.retry_after)


def _explain_trouble(trouble: Trouble, advice: Advice, timeout: float) -> str:
    match trouble.kind:
        case "unreachable":
            return f"can't be reached at {advice.where}; {advice.reach}"
        case "timeout":
            return (
                f"did not answer within {timeout:g} seconds; raise the timeout or name a "
                "faster model"
            )
        case "unreadable":
            return f"sent no readable reply from {advice.where}; is this the API's address?"
        case "refused":
            return "refused to answer; these messages stay without facts"
        case "filtered":
            return "was stopped by its provider's content filter; these messages stay without facts"
        case "silent":
            return "answered without a word; try another model"
        case "unanswered":
            return (
                "spent all tokens before its answer; raise max_tokens, or name a model that "
                "thinks less"
            )
        case "status":
            return _words_of_status(trouble, advice, f"{trouble.status} {trouble.code}".rstrip())


def _words_of_status(trouble: Trouble, advice: Advice, code: str) -> str:
    match trouble.cause:
        case "credit":
            return f"is out of credit ({code}); top up the account"
        case "key":
            return f"refused the key ({code}); {advice.key}"
        case "rights":
            return (
                f"is not open to this key ({code}); check the key's rights, or name another model"
            )
        case "model":
            return f"was not found at {advice.where} ({code}); {advice.find}"
        case "often":
            return f"is asked too often ({code}); wait, or lower the number of parallel calls"
        case "long":
            return f"can't take so long a prompt ({code}); name a model with a longer context"
        case "server":
            return f"failed on its server ({code}); try again later"
        case "address":
            return f"is not what answers at {advice.where} ({code}); check the base URL and proxies"
        case "request":
            return (
                f"does not take the request ({code}); name another model, or look into the "
                "server's log"
            )


def _error_code(body: object) -> str:
    """Returns the error's code or type, if it is a known one."""
    if not isinstance(body, Mapping):
        return ""
    given = cast(Mapping[str, Any], body)
    error: object = given.get("error", given)
    for key in ("code", "type") if isinstance(error, Mapping) else ():
        value = cast(Mapping[str, Any], error).get(key)
        if isinstance(value, str) and value in CODES:
            return value
    return ""


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds; a date counts from the server's own one."""
    given = {name.lower(): value for name, value in headers.items()}
    try:
        if "retry-after-ms" in given:
            return max(float(given["retry-after-ms"]) / 1000, 0)
        value = given.get("retry-after", "")
        if value and not value[0].isalpha():
            return max(float(value), 0)
        then, now = _read_date(value), _read_date(given.get("date", ""))
    except ValueError:
        return None
    return max((then - now).total_seconds(), 0) if then and now else None


def _read_date(value: str) -> datetime | None:
    found = parsedate_to_datetime(value) if value else None
    return found if found is None or found.tzinfo else found.replace(tzinfo=UTC)
