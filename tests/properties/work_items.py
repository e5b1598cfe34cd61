"""Random programs for many work-items: with sub-groups of each size, executed by the oracle after the passes."""

from __future__ import annotations

from random import Random

from generator import generate
from generator.products import products
from properties.barriers import barriers_alone_order
from properties.execution import assert_same_meaning

from pytl.backends.registry import find_backend
from pytl.passes import Pass
from pytl.passes.targets.spmd import DEVICES

SUBGROUP_SIZES = (8, 16, 32)
TARGETS: tuple[dict[str, str], ...] = ({"machine": "avx2"}, *({"device": name} for name in DEVICES))
"""The options that say which device code is for: a processor, or each preset."""


def program(seed: int, size: int) -> str:
    """A program that names its sub-groups' size; of products, each second one, and others leave it to the compiler."""
    subgroup_size = SUBGROUP_SIZES[seed % 3]
    if seed % 4:
        return generate(Random(seed), safe=True, size=size, subgroup_size=subgroup_size)
    text = products(Random(seed))
    if seed % 8:
        count = 1 + seed // 8 % 4
        named = f"attributes{{subgroup_size={subgroup_size}, work_group_size=[{subgroup_size},{count}]}}"
        text = text.replace(") {", f") {named} {{", 1)
    return text


def passes_of(seed: int) -> tuple[str, list[Pass]]:
    """The passes for one of the devices, behind which the oracle executes what they wrote."""
    backend, target = find_backend("sycl"), TARGETS[seed // 3 % len(TARGETS)]
    complete = backend.complete_options({"strategy": "many-items", **target}, None)
    return " ".join(target.values()), backend.passes(complete)


def assert_work_items_agree(seed: int, size: int) -> str:
    """Execute a program before and after the passes for many work-items, in which no access races with another one;
    returns what they wrote.
    """
    name, passes = passes_of(seed)
    with barriers_alone_order():
        (made,) = assert_same_meaning(program(seed, size), seed, {name: (passes, True)})
    return str(made)
