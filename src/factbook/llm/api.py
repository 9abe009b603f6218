"""What the kinds of servers have in common: a question goes out in one of several manners, an
answer comes back.
"""

from __future__ import annotations

import asyncio
import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, cast
from urllib.parse import unquote, urlsplit

from factbook.llm.faults import Advice, Trouble, TroubleError, from_status
from factbook.llm.replies import drop_thoughts
from factbook.ports.models import ChatMessage

ABOUT_THE_REQUEST = frozenset({400, 422})
MAYBE_ABOUT_THE_FORM = frozenset({404, 500, 501})
"""Statuses that some servers give for a form that they don't know; only their words tell."""

_THINKING = re.compile(r"\s*<(think|thinking|reasoning)>(?!.*</\1>)", re.IGNORECASE | re.DOTALL)
"""A thought that doesn't end."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Manner:
    """The manner in which a server is asked.

    Attributes:
        form: which of the API's forms for a schema, the strictest first; the last is none.
        without: parameters that the server or model doesn't take.
    """

    form: int = 0
    without: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    """A reply's content, with its tokens.

    Attributes:
        reply: the text or object. cut: it ended at the ceiling of tokens.
        trouble: why there is no reply to use; its tokens are counted nevertheless.
    """

    reply: str | dict[str, Any] = field(default="", repr=False)
    cut: bool = False
    input_tokens: int = 0
    output_tokens: int = 0
    trouble: Trouble | None = None


class Api(Protocol):
    """One kind of server. Lives in one event loop."""

    @property
    def advice(self) -> Advice:
        """Advice for failures of this server."""
        ...

    @property
    def may_lack(self) -> Sequence[str]:
        """Parameters that can be left out, or that have another name, where a server names them in
        its refusal.
        """
        ...

    def count_forms(self, schema: Mapping[str, Any]) -> int:
        """In how many forms the schema can be told, none included."""
        ...

    def make_body(
        self, messages: Sequence[ChatMessage], schema: Mapping[str, Any] | None, manner: Manner
    ) -> dict[str, Any]:
        """Returns the request."""
        ...

    async def send(self, body: Mapping[str, Any]) -> object:
        """Asks once, and returns the reply's JSON.

        Raises:
            TroubleError: there was none.
        """
        ...

    def read_reply(self, reply: Mapping[str, Any]) -> Answer:
        """Reads the content of a reply."""
        ...

    async def close(self) -> None:
        """Lets its connections go."""
        ...


def simpler_manner(
    manner: Manner, trouble: Trouble, body: Mapping[str, Any], forms: int, may_lack: Sequence[str]
) -> Manner | None:
    """Returns the next manner to try after a refusal; None where the refusal isn't about the
    manner, or none is left.
    """
    if trouble.kind != "status" or not (trouble.cause == "request" or trouble.is_about_form):
        return None
    if trouble.status in ABOUT_THE_REQUEST:
        for name in may_lack:
            if name in trouble.said and name in body and name not in manner.without:
                return replace(manner, without=manner.without | {name})
    fits = trouble.status in ABOUT_THE_REQUEST or (
        trouble.status in MAYBE_ABOUT_THE_FORM and trouble.is_about_form
    )
    return replace(manner, form=manner.form + 1) if fits and manner.form + 1 < forms else None


async def ask_api(
    api: Api,
    messages: Sequence[ChatMessage],
    schema: Mapping[str, Any] | None,
    manner: Manner,
    timeout: float,
) -> tuple[Answer, Manner]:
    """Asks once, in simpler and simpler manners where the server refuses one.

    Args:
        timeout: seconds for each request, of which there may be several.

    Returns:
        The answer, or what was in its way; and the manner to begin with from now on.
    """
    forms = api.count_forms(schema) if schema is not None else 1
    lasting = used = manner
    while True:
        body = api.make_body(messages, schema, used)
        try:
            async with asyncio.timeout(timeout):
                reply = await api.send(body)
            return api.read_reply(_check_reply(reply)), lasting
        except TroubleError as error:
            trouble = error.trouble
        except TimeoutError:
            trouble = Trouble(kind="timeout")
        following = simpler_manner(used, trouble, body, forms, api.may_lack)
        if following is None:
            return Answer(trouble=trouble), manner
        if not trouble.is_chance:
            lasting = Manner(form=max(lasting.form, following.form), without=following.without)
        used = following


def judge_answer(text: str, *, cut: bool, input_tokens: object, output_tokens: object) -> Answer:
    """Returns a reply's text, judged: one without words is none."""
    trouble = None
    words = drop_thoughts(text)
    if not words.strip() or (cut and _THINKING.match(text)):
        trouble = Trouble(kind="unanswered" if cut or text.strip() else "silent")
    return Answer(
        reply=words,
        cut=cut,
        input_tokens=whole_number(input_tokens),
        output_tokens=whole_number(output_tokens),
        trouble=trouble,
    )


def whole_number(number: object) -> int:
    """Returns a server's count; 0 where it is none."""
    return max(number, 0) if isinstance(number, int) else 0


def as_mapping(value: object) -> Mapping[str, Any]:
    """Returns the object, or an empty one where it is none."""
    return cast(Mapping[str, Any], value) if isinstance(value, Mapping) else {}


def as_mappings(value: object) -> list[Mapping[str, Any]]:
    """Returns the objects of a list; none where it is none."""
    return (
        [as_mapping(each) for each in cast(list[object], value)] if isinstance(value, list) else []
    )


def read_json(body: bytes) -> object:
    """Returns the body's JSON.

    Raises:
        TroubleError: it is none.
    """
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        trouble = Trouble(kind="unreadable")
    raise TroubleError(trouble)


def host_of(url: str) -> str:
    """Scheme, host and port: what else stands in an address may be secret."""
    parts = urlsplit(url)
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
    return f"{parts.scheme}://{host}{f':{parts.port}' if parts.port else ''}"


def parted_login(url: str) -> tuple[str, dict[str, str]]:
    """Returns the address without its name and password, and the header that says them: clients
    write addresses to their logs.
    """
    parts = urlsplit(url)
    login, at, place = parts.netloc.rpartition("@")
    if not at:
        return url, {}
    name, _, password = login.partition(":")
    said = b64encode(f"{unquote(name)}:{unquote(password)}".encode()).decode()
    return parts._replace(netloc=place).geturl(), {"Authorization": f"Basic {said}"}


def _check_reply(reply: object) -> Mapping[str, Any]:
    """Returns the reply, if it is an object and not the report of a failure, which some gateways
    send with status 200.

    Raises:
        TroubleError: it is none, or reports one.
    """
    given = as_mapping(reply)
    if not given:
        raise TroubleError(Trouble(kind="unreadable"))
    if given.get("error"):
        status = as_mapping(given["error"]).get("code")
        raise TroubleError(
            from_status(status if isinstance(status, int) and status >= 400 else 502, {}, given)
        )
    return given
