"""The whole text of the errors that are the most likely."""

# ruff: noqa: E501 (messages are as long as they are)

import pytest
from tracing_kit import dedented, message

HEAD = "def kernel(A: Memref[f32, 16, 8], B: Memref[f32, 8, 8], g: Group[f32, 4], x: f64, n: i32, i: index):\n"

MESSAGES = {
    "shapes": (
        """
        T = alloca(f32, 16, 4)
        gemm(1.0, A, B, 0.0, T)
        """,
        """
        error[PYTL-0332]: gemm: columns(C) = 4, but columns(op2(B)) = 8
          --> <kernel>:3:5 in kernel
           |
         2 |     T = alloca(f32, 16, 4)
           |     - T is memref<f32x16x4,local>
         3 |     gemm(1.0, A, B, 0.0, T)
           |     ^^^^^^^^^^^^^^^^^^^^^^^
           = rule: columns(C) = columns(op2(B))""",
    ),
    "a literal that is carried": (
        """
        s = 0.0
        for k in range(8):
            s += 1.0
        A[0, 0] = s
        """,
        """
        error[PYTL-1003]: the loop carries s, and nothing gives the literal 0.0 a type
          --> <kernel>:3:14 in kernel
           |
         2 |     s = 0.0
           |     - s is the Python float 0.0
         3 |     for k in range(8):
           |              ^^^^^^^^
           = rule: a Python literal takes its type from the other operand, or from the parameter that it is passed for
           = help: name the type: s = f64(0.0), or f32(0.0) if its uses are f32""",
    ),
    "operands of two types": (
        "A[0, 0] = f32(A[0, 0] * x)",
        """
        error[PYTL-1050]: * on f32 and f64
          --> <kernel>:2:19 in kernel
           |
         2 |     A[0, 0] = f32(A[0, 0] * x)
           |                   ------- this is f32
           |                   ^^^^^^^^^^^
           |                             - this is f64
           = rule: both sides of an operator, or of a store, have the same type
           = help: cast one side: f64(A[0, 0])""",
    ),
    "a store of another type": (
        "A[0, 0] = x",
        """
        error[PYTL-1050]: f64 is stored, but the elements are f32
          --> <kernel>:2:15 in kernel
           |
         2 |     A[0, 0] = x
           |     ------- an element of memref<f32x16x8>
           |               ^
           = rule: both sides of an operator, or of a store, have the same type
           = help: cast it: f32(x), which rounds""",
    ),
    "an index of another type": (
        "A[n, 0] = 1.0",
        """
        error[PYTL-1053]: an index is i32, which may be negative
          --> <kernel>:2:7 in kernel
           |
         2 |     A[n, 0] = 1.0
           |       ^
           = rule: an index is an integer from 0 on, or a value of type index; there is one for each mode
           = help: cast it: index(n)""",
    ),
    "a negative index": (
        "A[-1, 0] = 1.0",
        """
        error[PYTL-1053]: the index -1 is negative
          --> <kernel>:2:7 in kernel
           |
         2 |     A[-1, 0] = 1.0
           |       ^^
           = rule: an index is an integer from 0 on, or a value of type index; there is one for each mode
           = help: indices are not counted from the end; write A.shape[mode] - 1""",
    ),
    "a pair of brackets for each index": (
        "A[i][j] = 1.0",
        """
        error[PYTL-1053]: the indices of memref<f32x16x8> are in one pair of brackets
          --> <kernel>:2:5 in kernel
           |
         2 |     A[i][j] = 1.0
           |     ^^^^^^^
           = rule: an index is an integer from 0 on, or a value of type index; there is one for each mode
           = help: write A[i, j]""",
    ),
    "too few indices": (
        "A[i] = 1.0",
        """
        error[PYTL-1053]: memref<f32x16x8> has 2 modes, but 1 index is given
          --> <kernel>:2:5 in kernel
           |
         2 |     A[i] = 1.0
           |     ^^^^
           = rule: an index is an integer from 0 on, or a value of type index; there is one for each mode
           = help: write : for a whole mode""",
    ),
    "an unknown name": (
        "gem(1.0, A, B, 0.0, A)",
        """
        error[PYTL-1020]: gem is not defined
          --> <kernel>:2:5 in kernel
           |
         2 |     gem(1.0, A, B, 0.0, A)
           |     ^^^
           = rule: a name is bound before it is used
           = help: did you mean gemm or gemv?""",
    ),
    "breakpoint": (
        "breakpoint()",
        """
        error[PYTL-1040]: breakpoint can't be called in a kernel
          --> <kernel>:2:5 in kernel
           |
         2 |     breakpoint()
           |     ^^^^^^^^^^^^
           = rule: a kernel calls pytl's functions, types as casts, Python's functions on what is known while tracing, and plain Python functions, which are inlined
           = help: write pytl.debug(lambda x: breakpoint()), which the reference backend calls with the value of x""",
    ),
    "while": (
        """
        while x > 0.0:
            x = x * 0.5
        """,
        """
        error[PYTL-1086]: nothing tells how many iterations this while has at most
          --> <kernel>:2:11 in kernel
           |
         2 |     while x > 0.0:
           |           ^^^^^^^
           = rule: the number of iterations of a while is bounded: by its condition, or by a limit
           = help: give a limit: while pytl.bound(x > 0.0, most=1000)""",
    ),
    "return": (
        "return A[0, 0]",
        """
        error[PYTL-1032]: a kernel returns nothing
          --> <kernel>:2:5 in kernel
           |
         2 |     return A[0, 0]
           |     ^^^^^^^^^^^^^^
           = rule: a kernel returns nothing; a function that it calls returns one kind of value, wherever it returns
           = help: store results in a parameter: A[i] = x""",
    ),
    "one branch": (
        """
        if n > 0:
            y = x
        A[0, 0] = f32(y)
        """,
        """
        error[PYTL-1021]: y is bound in one branch of an if only
          --> <kernel>:4:19 in kernel
           |
         3 |         y = x
           |         - bound here
         4 |     A[0, 0] = f32(y)
           |                   ^
           = rule: a name is bound on every path that leads to its use
           = help: give y a value before the if""",
    ),
    "branches of two types": (
        """
        if n > 0:
            y = x
        else:
            y = n
        A[0, 0] = f32(y)
        """,
        """
        error[PYTL-1022]: y is f64 if the condition holds, else i32
          --> <kernel>:2:8 in kernel
           |
         2 |     if n > 0:
           |        ^^^^^
         3 |         y = x
           |         - y is f64
         5 |         y = n
           |         - y is i32
           = rule: a name has the same type on every path that leads to its use, and in every iteration of a loop
           = help: cast one of them: f64(…)""",
    ),
    "a loop that changes a type": (
        """
        y = x
        for k in range(8):
            y = A[0, k]
        A[0, 0] = f32(y)
        """,
        """
        error[PYTL-1022]: y is f64 before the loop, but f32 after an iteration
          --> <kernel>:4:9 in kernel
           |
         2 |     y = x
           |     - y is f64
         4 |         y = A[0, k]
           |         ^
           = rule: a name has the same type on every path that leads to its use, and in every iteration of a loop
           = help: cast it: y = f64(…)""",
    ),
    "a sum in a foreach": (
        """
        s = f32(0)
        for k in foreach(8):
            s += A[0, k]
        A[0, 0] = s
        """,
        """
        error[PYTL-1024]: s is bound again inside the foreach
          --> <kernel>:4:9 in kernel
           |
         2 |     s = f32(0)
           |     - bound here
         4 |         s += A[0, k]
           |         ^
           = rule: the body of foreach or parallel binds no name of the code around it
           = help: use another name; store values that later code needs in memory""",
    ),
    "a collective instruction in a foreach": (
        """
        for k in foreach(8):
            axpby(1.0, B, 0.0, B)
        """,
        """
        error[PYTL-0201]: axpby is collective, but is in an SPMD region
          --> <kernel>:3:9 in kernel
           |
         3 |         axpby(1.0, B, 0.0, B)
           |         ^^^^^^^^^^^^^^^^^^^^^
           = rule: a collective instruction is allowed in collective regions only
           = help: move it out of the foreach or parallel region""",
    ),
    "a dynamic alloca": (
        "T = alloca(f32, i)",
        """
        error[PYTL-1002]: a size of an alloca is index, not a Python integer
          --> <kernel>:2:21 in kernel
           |
         2 |     T = alloca(f32, i)
           |                     ^
           = rule: an argument is of the kind that the function's parameter takes
           = help: it must be known while the kernel is traced: a number, a constant of the module, or a constexpr""",
    ),
    "a missing argument": (
        "gemm(1.0, A, B, A)",
        """
        error[PYTL-1041]: gemm: missing a required argument: 'C'
          --> <kernel>:2:5 in kernel
           |
         2 |     gemm(1.0, A, B, A)
           |     ^^^^^^^^^^^^^^^^^^
           = rule: a call's arguments fit the signature of the called function
           = help: write gemm(alpha, A, B, beta, C, atomic=False, any_beta=False)""",
    ),
    "a slice beyond the end": (
        "axpby(1.0, A[0:4, 0], 0.0, A[14:18, 0])",
        """
        error[PYTL-0453]: subview: slice 14:4 of mode 0 ends at 18, but the mode's size is 16
          --> <kernel>:2:32 in kernel
           |
         1 | def kernel(A: Memref[f32, 16, 8], B: Memref[f32, 8, 8], g: Group[f32, 4], x: f64, n: i32, i: index):
           |            - A is memref<f32x16x8>
         2 |     axpby(1.0, A[0:4, 0], 0.0, A[14:18, 0])
           |                                ^^^^^^^^^^^
           = rule: a static slice lies within its mode""",
    ),
    "division of integers": (
        "A[index(n / 2), 0] = 1.0",
        """
        error[PYTL-1051]: / is not defined on i32
          --> <kernel>:2:13 in kernel
           |
         2 |     A[index(n / 2), 0] = 1.0
           |             ^^^^^
           = rule: an operator is applied to the numbers that it is defined on
           = help: on integers write n // 2""",
    ),
    "a group without its index": (
        "g[0, 0] = 1.0",
        """
        error[PYTL-1034]: nothing can be stored in group<memref<f32x4>x?>
          --> <kernel>:2:5 in kernel
           |
         2 |     g[0, 0] = 1.0
           |     ^^^^^^^
           = rule: the target of an assignment is a name, a tuple of targets, an element or a view of a memref
           = help: load the memref first: g[i][j]""",
    ),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_message(name):
    statements, expected = MESSAGES[name]
    lines = "".join(f"    {line}\n" for line in dedented(statements).splitlines())
    assert message(HEAD + lines) == dedented(expected)


def test_all_errors_at_once():
    assert message("""
        def kernel(A: Memref[f32, 4], B, x: f64):
            A[0] = x + nobody + B
            y = A[x] + A[nothing]
            y += 1
            if y:
                gemm(1.0, A, A, 0.0, A)
            for k in B:
                continue
            axpby(1.0, A, 0.0, A[0:3])
    """) == dedented("""
        error[PYTL-1012]: B has no annotation
          --> <kernel>:1:31 in kernel
           |
         1 | def kernel(A: Memref[f32, 4], B, x: f64):
           |                               ^
           = rule: each parameter is annotated with a type of the language, with its text, or with constexpr
           = help: give it a type: B: Memref[f32, 16, 8]

        error[PYTL-1020]: nobody is not defined
          --> <kernel>:2:16 in kernel
           |
         2 |     A[0] = x + nobody + B
           |                ^^^^^^
           = rule: a name is bound before it is used

        error[PYTL-1053]: an index is f64
          --> <kernel>:3:11 in kernel
           |
         3 |     y = A[x] + A[nothing]
           |           ^
           = rule: an index is an integer from 0 on, or a value of type index; there is one for each mode
           = help: cast it: index(x)

        error[PYTL-1020]: nothing is not defined
          --> <kernel>:3:18 in kernel
           |
         3 |     y = A[x] + A[nothing]
           |                  ^^^^^^^
           = rule: a name is bound before it is used

        error[PYTL-0333]: gemm: A is memref<f32x4>, of order 1
          --> <kernel>:6:9 in kernel
           |
         1 | def kernel(A: Memref[f32, 4], B, x: f64):
           |            - A is memref<f32x4>
         6 |         gemm(1.0, A, A, 0.0, A)
           |         ^^^^^^^^^^^^^^^^^^^^^^^
           = rule: order(A) = 2, order(B) = 2, order(C) = 2

        error[PYTL-0333]: gemm: B is memref<f32x4>, of order 1
          --> <kernel>:6:9 in kernel
           |
         1 | def kernel(A: Memref[f32, 4], B, x: f64):
           |            - A is memref<f32x4>
         6 |         gemm(1.0, A, A, 0.0, A)
           |         ^^^^^^^^^^^^^^^^^^^^^^^
           = rule: order(A) = 2, order(B) = 2, order(C) = 2

        error[PYTL-0333]: gemm: C is memref<f32x4>, of order 1
          --> <kernel>:6:9 in kernel
           |
         1 | def kernel(A: Memref[f32, 4], B, x: f64):
           |            - A is memref<f32x4>
         6 |         gemm(1.0, A, A, 0.0, A)
           |         ^^^^^^^^^^^^^^^^^^^^^^^
           = rule: order(A) = 2, order(B) = 2, order(C) = 2

        error[PYTL-0320]: axpby: op(A) is 4, but B is 3
          --> <kernel>:9:5 in kernel
           |
         9 |     axpby(1.0, A, 0.0, A[0:3])
           |     ^^^^^^^^^^^^^^^^^^^^^^^^^^
           |                        ------ this is memref<f32x3>
           = rule: shape(B) = shape(op(A)); a static size never equals a dynamic one

        8 errors""")
