"""Settings for all tests."""

from __future__ import annotations

import os

from hypothesis import settings

# No deadline: the machine may be busy, and kernels that run uncompiled are slow. On CI the examples are the same every
# time, so that a failure is always the change's own.
settings.register_profile("sapper", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "sapper")
