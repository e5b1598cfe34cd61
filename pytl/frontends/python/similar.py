"""What a name that is not defined was probably meant to be."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping
from typing import Any

from .. import lang

_ELSEWHERE = {
    **dict.fromkeys(("program_id", "blockIdx", "get_group_id"), "the number of the work-group is group_id()"),
    **dict.fromkeys(("num_programs", "gridDim", "get_num_groups"), "the number of work-groups is group_size()"),
    **dict.fromkeys(
        ("threadIdx", "get_local_id", "get_global_id"), "write a loop over the items: for i in foreach(n):"
    ),
    **dict.fromkeys(("prange", "pndindex"), "write for i in foreach(n):"),
    **dict.fromkeys(("syncthreads", "__syncthreads"), 'write barrier("local"), in a parallel region'),
    **dict.fromkeys(("atomic_add", "atomicAdd"), "call atomic.add(A[i], x)"),
    **dict.fromkeys(("atomic_max", "atomicMax"), "call atomic.max(A[i], x)"),
    **dict.fromkeys(("atomic_min", "atomicMin"), "call atomic.min(A[i], x)"),
    **dict.fromkeys(
        ("zeros", "empty", "ones", "full"), "memory of a kernel is alloca(f32, 16, 8), which has no values"
    ),
    "cuda": "write group_id() and foreach: cuda.grid(1) is the variable of for i in foreach(n):",
    "tl": "write group_id() for tl.program_id(0), and views or foreach for blocks",
    **dict.fromkeys(("torch", "jnp", "np", "numpy"), "a kernel calls pytl's functions: from pytl import exp, where, …"),
}
"""Names of NumPy, Numba, CUDA, OpenCL and Triton, and what to write for them."""


def similar_name(name: str, local: Iterable[str], enclosing: Iterable[str], namespace: Mapping[str, Any]) -> str | None:
    """The help for a name that is bound nowhere: one of pytl's, or similar ones of the kernel's surroundings."""
    if name in lang.__all__:
        return f"import it: from pytl import {name}"
    if name in _ELSEWHERE:
        return _ELSEWHERE[name]
    candidates = [*local, *enclosing, *(other for other, value in namespace.items() if _may_be_meant(other, value))]
    ours = [word for word in lang.__all__ if not hasattr(builtins, word)]
    from difflib import SequenceMatcher, get_close_matches  # not at `import pytl`

    matches = get_close_matches(name, candidates) or get_close_matches(name, ours)
    alike = {word: SequenceMatcher(None, name, word).ratio() for word in matches}
    best = sorted(word for word in alike if alike[word] == max(alike.values()))
    return f"did you mean {' or '.join(best)}?" if best else None


def _may_be_meant(name: str, value: Any) -> bool:
    """Whether a kernel may use a global. It may not use pytl's functions for host programs, such as `timing`."""
    is_ours = str(getattr(value, "__module__", "")).startswith(f"{lang.__name__.partition('.')[0]}.")
    return not name.startswith("__") and (not is_ours or name in lang.__all__ or not hasattr(value, "__name__"))
