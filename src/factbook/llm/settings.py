"""Which model is asked, and how: what an argument or a variable of the environment says, checked.

Nothing here reads the environment itself: the edges (the opening of a memory, the command line)
pass it in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

from factbook.errors import ConfigError

Provider = Literal["openai", "anthropic", "ollama"]

PROVIDERS: tuple[Provider, ...] = get_args(Provider)
OLLAMA_PORT = 11434

_KEY = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY", "ollama": "OLLAMA_API_KEY"}
_ADDRESS = {"openai": "OPENAI_BASE_URL", "anthropic": "ANTHROPIC_BASE_URL", "ollama": "OLLAMA_HOST"}
_NUMBERS = {
    "temperature": "FACTBOOK_LLM_TEMPERATURE",
    "max_tokens": "FACTBOOK_LLM_MAX_TOKENS",
    "timeout": "FACTBOOK_LLM_TIMEOUT",
    "retries": "FACTBOOK_LLM_RETRIES",
    "parallel": "FACTBOOK_LLM_PARALLEL",
    "input_price": "FACTBOOK_LLM_INPUT_PRICE",
    "output_price": "FACTBOOK_LLM_OUTPUT_PRICE",
}
_WHOLE = frozenset({"max_tokens", "retries", "parallel"})
_LEAST: Mapping[str, float] = {"temperature": 0, "max_tokens": 1, "retries": 0, "parallel": 1}


@dataclass(frozen=True, kw_only=True, slots=True)
class ModelSettings:
    """Settings of a model's calls. Fields that could hold a secret are not in its repr.

    Attributes:
        base_url: of another server than the provider's own; OpenAI's kind ends in `/v1`.
        api_key: none is needed where `base_url` leads to a server of one's own.
        temperature, max_tokens: as document 003 has them (`num_predict` there). Thoughts count
            against `max_tokens`.
        timeout: seconds for one try, from the connection to the last byte.
        retries: further tries after a failure that may pass.
        parallel: so many calls at the same time; others wait for their turn.
        input_price, output_price: of a million tokens; both or neither.
        keep_alive: how long Ollama keeps the model loaded, such as `10m`; its own setting where
            none.
        headers: further ones, for a gateway.

    Raises:
        ConfigError: a value is out of its range.
    """

    base_url: str | None = field(default=None, repr=False)
    api_key: str | None = field(default=None, repr=False)
    temperature: float = 0.1
    max_tokens: int = 1500
    timeout: float = 120.0
    retries: int = 2
    parallel: int = 4
    input_price: float | None = None
    output_price: float | None = None
    keep_alive: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            if not getattr(self, name) >= least:
                raise ConfigError(f"{name} must be at least {least:g}")
        if not 0 < self.timeout < float("inf"):
            raise ConfigError("timeout must be a number of seconds above 0")
        if (self.input_price is None) != (self.output_price is None):
            raise ConfigError(
                "the cost needs both prices: input_price and output_price, of a million tokens each"
            )
        if not min(self.input_price or 0, self.output_price or 0) >= 0:
            raise ConfigError("a price must be 0 or more")
        if self.base_url is not None:
            _check_address(self.base_url)
        sent = {
            "the API key": self.api_key or "",
            "a header": "".join(map("".join, self.headers.items())),
        }
        for what, value in sent.items():
            if not (value.isascii() and value.isprintable()):
                raise ConfigError(
                    f"{what} holds characters that can't be sent; was it copied whole and alone?"
                )


def provider_and_model(spec: str) -> tuple[Provider, str]:
    """Returns both parts of a spec; only the first colon parts them: `ollama:qwen2.5:3b`.

    Raises:
        ConfigError: there is no such provider, or the model's name is missing.
    """
    provider, _, model = (part.strip() for part in spec.partition(":"))
    if provider not in PROVIDERS or not model:
        raise ConfigError(
            f"no model {spec!r}; name one as openai:MODEL, anthropic:MODEL or ollama:MODEL, such "
            "as ollama:qwen2.5:3b"
        )
    return provider, model


def spec_from(environment: Mapping[str, str]) -> str | None:
    """Returns the model that `EXTRACTION_MODEL` names, as a spec; None where it names none. A bare
    name is one of Ollama's.
    """
    named = environment.get("EXTRACTION_MODEL", "").strip()
    if not named:
        return None
    return named if named.partition(":")[0] in PROVIDERS else f"ollama:{named}"


def settings_from(environment: Mapping[str, str], spec: str, **given: Any) -> ModelSettings:
    """Returns the settings for a model: what is given (not None), else what the environment says,
    else the defaults.

    Args:
        given: fields of `ModelSettings`.

    Raises:
        ConfigError: no such setting, or a value can't be read or is out of its range.
    """
    provider, _ = provider_and_model(spec)
    for name in given:
        if name not in ModelSettings.__slots__:
            raise ConfigError(
                f"no model setting {name!r}; there are {', '.join(ModelSettings.__slots__)}"
            )
    found: dict[str, Any] = {}
    if key := environment.get(_KEY[provider], "").strip():
        found["api_key"] = key
    if address := environment.get(_ADDRESS[provider], "").strip():
        found["base_url"] = ollama_address(address) if provider == "ollama" else address
    if keep := environment.get("FACTBOOK_LLM_KEEP_ALIVE", "").strip():
        found["keep_alive"] = keep
    for name, variable in _NUMBERS.items():
        if value := environment.get(variable, "").strip():
            found[name] = _read_number(variable, value, whole=name in _WHOLE)
    return ModelSettings(
        **found | {name: value for name, value in given.items() if value is not None}
    )


def ollama_address(host: str) -> str:
    """`OLLAMA_HOST` as a URL, read as Ollama's own clients read it: scheme and port may be missing.

    An address to listen on (0.0.0.0) is taken for this machine.
    """
    scheme, mark, rest = host.rstrip("/").rpartition("://")
    place, slash, path = rest.partition("/")
    name, colon, port = place.rpartition(":") if not place.endswith("]") else (place, "", "")
    if not colon:
        name, port = place, "" if mark else str(OLLAMA_PORT)
    login, at, name = name.rpartition("@")
    name = {"": "127.0.0.1", "0.0.0.0": "127.0.0.1", "[::]": "[::1]"}.get(name, name)  # noqa: S104 - listens to nothing
    return f"{scheme or 'http'}://{login}{at}{name}{':' if port else ''}{port}{slash}{path}"


def _check_address(url: str) -> None:
    try:
        parts = urlsplit(url)
        whole = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        whole = whole and not parts.query and not parts.fragment
    except ValueError:
        whole = False
    is_plain = url.isascii() and url.isprintable() and " " not in url
    if not (whole and is_plain):
        # The address isn't shown: it may hold a password.
        raise ConfigError("the base URL is no address; give one such as http://localhost:8080/v1")


def _read_number(variable: str, value: str, *, whole: bool) -> float:
    try:
        return int(value) if whole else float(value)
    except ValueError:
        raise ConfigError(f"{variable} must be a {'whole ' if whole else ''}number") from None
