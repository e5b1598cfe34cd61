"""Literals that loops carry take their types from what the body gives their names."""

import numpy as np
import pytest
from tracing_kit import body, findings

import pytl
from pytl import Memref, f32, f64
from pytl.frontends.python import names
from pytl.frontends.python.frame import Frame

PARAMETERS = "A: Memref[f64, 4], B: Memref[f32, 4], x: f32, n: i64, z: c64, b: bool_"


@pytest.mark.parametrize(
    ("statements", "types"),
    [
        ("s = 0.0\nfor i in range(4): s += B[i]", "f32"),
        ("s = 0\nfor i in range(4): s += A[i]", "f64"),
        ("s = 0\nfor i in range(4): s += n", "i64"),
        ("s = 0\nfor i in range(4): s += i", "index"),
        ("s = 0.0\nfor i in range(4): s += z", "c64"),
        ("s = 1.0 if b else 2\nfor i in range(4): s += x", "f32"),
        ("s = -1.5\nfor i in range(4): s = max(s, abs(B[i]))", "f32"),
        ("s = 0.0\nfor i in range(4):\n if B[i] > s: s = B[i]", "f32"),
        ("s = 0.0\nfor i in range(4):\n if b: s = 1.0\n elif x > 0.0: s = B[i]\n else: s = -s", "f32"),
        ("s = 0.0\nfor i in range(4):\n if x > B[i]: continue\n s += x", "f32"),
        ("s = 0.0\nfor i in range(4): s = x if b else s", "f32"),
        ("s = 0.0\nfor i in range(4):\n for j in range(4):\n  for l in range(4): s += A[j]", "f64"),
        ("s = 0.0\nfor i in range(4):\n t = 0.0\n for j in range(4): t += B[j]\n s += t", "f32"),
        ("s = 0.0\nfor i in range(4):\n t = 1\n for j in range(4): t += 1\n s += x", None),
        ("r, s = 0.0, 1\nfor i in range(4): r, s = s, B[i]\nB[0] = r", "f32, f32"),
        ("q, r, s = 0, 0.0, 1\nfor i in range(4): q, r, s = r, s, 2\nA[0] = f64(q)", None),
        ("q, r, s = 0, 0, 1\nfor i in range(4): q, r, s = r, s, n\nA[0] = f64(q)", "i64, i64, i64"),
        ("r, s = 0.0, 0.0\nfor i in range(4): r, s = x, A[i]\nB[0] = r\nA[0] = s", "f32, f64"),
        ("s = 0.0\nfor i in range(3, -1, -1): s += B[i]", "f32"),
        ("s = 0.0\nfor i in unroll(range(4)): s = s * 2.0 + B[i]", "f32"),
        ("s = 0.0\nfor i in range(4): s = -s + (1.0 - s) * x", "f32"),
    ],
)
def test_the_body_gives_the_type(statements, types):
    """The type of what the outermost loop carries; None where a name gets no type, and is told."""
    if types is None:
        assert {found.code for found in findings(_kernel(statements))} == {"PYTL-1003"}
        return
    first = next(line for line in body(statements, PARAMETERS).splitlines() if " for %" in line)
    assert first.endswith(f"-> ({types}) {{"), first


def test_a_name_that_gets_no_type_is_told_alone():
    (found,) = findings(_kernel("t = 0.0\ns = 0.0\nfor i in range(4):\n t += 1.0\n s += t * x"))
    assert (found.code, found.help) == ("PYTL-1003", "name the type: t = f64(0.0), or f32(0.0) if its uses are f32")
    assert found.message == "the loop carries t, and nothing gives the literal 0.0 a type"


def test_an_error_of_the_body_is_told_once_and_alone():
    (found,) = findings(_kernel("s = 0.0\nfor i in range(4): s += unheard_of"))
    assert found.code == "PYTL-1020"


def test_a_literal_that_has_no_value_of_the_type_is_refused():
    found = findings(_kernel("s = 0.5\nfor i in range(4): s = n\nA[0] = f64(s)"))
    assert [one.message for one in found] == ["the Python float 0.5 is used where an i64 is expected"]
    (found,) = findings(_kernel("s = 0.5\nfor i in range(4): s += n"))
    assert found.code == "PYTL-1003"


def test_two_types_in_one_iteration_are_refused():
    found = findings(_kernel("s = 0.0\nfor i in range(4):\n s += x\n s = f64(s)\nA[0] = s"))
    assert "PYTL-1050" in {one.code for one in found}


def test_warnings_of_the_body_are_given_once():
    with pytest.warns(UserWarning, match="PYTL-1081") as caught:
        body("s = 0\nfor i in range(4): s += (n - 1) % 3", PARAMETERS)
    assert len(caught) == 1


def test_deep_nests_are_not_traced_again_for_each_loop_around_them(monkeypatch):
    attempts = []
    tried = Frame.tried
    monkeypatch.setattr(Frame, "tried", lambda *given: attempts.append(1) or tried(*given))
    depth = 8
    lines = [f"{' ' * k}t{k} = 0.0\n{' ' * k}for i{k} in range(2):" for k in range(depth)]
    lines.append(f"{' ' * depth}t{depth - 1} += x")
    lines += [f"{' ' * (k + 1)}t{k} += t{k + 1}" for k in range(depth - 2, -1, -1)]
    text = body("\n".join(lines), PARAMETERS + ", C: Memref[f32, 1]")
    assert text.count(" for %") == depth
    assert len(attempts) <= depth * (depth + 1) // 2


def test_what_is_read_behind_a_loop_is_asked_once_for_each_loop(monkeypatch):
    """Each loop asks for its body twice; a nest of them would ask a million times."""
    asked = []
    live_before = names.live_before
    monkeypatch.setattr(names, "live_before", lambda *given: asked.append(1) or live_before(*given))
    depth = 18
    lines = [f"{' ' * k}for i{k} in range(2):" for k in range(depth)]
    body("\n".join([*lines, f"{' ' * depth}B[0] = x"]), PARAMETERS)
    assert len(asked) < 100 * depth


@pytl.kernel
def statistics(x: Memref[f64, 16], y: Memref[f64, 3], w: Memref[f32, 1]):
    total, largest, count = 0.0, -1e300, 0
    for i in range(16):
        total += x[i]
        if x[i] > largest:
            largest = x[i]
        part = 0
        for j in range(4):
            part += f32(j) * 0.5
        count = part + count
    y[0], y[1], y[2] = total, largest, f64(count)
    w[0] = count


def test_the_numbers():
    x = np.random.default_rng(3).normal(size=16)
    y, w = np.zeros(3), np.zeros(1, np.float32)
    statistics[1](x, y, w, backend="reference")
    expected = 0.0
    for number in x:
        expected += number
    np.testing.assert_array_equal(y, [expected, x.max(), 48.0])
    assert w[0] == 48.0


def _kernel(statements):
    indented = "\n".join(f"    {line}" for line in statements.splitlines())
    return f"def kernel({PARAMETERS}):\n{indented}\n"
