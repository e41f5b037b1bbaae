"""Every built-in handler passes the suite that plugin authors are given."""

from pathlib import Path

from gatherum import Handler, load_registry
from gatherum.testing import HandlerSuite

LIBRARY = Path(__file__).parents[2] / "fixtures" / "library"
REGISTRY = load_registry()


def samples(handler: Handler) -> list[Path]:
    files = sorted(path for path in LIBRARY.rglob("*.*") if path.is_file() and "damaged" not in path.parts)
    return [file for file in files if REGISTRY.handler(file.suffix) is handler][:3]


for _, handler in REGISTRY.plugins.handlers:
    if found := samples(handler):
        name = f"Test{handler.name.title().replace('-', '')}"
        globals()[name] = type(name, (HandlerSuite,), {"handler": handler, "samples": tuple(found)})


def test_most_handlers_have_a_sample_in_the_demo_library() -> None:
    without = [handler.name for _, handler in REGISTRY.plugins.handlers if not samples(handler)]
    assert len(without) <= len(REGISTRY.plugins.handlers) // 2, without
