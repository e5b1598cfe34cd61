"""Python constructs that the tensor language lacks: why, and what to write instead."""

from __future__ import annotations

_FUNCTION = "define it outside of the kernel, and call it: it is inlined"
_NO_EXCEPTIONS = "there are no exceptions on a device"
_NO_TEXTS = "there are no strings on a device"
_BEFORE_LAUNCH = "check arguments before the launch"
_HEAD_OF_MODULE = "import at the top of the module"
_STORE = "store results in a parameter"

STATEMENT_REASONS: dict[str, tuple[str, str]] = {
    "Try": (f"there is no try: {_NO_EXCEPTIONS}", "test the condition with an if"),
    "TryStar": (f"there is no except*: {_NO_EXCEPTIONS}", "test the condition with an if"),
    "Raise": (f"there is no raise: {_NO_EXCEPTIONS}", _BEFORE_LAUNCH),
    "AsyncFunctionDef": ("a kernel defines no coroutines", "a function is defined outside of the kernel, with def"),
    "ClassDef": ("a kernel defines no classes", "define it outside of the kernel"),
    "Global": ("a kernel can't rebind a name of the module", _STORE),
    "Nonlocal": (
        "a kernel can't rebind a name of the function around it",
        "return the value, and assign it where the function is called: total = add(total, x)",
    ),
    "Delete": (
        "there is no del: memory is freed at the end of its region",
        "omit it; lifetime_stop(x) ends an alloca's life early",
    ),
    "Import": ("a kernel imports no modules", _HEAD_OF_MODULE),
    "ImportFrom": ("a kernel imports no names", _HEAD_OF_MODULE),
    "AsyncFor": ("there is no async for", "write for i in range(…)"),
    "AsyncWith": ("there is no async with", "write with parallel():"),
    "TypeAlias": ("a kernel defines no types", "define it outside of the kernel"),
}
EXPRESSION_REASONS: dict[str, tuple[str, str]] = {
    "FormattedValue": (f"nothing is formatted: {_NO_TEXTS}", "leave it out"),
    "TemplateStr": (f"there are no t-strings: {_NO_TEXTS}", "leave it out"),
    "Interpolation": (f"nothing is interpolated: {_NO_TEXTS}", "leave it out"),
    "Starred": ("there is no * here", "write the items one by one"),
    "Yield": ("there is no yield: a kernel is not a generator", _STORE),
    "YieldFrom": ("there is no yield from: a kernel is not a generator", _STORE),
    "Await": ("there is no await", "omit it: a kernel executes its statements in order"),
}
