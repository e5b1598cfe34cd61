"""The warning on remainders that are negative here, and never in Python."""

import warnings

import numpy as np
import pytest
from tracing_kit import function

import pytl

HEAD = "v: Memref[i32, 16], m: index, k: i32, x: f32"


def warned(statements, name="<kernel>"):
    """What tracing the statements warns of: text, file and line of each."""
    kernel = pytl.kernel(function(f"def kernel({HEAD}):\n{statements}\n", name))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        print(kernel)
        print(kernel)  # it is traced once
    return [(str(warning.message), warning.filename, warning.lineno) for warning in caught]


def test_the_warning():
    statements = "    for i in foreach(8):\n        v[i] = v[index((i - 1) % m)]\n        v[i] = v[index((i - 2) % m)]"
    assert warned(statements) == [
        (
            "[PYTL-1081] the remainder is negative where i - 1 is: -1 % 8 is -1, but 7 in Python; "
            "write (i - 1 + m) % m, if i - 1 is never below -m",
            "<kernel>",
            3,
        )
    ]


TOLD = {
    "(i - 1) % 16": "i - 1 is: -1 % 16 is -1, but 15 in Python; write (i - 1 + 16) % 16, if i - 1 is never below -16",
    "(i - m) % 5": "i - m is: -1 % 5 is -1, but 4 in Python; write (i - m + 5) % 5, if i - m is never below -5",
    "-i % m": "-i is: -1 % 8 is -1, but 7 in Python; write (-i + m) % m, if -i is never below -m",
    "(2 * i - 3) % (m + 1)": "2 * i - 3 is: -1 % 8 is -1, but 7 in Python; "
    "write (2 * i - 3 + (m + 1)) % (m + 1), if 2 * i - 3 is never below -(m + 1)",
    "(k - 1) % 3": "k - 1 is: -1 % 3 is -1, but 2 in Python; write (k - 1 + 3) % 3, if k - 1 is never below -3",
    "i32(k - 1) % 3": "i32(k - 1) is: -1 % 3 is -1, but 2 in Python; "
    "write (i32(k - 1) + 3) % 3, if i32(k - 1) is never below -3",
}


@pytest.mark.parametrize("remainder", TOLD)
def test_what_is_warned_of(remainder):
    ((text, _, line),) = warned(f"    for i in foreach(8):\n        v[i] = i32({remainder})")
    assert (text, line) == (f"[PYTL-1081] the remainder is negative where {TOLD[remainder]}", 3)


UNTOLD = ["i % m", "i % 3", "(i + 1) % m", "(i - 1 + m) % m", "(m + i - 1) % m", "(i - 1 + 16) % 16", "k % 7"]
UNTOLD += [
    "(i + 3 - 2) % m",
    "v[i] % 3",
    "(7 - i) % 3",
    "(i * 2) % m",
    "i32(x - 1.0) % 3",
    "(i - 1) & 7",
    "abs(i - 1) % 3",
]


@pytest.mark.parametrize("remainder", UNTOLD)
def test_what_is_not_warned_of(remainder):
    assert warned(f"    for i in foreach(8):\n        v[i] = i32({remainder})") == []


def test_loops_that_keep_the_difference_positive():
    assert warned("    for i in range(1, m):\n        v[i] = i32((i - 1) % 3)") == []
    assert len(warned("    for i in range(0, m):\n        v[i] = i32((i - 1) % 3)")) == 1


def test_an_augmented_assignment():
    ((text, _, _),) = warned("    y = k - 1\n    y %= 4\n    v[0] = y")
    assert text.endswith("write (y + 4) % 4, if y is never below -4")


def test_the_fix_gives_what_python_gives():
    kernel = pytl.kernel(
        function(f"""
        def kernel({HEAD}):
            for i in foreach(16):
                v[i] = (i32(i) - 1 + 16) % 16
        """)
    )
    v = np.zeros(16, np.int32)
    kernel[1](v, 16, 0, 0.0, backend="reference")
    assert v.tolist() == [(i - 1) % 16 for i in range(16)]


def test_a_warning_may_be_an_error():
    kernel = pytl.kernel(function(f"def kernel({HEAD}):\n    v[0] = (k - 1) % 3", "<strict>"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="PYTL-1081"):
            print(kernel)
