"""For authors of formats: what every handler must do, as tests to inherit. Needs pytest (``gatherum[testing]``)."""

import pytest

pytest.register_assert_rewrite("gatherum.testing.suite")

from gatherum.testing.damage import damaged  # noqa: E402 - asserts are rewritten only in what is imported later
from gatherum.testing.suite import HandlerSuite  # noqa: E402

__all__ = ["HandlerSuite", "damaged"]
