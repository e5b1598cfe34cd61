"""Random programs of assignments, branches and loops compute what Python computes with them."""

import textwrap

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from tracing_kit import functions, text

from pytl.backends.reference import MemrefView, execute
from pytl.diagnostics import TraceError
from pytl.frontends.python import trace

NAMES = ["a", "b", "c"]
RANGES = [
    "range(i64(3))",
    "range(n)",
    "range(1, n)",
    "range(0, i64(5), 2)",
    "range(n, 0, -1)",
    "range(n, a, -3)",
    "reversed(range(n))",
    "reversed(range(a, n, 3))",
    "reversed(range(n, -1, -2))",
]
GUARDS = [
    "if {}:\n    {}\n    {jump}",
    "if {}:\n    {jump}\nelif a < b:\n    {}",
    "if {}:\n    {}\nelse:\n    {jump}",
    "if {}:\n    {}\nelif b < c:\n    {jump}",
]
HEAD = "def kernel(OUT: Memref[i64, 3], a: i64, b: i64, n: i64):\n    c = i64(5)\n"
TAIL = "    OUT[0] = a\n    OUT[1] = b\n    OUT[2] = c\n"

atoms = st.sampled_from([*NAMES, "n", "3", "-2", "t"])


@st.composite
def conditions(draw, depth=0):
    if depth < 2 and draw(st.integers(0, 3)) == 0:
        kind = draw(st.sampled_from(["({} and {})", "({} or {})"]))
        return kind.format(draw(conditions(depth + 1)), draw(conditions(depth + 1)))
    if draw(st.integers(0, 4)) == 0:
        return f"not {draw(conditions(depth + 1))}"
    if draw(st.integers(0, 3)) == 0:
        return f"{draw(atoms)} <= {draw(atoms)} < {draw(atoms)}"
    return f"{draw(atoms)} {draw(st.sampled_from(['<', '>=', '==', '!=']))} {draw(atoms)}"


@st.composite
def expressions(draw, depth=0):
    kind = draw(st.sampled_from(["atom", "atom", "sum", "choice", "least", "helper"]))
    if kind == "atom" or depth > 1:
        return draw(atoms)
    a, b = draw(expressions(depth + 1)), draw(expressions(depth + 1))
    if kind == "sum":
        return f"({a} {draw(st.sampled_from('+-&|^'))} {b})"
    if kind == "choice":
        return f"({a} if {draw(conditions())} else {b})"
    return f"min({a}, {b})" if kind == "least" else f"helper({a}, {b})"


@st.composite
def blocks(draw, depth=0, jump="return"):
    """Statements; `jump` is what may end them early, where they are a loop's or the kernel's own."""
    lines = []
    kinds = ["assign", "assign", "swap", "add", "if", "if", "for", "skip", *(["guard"] if jump else [])]
    for _ in range(draw(st.integers(1, 4))):
        kind = draw(st.sampled_from(kinds))
        target = draw(st.sampled_from([*NAMES, "t"]))
        if kind == "assign" or depth > 2:
            lines.append(f"{target} = {draw(expressions())}")
        elif kind == "add":
            lines.append(f"{draw(st.sampled_from(NAMES))} += {draw(expressions())}")
        elif kind == "swap":
            lines.append("a, b = b, a")
        elif kind == "if":
            lines.append(f"if {draw(conditions())}:")
            lines.append(textwrap.indent(draw(blocks(depth + 1, None)), "    "))
            if draw(st.booleans()):
                lines.append("else:")
                lines.append(textwrap.indent(draw(blocks(depth + 1, None)), "    "))
        elif kind == "guard":
            assignment = f"{target} = {draw(expressions())}"
            lines.append(draw(st.sampled_from(GUARDS)).format(draw(conditions()), assignment, jump=jump))
        elif kind == "for":
            variable = f"i{depth}"
            lines.append(f"for {variable} in {draw(st.sampled_from(RANGES))}:")
            lines.append(f"    {target} = {variable}")
            lines.append(textwrap.indent(draw(blocks(depth + 1, "continue")), "    "))
        else:
            lines.append("pass")
    return "\n".join(lines)


HELPER = """
def helper(x, y):
    if x < y:
        return y - x
    z = x
    if y == 3:
        z = x + y
    else:
        return x ^ y
    return z + 1

"""


def compare(first: str, block: str) -> None:
    source = HELPER + HEAD + textwrap.indent(f"{first}\n{block}", "    ") + "\n" + TAIL
    kernel = functions(source)["kernel"]
    try:
        function = trace(kernel)
    except TraceError as error:
        # Python decides as it runs what a kernel can't: the types of literals, and names that some paths bind
        open_name = set() if first == "t = a" else {"PYTL-1020", "PYTL-1021"}
        assert {d.code for d in error.diagnostics} <= {"PYTL-1003", *open_name}, error
        return
    text(kernel)
    plain = functions(source)
    plain["i64"] = int
    for a, b, n in [(1, 2, 0), (-4, 7, 2), (9, 9, 4)]:
        expected = [0, 0, 0]
        plain["kernel"](expected, a, b, n)
        out = np.zeros(3, np.int64)
        execute(function, [MemrefView(out, 0, (3,), (1,)), *map(np.int64, (a, b, n))], 1, checks=True)
        wrapped = [(value + 2**63) % 2**64 - 2**63 for value in expected]
        assert out.tolist() == wrapped, f"{source}\n{function}\nfor a={a}, b={b}, n={n}"


@pytest.mark.at_night
@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(["t = a", "t = a", "t = 4", "pass"]), blocks())
@example("pass", "for i0 in range(n):\n    t = a\n    a = b\n    b = t")
@example("pass", "if a < b:\n    a = 3\nelse:\n    a = -2\nfor i0 in range(n):\n    a += b")
def test_programs(first, block):
    compare(first, block)
