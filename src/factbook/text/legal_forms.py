"""Words around a name that don't name: legal forms, titles, generations, type words, small
words.
"""

from __future__ import annotations

from collections.abc import Mapping


def _groups(text: str) -> Mapping[str, str]:
    """Each line is one meaning: every spelling on it maps to the first."""
    out: dict[str, str] = {}
    for line in text.strip().splitlines():
        first, *others = (word.replace("_", " ") for word in line.split())
        for word in (first, *others):
            out[word] = first
    return out


LEGAL_FORMS: Mapping[str, str] = _groups(
    """
    inc incorporated
    corp corporation
    co company cie compagnie
    ltd limited
    llc l_l_c
    llp l_l_p
    lp l_p
    plc p_l_c
    pllc
    gmbh g_m_b_h
    ag a_g
    kg kgaa
    ohg
    ug
    ev e_v
    se
    sa s_a société_anonyme
    sas s_a_s
    sarl s_a_r_l
    spa s_p_a
    srl s_r_l
    sl s_l
    bv b_v
    nv n_v
    ab a_b
    as a_s
    asa
    aps
    oy oyj
    kk k_k kabushiki_kaisha 株式会社
    gk 合同会社
    pty
    pte
    pvt private
    bhd
    sdn
    doo d_o_o
    sro s_r_o
    kft
    zrt
    ooo ооо
    oao оао
    zao зао
    ao ао пао pao
    тоо
    ип
    有限公司
    股份有限公司
    주식회사
    """
)
"""Legal forms of companies by their folded spelling, to one spelling each. Dotted forms fold to
spaced letters.
"""

TITLES: Mapping[str, str] = _groups(
    """
    mr mister herr monsieur señor senor sr signor
    mrs missus frau madame mme señora senora sra signora
    ms miss fräulein fraulein mlle mademoiselle señorita senorita srta signorina
    mx
    dr doctor doktor
    prof professor professeur
    sir
    dame
    lord
    lady
    rev reverend
    fr father
    sister
    rabbi
    imam
    judge
    hon honorable honourable
    president
    senator sen
    governor gov
    capt captain
    col colonel
    gen general
    lt lieutenant
    maj major
    sgt sergeant
    cmdr commander
    adm admiral
    officer
    coach
    chef
    """
)
"""Titles before a person's name. `sr` before a name is a title, after it a generation."""

MALE_TITLES = frozenset({"mr", "sir", "lord", "fr"})
FEMALE_TITLES = frozenset({"mrs", "ms", "dame", "lady", "sister"})

CREDENTIALS = frozenset(
    "phd md dds jd esq mba cpa rn obe cbe mbe mp msc bsc ma dphil llm pmp cfa pe facs ret".split()
)
"""Letters after a person's name."""

GENERATIONS: Mapping[str, str] = _groups(
    """
    jr junior
    sr senior
    ii 2nd
    iii 3rd
    iv 4th
    v 5th
    vi
    """
)
"""Generations after a person's name."""

PARTICLES = frozenset(
    "van von de da del della der den di du dos das do la le las los el al bin ibn ben bint ter ten zu zur af av".split()
)
"""Words that belong to the surname which follows them."""

SMALL_WORDS = frozenset(
    "the a an of and for in on at to by with from de la le du des der die das und et y e of".split()
)
"""Words of a name that don't tell it from another."""

TYPE_WORDS: Mapping[str, frozenset[str]] = {
    "organization": frozenset({"organization", "organisation", "company", "firm"}),
    "place": frozenset({"city", "town", "village"}),
    "project": frozenset({"project", "initiative", "programme", "program", "projekt"}),
    "technology": frozenset(
        {"apache", "framework", "library", "language", "database", "programming"}
    ),
    "product": frozenset({"app", "application", "product"}),
    "campaign": frozenset({"campaign", "kampagne"}),
    "metric": frozenset({"metric", "kpi"}),
    "task": frozenset({"task", "ticket", "issue", "bug"}),
    "event": frozenset({"event"}),
    "concept": frozenset({"concept"}),
    "decision": frozenset({"decision"}),
}
"""Words that only say of which kind a name is, by that kind; they stand first or last."""

ANY_TYPE_WORD: frozenset[str] = frozenset(word for some in TYPE_WORDS.values() for word in some) | {
    "version",
    "repo",
    "repository",
    "service",
    "team",
}

ABBREVIATIONS: Mapping[str, str] = {
    "st": "saint",
    "ste": "sainte",
    "mt": "mount",
    "ft": "fort",
    "intl": "international",
    "int'l": "international",
    "natl": "national",
    "univ": "university",
    "uni": "university",
    "dept": "department",
    "assn": "association",
    "assoc": "association",
    "bros": "brothers",
    "govt": "government",
    "inst": "institute",
    "mfg": "manufacturing",
    "mgmt": "management",
    "centre": "center",
    "labs": "laboratories",
    "ms": "microsoft",
}
"""Words of places, organizations and things that are written short, to the long form."""

US_STATES: Mapping[str, str] = {
    short: long
    for short, _, long in (
        pair.partition(":")
        for pair in (
            "al:alabama ak:alaska az:arizona ar:arkansas ca:california co:colorado ct:connecticut de:delaware "
            "fl:florida ga:georgia hi:hawaii id:idaho il:illinois in:indiana ia:iowa ks:kansas ky:kentucky la:louisiana me:maine "
            "md:maryland ma:massachusetts mi:michigan mn:minnesota ms:mississippi mo:missouri mt:montana ne:nebraska "
            "nv:nevada oh:ohio ok:oklahoma or:oregon pa:pennsylvania sc:south_carolina sd:south_dakota tn:tennessee "
            "tx:texas ut:utah vt:vermont va:virginia wa:washington wv:west_virginia wi:wisconsin wy:wyoming "
            "nh:new_hampshire nj:new_jersey nm:new_mexico ny:new_york nc:north_carolina nd:north_dakota ri:rhode_island"
        ).split()
    )
}
"""Postal abbreviations as they stand after the comma of a place, with the folded name, spaces as
`_`.
"""
