"""What a name that is not defined was probably meant to be."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping
from typing import Any

from .. import lang


def similar_name(name: str, local: Iterable[str], enclosing: Iterable[str], namespace: Mapping[str, Any]) -> str | None:
    """The help for a name that is bound nowhere: one of pytl's, or similar ones of the kernel's surroundings."""
    if name in lang.__all__:
        return f"import it: from pytl import {name}"
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
