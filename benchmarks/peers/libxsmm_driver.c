/* Batches of small products by libxsmm: a kernel is made once, and called for one item after the other.

   Everything is column-major, as libxsmm and pytl have it. Work is `total` items; item i is number i % items of the
   batch, so that a few items in cache can be worked on often. Threads take contiguous parts. */

#include <libxsmm.h>
#include <omp.h>
#include <stddef.h>
#include <stdint.h>

enum { OK = 0, NO_KERNEL = 1 };

/* A thread's items, `here` and the one after it, `next`. They are counted: a division an item takes as long as the
   smallest products. The block that follows closes the parallel region, too. */
#define EACH_ITEM(ITEMS, TOTAL)                                                                                        \
    _Pragma("omp parallel") {                                                                                          \
        const int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();                                  \
        const int64_t begin = (TOTAL) * thread / threads, end = (TOTAL) * (thread + 1) / threads;                      \
        int64_t here = begin % (ITEMS), next;                                                                          \
        for (int64_t left = end - begin; left > 0 && (next = (here + 1) * (here + 1 != (ITEMS)), 1);                   \
             left--, here = next)

#define DRIVER(T, ELEMENT, FUNCTION, DISPATCH)                                                                         \
    static FUNCTION kernel_##T(int m, int n, int k, int trans_a, int trans_b, int beta, int ahead) {                   \
        const libxsmm_blasint lda = trans_a ? k : m, ldb = trans_b ? n : k, ldc = m;                                   \
        const ELEMENT one = 1, scale = (ELEMENT)beta;                                                                  \
        const int flags = (trans_a ? LIBXSMM_GEMM_FLAG_TRANS_A : 0) | (trans_b ? LIBXSMM_GEMM_FLAG_TRANS_B : 0);       \
        const int prefetch = ahead ? LIBXSMM_GEMM_PREFETCH_AL2 : LIBXSMM_GEMM_PREFETCH_NONE;                           \
        return DISPATCH(m, n, k, &lda, &ldb, &ldc, &one, &scale, &flags, &prefetch);                                   \
    }                                                                                                                  \
                                                                                                                       \
    /* C_i := op(A_i) op(B) + beta C_i; `ahead` asks libxsmm to prefetch the next item's A. */                         \
    int gemm_##T(int m, int n, int k, int trans_a, int trans_b, int beta, int ahead, const ELEMENT *a,                 \
                 const ELEMENT *b, ELEMENT *c, int64_t items, int64_t total) {                                         \
        const FUNCTION kernel = kernel_##T(m, n, k, trans_a, trans_b, beta, ahead);                                    \
        if (kernel == NULL)                                                                                            \
            return NO_KERNEL;                                                                                          \
        EACH_ITEM(items, total) {                                                                                      \
            kernel(a + here * m * k, b, c + here * m * n, a + next * m * k, b, c + next * m * n);                      \
        }}                                                                                                             \
        return OK;                                                                                                     \
    }                                                                                                                  \
                                                                                                                       \
    /* D_i := A_i B^T C + D_i by two calls; A is m x k, B is l x k, C is l x n. The caller has scaled C by alpha,      \
       for libxsmm's own alpha is one. */                                                                              \
    int chain_##T(int m, int n, int k, int l, int ahead, const ELEMENT *a, const ELEMENT *b, const ELEMENT *c,         \
                  ELEMENT *d, int64_t items, int64_t total) {                                                          \
        const FUNCTION first = kernel_##T(m, l, k, 0, 1, 0, ahead), second = kernel_##T(m, n, l, 0, 0, 1, 0);          \
        if (first == NULL || second == NULL)                                                                           \
            return NO_KERNEL;                                                                                          \
        EACH_ITEM(items, total) {                                                                                      \
            ELEMENT between[m * l] __attribute__((aligned(64)));                                                       \
            first(a + here * m * k, b, between, a + next * m * k, b, between);                                         \
            second(between, c, d + here * m * n, between, c, d + next * m * n);                                        \
        }}                                                                                                             \
        return OK;                                                                                                     \
    }

DRIVER(f32, float, libxsmm_smmfunction, libxsmm_smmdispatch)
DRIVER(f64, double, libxsmm_dmmfunction, libxsmm_dmmdispatch)
