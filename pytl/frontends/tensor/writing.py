"""Modules as texts of a dialect."""

from __future__ import annotations

from ...diagnostics import Diagnostics, LanguageError
from ...ir.printer import print_function
from ...ir.spelling import Table
from ...ir.values import Function, Module, Value
from . import rules


def write_module(module: Module, dialect: Table) -> str:
    """The functions' texts; raises `pytl.LanguageError` with all that has no form in the dialect."""
    diagnostics = Diagnostics()
    functions = [dialect.prepared(function) for function in module.functions]
    for table, function in functions:
        _check(function, table, diagnostics)
    if diagnostics.errors:
        raise LanguageError(diagnostics.in_order())
    return dialect.between_functions.join(print_function(function, table) for table, function in functions)


def _check(function: Function, dialect: Table, diagnostics: Diagnostics) -> None:
    def check_types(what: str, values: list[Value]) -> None:
        for value in values:
            if not dialect.writes_type(value.type):
                message = f"{what}: the dialect {dialect.name} has no {value.type}"
                diagnostics.report(rules.NOT_EXPRESSED, message, value.location or function.location)

    if not (function.is_kernel or dialect.has_calls):
        message = f"@{function.name} is a function that is called, which the dialect {dialect.name} has not"
        diagnostics.report(rules.NOT_EXPRESSED, message, function.location, dialect.helps.get("pytl.call"))
    check_types(f"@{function.name}", function.parameters)
    owners = [(f"@{function.name}", function.attributes, function.location)]
    owners += [(f"%{p.name or '?'} of @{function.name}", p.attributes, p.location) for p in function.parameters]
    for number, (what, attributes, location) in enumerate(owners):
        if attributes and not dialect.says_attributes(attributes, of_function=number == 0):
            message = f"{what} has attributes that have no form in the dialect {dialect.name}"
            diagnostics.report(rules.NOT_EXPRESSED, message, location or function.location)
    for op in function.walk():
        if dialect.in_place(op) is None and dialect.spelling_of(op) is None:
            message = f"{op.word} has no form in the dialect {dialect.name}"
            diagnostics.report(rules.NOT_EXPRESSED, message, op.location or function.location, dialect.help_for(op))
        else:
            check_types(op.word, op.results)
