"""A library gets less memory than the process has."""

import subprocess
import sys

import pytest

resource = pytest.importorskip("resource")

CODE = """
import resource
from gatherum.limits import within_memory

def fits(size):
    try:
        bytearray(size)
    except MemoryError:
        return False
    return True

print(fits(64 << 20))
with within_memory(32 << 20):
    print(fits(64 << 20))
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
with within_memory(32 << 20):
    print(fits(8 << 20), fits(64 << 20))
print(fits(64 << 20))
with within_memory(1 << 40):
    print(fits(64 << 20), fits(2 << 30))
"""


def test_a_limited_process_gets_less_for_a_while_and_another_is_left_alone() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True)
    first, unlimited, *limited = done.stdout.splitlines()
    assert (first, limited) == ("True", ["True False", "True", "True False"])
    assert unlimited == "True" or resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
