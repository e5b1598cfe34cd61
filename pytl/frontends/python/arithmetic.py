"""Operators, comparisons, min, max, abs, truth values: Python constants fold, values emit instructions."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from ...diagnostics import Label, PytlError
from ...ir.types import BoolType, CoopMatrixType, MemrefType, ScalarType, Type, component_type
from ...ir.values import Value
from ...ops import ArithBinary, ArithUnary, Cast, Compare, CooperativeMatrixScale, MatrixArithmetic, MatrixUnary
from ...ops.arith import admits_binary, admits_unary
from ...ops.constants import constant_of
from ...ops.matrix_arithmetic import aliasing_matrices, of_matrix
from ..lang.casts import cast_to, common, floating_for, loss
from ..lang.traced import Transposed, advice_on_array, describe, is_collection, is_literal, is_python, is_unknown
from .branches import binds, chosen, empty_branch, trace_branch
from .frame import UNKNOWN, Failed, Frame, expression
from .mutations import KINDS
from .powers import power
from .products import product
from .remainders import check_remainder
from .rules import FOLDING, OPERAND_TYPES, OPERATOR
from .source import Positioned

BINARY: dict[type[ast.operator], tuple[str, str, Callable[[Any, Any], Any]]] = {
    ast.Add: ("+", "add", operator.add),
    ast.Sub: ("-", "sub", operator.sub),
    ast.Mult: ("*", "mul", operator.mul),
    ast.Div: ("/", "div", operator.truediv),
    ast.FloorDiv: ("//", "div", operator.floordiv),
    ast.Mod: ("%", "rem", operator.mod),
    ast.LShift: ("<<", "shl", operator.lshift),
    ast.RShift: (">>", "shr", operator.rshift),
    ast.BitAnd: ("&", "and", operator.and_),
    ast.BitOr: ("|", "or", operator.or_),
    ast.BitXor: ("^", "xor", operator.xor),
    ast.Pow: ("**", "", operator.pow),
    ast.MatMult: ("@", "", operator.matmul),
}
COMPARISONS: dict[type[ast.cmpop], tuple[str, str, Callable[[Any, Any], Any]]] = {
    ast.Eq: ("==", "eq", operator.eq),
    ast.NotEq: ("!=", "ne", operator.ne),
    ast.Lt: ("<", "lt", operator.lt),
    ast.LtE: ("<=", "le", operator.le),
    ast.Gt: (">", "gt", operator.gt),
    ast.GtE: (">=", "ge", operator.ge),
}
_KIND_OF = {sign: kind for kind, (sign, _, _) in BINARY.items()}
_UNARY: dict[type[ast.unaryop], tuple[str, str, Callable[[Any], Any]]] = {
    ast.USub: ("-", "neg", operator.neg),
    ast.UAdd: ("+", "", operator.pos),
    ast.Invert: ("~", "not", operator.invert),
}
_IDENTITY: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Is: ("is", operator.is_),
    ast.IsNot: ("is not", operator.is_not),
    ast.In: ("in", lambda a, b: a in b),
    ast.NotIn: ("not in", lambda a, b: a not in b),
}


def fold(frame: Frame, node: Positioned, compute: Callable[..., Any], *arguments: Any) -> Any:
    """Compute with Python constants while tracing; an exception is the user's error."""
    try:
        return compute(*arguments)
    except PytlError as error:
        first = error.diagnostics[0]
        frame.fail(first.rule, first.message, node, first.help)
    except Exception as error:
        frame.fail(FOLDING, f"computing this gives {type(error).__name__}: {error}", node)


def binary(frame: Frame, kind: type[ast.operator], a: Any, b: Any, node: Positioned) -> Any:
    """`a op b`, for a binary operator of Python."""
    sign, variant, _ = BINARY[kind]
    if is_unknown(a) or is_unknown(b):
        return UNKNOWN
    if type(a) in KINDS or type(b) in KINDS or type(a) is tuple or type(b) is tuple:
        return _of_collections(frame, kind, a, b, node)
    if is_python(a) and is_python(b):
        return _fold_binary(frame, kind, a, b, node)
    if sign == "**":
        return power(frame, a, b, node)
    if sign == "@":
        return product(frame, a, b, node)
    matrix, number = _matrix_and_number(a, b)
    if matrix is not None:
        return _scaled(frame, sign, matrix, number, node, number_is_left=number is a)
    if sign in ("/", "//"):
        _check_division(frame, sign, a, b, node)
    a, b = number_operands(frame, sign, a, b, node)
    if isinstance(a.type, CoopMatrixType) and aliasing_matrices(variant, a.type.component):
        return frame.compute(MatrixArithmetic, node, variant=variant, a=a, b=b)
    if not admits_binary(variant, a.type):
        frame.fail(OPERATOR, f"{sign} is not defined on {a.type}", node, _operand_help(sign, a))
    if variant == "rem":
        check_remainder(frame, a, b, node)
    return frame.compute(ArithBinary, node, variant=variant, a=a, b=b)


def _of_collections(frame: Frame, kind: type[ast.operator], a: Any, b: Any, node: Positioned) -> Any:
    """`xs + ys`, `2 * xs`, `s | t`: a new object, as Python makes it."""
    if not all(is_collection(item) or is_python(item) for item in (a, b)):
        frame.fail(OPERATOR, f"{BINARY[kind][0]} is not defined on {describe(a)} and {describe(b)}", node)
    return frame.builder.containers.remember(fold(frame, node, BINARY[kind][2], a, b), frame.builder.operations)


def _check_division(frame: Frame, sign: str, a: Any, b: Any, node: Positioned) -> None:
    """Refuse `/` on integers, and `//` on floating point numbers, before the kind of a literal is checked."""
    for item in (a, b):
        type_ = component_type(item.type) if isinstance(item, Value) else None
        if not isinstance(type_, ScalarType) or (sign == "//") == type_.is_integer:
            continue
        advice = f"on {type_.kind} numbers write {_divided(node)}"
        if type_.is_floating and isinstance(item.type, ScalarType):
            advice = f"on floating numbers write {_divided(node, is_floored=True)}"
        if type_.is_integer:
            left, right = ("x", "y")
            if isinstance(node, ast.BinOp):
                left, right = ast.unparse(node.left), ast.unparse(node.right)
            other = a if item is b else b
            advice = f"on integers write {left} // {right}"
            if isinstance(other, (float, complex)) and isinstance(node, ast.BinOp):
                wide = floating_for(type_)
                sides = [f"{wide}({left})", right] if item is a else [left, f"{wide}({right})"]
                advice = f"cast the integer, {' / '.join(sides)}{loss(type_, wide)}; on integers there is //"
        frame.fail(OPERATOR, f"{sign} is not defined on {item.type}", node, advice)


def _divided(node: Positioned, is_floored: bool = False) -> str:
    """The quotient of both sides of an operator, in x and y where they are not in the source."""
    left: ast.expr = ast.Name("x")
    right: ast.expr = ast.Name("y")
    if isinstance(node, ast.BinOp):
        left, right = node.left, node.right
    elif isinstance(node, ast.AugAssign):
        left, right = node.target, node.value
    quotient: ast.expr = ast.BinOp(left, ast.Div(), right)
    return ast.unparse(ast.Call(ast.Name("floor"), [quotient], []) if is_floored else quotient)


def _matrix_and_number(a: Any, b: Any) -> tuple[Value | None, Any]:
    """Which operand is a cooperative matrix, and which one a number; None where they aren't one of each."""
    for matrix, number in ((a, b), (b, a)):
        is_matrix = isinstance(matrix, Value) and isinstance(matrix.type, CoopMatrixType)
        if is_matrix and (is_literal(number) or (isinstance(number, Value) and isinstance(number.type, ScalarType))):
            return matrix, number
    return None, None


def _scaled(frame: Frame, sign: str, matrix: Value, number: Any, node: Positioned, *, number_is_left: bool) -> Value:
    """`x * a`: a number only scales a cooperative matrix. A literal is a matrix, too: `a + 1.0`."""
    assert isinstance(matrix.type, CoopMatrixType)
    component = matrix.type.component
    if sign != "*" and is_literal(number):
        other = frame.typed(number, matrix.type, node)
        a, b = (other, matrix) if number_is_left else (matrix, other)
        return cast(Value, binary(frame, _KIND_OF[sign], a, b, node))
    factor = frame.typed(number, component, node)
    if sign != "*":
        ones = f"coop.full({component}, 1, {matrix.type.shape}, {matrix.type.use!r})"
        advice = f"make a matrix of the number: coop.scale(x, {ones})"
        if sign == "/" and not number_is_left and not component.is_integer:
            advice = "scale by the inverse: (1.0 / x) * a"
            if isinstance(node, ast.BinOp):
                advice = f"scale by the inverse: (1.0 / {ast.unparse(node.right)}) * {ast.unparse(node.left)}"
        left, right = (factor, matrix) if number_is_left else (matrix, factor)
        frame.fail(OPERAND_TYPES, f"{sign} on {left.type} and {right.type}", node, advice)
    if factor.type != component:
        frame.fail(
            OPERAND_TYPES,
            f"the factor is {factor.type}, but the components of {matrix.type} are {component}",
            node,
            f"cast it: {cast_to(component, '…', factor.type)}",
        )
    return frame.compute(CooperativeMatrixScale, node, scalar=factor, matrix=matrix)


def _operand_help(sign: str, operand: Value) -> str | None:
    if isinstance(operand.type, BoolType):
        return "cast truth values to numbers: i32(x)"
    if sign == "^" and isinstance(operand.type, ScalarType):
        return "it works on integers; a power is x ** y"
    return "it works on integers" if sign in ("&", "|", "^", "<<", ">>") else None


def number_operands(
    frame: Frame, sign: str, a: Any, b: Any, node: Positioned, sides: Sequence[ast.expr] = ()
) -> tuple[Value, Value]:
    """Both operands as values of one type; a literal takes the other's type. `sides` are their places in the source."""
    if isinstance(node, ast.BinOp):
        sides = (node.left, node.right)
    elif isinstance(node, ast.AugAssign):
        sides = (node.target, node.value)
    for item in (a, b):
        if isinstance(item, Value) and isinstance(item.type, (ScalarType, BoolType, CoopMatrixType)):
            continue
        if is_literal(item):
            continue
        advice = advice_on_array(item, _name_of(sides[0 if item is a else 1]) if sides else "x")
        if isinstance(item, Transposed) or (isinstance(item, Value) and isinstance(item.type, MemrefType)):
            advice = "load elements, A[i, j], in a foreach; or call axpby or gemm on whole tensors"
            if sign in ("+", "-"):
                advice = f"assign to a view one term after the other: C[:] = A, then C[:] {sign}= B"
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and item is a:
                advice = f"write {node.target.id}[:] {sign}= {ast.unparse(node.value)}"
        frame.fail(OPERATOR, f"{sign} is not defined on {describe(item)}", node, advice)
    left, right = sides or (node, node)
    on_truth = _truth_help(sign, a, b, sides)
    a = frame.typed(a, getattr(b, "type", None), left, on_truth)
    b = frame.typed(b, getattr(a, "type", None), right, on_truth)
    if a.type != b.type:
        labels = [Label(frame.location_of(at), f"this is {v.type}") for at, v in zip(sides, (a, b), strict=False)]
        advice = on_truth or _cast_help(a.type, b.type, sides, stays=isinstance(node, ast.AugAssign))
        frame.fail(OPERAND_TYPES, f"{sign} on {a.type} and {b.type}", node, advice, labels)
    return a, b


def _name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else "x"


def _truth_help(sign: str, a: Any, b: Any, sides: Sequence[ast.expr]) -> str | None:
    """The help for arithmetic with a truth value and a number: the number that the truth value is to be."""
    if sign not in ("+", "-", "*", "/", "//", "%"):
        return None
    which = 0 if isinstance(a, Value) and isinstance(a.type, BoolType) else 1
    truth, other = ((a, b), (b, a))[which]
    if not (isinstance(truth, Value) and isinstance(truth.type, BoolType)):
        return None
    source = ast.unparse(sides[which]) if sides else "x"
    if isinstance(other, Value) and isinstance(other.type, ScalarType):
        return f"cast the truth value: {other.type}({source})"
    if is_literal(other) and not isinstance(other, bool):
        one, zero = ("1.0", "0.0") if isinstance(other, float) else ("1", "0")
        kind = "f32" if isinstance(other, float) else "i32"
        return f"choose a number: {one} if {source} else {zero}; or cast the truth value: {kind}({source})"
    return None


def _cast_help(a: Type, b: Type, sides: Sequence[ast.expr], *, stays: bool) -> str | None:
    """How to give both sides one type; in `x += y` the type of the left side stays."""
    if not (isinstance(a, ScalarType) and isinstance(b, ScalarType)):
        return None
    wide = common([a, b])
    target = a if stays else wide if wide in (a, b) else (b if a.is_integer else a)
    which = 0 if target == b else 1
    source = ast.unparse(sides[which]) if sides else "…"
    if (a, b)[which].is_complex and not target.is_complex:
        return f"take a part of the right side: ({source}).real, ({source}).imag or abs({source})"
    if wide is not None and wide not in (a, b) and not stays:
        texts = [ast.unparse(side) for side in sides] or ["…", "…"]
        return f"cast both sides to a type that holds them: {wide}({texts[0]}) and {wide}({texts[1]})"
    return f"cast {'the right' if stays else 'one'} side: {cast_to(target, source, (a, b)[which])}"


def _fold_binary(frame: Frame, kind: type[ast.operator], a: Any, b: Any, node: Positioned) -> Any:
    sign, _, compute = BINARY[kind]
    result = fold(frame, node, compute, a, b)
    if kind in (ast.FloorDiv, ast.Mod) and isinstance(a, int) and isinstance(b, int):
        whole = abs(a) // abs(b) * (1 if a * b >= 0 else -1)
        truncated = whole if kind is ast.FloorDiv else a - whole * b
        if truncated != result:
            frame.fail(
                FOLDING,
                f"{a} {sign} {b} is {result} in Python, but {truncated} in the tensor language",
                node,
                "write the intended number",
            )
    return result


@expression(ast.BinOp)
def _binary(frame: Frame, node: ast.BinOp) -> Any:
    a, b = frame.evaluate(node.left), frame.evaluate(node.right)
    return binary(frame, type(node.op), a, b, node)


@expression(ast.UnaryOp)
def _unary(frame: Frame, node: ast.UnaryOp) -> Any:
    a = frame.known(node.operand)
    if isinstance(node.op, ast.Not):
        return _not(frame, a, node)
    sign, variant, compute = _UNARY[type(node.op)]
    if is_python(a):
        return fold(frame, node, compute, a)
    return unary(frame, sign, variant, a, node)


def unary(frame: Frame, sign: str, variant: str, a: Any, node: Positioned) -> Any:
    """A unary operation on a value."""
    if isinstance(a, Value) and isinstance(a.type, CoopMatrixType) and of_matrix(variant, a.type.component):
        return frame.compute(MatrixUnary, node, variant=variant, a=a)
    if not isinstance(a, Value) or not admits_unary(variant or "neg", a.type):
        advice = _operand_help(sign, a) if isinstance(a, Value) else None
        frame.fail(OPERATOR, f"{sign} is not defined on {describe(a)}", node, advice)
    return frame.compute(ArithUnary, node, variant=variant, a=a) if variant else a


def _not(frame: Frame, a: Any, node: ast.UnaryOp) -> Any:
    return negated(frame, frame.as_condition(a, node.operand), node)


def negated(frame: Frame, condition: Any, node: Positioned) -> Any:
    """`not` of a truth value."""
    if isinstance(condition, bool):
        return not condition
    return condition if is_unknown(condition) else frame.compute(ArithUnary, node, variant="not", a=condition)


def extreme(frame: Frame, variant: str, items: list[Any], node: ast.Call) -> Any:
    """min or max of numbers."""
    result = items[0]
    for item in items[1:]:
        if is_python(result) and is_python(item):
            result = fold(frame, node, min if variant == "min" else max, result, item)
            continue
        sides = node.args if len(items) == len(node.args) == 2 else ()
        a, b = number_operands(frame, variant, result, item, node, sides)
        is_matrix = isinstance(a.type, CoopMatrixType) and aliasing_matrices(variant, a.type.component)
        if not is_matrix and not admits_binary(variant, a.type):
            frame.fail(OPERATOR, f"{variant} is not defined on {a.type}", node)
        result = frame.compute(MatrixArithmetic if is_matrix else ArithBinary, node, variant=variant, a=a, b=b)
    return result


# Comparisons and truth values.


def compare(frame: Frame, position: int, a: Any, b: Any, node: ast.Compare) -> Any:
    """One comparison of a chain."""
    kind, sides = type(node.ops[position]), [node.left, *node.comparators][position : position + 2]
    if kind in _IDENTITY:
        word, test = _IDENTITY[kind]
        if kind in (ast.In, ast.NotIn) and not (is_python(a) and is_python(b)):
            if isinstance(b, (tuple, list)):
                return _contained(frame, kind, a, b, node)
            frame.fail(OPERATOR, f"{word} is not defined on values of a kernel", node, "compare: x == 1 or x == 2")
        if a is not None and b is not None and not (is_python(a) and is_python(b)):
            instead = f"write {'==' if kind is ast.Is else '!='}"
            frame.fail(OPERATOR, f"{word} is not defined on values of a kernel", node, instead)
        return fold(frame, node, test, a, b)
    sign, variant, test = COMPARISONS[kind]
    if is_python(a) and is_python(b):
        return fold(frame, node, test, a, b)
    if a is None or b is None:
        return fold(frame, node, test, a, b)
    a, b = number_operands(frame, sign, a, b, node, sides)
    if isinstance(a.type, BoolType):
        if variant not in ("eq", "ne"):
            frame.fail(OPERATOR, f"{sign} is not defined on bool", node)
        differ = frame.compute(ArithBinary, node, variant="xor", a=a, b=b)
        return differ if variant == "ne" else frame.compute(ArithUnary, node, variant="not", a=differ)
    if isinstance(a.type, CoopMatrixType):
        frame.fail(OPERATOR, f"{sign} is not defined on {a.type}", node)
    if isinstance(a.type, ScalarType) and a.type.is_complex and variant not in ("eq", "ne"):
        frame.fail(
            OPERATOR,
            f"{sign} is not defined on {a.type}",
            node,
            f"compare absolute values: abs(a) {sign} abs(b)",
        )
    return frame.compute(Compare, node, variant=variant, a=a, b=b)


def _contained(frame: Frame, kind: type[ast.cmpop], a: Any, items: Sequence[Any], node: ast.Compare) -> Any:
    """`x in (1, 2)`: whether one of the items equals x."""
    equal = ast.copy_location(ast.Compare(node.left, [ast.Eq()], node.comparators[:1]), node)
    contained = any_of(
        frame, "or", ((item, node) for item in items), node, lambda item: compare(frame, 0, a, item, equal)
    )
    return contained if kind is ast.In else negated(frame, contained, node)


def any_of(
    frame: Frame,
    word: str,
    items: Iterable[tuple[Any, Positioned]],
    node: Positioned,
    test: Callable[[Any], Any] = lambda item: item,
) -> Any:
    """Whether one of the items passes a test, by `word` "or", or all of them, by "and", as `any` and `all` tell it."""
    waiting = iter(items)

    def rest() -> Any:
        for item, location in waiting:
            result = test(item)
            if not (is_python(result) or is_collection(result)):
                result = _truth(frame, result, location)
            if not (is_python(result) or is_collection(result)):
                return short_circuit(frame, word, result, rest, node)
            if bool(result) is (word == "or"):
                return word == "or"
        return word == "and"

    return rest()


@expression(ast.Compare)
def _compare(frame: Frame, node: ast.Compare) -> Any:
    first = frame.evaluate(node.left)

    def rest(position: int, a: Any) -> Any:
        b = frame.evaluate(node.comparators[position])
        if is_unknown(a) or is_unknown(b):
            result = UNKNOWN
        else:
            result = compare(frame, position, a, b, node)
        if position + 1 == len(node.ops):
            return result
        return short_circuit(frame, "and", result, lambda: rest(position + 1, b), node)

    return rest(0, first)


@expression(ast.BoolOp)
def _boolean(frame: Frame, node: ast.BoolOp) -> Any:
    word = "and" if isinstance(node.op, ast.And) else "or"

    def rest(position: int) -> Any:
        part = node.values[position]
        item = frame.evaluate(part)
        if not (is_python(item) or is_collection(item)):
            item = _truth(frame, item, part)
        if position + 1 == len(node.values):
            return item
        return short_circuit(frame, word, item, lambda: rest(position + 1), node)

    return rest(0)


def _truth(frame: Frame, item: Any, node: Any) -> Any:
    try:
        return item if is_unknown(item) else frame.as_condition(item, node)
    except Failed:
        return UNKNOWN


def short_circuit(frame: Frame, word: str, a: Any, evaluate_b: Callable[[], Any], node: Positioned) -> Any:
    """`a and b`, `a or b`: b is computed where a doesn't decide, or where b has no effect and is always defined."""
    if is_python(a) or is_collection(a):
        decided = not a if word == "and" else bool(a)
        return a if decided else evaluate_b()
    branch = trace_branch(frame, evaluate_b)
    b, right = branch.item, branch.region
    if is_unknown(a) or is_unknown(b):
        frame.builder.operations += right.operations
        return UNKNOWN
    if not isinstance(b, bool) and not (isinstance(b, Value) and isinstance(b.type, BoolType)):
        frame.fail(OPERATOR, f"{word} is not defined on {describe(b)}", node, "compare it: x != 0")
    if not binds(frame, branch) and all(_can_run_early(op) for op in right.operations):
        frame.builder.operations += right.operations
        if isinstance(b, bool):
            return a if b == (word == "and") else b
        return frame.compute(ArithBinary, node, variant=word, a=a, b=b)
    location = frame.location_of(node)
    if word == "and":
        return chosen(frame, node, a, branch, empty_branch(frame, False), (location, location))
    return chosen(frame, node, a, empty_branch(frame, True), branch, (location, location))


def _can_run_early(operation: Any) -> bool:
    """Whether an instruction may be executed speculatively: it writes nothing and is always defined."""
    if isinstance(operation, ArithBinary) and operation.variant in ("div", "rem", "shl", "shr"):
        type_, known = operation.a.type, constant_of(operation.b)
        if not (isinstance(type_, ScalarType) and type_.is_integer):
            return operation.pure
        # undefined: a division by zero, the least number divided by -1, a shift by the width or more
        if operation.variant in ("div", "rem"):
            return known not in (None, 0, -1)
        return known is not None and 0 <= known < type_.bits
    if isinstance(operation, Cast):
        source, target = component_type(operation.operand.type), component_type(operation.result.type)
        assert isinstance(source, ScalarType) and isinstance(target, ScalarType)
        return source.is_integer or not target.is_integer
    return operation.pure
