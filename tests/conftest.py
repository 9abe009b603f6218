"""How the property tests run: never timed, and in CI on the same examples each time, so that a
failure is a change's.

Elsewhere the examples are new ones on each run; what they find becomes a test or a mended rule.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("anywhere", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "anywhere")
