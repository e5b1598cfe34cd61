"""Calls: of pytl's functions, of types as casts, and of all that is traced or called while tracing."""

from __future__ import annotations

import ast
from types import FunctionType, ModuleType
from typing import Any

from ...ir.fields import Operand
from ...ir.types import BoolType, MemrefType, ScalarType, Type, f32, index
from ...ir.values import Value
from .. import lang
from ..lang.arith import build_cast, cast
from ..lang.bodies import CalledOnce, KernelBody
from ..lang.debugging import debug
from ..lang.function import CalledFunction, KernelFunction
from ..lang.scalars import KernelType
from ..lang.subgroup import SubgroupFunctions
from ..lang.traced import Transposed, describe, is_python, is_unknown
from .arithmetic import fold, unary
from .bodies import inline_body
from .builder_calls import BuilderCall
from .closures import LocalFunction, call_local, resolved
from .constant_arrays import as_parameter, is_array
from .containers import call_method, is_method
from .counterparts import counterpart, is_numpy
from .debugging import call_python, show
from .expressions import Method, plain
from .frame import Failed, Frame, expression
from .functions import call_function_once
from .inline import CallArguments, LibraryFrame, inline, inline_library
from .python_calls import folds, python_handler
from .rules import CALL_ARGUMENTS, CALLED, USAGE
from .sequences import argument_items, called, unstarred
from .source import Positioned
from .subscripts import as_index, can_be_index, element

_ADVICE: dict[Any, str] = {
    int: "cast with i32(x), i64(x) or index(x)",
    float: "cast with f32(x) or f64(x)",
    complex: "cast with c32(x) or c64(x)",
    bool: "compare: x != 0",
    pow: "call pytl's own: pytl.pow(x, n)",
    breakpoint: "write pytl.debug(lambda x: breakpoint()), which the reference backend calls with the value of x",
}


class PythonCall(BuilderCall):
    """A call that is written as one."""

    def typed(self, item: Any, type_: Type | None, argument: str) -> Value:
        """An argument as a value; an integer that is certainly not negative passes as an index."""
        if type_ == index and isinstance(item, Value) and can_be_index(self.frame, item):
            return as_index(self.frame, item, self.nodes.get(argument, self.node))
        return super().typed(item, type_, argument)


@expression(ast.Call)
def _call(frame: Frame, node: ast.Call) -> Any:
    callee = frame.object_of(node.func)
    if any(isinstance(each, ast.Starred) for each in node.args) or any(word.arg is None for word in node.keywords):
        node = _expanded(frame, node)
    if callee is print or callee is debug:
        return show(frame, node) if callee is print else call_python(frame, node)
    if isinstance(callee, CalledFunction):
        return call_function(frame, callee, node)
    handler = python_handler(callee)
    if handler is not None:
        return handler(frame, node)
    if is_method(callee):
        items = [argument_items(frame, argument) for argument in node.args]
        words = {str(keyword.arg): frame.known(keyword.value) for keyword in node.keywords}
        return call_method(frame, callee, node, items, words)
    is_computed = isinstance(callee, (KernelType, Method)) or folds(callee)
    evaluate = frame.evaluate if is_computed else frame.passed
    arguments = [evaluate(argument) for argument in node.args]
    named = {keyword.arg: evaluate(keyword.value) for keyword in node.keywords if keyword.arg}
    if isinstance(callee, FunctionType) and isinstance(frame, LibraryFrame):
        return inline_library(frame, callee, node, arguments)
    word_nodes: dict[str, ast.expr | None] = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
    call_arguments = CallArguments(tuple(arguments), named, tuple(node.args), word_nodes)
    function, call_arguments = resolved(frame, callee, node, call_arguments)
    if isinstance(function, KernelBody):
        return inline_body(frame, function, node, call_arguments)
    if isinstance(function, CalledOnce):
        return call_function_once(frame, function, node, call_arguments)
    if isinstance(function, LocalFunction):
        return call_local(frame, function, node, call_arguments)
    if isinstance(function, FunctionType) and not _is_library(function):
        return inline(frame, function, node, call_arguments)
    if function is not callee:
        return called(frame, function, call_arguments.positional, node, call_arguments.named)
    if is_unknown((*arguments, *named.values())):
        raise Failed
    if isinstance(callee, KernelType):
        return _cast(frame, callee, node, arguments, named)
    if isinstance(callee, Method):
        if arguments or named:
            frame.fail(CALL_ARGUMENTS, f"{callee.name} takes no arguments", node)
        return unary(frame, f".{callee.name}()", callee.variant, callee.value, node)
    if callee is range and not is_python((arguments, named)):
        frame.fail(USAGE, "range is used in a for statement", node, "write for i in range(n):")
    if folds(callee) and is_python((*arguments, *named.values())):
        return plain(fold(frame, node, lambda: callee(*arguments, **named)))
    frame.fail(CALLED, f"{ast.unparse(node.func)} can't be called in a kernel", node, _advice(callee, node))


def _expanded(frame: Frame, node: ast.Call) -> ast.Call:
    """A call without stars, in which names stand for the items of `*xs` and `**d`."""
    keywords = []
    arguments = unstarred(frame, node.args)
    for keyword in node.keywords:
        if keyword.arg is not None:
            keywords.append(keyword)
            continue
        item, written = frame.known(keyword.value), ast.unparse(keyword.value)
        if not isinstance(item, dict) or not all(isinstance(word, str) for word in item):
            advice = "write a dictionary with names for keys: {'beta': 0.0}"
            frame.fail(CALL_ARGUMENTS, f"** takes a dictionary of names, not {describe(item)}", keyword.value, advice)
        for word, value in item.items():
            if any(other.arg == word for other in (*node.keywords, *keywords)):
                frame.fail(CALL_ARGUMENTS, f"{word} is passed twice", keyword.value)
            name = frame.named(f"{written}[{word!r}]", value, keyword.value)
            keywords.append(ast.copy_location(ast.keyword(word, name), keyword))
    return ast.copy_location(ast.Call(node.func, arguments, keywords), node)


def _is_library(function: FunctionType) -> bool:
    """Whether a function is pytl's or NumPy's own, whose source is not for kernels."""
    return (function.__module__ or "").split(".")[0] in (__package__.split(".")[0], "numpy")


def _advice(callee: Any, node: ast.Call) -> str | None:
    for known, advice in _ADVICE.items():
        if callee is known:
            return advice
    if isinstance(callee, SubgroupFunctions):
        return "name the operation: .reduce(x), .inclusive_scan(x) or .exclusive_scan(x)"
    name = getattr(callee, "__name__", "")
    instead = counterpart(callee, node)
    if instead is not None:
        return instead
    if name in lang.__all__ and callee is not getattr(lang, name):
        return f"call pytl's own: pytl.{name}"
    if is_numpy(callee):
        return "NumPy works on arrays of the host; write loops, or call gemm and axpby"
    if isinstance(callee, Transposed):
        return "the transpose is an attribute: write A.T"
    if isinstance(getattr(callee, "inline", None), KernelBody):
        return "this is a kernel: write ….inline(…) to take its body"
    if isinstance(callee, ModuleType):
        return "this is a module; name one of its functions"
    if hasattr(callee, "__wrapped__"):
        return "it is decorated, and only plain functions are inlined: put the common code into a plain function"
    if not callable(callee):
        return f"this is {describe(callee)}"
    return "call functions that are written in Python with def: they are inlined"


def call_function(frame: Frame, function: CalledFunction, node: ast.Call) -> Any:
    """Call one of pytl's functions: bind its arguments, evaluate them, and let it build its instruction."""
    if function.statement:
        frame.fail(USAGE, f"{function.name} is used at the head of a statement", node, f"write {function.statement}")
    arguments: dict[str, Any] = {}
    nodes: dict[str, Positioned] = {}
    for name, argument in bind_arguments(frame, function, node).items():
        # only *parameters are bound to tuples: all others are bound to pieces of the syntax tree
        if isinstance(argument, tuple):
            arguments[name] = tuple(frame.evaluate(piece) for piece in argument)
            if argument:
                nodes[name] = frame.location_of(argument[0]).upto(frame.location_of(argument[-1]))
        elif name in function.regions:
            arguments[name] = None if isinstance(argument, ast.Lambda) else frame.known(argument)
            nodes[name] = argument
        elif name in function.places:
            arguments[name] = element(frame, argument)
            nodes[name] = argument
        else:
            arguments[name] = frame.evaluate(argument)
            nodes[name] = argument
    if any(is_unknown(item) for item in arguments.values()):
        raise Failed
    for name, parameter in function.signature.parameters.items():
        if name not in arguments:
            empty = parameter.kind is parameter.VAR_POSITIONAL
            arguments[name] = () if empty else parameter.default
    if isinstance(function, KernelFunction):
        for name, item in arguments.items():
            part = function.operation.parts.get(name)
            if is_array(item) and isinstance(part, Operand) and part.constraint.admits(_MATRIX):
                arguments[name] = as_parameter(frame, item, nodes.get(name, node))
    return function.build(PythonCall(frame, function, node, arguments, nodes))


_MATRIX = MemrefType(f32, (1, 1))


def bind_arguments(frame: Frame, function: CalledFunction, node: ast.Call) -> dict[str, Any]:
    """The pieces of the syntax tree by parameter of a function, tuples of them for `*parameters`."""
    named = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
    try:
        return function.signature.bind(*node.args, **named).arguments
    except TypeError as error:
        _look_at_arguments(frame, function, node)
        parameters = [str(p.replace(annotation=p.empty)) for p in function.signature.parameters.values()]
        advice = f"write {function.name}({', '.join(parameters)})"
        unknown = [name for name in named if name not in function.signature.parameters]
        from difflib import get_close_matches  # not at `import pytl`

        small = {name.lower(): name for name in function.signature.parameters}
        for word in unknown:
            close = get_close_matches(word.lower(), small, n=1)
            meant = f"did you mean {small[close[0]]}=?" if close else advice
            message = f"{function.name}: got an unexpected keyword argument {word!r}"
            frame.report(CALL_ARGUMENTS, message, named[word] if len(unknown) > 1 else node, meant)
        if unknown:
            raise Failed from None
        frame.fail(CALL_ARGUMENTS, f"{function.name}: {error}", node, advice)


def _look_at_arguments(frame: Frame, function: CalledFunction, node: ast.Call) -> None:
    """Find the problems in the arguments of a call that fails."""
    with frame.builder.into([]):
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            frame.evaluate(argument)


def _cast(frame: Frame, target: KernelType, node: ast.Call, arguments: list[Any], named: dict[str, Any]) -> Any:
    if not isinstance(target.ir_type, (ScalarType, BoolType)):
        frame.fail(CALLED, f"{target.__name__} is a type", node, "allocate memory with alloca(f32, 16, 8)")
    if len(arguments) != 1 or named:
        frame.fail(CALL_ARGUMENTS, f"{target.__name__} takes one number", node, f"write {target.__name__}(x)")
    assert isinstance(cast, KernelFunction)
    call = PythonCall(frame, cast, node, {}, {"operand": node.args[0]})
    return build_cast(call, arguments[0], target.ir_type)
