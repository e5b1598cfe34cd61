"""Functions on tensors that the host executes: sizes and iterations are known on the way alone."""

from __future__ import annotations

import numpy as np
from frontends.mlir.tensors.rows import Rows

row = Rows()
F32 = np.float32
LINE = "tensor<?xf32>"


def of_line(name: str, of: str, begin: str, size: str) -> str:
    """A part of a line."""
    return f"  %{name} = tensor.extract_slice %{of}[{begin}] [{size}] [1] : {LINE} to {LINE}\n"


row(
    "scf.for",
    "carries a tensor that grows",
    f"%x: {LINE}, %n: index",
    LINE,
    f"""
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> ({LINE}) {{
    %p = tensor.pad %t low[0] high[1] {{
    ^bb0(%k: index):
      tensor.yield %one : f32
    }} : {LINE} to {LINE}
    scf.yield %p : {LINE}
  }}""",
    lambda x, n: np.concatenate([x, np.ones(n, F32)]),
    x=(3,),
    n=4,
)
row(
    "scf.for",
    "carries two tensors that change places, and their sizes",
    f"%x: {LINE}, %y: {LINE}, %n: index",
    f"{LINE}, {LINE}, index",
    f"""
  %r, %s, %t = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y, %k = %c0) -> ({LINE}, {LINE}, index) {{
    %d = tensor.concat dim(0) %a, %b : ({LINE}, {LINE}) -> {LINE}
    %m = tensor.dim %d, %c0 : {LINE}
    %e = arith.addi %k, %m : index
    scf.yield %b, %d, %e : {LINE}, {LINE}, index
  }}""",
    lambda x, y, n: (
        np.concatenate([y, x, y]),
        np.concatenate([x, y, y, x, y]),
        len(x) + len(y) + len(x) + 2 * len(y) + 2 * len(x) + 3 * len(y),
    ),
    x=(2,),
    y=(1,),
    n=3,
)
row(
    "scf.for",
    "halves a tensor, in a branch",
    f"%x: {LINE}, %n: index",
    LINE,
    f"""
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> ({LINE}) {{
    %m = tensor.dim %t, %c0 : {LINE}
    %h = arith.divui %m, %c2 : index
    %is = arith.cmpi ugt, %m, %c3 : index
    %u = scf.if %is -> ({LINE}) {{
    {of_line("a", "t", "0", "%h")}  {of_line("b", "t", "%h", "%h")}  %c = arith.addf %a, %b : {LINE}
      scf.yield %c : {LINE}
    }} else {{
      scf.yield %t : {LINE}
    }}
    scf.yield %u : {LINE}
  }}""",
    lambda x, n: x.reshape(-1, 3).sum(0),
    x=(12,),
    n=5,
)
row(
    "scf.for",
    "puts elements that are found into a tensor",
    f"%x: {LINE}",
    LINE,
    f"""
  %n = tensor.dim %x, %c0 : {LINE}
  %e = tensor.empty(%n) : {LINE}
  %u, %k = scf.for %i = %c0 to %n step %c1 iter_args(%t = %e, %k = %c0) -> ({LINE}, index) {{
    %v = tensor.extract %x[%i] : {LINE}
    %is = arith.cmpf ogt, %v, %zero : f32
    %s, %m = scf.if %is -> ({LINE}, index) {{
      %a = tensor.insert %v into %t[%k] : {LINE}
      %b = arith.addi %k, %c1 : index
      scf.yield %a, %b : {LINE}, index
    }} else {{
      scf.yield %t, %k : {LINE}, index
    }}
    scf.yield %s, %m : {LINE}, index
  }}
{of_line("r", "u", "0", "%k")}""",
    lambda x: x[x > 0],
    x=(9,),
)
row(
    "scf.while",
    "goes on while a tensor is long",
    f"%x: {LINE}",
    f"{LINE}, f32",
    f"""
  %r, %s = scf.while (%t = %x) : ({LINE}) -> ({LINE}, f32) {{
    %m = tensor.dim %t, %c0 : {LINE}
    %go = arith.cmpi ugt, %m, %c3 : index
    %v = tensor.extract %t[%c0] : {LINE}
    scf.condition(%go) %t, %v : {LINE}, f32
  }} do {{
  ^bb0(%t: {LINE}, %v: f32):
    %m = tensor.dim %t, %c0 : {LINE}
    %h = arith.divui %m, %c2 : index
  {of_line("a", "t", "0", "%h")}    %f = tensor.splat %v[%h] : {LINE}
    %b = arith.mulf %a, %f : {LINE}
    scf.yield %b : {LINE}
  }}""",
    lambda x: (x[:3] * x[0] * x[0] ** 2, x[0] ** 4),
    x=(13,),
)


def _iterated(a: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, int]:
    count, difference = 0, 1.0
    while difference > 1e-3:
        y = a @ x
        difference, x, count = float(((y - x) ** 2).sum()), y, count + 1
    return x, count


row(
    "scf.while",
    "goes on until a product changes little",
    "%a: tensor<4x4xf32>, %x: tensor<4xf32>",
    "tensor<4xf32>, i32",
    """
  %few = arith.constant 1.0e-3 : f32
  %n = arith.constant 1 : i32
  %e = tensor.empty() : tensor<4xf32>
  %z = tensor.empty() : tensor<f32>
  %r, %d, %s = scf.while (%v = %x, %d = %one, %k = %zero_i32) : (tensor<4xf32>, f32, i32) -> (tensor<4xf32>, f32, i32) {
    %go = arith.cmpf ogt, %d, %few : f32
    scf.condition(%go) %v, %d, %k : tensor<4xf32>, f32, i32
  } do {
  ^bb0(%v: tensor<4xf32>, %d: f32, %k: i32):
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %w = linalg.matvec ins(%a, %v : tensor<4x4xf32>, tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
    %u = arith.subf %w, %v : tensor<4xf32>
    %g = linalg.fill ins(%zero : f32) outs(%z : tensor<f32>) -> tensor<f32>
    %q = linalg.dot ins(%u, %u : tensor<4xf32>, tensor<4xf32>) outs(%g : tensor<f32>) -> tensor<f32>
    %c = tensor.extract %q[] : tensor<f32>
    %m = arith.addi %k, %n : i32
    scf.yield %w, %c, %m : tensor<4xf32>, f32, i32
  }""",
    _iterated,
    a=lambda rng: (np.eye(4) * 0.7 + rng.uniform(0, 0.05, (4, 4))).astype(F32),
)
row(
    "scf.while",
    "passes on a tensor that its condition makes",
    f"%x: {LINE}",
    LINE,
    f"""
  %r = scf.while (%t = %x) : ({LINE}) -> {LINE} {{
    %d = arith.addf %t, %t : {LINE}
    %v = tensor.extract %d[%c0] : {LINE}
    %ten = arith.constant 10.0 : f32
    %go = arith.cmpf olt, %v, %ten : f32
    scf.condition(%go) %d : {LINE}
  }} do {{
  ^bb0(%t: {LINE}):
    %u = tensor.concat dim(0) %t, %x : ({LINE}, {LINE}) -> {LINE}
    scf.yield %u : {LINE}
  }}""",
    lambda x: np.concatenate([16 * x, 8 * x, 4 * x, 2 * x]),
    x=lambda rng: np.array([1, -2], F32),
)
row(
    "scf.if",
    "gives a part, if an element says so",
    f"%x: {LINE}, %i: index",
    LINE,
    f"""
  %e = tensor.extract %x[%i] : {LINE}
  %is = arith.cmpf olt, %e, %zero : f32
  %r = scf.if %is -> ({LINE}) {{
  {of_line("a", "x", "0", "%c2")}    scf.yield %a : {LINE}
  }} else {{
    scf.yield %x : {LINE}
  }}""",
    lambda x, i: x[:2] if x[i] < 0 else x,
    x=lambda rng: np.array([3, -1, 2], F32),
    i=1,
)
row(
    "scf.index_switch",
    "by an element, with regions of their own sizes",
    "%x: tensor<?xindex>",
    "tensor<?xindex>",
    """
  %k = tensor.extract %x[%c0] : tensor<?xindex>
  %r = scf.index_switch %k -> tensor<?xindex>
  case 2 {
    %a = tensor.splat %k[%k] : tensor<?xindex>
    scf.yield %a : tensor<?xindex>
  }
  default {
    scf.yield %x : tensor<?xindex>
  }""",
    lambda x: np.array([2, 2]) if x[0] == 2 else x,
    x=lambda rng: np.array([2, 7, 7]),
)
row(
    "scf.forall",
    "over parts, each of a size of its own",
    f"%x: {LINE}, %n: index",
    LINE,
    f"""
  %m = tensor.dim %x, %c0 : {LINE}
  %e = tensor.empty(%m) : {LINE}
  %k = arith.ceildivsi %m, %n : index
  %r = scf.forall (%i) in (%n) shared_outs(%o = %e) -> ({LINE}) {{
    %b = affine.apply affine_map<(d0)[s0] -> (d0 * s0)>(%i)[%k]
    %s = affine.min affine_map<(d0)[s0, s1] -> (s1 - d0, s0)>(%b)[%k, %m]
  {of_line("p", "x", "%b", "%s")}    %q = arith.mulf %p, %p : {LINE}
    scf.forall.in_parallel {{
      tensor.parallel_insert_slice %q into %o[%b] [%s] [1] : {LINE} into {LINE}
    }}
  }}""",
    lambda x, n: x * x,
    x=(7,),
    n=3,
)
row(
    "tensor.splat",
    "of a size that another tensor has",
    "%s: tensor<2xindex>, %v: f32",
    "tensor<?x?xf32>",
    """
  %m = tensor.extract %s[%c0] : tensor<2xindex>
  %n = tensor.extract %s[%c1] : tensor<2xindex>
  %r = tensor.splat %v[%m, %n] : tensor<?x?xf32>""",
    lambda s, v: np.full(tuple(s), v, F32),
    s=lambda rng: np.array([2, 3]),
)
row(
    "tensor.reshape",
    "by a tensor of a call",
    f"%x: {LINE}, %s: tensor<2xi32>",
    "tensor<?x?xf32>",
    f"  %r = tensor.reshape %x(%s) : ({LINE}, tensor<2xi32>) -> tensor<?x?xf32>",
    lambda x, s: x.reshape(tuple(s)),
    x=(6,),
    s=lambda rng: np.array([3, 2], np.int32),
)
row(
    "arith.constant",
    "without elements",
    f"%x: {LINE}",
    LINE,
    f"""
  %z = arith.constant dense<> : tensor<0xf32>
  %r = tensor.concat dim(0) %z, %x : (tensor<0xf32>, {LINE}) -> {LINE}""",
    lambda x: x,
    x=(4,),
)
row(
    "func.call",
    "of a function that gives what it finds",
    f"%x: {LINE}",
    f"{LINE}, index",
    f"""
  %r = call @longer(%x) : ({LINE}) -> {LINE}
  %s = tensor.dim %r, %c0 : {LINE}""",
    lambda x: (np.tile(x, 4), 4 * len(x)),
    module=f"""func.func private @longer(%x: {LINE}) -> {LINE} {{
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %r = scf.while (%t = %x) : ({LINE}) -> {LINE} {{
    %n = tensor.dim %t, %c0 : {LINE}
    %go = arith.cmpi ult, %n, %c9 : index
    scf.condition(%go) %t : {LINE}
  }} do {{
  ^bb0(%t: {LINE}):
    %d = tensor.concat dim(0) %t, %t : ({LINE}, {LINE}) -> {LINE}
    scf.yield %d : {LINE}
  }}
  return %r : {LINE}
}}
""",
    x=(3,),
)
row(
    "cf.cond_br",
    "in a loop of blocks that a tensor ends",
    "%x: tensor<f32>",
    "tensor<f32>, tensor<f32>",
    """
  %ones = arith.constant dense<1.0> : tensor<f32>
  %twos = arith.constant dense<2.0> : tensor<f32>
  %threes = arith.constant dense<3.0> : tensor<f32>
  %none = arith.constant dense<0.0> : tensor<f32>
  cf.br ^head(%none, %x : tensor<f32>, tensor<f32>)
^head(%steps: tensor<f32>, %at: tensor<f32>):
  %more = arith.cmpf ogt, %at, %ones : tensor<f32>
  %is_more = tensor.extract %more[] : tensor<i1>
  cf.cond_br %is_more, ^step, ^end(%steps, %at : tensor<f32>, tensor<f32>)
^step:
  %next = arith.addf %steps, %ones : tensor<f32>
  %rest = arith.remf %at, %twos : tensor<f32>
  %odd = arith.cmpf une, %rest, %none : tensor<f32>
  %is_odd = tensor.extract %odd[] : tensor<i1>
  cf.cond_br %is_odd, ^up, ^down
^up:
  %triple = arith.mulf %at, %threes : tensor<f32>
  %higher = arith.addf %triple, %ones : tensor<f32>
  cf.br ^on(%higher : tensor<f32>)
^down:
  %lower = arith.divf %at, %twos : tensor<f32>
  cf.br ^on(%lower : tensor<f32>)
^on(%new: tensor<f32>):
  cf.br ^head(%next, %new : tensor<f32>, tensor<f32>)
^end(%r: tensor<f32>, %s: tensor<f32>):""",
    lambda x: (F32(111), F32(1)),
    x=lambda rng: np.array(27, F32),
)
HOST_ROWS = row.rows
