"""Whatever a function of a kernel body is given, it says what is wrong with that, and never breaks down."""

import inspect

import pytest
from tracing_kit import FUNCTIONS, functions

from pytl.diagnostics import TraceError
from pytl.frontends.python import trace

pytestmark = pytest.mark.at_most(4)

JUNK = (
    """
None; True; 0; -1; 1.5; float('nan'); 10**400; 1j; 'text'; b'bytes'; ...; (); (1,); (1, (2, 3))
A; A.T; A[0]; A[0, 0]; A[0:2, :]; A.shape; A.shape[1]; v; s; G; x; z; k; i; yes; c
f32; Memref[f32, 4]; Memref; print; len; subgroup; coop.full; x.conj; z.conj; range(3); unroll; slice(1, 2)
1.0 if yes else 2.0; x if yes else 0.0; nobody; [1]; exp; A[0:0, 0]; not yes; x > 0 or yes
""".strip()
    .replace("\n", "; ")
    .split("; ")
)
PARAMETERS = (
    "A: Memref[f32, 8, ...], v: Memref[f32, 8], s: Memref[f32], G: Group[f32, 8], "
    "x: f32, z: c32, k: i32, i: index, yes: bool_"
)
GOOD = {"shape": "(8, 8)", "use": "'matrix_a'", "M": "A", "x": "0", "y": "0", "component": "f32", "mode": "0"}


def calls(name):
    """Calls with nothing but junk, and calls with one junk argument among good ones."""
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    usual = "c" if name.startswith("coop.") else "v"
    for position, junk in enumerate(JUNK):
        yield f"{name}({', '.join([junk] * max(1, len(parameters)))})"
        # each parameter in its turn: all of them with all junk would take seconds
        for wrong in [*parameters][position % max(1, len(parameters)) :][:1]:
            arguments = [junk if p == wrong else GOOD.get(p, usual) for p in parameters]
            yield f"{name}({', '.join(arguments)})"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_junk(name):
    statements = list(dict.fromkeys(calls(name)))
    if FUNCTIONS[name].statement:
        statements = [f"for q in {call}: pass" for call in statements] + statements
    lines = "".join(f"        {statement}\n" for statement in statements)
    head = "    with parallel():\n        c = coop.full(f32, 0.0, (8, 8), 'matrix_acc')\n"
    kernel = functions(f"def kernel({PARAMETERS}):\n{head}{lines}")["kernel"]
    with pytest.raises(TraceError) as caught:
        trace(kernel)
    assert "error" in str(caught.value)
    assert all(found.location is not None for found in caught.value.diagnostics)
