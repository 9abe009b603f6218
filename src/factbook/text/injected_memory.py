"""Memory that was put into a prompt, and quoted or fenced text: what must never be learned
again.
"""

from __future__ import annotations

import re

_BLOCKS = re.compile(
    r"""
      <(?P<tag>memory|entity_memory|memories|recalled_memory|factbook)\b[^<>]{0,500}>   # an injected block and its body
      .*? (?: </(?P=tag)\s*> | \Z )
    | ^[ \t]*\[Known\ (?:Entities|Relationships|Relations|Facts)\][^\n]*                 # a list under its heading
      (?: \n(?:[ \t]*[-*•][^\n]*|[ \t]{2,}\S[^\n]*) )*
    | ^[ \t]*\#\#\#?[ \t]*Semantic\ Memory\b .*? (?: ^[ \t]?---+[ \t]*$ | \Z )
    | ^(?P<fence>[ \t]*(?:```+|~~~+)) .*? (?: ^(?P=fence)[`~]*[ \t]*$ | \Z )             # fenced code
    | (?P<bare>`[^`\s(){}=;<>$]{1,300}`)                                                  # a name in back-quotes: kept
    | `[^`\n]{1,300}`                                                                     # code in a line
    | ^[ \t]*>[^\n]*                                                                     # a quoted line
    """,
    re.DOTALL | re.MULTILINE | re.IGNORECASE | re.VERBOSE,
)
_OPENING = re.compile(
    r"""
      (?:(?<![ \t])[ \t]+)?<(?P<tag>memory|entity_memory)\b[^<>]{0,500}>
    | (?P<list>^[ \t]*\[Known\ Entities\][ \t]*\n)
    | (?P<section>^[ \t]*\#\#[ \t]*Semantic\ Memory[ \t]*\n)
    """,
    re.MULTILINE | re.VERBOSE,
)
"""What a whole block begins with. Where it ends is looked for apart: within one expression, each
beginning without an end would be read on to the end of the text.
"""
_LIST = re.compile(r"[ \t]*-[^\n]*(?:\n|\Z)(?:(?:[ \t]*-|  )[^\n]*(?:\n|\Z))*\s*")
_ENDS = {
    "memory": re.compile(r"</memory\s*>\s*"),
    "entity_memory": re.compile(r"</entity_memory\s*>\s*"),
    "section": re.compile(r"^[ \t]?---+[ \t]*(?:\n|\Z)", re.MULTILINE),
}
_NOT_BREAK = re.compile(r"[^\n]")


def blank_injected(text: str) -> str:
    """Returns the text with injected memory, quoted lines and code replaced by blanks; its length
    and line breaks stay.

    Blanked are `<memory …>…</memory>` and `<entity_memory>…</entity_memory>` (to the end where the
    closing tag is missing), `[Known Entities]` lists, `## Semantic Memory` sections up to `---`,
    fenced code, code in back-quotes (a bare name in them stays), and lines that begin with `>`.
    """
    return _BLOCKS.sub(_blank_match, text)


def _blank_match(match: re.Match[str]) -> str:
    return match.group() if match["bare"] else _NOT_BREAK.sub(" ", match.group())


def strip_injected(text: str) -> tuple[str, int]:
    """Returns the text without whole blocks of injected memory, and how many there were.

    Only blocks that end are taken out, and quoted or fenced text stays: nobody's words may be lost
    for a tag.
    """
    out: list[str] = []
    kept = at = 0
    endless: set[str] = set()
    while (opening := _OPENING.search(text, at)) is not None:
        at = opening.end()
        sort = opening["tag"] or opening.lastgroup or ""
        if sort in endless:
            continue
        end = _LIST.match(text, at) if sort == "list" else _ENDS[sort].search(text, at)
        if end is not None:
            out.append(text[kept : opening.start()])
            kept = at = end.end()
        elif sort != "list":
            endless.add(sort)
    return "".join([*out, text[kept:]]), len(out)
