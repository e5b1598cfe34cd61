"""The rules of the Python front end."""

from __future__ import annotations

from ...diagnostics import Rule

SECTION = "Python front end"

SOURCE = Rule(
    "PYTL-1010",
    "a kernel's source can be read: it is in a file, in a notebook cell, or in linecache",
    SECTION,
    explanation="pytl translates the source of a function. Code that was made by exec has none, unless its "
    "text is registered: linecache.cache[name] = (len(text), None, text.splitlines(True), name), and the "
    "code is compiled under that name.",
)
KERNEL = Rule(
    "PYTL-1011", "a kernel is a Python function that is written with def; what it calls may be a lambda, too", SECTION
)
ANNOTATION = Rule(
    "PYTL-1012",
    "each parameter is annotated with a type of the language, with its text, or with constexpr",
    SECTION,
)
CONSTEXPR_VALUE_HELP = "pass what is known while tracing, or annotate the parameter with a type, such as pytl.i32"
CONSTEXPR = Rule("PYTL-1013", "each constexpr parameter is given a Python value, and no other is", SECTION)
INLINING = Rule("PYTL-1014", "a called function is inlined, so that every recursion ends", SECTION)
CAPTURED = Rule(
    "PYTL-1016",
    "a kernel computes only with Python values that a later launch can compare with what they are then",
    SECTION,
    explanation="A launch that finds other values under the names of the body traces the kernel anew. Numbers, texts, "
    "tuples, lists, dictionaries, arrays and objects with attributes are compared by their contents. A generator or an "
    "open file has no content that could be compared.",
)
CONSTANT_ARRAY = Rule(
    "PYTL-1090",
    "an array in place of a memref has real numbers of the language, at least one mode, and at most 16384 elements",
    SECTION,
    explanation="The array is a part of the kernel, and its zeros are known. Larger arrays are parameters.",
)
NESTING = Rule("PYTL-1015", "statements and expressions nest only as deeply as Python's stack permits", SECTION)

UNDEFINED = Rule("PYTL-1020", "a name is bound before it is used", SECTION)
ONE_PATH = Rule("PYTL-1021", "a name is bound on every path that leads to its use", SECTION)
ONE_TYPE = Rule(
    "PYTL-1022",
    "a name has the same type on every path that leads to its use, and in every iteration of a loop",
    SECTION,
)
CARRIED = Rule(
    "PYTL-1023",
    "the value that an if yields, or a loop carries, is a number, a truth value or a cooperative matrix",
    "Yield",
)
REBOUND_IN_SPMD = Rule(
    "PYTL-1024",
    "the body of foreach or parallel binds no name of the code around it",
    "Execution model",
    explanation="Each work-item has its own value there, and a region that gives values back does not exist.",
)

STATEMENT = Rule("PYTL-1030", "a kernel contains only statements that have a meaning in the tensor language", SECTION)
EXPRESSION = Rule("PYTL-1031", "a kernel contains only expressions that have a meaning in the tensor language", SECTION)
RETURN = Rule(
    "PYTL-1032",
    "a kernel returns nothing; a function that it calls returns one kind of value, wherever it returns",
    SECTION,
)
LOOP = Rule(
    "PYTL-1033", "a for loop runs over range(…), foreach(…), or a sequence that is known while tracing", SECTION
)
STATIC = Rule(
    "PYTL-1060",
    "a loop that is unrolled while tracing runs over a sequence that is known then",
    SECTION,
    explanation="Such a loop runs over a tuple, zip, enumerate, or static_range. Its body is traced once for each "
    "item, so that the loop's variable is a Python value there.",
)
SIZE_NAME = Rule(
    "PYTL-1062",
    "the name of a size is a constexpr parameter, or the size of some mode is the name alone",
    SECTION,
)
LENGTHS = Rule("PYTL-1061", "the sequences of zip have the same length", SECTION)
TARGET = Rule(
    "PYTL-1034", "the target of an assignment is a name, a tuple of targets, an element or a view of a memref", SECTION
)

ASSERTION = Rule(
    "PYTL-1063",
    "what a kernel asserts of what is known while tracing is true",
    SECTION,
    explanation="An assertion on values of the kernel is tested when the kernel is executed (PYTL-1094).",
)
KNOWN = Rule(
    "PYTL-1064",
    "what a comprehension keeps, and which keys and items Python's collections have, is known while tracing",
    SECTION,
    explanation="The items of a list or tuple, and the values of a dictionary, may be values of the kernel. Their "
    "number, the keys, and the items of a set are Python constants.",
)
CHANGED = Rule(
    "PYTL-1065",
    "a list, dictionary or set is changed where it was made: by the kernel, in the same branch or loop",
    SECTION,
    explanation="A change is made once, while the kernel is traced. In a branch or a loop that is executed at run time "
    "it would be made on no path or once for all iterations. Loops over static_range(n), tuples and lists are written "
    "out while tracing, so that each iteration makes its change; unroll(range(n)) is one where its body needs that.",
)
TEXT = Rule(
    "PYTL-1066",
    "a text is known while tracing; print and assert show values of the kernel",
    SECTION,
)
CONSUMED = Rule(
    "PYTL-1067",
    "a generator is used up where it is written",
    SECTION,
    explanation="Generator expressions, zip, enumerate, map, filter and reversed give their items once. They stand in "
    "a for loop, in a comprehension, after a *, or in a call of sum, min, max, any, all, sorted, list, tuple, set or "
    "dict.",
)

INLINED_KERNEL = Rule(
    "PYTL-1068",
    "a kernel that takes the body of another one has its subgroup_size and work_group_size",
    SECTION,
)

CALLED = Rule(
    "PYTL-1040",
    "a kernel calls pytl's functions, types as casts, Python's functions on what is known while tracing, and plain "
    "Python functions, which are inlined",
    SECTION,
)
CALL_ARGUMENTS = Rule("PYTL-1041", "a call's arguments fit the signature of the called function", SECTION)
ARGUMENT_TYPE = Rule("PYTL-1043", "an argument has the type that its parameter is annotated with", SECTION)
PASSED = Rule(
    "PYTL-1112",
    "a function that is compiled once is passed numbers, truth values, memrefs, groups, and Python constants",
    SECTION,
    explanation="A Python function that is inlined is passed anything.",
)
RETURNED = Rule(
    "PYTL-1110",
    "a function that is compiled once returns nothing, a number, a truth value, or a tuple of these",
    SECTION,
    explanation="What has its place in memory, or is dealt out to work-items, has no form that a call could give.",
)
RETURN_TYPE = Rule("PYTL-1111", "a function returns what its return annotation says", SECTION)
CALLED_ITSELF = Rule("PYTL-1113", "a function that is compiled once does not call itself for the same types", SECTION)
USAGE = Rule("PYTL-1042", "range and foreach occur in for statements, parallel in with statements", SECTION)

OPERAND_TYPES = Rule("PYTL-1050", "both sides of an operator, or of a store, have the same type", SECTION)
OPERATOR = Rule("PYTL-1051", "an operator is applied to the numbers that it is defined on", SECTION)
CONDITION = Rule("PYTL-1052", "a condition is a truth value", SECTION)
INDEX = Rule(
    "PYTL-1053",
    "an index is an integer from 0 on, or a value of type index; there is one for each mode",
    SECTION,
)
SLICE = Rule("PYTL-1054", "a slice runs from a first index up to one that is not included, and is not empty", SECTION)
ATTRIBUTE = Rule("PYTL-1055", "a value has the attributes of its type", SECTION)
FOLDING = Rule("PYTL-1056", "an expression of Python constants is computed while the kernel is traced", SECTION)

VIEW_SHAPE = Rule(
    "PYTL-1080",
    "a number, or a tensor of the view's shape, is assigned to a view; in A @ B, A has as many columns as B has rows",
    SECTION,
    explanation="There is no broadcasting as in NumPy. A static size never equals a dynamic one; a slice gives a "
    "tensor a static size: B[0:4].",
)
UNBOUNDED = Rule(
    "PYTL-1086",
    "the number of iterations of a while is bounded: by its condition, or by a limit",
    SECTION,
    explanation="The condition bounds it where a number that goes on by a constant in each iteration is compared with "
    "one that stays the same, or where an integer is compared that each iteration multiplies, divides or shifts by a "
    "constant. Other conditions may be joined to such a one by and. In all other cases a limit is given: "
    "while pytl.bound(condition, most=1000).",
)
BOUND = Rule("PYTL-1087", "the limit of a while is an integer from 0 on, or a value of type index", SECTION)
JUMP = Rule(
    "PYTL-1088",
    "break and return leave no foreach and no parallel region, and continue leaves no parallel region",
    "Execution model",
    explanation="Work-items share the points of a foreach, in any order, so that there is no point behind a break. "
    "An if around the rest of the body, or continue, ends a point.",
)
REMAINDER = Rule(
    "PYTL-1081",
    "a remainder has the sign of its first operand, as in C; Python gives it the sign of the second",
    SECTION,
    severity="warning",
    explanation="// truncates towards zero, too: a == a // b * b + a % b. Where a is not below -b, the "
    "remainder that Python gives is (a + b) % b; in general it is r + b if r < 0 else r, with r = a % b. The warning "
    "is given once per kernel, for differences and negations that may be negative.",
)
REBOUND = Rule(
    "PYTL-1085",
    "an assignment to a name binds the name, as in Python; one to a view stores: C[:] = A @ B",
    SECTION,
    severity="warning",
    explanation="The warning is given where a parameter's name is bound to a new tensor that no instruction reads.",
)
SHOWN = Rule(
    "PYTL-1082",
    "print shows texts, numbers, truth values and memrefs, and pytl.debug calls a Python function with values",
    SECTION,
)
