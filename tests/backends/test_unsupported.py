"""What the SYCL backend does not compile yet is said of all instructions at once, with what to do."""

import pytest

import pytl
from pytl.ir.operation import Operation
from pytl.ops import Parallel


class Teleport(Operation):
    mnemonic = "teleport"


class Conjure(Operation):
    mnemonic = "conjure"


TEXT = """func @f(%a: memref<f32x16>, %i: index, %x: f32) {
  store %x, %a[%i]
  parallel {
    store %x, %a[%i]
  }
}"""


def test_each_instruction_is_named_once():
    module = pytl.parse(TEXT)
    body = module.functions[0].body
    store, parallel = body.operations
    assert isinstance(parallel, Parallel)
    body.operations += [Teleport(store.location), Teleport(store.location)]
    parallel.body.operations.append(Conjure(parallel.body.operations[0].location))
    with pytest.raises(pytl.PytlError) as caught:
        pytl.compile(module)["f"].emit("numba_dpex")
    found = [(d.code, d.message, d.location.line) for d in caught.value.diagnostics]
    assert found == [
        ("PYTL-3010", "numba_dpex does not compile conjure yet", 4),
        ("PYTL-3010", "numba_dpex does not compile teleport yet", 2),
    ]
    assert 'launch with backend="reference"' in str(caught.value)
