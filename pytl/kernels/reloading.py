"""Kernels, and functions that they call, in notebooks that load edited modules again, by `%autoreload`.

IPython then updates functions and classes that others have imported by name. Here it learns how to update these.
"""

from __future__ import annotations

import sys
from typing import Any

_AUTORELOAD = "IPython.extensions.autoreload"


def follow(kind: type) -> None:
    """Let objects of this class that a notebook holds become those that a module has when it is loaded again."""
    rules = getattr(sys.modules.get(_AUTORELOAD), "UPDATE_RULES", None)
    if isinstance(rules, list) and not any(getattr(update, "kind", None) is kind for _, update in rules):
        rules.append((lambda old, new: isinstance(old, kind) and isinstance(new, kind), _Update(kind)))


class _Update:
    """What IPython calls with what it has and what the module has now."""

    def __init__(self, kind: type) -> None:
        self.kind = kind

    def __call__(self, old: Any, new: Any) -> None:
        old.redefine(new)
