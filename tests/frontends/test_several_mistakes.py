"""Kernels as people write them, each with several mistakes: all that they are told, word for word."""

import math

import pytest
from tracing_kit import message

KERNELS = {
    "dg_volume": '''
        def dg_volume(
            dt: f64,
            Q: Group[f32, 20, 9],
            K: Memref[f32, 20, 20, 3],
            star: Group[f32, 9, 9, 3],
            I: Memref[f32, 20, 9, ...],
        ):
            """One element a work-group: I += Σ_d K_d Q A_d, as in a discontinuous Galerkin scheme."""
            e = group_id()
            tmp = alloca(f32, 20, 9)
            for d in range(3):
                gemm(1.0, K[:, :, d], Q, 0.0, tmp)
                gemm(dt, tmp, star[e][:, :, d].T, 1.0, I[:, :, e])
            gemm(1.0, K[:, :, 0], tmp.T, 0.0, tmp)
            axpby(1.0, tmp, 1.0, I[e])
            barier("local")
    ''',
    "attention": '''
        def attention(
            scale: f32,
            Q: Memref[f16, 64, 32],
            K: Memref[f16, 64, 32],
            V: Memref[f16, 64, 32],
            O: Memref[f32, 64, 32],
        ):
            """Softmax of Q Kᵀ with cooperative matrices, without the row maxima."""
            with parallel():
                row = index(subgroup.id()) * 8
                q = coop.load(Q, row, 0, shape=(8, 16), use="matrix_a")
                k = coop.load(K.T, 0, 0, shape=(16, 8), use="matrix_b")
                v = coop.load(V, subgroup.id(), 0, shape=(16, 8), use="matrix_b")
                s = coop.full(f32, 0.0, shape=(8, 8), use="matrix_acc")
                w = coop.mul_add(q, q, s)
                p = math.exp(scale * s)
                total = subgroup.sum.reduce(p)
                coop.store(s / scale, O, row, 0, atomic="yes")
            softmax(O)
    ''',
    "qr_loop": '''
        def house(A, v, k):
            norm = f64(0.0)
            for i in range(k, 8):
                norm += A[i, k] * A[i, k]
            return norm ** None

        def qr(A: Memref[f64, 8, 8, ...], tau: Memref[f64, 8, ...]):
            """Householder reflections of a batch of small matrices, column by column."""
            a = A[:, :, group_id()]
            for k in range(7, -1, -1):
                v = alloca(f64, 8 - k)
                norm = house(a, v, k)
                if norm:
                    alpha = -norm
                else:
                    beta = norm
                tau[k, group_id()] = alpha
                while norm > 1e-12:
                    norm = norm / 2
                ger(-2.0, v, v, 1.0, a[k:, k:])
    ''',
    "reductions": '''
        def norms(X: Memref[f32, 1024, ...], out: Memref[f32, ...], count: Memref[i32]):
            """Norms of columns, reduced within sub-groups first."""
            g = group_id()
            with parallel():
                lane = subgroup.local_id() + subgroup.id() * subgroup.size()
                partial = 0.0
                for i in range(lane, 1024, subgroup.size() * subgroup.count()):
                    x = X[i, g]
                    partial += x * x
                total = subgroup.add.reduce(partial)
                most = subgroup.max(lane)
                if subgroup.local_id() == 0:
                    atomic.add(out[g], total)
                    atomic.add(count, 1)
                first = subgroup.broadcast(lane, index(0))
            out[g] = total
    ''',
    "scan": '''
        def scan(A: Memref[i32, 256, 4], B: Memref[i32, 256, 4], ends: Memref[i32, 4], mode: index):
            """Running sums along a mode, and their last entries."""
            cumsum(1, A, mode, 0, B)
            cumsum(1, A, 2, 0, B)
            cumsum(0.5, A, 0, 0, B)
            for j in foreach(4):
                ends[j] = B[-1, j]
                if B[255, j] > 0.0:
                    ends[j] = 1
            pytl.sum(1, B, 0, ends, atomic=1)
            exclusive = fuse(A, 0, 1)[1:]
            cumsum(1, exclusive, 0, 1, exclusive, axis=0)
    ''',
    "assembly": '''
        def gradient(G: Memref[f64, 3, 4], J: Memref[f64, 3, 3], out: Memref[f64, 3, 4]):
            gemm(1.0, J.T, G, 0.0, out)
            return out

        def assemble(
            J: Group[f64, 3, 3],
            shape_functions: Memref[f64, 3, 4],
            material: Memref[f32, 6, 6],
            dofs: Memref[i64, 4, ...],
            K: Memref[f64, ..., ...],
        ):
            """The stiffness matrix of linear tetrahedra, added to a global matrix."""
            e = group_id()
            D = gradient(shape_functions, J[e], alloca(f64, 4, 3))
            local = alloca(f64, 4, 4)
            gemm(1.0, D.T, D, 0.0, local)
            gemm(1.0, material, local, 1.0, local)
            for i, j in foreach((0, 0), (4, 4)):
                row, column = dofs[i, e], dofs[j, e]
                atomic.add(K[row, column], local[i, j])
                gemm(1.0, local, local, 0.0, local)
            assert e < size(K, 2)
    ''',
    "contraction": '''
        def contraction(
            t: Memref[c64, 12, 12, 8, 8],
            v: Memref[c64, 8, 8, 8, 8],
            r: Memref[c64, 12, 12, 8, 8],
            energy: Memref[f64],
            shift: f64,
        ):
            """Two-electron integrals contracted with amplitudes: r_abij = Σ_kl t_abkl v_klij."""
            T = fuse(fuse(t, 2, 3), 0, 1)
            V = fuse(v, 0, 1)
            R = fuse(fuse(r, 2, 3), 0, 1)
            gemm(0.5 + 0j, T, V, 1.0, R)
            for a, b in foreach((0, 0), (144, 64)):
                x = T[a, b] * T[a, b].conj()
                if x < 1.0:
                    energy[()] += x
                R[a, b] = R[a, b] / (shift + 1j)
                print(R[a, b])
    ''',
    "masked_tail": '''
        BLOCK = 32

        def masked(n: index, x: Memref[f32, ...], y: Memref[f32, ...], w: Memref[f32, 32]):
            """Blocks of a vector whose last one is shorter."""
            start = group_id() * BLOCK
            rest = n - start
            if rest < BLOCK:
                part = x[start : start + rest]
            else:
                part = x[start : start + BLOCK]
            hadamard(1.0, part, w, 0.0, y[start : start + BLOCK])
            hadamard(1.0, x[start : start + BLOCK], w, 0.0, y[start:n])
            for i in foreach(BLOCK):
                if start + i < n and x[start + i]:
                    y[start + i] = 1 if x[start + i] > 0 else -1.5j
            y[BLOCK:0] = 0.0
            lifetime_stop(w)
    ''',
    "histogram": '''
        def histogram(data: Memref[i8, 4096, ...], bins: Memref[i32, 256], scale: f32):
            """Counts of bytes, in local memory first."""
            local = alloca(i32, 256)
            axpby(0, local, 0.0, local)
            for i in foreach(4096):
                byte = data[i, group_id()] + 128
                bin = i32(byte) & 0xFF
                atomic.add(local[bin], 1)
                local[index(bin)] += scale
                bins = local
            for i in foreach(256):
                atomic.add(bins[i], local[i] / 2)
                atomic.add(bins[index(i)], [1])
    ''',
    "quantised_gemm": '''
        def quantised(
            A: Memref[i8, 64, 64],
            B: Memref[i8, 64, 64],
            scale_a: f32,
            scale_b: f16,
            C: Memref[f32, 64, 64],
        ):
            """An integer product, scaled to floating point numbers."""
            acc = alloca(i32, 64, 64)
            gemm(1, A, B, 0, acc)
            gemm(300, A, B, 0, acc)
            gemm(scale_a, A, B, 0.0, C)
            factor = scale_a * scale_b
            with parallel():
                a = coop.load(A, 0, 0, (8, 32), "matrix_a")
                b = coop.load(B, 0, 0, (32, 16), "matrix_b")
                c = coop.mul_add(a, b, coop.full(i8, 0, (8, 16), "matrix_acc"))
                d = coop.mul_add(a, b, coop.full(i32, 0.0, (8, 16), "matrix_acc"))
                e = coop.mul_add(a, b, coop.full(i32, 0, (16, 8), "matrix_acc"))
                f = f32(c) * scale_b
            axpby(1.0, acc, 0.0, C)
    ''',
}


@pytest.mark.parametrize("name", KERNELS)
def test_all_that_is_said(name, golden):
    golden(f"kernels/{name}.txt", message(KERNELS[name], {"math": math}) + "\n")
