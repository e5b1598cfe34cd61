"""`contract` in a kernel body: the instructions that it becomes, their results, and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

import pytl
from pytl import Group, Memref, contract, f16, f32, f64, group_id


def instructions(kernel) -> list[str]:
    """The index notation that a kernel has."""
    return [line.strip().partition("}")[0] + "}" for line in str(kernel).splitlines() if "yateto" in line]


def test_two_matrices() -> None:
    @pytl.kernel
    def f(A: Memref[f32, 4, 5], B: Memref[f32, 6, 5], C: Memref[f32, 4, 6]):
        contract("ik,kj->ij", A, B.T, out=C, alpha=2.0, beta=3)

    assert instructions(f) == ["yateto.log {ik, jk to ij}"]
    a, b, c = (
        np.asfortranarray(np.random.default_rng(k).random(s, np.float32))
        for k, s in enumerate([(4, 5), (6, 5), (4, 6)])
    )
    expected = 2 * a @ b.T + 3 * c
    f[1](a, b, c, backend="reference")
    assert np.allclose(c, expected)


def test_a_chain_of_groups() -> None:
    """The order with the fewest operations; what lies between is padded local memory."""

    @pytl.kernel
    def volume(K: Memref[f32, 56, 35], Q: Group[f32, 35, 9], A: Group[f32, 9, 9], R: Group[f32, 56, 9]):
        g = group_id()
        contract("kl,lq,qp->kp", K, Q[g], A[g], out=R[g], beta=1)

    assert instructions(volume) == ["yateto.log {lq, qp to lp}", "yateto.log {kl, lp to kp}"]
    assert "alloca {alignment=64} : memref<f32x35x9,strided<1,40>,local>" in str(volume)
    assert volume.ir("loop-over-gemm").count(" gemm.") == 2


def test_what_is_shared_is_computed_first() -> None:
    """The product of two shared matrices is that of all items, though another order has fewer operations for one."""

    @pytl.kernel
    def f(A: Memref[f32, 8, 8], B: Memref[f32, 8, 8], X: Group[f32, 8, 4], Y: Group[f32, 8, 4]):
        g = group_id()
        contract("ij,jk,kl->il", A, B, X[g], out=Y[g])

    assert instructions(f) == ["yateto.log {ij, jk to ik}", "yateto.log {ik, kl to il}"]
    assert f.ir("cpu-items").index("gemm") < f.ir("cpu-items").index("cpu.items")


@pytest.mark.at_night
def test_chains_of_what_is_shared_are_computed_once() -> None:
    """Also where they hand on registers, and where one product reads what another has made before."""

    @pytl.kernel
    def f(
        R: Memref[f32, 20, 10],
        M: Memref[f32, 10, 10],
        T: Memref[f32, 10, 20],
        A: Group[f32, 9, 9],
        I: Group[f32, 20, 9],  # noqa: E741
        Q: Group[f32, 20, 9],
    ):
        g = group_id()
        contract("km,mn,nl,lq,qp->kp", R, M, T, I[g], A[g], out=Q[g], beta=1)

    assert [text.partition(" {")[2] for text in instructions(f)] == [
        "km, mn to kn}",
        "kn, nl to kl}",
        "lq, qp to lp}",
        "kl, lp to kp}",
    ]
    before, items = f.ir("cpu-items").split("cpu.items", 1)
    assert before.count(" gemm.") == 2 and items.partition("prefetching")[0].count(" gemm.") == 2

    @pytl.kernel
    def h(R: Memref[f32, 40, 40], M: Memref[f32, 40, 40], Q: Group[f32, 40, 40]):
        g = group_id()
        t = contract("ij,jk->ik", R, M)
        u = contract("ij,kj->ik", M, t)
        contract("ij,jk->ik", u, Q[g], out=Q[g], beta=1)

    before, items = h.ir("cpu-items").split("cpu.items", 1)
    assert before.count(" gemm.") == 2
    arrays = [
        np.random.default_rng(k).random(s).astype(np.float32) for k, s in enumerate([(40, 40), (40, 40), (3, 40, 40)])
    ]
    r, m = (np.asfortranarray(a) / 40 for a in arrays[:2])
    expected = arrays[2] + m @ (r @ m).T @ arrays[2]
    for backend in ("reference", "sycl"):
        q = [np.asfortranarray(a) for a in arrays[2]]
        h[3](r, m, q, backend=backend)
        assert np.allclose(q, expected, rtol=1e-4)


def test_the_layout_between_products() -> None:
    """The modes of what lies between are in the order in which the last product has fused rows."""

    @pytl.kernel
    def f(A: Memref[f32, 7, 6], U: Memref[f32, 6, 6, 6], V: Memref[f32, 7, 7, 7]):
        contract("ai,bj,ck,ijk->abc", A, A, A, U, out=V)

    assert instructions(f) == [
        "yateto.log {ai, ijk to ajk}",
        "yateto.log {ajk, bj to abk}",
        "yateto.log {abk, ck to abc}",
    ]
    assert "{abk, ck to abc}: gemm over (ab), c, k" in f.ir("loop-over-gemm")


def test_one_tensor() -> None:
    @pytl.kernel
    def f(A: Memref[f64, 4, 5], M: Memref[f64, 4, 4], T: Memref[f64, 5, 4], s: Memref[f64, 4], t: Memref[f64]):
        contract("ij->ji", A, out=T)
        contract("ij->i", A, out=s)
        contract("ii->", M, out=t)

    assert instructions(f) == ["yateto.axpby {ij to ji}", "yateto.sum {ij to i}", "yateto.sum {ii to _}"]
    a, m = np.asfortranarray(np.random.rand(4, 5)), np.asfortranarray(np.random.rand(4, 4))
    transposed, s, t = np.zeros((5, 4), order="F"), np.zeros(4), np.zeros(())
    f[1](a, m, transposed, s, t, backend="reference")
    assert np.allclose(transposed, a.T) and np.allclose(s, a.sum(1)) and np.allclose(t, np.trace(m))


def test_a_result_in_temporary_memory() -> None:
    @pytl.kernel
    def f(A: Memref[f32, 4, 5], B: Memref[f32, 5, 6], C: Memref[f32, 6, 4]):
        t = contract("ik,kj", A, B)
        contract("ij->ji", t, out=C)

    a, b = (np.asfortranarray(np.random.rand(*shape).astype(np.float32)) for shape in ((4, 5), (5, 6)))
    c = np.zeros((6, 4), np.float32, order="F")
    for backend in ("reference", "sycl"):
        c[:] = 0
        f[1](a, b, c, backend=backend)
        assert np.allclose(c, (a @ b).T)


def test_an_index_of_one_operand_is_summed_first() -> None:
    @pytl.kernel
    def f(A: Memref[f32, 4, 5, 3], B: Memref[f32, 5, 6], C: Memref[f32, 4, 6]):
        contract("ikz,kj->ij", A, B, out=C)

    assert instructions(f) == ["yateto.sum {ikz to ik}", "yateto.log {ik, kj to ij}"]


def test_modifiers() -> None:
    @pytl.kernel
    def f(A: Memref[f32, 8, 3, 4], B: Memref[f32, 4, 5, 6], C: Memref[f32, 8, 5, 6, 3]):
        contract("i[k]m,m(jn)->i(jn)[k]", A, B, out=C)

    assert instructions(f) == ["yateto.log {i[k]m, m(jn) to i(jn)[k]}"]
    assert "loop over k: the map has it in [ ]" in f.ir("loop-over-gemm")


def _bad_index(A: Memref[f32, 4, 5], B: Memref[f32, 5, 6], C: Memref[f32, 4, 6]):
    contract("ik,kj->iz", A, B, out=C)


def _bad_size(A: Memref[f32, 4, 5], B: Memref[f32, 6, 6], C: Memref[f32, 4, 6]):
    contract("ik,kj->ij", A, B, out=C)


def _bad_character(A: Memref[f32, 4, 5], B: Memref[f32, 5, 6], C: Memref[f32, 4, 6]):
    contract("ik;kj->ij", A, B, out=C)


def _bad_order(A: Memref[f32, 4, 5], B: Memref[f32, 5, 6], C: Memref[f32, 4]):
    contract("ik,kj->ij", A, B, out=C)


def _bad_modifiers(A: Memref[f32, 4, 5], B: Memref[f32, 5, 6], C: Memref[f32, 6, 4], D: Memref[f32, 4, 4]):
    contract("i[k],kj,jl->il", A, B, C, out=D)


def _unknown_size(A: Memref[f32, 4, ...], B: Memref[f32, ..., 6], C: Memref[f32, 6, 4], D: Memref[f32, 4, 4]):
    t = contract("ik->k", A)


def _bad_types(A: Memref[f32, 4, 5], B: Memref[f16, 5, 6], C: Memref[f32, 4, 6]):
    contract("ik,kj->ij", A, 2.0, out=C)


def _no_text(A: Memref[f32, 4, 5], C: Memref[f32, 5, 4]):
    contract(A, out=C)


@pytest.mark.parametrize(
    ("function", "code", "under", "message"),
    [
        (_bad_index, "PYTL-0690", "z", "index z of the output is in no operand"),
        (_bad_size, "PYTL-0692", "k", "index k has size 5 in operand 0, but 6 in operand 1"),
        (_bad_character, "PYTL-0690", ";", "`;` is no part of subscripts"),
        (_bad_order, "PYTL-0691", "ij", "out has 1 mode, but the output 2 indices"),
        (_bad_modifiers, "PYTL-0690", "i[k]", "[ ] and ( ) say how a product of two tensors is computed"),
        (_unknown_size, "PYTL-0693", "k", "has a dynamic size"),
        (_bad_types, "PYTL-1002", "A, 2.0", "an operand of contract is the Python float 2.0, not a memref"),
        (_no_text, "PYTL-1002", "A", "the subscripts are memref<f32x4x5>, not a Python string"),
    ],
)
def test_what_is_refused(function, code: str, under: str, message: str) -> None:
    with pytest.raises(pytl.PytlError) as caught:
        print(pytl.kernel(function))
    first = caught.value.diagnostics[0]
    assert first.rule.code == code and message in first.message, str(caught.value)
    place = first.location
    assert place.source.line(place.line)[place.column - 1 : place.end_column - 1] == under
