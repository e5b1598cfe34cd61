"""Locations, diagnostics, the catalogue of rules, rendering, and the error tree."""

from .callers import call_site
from .catalogue import Rule, Severity, all_rules, find
from .diagnostic import Diagnostic, Diagnostics, Label
from .errors import (
    ExecutionError,
    LanguageError,
    LaunchError,
    PlatformError,
    PytlError,
    TraceError,
    is_own,
    warn,
    warn_at,
)
from .location import Location, Source
from .render import render, render_all, render_line

__all__ = [
    "Diagnostic",
    "Diagnostics",
    "ExecutionError",
    "Label",
    "LanguageError",
    "LaunchError",
    "Location",
    "PlatformError",
    "PytlError",
    "Rule",
    "Severity",
    "Source",
    "TraceError",
    "all_rules",
    "call_site",
    "find",
    "is_own",
    "render",
    "render_all",
    "render_line",
    "warn",
    "warn_at",
]
