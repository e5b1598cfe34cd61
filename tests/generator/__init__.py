"""Random programs of the language, for properties of the core and for differential tests of backends.

`generate(rng)` gives the text of one function that the verifier accepts. Two kinds of programs come out of it:

- plain ones use every instruction, form, type and attribute, and whatever the verifier admits;
- safe ones (`safe=True`) are also free of undefined behaviour and of data races, so that every backend has to compute
  the same on them: indices are in bounds, nothing is divided by zero, what is read was written before, work-items and
  work-groups write apart from each other, what a sub-group does together is met by all of it, floating numbers stay
  small, and no branch, index or integer depends on a rounding.

`bodies` (in `generator.bodies`) writes a third kind: long bodies of scalar instructions in a foreach, whose results
have the same bits on all backends. `products` (in `generator.products`) writes chains of products.

Safe programs expect data as `pytl run` makes it: floating numbers in [-1, 1], arrays that do not overlap, as many items
in a dynamic last mode or a group as there are work-groups. Other dynamic modes may have any size from 1 on.

`programs(safe)` is the strategy for hypothesis; `generate(random.Random(seed))` works without. Both draw one seed and
the size: a failure shrinks to fewer statements, and is repeated by its seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from hypothesis import strategies as st

from .functions import Generator
from .language import ELEMENTS, INTEGERS

__all__ = ["ELEMENTS", "INTEGERS", "SEEDS", "generate", "modules", "programs"]

SEEDS = st.integers(0, 2**32 - 1)


def generate(
    rng: Random,
    safe: bool = False,
    size: int = 12,
    name: str = "kernel",
    elements: Sequence[str] = ELEMENTS,
    subgroup_size: int | None = None,
) -> str:
    """The text of one function with about `size` instructions in its body.

    `elements` are its scalar types; one that is named twice is chosen twice as often. `subgroup_size` is what the
    function names; None where that is drawn, or left out.
    """
    generator = Generator(rng, safe, elements)
    generator.wanted_size = subgroup_size
    return generator.function_text(name, size)


def programs(safe: bool = False, max_size: int = 16, elements: Sequence[str] = ELEMENTS) -> st.SearchStrategy[str]:
    """Texts of one function."""

    def build(seed: int, size: int) -> str:
        return generate(Random(seed), safe, size, elements=elements)

    return st.builds(build, SEEDS, st.integers(0, max_size))


def modules(max_size: int = 10) -> st.SearchStrategy[str]:
    """Texts of one to three functions."""

    def build(seed: int, sizes: list[int]) -> str:
        rng = Random(seed)
        return "\n".join(generate(rng, size=size, name=f"f{number}") for number, size in enumerate(sizes))

    return st.builds(build, SEEDS, st.lists(st.integers(0, max_size), min_size=1, max_size=3))
