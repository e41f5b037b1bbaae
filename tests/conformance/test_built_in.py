"""Every built-in handler passes the suite that plugin authors are given."""

import tempfile
from pathlib import Path

import pytest
from format_samples import samples

from gatherum import Handler, load_registry
from gatherum.testing import HandlerSuite

REGISTRY = load_registry()
# The old Office formats are read through an optional library; their own tests say what holds without it.
BUILT_IN = [handler for info, handler in REGISTRY.plugins.handlers if info.built_in and handler.name != "legacy"]
SCRATCH = tempfile.TemporaryDirectory(prefix="gatherum-samples-")


def files(handler: Handler) -> tuple[Path, ...]:
    """Write the samples of a handler to files."""
    paths = []
    for number, (extension, data) in enumerate(samples(REGISTRY, handler, damaged=False)[:3]):
        path = Path(SCRATCH.name, f"{handler.name}-{number}{extension}")
        path.write_bytes(data)
        paths.append(path)
    return tuple(paths)


for each in BUILT_IN:
    name = f"Test{each.name.title().replace('-', '')}"
    globals()[name] = type(name, (HandlerSuite,), {"handler": each, "samples": files(each)})


@pytest.mark.parametrize("handler", BUILT_IN, ids=lambda handler: handler.name)
def test_it_has_a_sample(handler: Handler) -> None:
    assert files(handler)
