"""Settings for all tests."""

from __future__ import annotations

import os

from hypothesis import settings

# No deadline: the first example of a test may wait for a kernel to compile. On CI the examples are the same every
# time, so that a failure is always the change's own.
settings.register_profile("sapper", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "sapper")
