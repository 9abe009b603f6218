"""Secrets on command lines, in files of passwords, and in pairs of a login and its password."""

from __future__ import annotations

import re
from collections.abc import Iterator

from factbook.text.secrets.secret_span import SecretSpan
from factbook.text.secrets.secret_values import (
    KEY_WORDS,
    is_expression,
    is_filled_in,
    is_literal,
    is_reference,
    is_strong,
    looks_random,
)

_VALUE = (
    r"(?:'(?P<single>[^'\n]{3,200})'|\"(?P<double>[^\"\n]{3,200})\"|(?P<bare>[^\s\"'`;|]{3,200}))"
)
_REST = r"[^\n|;]{0,200}?"


def _command_pattern(names: str, flag: str, value: str = _VALUE) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.])(?:{names})\b{_REST}\s{flag}{value}")


COMMANDS = (
    _command_pattern(
        "mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump", r"-p(?!ort|\d{1,5}(?:\s|$))"
    ),
    _command_pattern(
        "curl|wget|http|https",
        r"(?:-u|--user)[= ]\s?['\"]?[^\s:'\"]{1,80}:",
        r"(?P<bare>[^\s'\"]{3,200})",
    ),
    _command_pattern("sshpass", r"-p\s?"),
    _command_pattern(
        r"(?:docker|podman|helm\sregistry|skopeo|oras|buildah|az|oc|cf)\slogin", r"-p\s"
    ),
    _command_pattern("redis-cli", r"-a\s"),
    _command_pattern("openssl|keytool", r"(?:-pass(?:in|out|)\spass:|-(?:store|key)pass\s)"),
    _command_pattern("htpasswd", r"-[a-zA-Z]{0,4}b[a-zA-Z]{0,4}\s\S{1,80}\s\S{1,80}\s"),
    _command_pattern(r"net\suser", r"[\w.-]{1,40}\s(?=\S{1,80}\s+/add)"),
    _command_pattern("ldapsearch|ldapmodify|ldapadd|ldapdelete|ldapwhoami", r"-w\s"),
    _command_pattern("zip|unzip", r"-P\s"),
    _command_pattern("7z|7za|rar|unrar", r"-p"),
    _command_pattern(
        "smbclient|rpcclient|smbmap", r"-U\s?['\"]?[\w.\\-]{1,60}%", r"(?P<bare>[^\s'\"]{3,200})"
    ),
)
_SUDO = re.compile(
    rf"\becho\s{_VALUE}\s{{0,3}}\|\s{{0,3}}(?:sudo\s-\w*S|(?:docker|podman|gh|npm|helm)\s[^\n|"
    rf"]{{0,80}}stdin)"
)
_PGPASS = re.compile(
    r"^[\w.*-]{1,80}:(?:\d{2,5}|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:(?P<bare>\S{4,200})$", re.MULTILINE
)
_NETRC = re.compile(r"\blogin\s\S{1,80}\s{1,8}password\s(?P<bare>\S{4,200})")
_DIRECTIVE = re.compile(
    r"^[ \t]{0,8}(?:requirepass|masterauth|bindpw|rootpw)\s{1,8}(?P<bare>\S{6,200})", re.MULTILINE
)
_USER_FLAG = re.compile(
    rf"\s(?:-u|-U|--user(?:name)?)[= ]\S{{1,80}}\s(?:-\S{{1,20}}\s\S{{1,40}}\s){{0,2}}-p\s{_VALUE}"
)
_ARGUMENTS = re.compile(
    r"(?:log_?in|sign_?in|auth\w{0,12}|connect\w{0,12}|getConnection|PDO|"
    r"credentials?)\s?=?\s?\([^\n()]{0,120}?"
    r"(?P<open>[\"'])[^\"'\n]{1,80}(?P=open)\s?,\s?(?P<quote>[\"'])(?P<bare>[^\"'\n\s]{5,200})(?P=quote)\s?\)",
    re.IGNORECASE,
)
"""A login and its password as the last arguments of a call."""
_SIGNS = re.compile(
    r"\b(?:sign|verify|encode|decode|hmac\w{0,8}|createHmac|"
    r"Fernet)\s?\([^\n()]{0,120}?[\"'](?P<bare>[\w+/=-]{16,200})[\"']"
)
_TOKEN_FLAG = re.compile(
    r"\s--?(?:api-?key|token|auth-token|access-token|secret)[= ](?P<bare>[\w.~+/=-]{12,400})"
)
_FLAG = re.compile(r"\s[-/][-a-zA-Z]")

_PAIR = re.compile(
    r"(?<![\w/.@:-])(?P<name>[\w.+@-]{2,64})(?P<sign>\s/\s|:|\s?\|\s)(?P<bare>[^\s\"'`<>/|"
    r",;]{6,80})(?=[\s,;.\"'`)]|$)"
)
_PAIR_CUE = re.compile(
    r"\b(?:log\s?ins?|logon|creds?|credentials|zugangsdaten|anmeldedaten|identifiants|"
    r"credenciales|credenziali|inloggegevens"
    r"|user(?:name)?s?|passwords?|passwort|account|konto|benutzer|sign\sin|utilisateur|usuario|"
    r"логин|учётка)\b",
    re.IGNORECASE,
)
_EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,32})+")
_DIGIT = re.compile(r"\d")
_TIME_OR_HASH = re.compile(r"[\d.:-]+\w{0,2}|[0-9a-f]+")
_NEAR = 80
_NO_LOGINS = KEY_WORDS | {"http", "https", "error", "note"}


def find_in_commands(text: str) -> Iterator[SecretSpan]:
    """Yields passwords given to commands, lines of password files, and `login / password` pairs."""
    if _FLAG.search(text):
        for command in COMMANDS:
            yield from _find_values(command, text)
        yield from (
            span
            for span in _find_values(_USER_FLAG, text)
            if is_strong(text[span.start : span.end])
        )
        yield from (
            span
            for span in _find_values(_TOKEN_FLAG, text, "key")
            if is_strong(text[span.start : span.end])
        )
    if "echo" in text:
        yield from _find_values(_SUDO, text)
    if _DIGIT.search(text) is None:
        return
    if ":" in text:
        yield from (
            span for span in _find_values(_PGPASS, text) if is_literal(text[span.start : span.end])
        )
    if "login" in text:
        yield from _find_values(_NETRC, text)
    yield from _find_values(_DIRECTIVE, text)
    if "(" in text:
        yield from (
            span
            for span in _find_values(_ARGUMENTS, text)
            if is_strong(text[span.start : span.end])
        )
        yield from (
            span
            for span in _find_values(_SIGNS, text, "key")
            if looks_random(text[span.start : span.end], 16)
        )
    if any(sign in text for sign in "/:|"):
        yield from _find_pairs(text)


def _find_values(
    pattern: re.Pattern[str], text: str, kind: str = "password"
) -> Iterator[SecretSpan]:
    for found in pattern.finditer(text):
        name = next(name for name in ("single", "double", "bare") if found.groupdict().get(name))
        value = found[name]
        is_put_in = value.startswith(("-", "$")) or "$(" in value
        if is_put_in or is_reference(value) or is_filled_in(value):
            continue
        yield SecretSpan(*found.span(name), kind)


def _find_pairs(text: str) -> Iterator[SecretSpan]:
    cues = [found.start() for found in _PAIR_CUE.finditer(text)]
    if not cues and "@" not in text:
        return
    at = 0
    for found in _PAIR.finditer(text):
        while at + 1 < len(cues) and cues[at + 1] <= found.end():
            at += 1
        near = _EMAIL.fullmatch(found["name"]) is not None or any(
            abs(cue - found.start()) <= _NEAR for cue in cues[max(0, at - 1) : at + 2]
        )
        value = found["bare"].rstrip(".!?)")
        if near and _is_login(found["name"]) and _is_password_of_pair(found, value):
            yield SecretSpan(found.start("bare"), found.start("bare") + len(value), "password")


def _is_password_of_pair(found: re.Match[str], value: str) -> bool:
    apart = found["sign"] != ":" and len(value) >= 8
    told = is_literal(value) and _DIGIT.search(value) if apart else is_strong(found["bare"])
    if not told or is_expression(value) or is_reference(value):
        return False
    return _TIME_OR_HASH.fullmatch(value) is None


def _is_login(name: str) -> bool:
    return not name.isdigit() and name.lower() not in _NO_LOGINS
