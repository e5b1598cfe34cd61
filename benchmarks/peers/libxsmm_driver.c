/* Batches of small products by libxsmm: a kernel is made once, and called for one item after the other.

   Everything is column-major, as libxsmm and pytl have it. Work is `total` items; item i is number i % items of the
   batch, so that a few items in cache can be worked on often. Threads take contiguous parts. With LIBXSMM_2, the
   interface is that of version 2, where kernels take a structure, and nothing is prefetched. */

#include <libxsmm.h>
#ifndef LIBXSMM_2
#include <libxsmm_generator.h>
#endif
#include <omp.h>
#include <stddef.h>
#include <stdint.h>

enum { OK = 0, NO_KERNEL = 1 };

/* A step of a list that is executed for each item. native.py describes the same to ctypes. */
enum { PRODUCT, ADDITION, TRANSPOSITION };

/* A matrix: at `address` for the first item and `stride` elements further for the next, which is 0 for one that all
   items share; without an address, in the thread's own scratch memory, `offset` elements from its begin. */
typedef struct {
    char *address;
    int64_t stride, offset, leading;
} matrix;

/* C := op(A) op(B) + beta C; or C := C + scale A; or C := A^T. C is m x n. */
typedef struct {
    int64_t kind, m, n, k, trans_b, beta;
    double scale;
    matrix a, b, c;
} step;

/* A matrix of the item that is `here`. */
#define AT(T, MATRIX)                                                                                                  \
    ((MATRIX).address ? (T *)(MATRIX).address + (MATRIX).stride * here + (MATRIX).offset : scratch + (MATRIX).offset)

/* A thread's items, `here` and the one after it, `next`. They are counted: a division an item takes as long as the
   smallest products. The block that follows closes the parallel region, too. */
#define EACH_ITEM(ITEMS, TOTAL)                                                                                        \
    _Pragma("omp parallel") {                                                                                          \
        const int64_t thread = omp_get_thread_num(), threads = omp_get_num_threads();                                  \
        const int64_t begin = (TOTAL) * thread / threads, end = (TOTAL) * (thread + 1) / threads;                      \
        int64_t here = begin % (ITEMS), next;                                                                          \
        for (int64_t left = end - begin; left > 0 && (next = (here + 1) * (here + 1 != (ITEMS)), 1);                   \
             left--, here = next)

#ifdef LIBXSMM_2
#define KERNELS(T, ELEMENT, FUNCTION, NAME)                                                                            \
    static libxsmm_gemmfunction strided_##T(int m, int n, int k, libxsmm_blasint lda, libxsmm_blasint ldb,             \
                                            libxsmm_blasint ldc, int trans_a, int trans_b, int beta, int ahead) {      \
        const libxsmm_bitfield flags = (trans_a ? LIBXSMM_GEMM_FLAG_TRANS_A : 0) |                                     \
                                       (trans_b ? LIBXSMM_GEMM_FLAG_TRANS_B : 0) |                                     \
                                       (beta ? 0 : LIBXSMM_GEMM_FLAG_BETA_0);                                          \
        (void)ahead;                                                                                                   \
        return libxsmm_dispatch_gemm(libxsmm_create_gemm_shape(m, n, k, lda, ldb, ldc, NAME, NAME, NAME, NAME), flags, \
                                     LIBXSMM_GEMM_PREFETCH_NONE);                                                      \
    }                                                                                                                  \
    typedef libxsmm_gemmfunction product_##T;                                                                          \
    static inline void call_##T(product_##T kernel, const ELEMENT *a, const ELEMENT *b, ELEMENT *c, const ELEMENT *x,  \
                                const ELEMENT *y, ELEMENT *z) {                                                        \
        libxsmm_gemm_param passed = {0};                                                                               \
        passed.a.primary = (void *)a, passed.b.primary = (void *)b, passed.c.primary = c;                              \
        (void)x, (void)y, (void)z;                                                                                     \
        kernel(&passed);                                                                                               \
    }                                                                                                                  \
    typedef libxsmm_meltwfunction_unary transposition_##T;                                                             \
    static transposition_##T transposed_##T(int m, int n, libxsmm_blasint from, libxsmm_blasint to) {                  \
        return libxsmm_dispatch_meltw_unary(LIBXSMM_MELTW_TYPE_UNARY_TRANSFORM_NORM_TO_NORMT,                          \
                                            libxsmm_create_meltw_unary_shape(m, n, from, to, NAME, NAME, NAME),        \
                                            LIBXSMM_MELTW_FLAG_UNARY_NONE);                                            \
    }                                                                                                                  \
    static inline void transpose_##T(transposition_##T kernel, const ELEMENT *a, unsigned from, ELEMENT *c,            \
                                     unsigned to) {                                                                    \
        libxsmm_meltw_unary_param passed = {0};                                                                        \
        passed.in.primary = (void *)a, passed.out.primary = c;                                                         \
        (void)from, (void)to;                                                                                          \
        kernel(&passed);                                                                                               \
    }
#else
#define KERNELS(T, ELEMENT, FUNCTION, DISPATCH)                                                                        \
    static FUNCTION strided_##T(int m, int n, int k, libxsmm_blasint lda, libxsmm_blasint ldb, libxsmm_blasint ldc,    \
                                int trans_a, int trans_b, int beta, int ahead) {                                       \
        const ELEMENT one = 1, scale = (ELEMENT)beta;                                                                  \
        const int flags = (trans_a ? LIBXSMM_GEMM_FLAG_TRANS_A : 0) | (trans_b ? LIBXSMM_GEMM_FLAG_TRANS_B : 0);       \
        const int prefetch = ahead ? LIBXSMM_GEMM_PREFETCH_AL2 : LIBXSMM_GEMM_PREFETCH_NONE;                           \
        return DISPATCH(m, n, k, &lda, &ldb, &ldc, &one, &scale, &flags, &prefetch);                                   \
    }                                                                                                                  \
    typedef FUNCTION product_##T;                                                                                      \
    static inline void call_##T(product_##T kernel, const ELEMENT *a, const ELEMENT *b, ELEMENT *c, const ELEMENT *x,  \
                                const ELEMENT *y, ELEMENT *z) {                                                        \
        kernel(a, b, c, x, y, z);                                                                                      \
    }                                                                                                                  \
    typedef libxsmm_xtransfunction transposition_##T;                                                                  \
    static transposition_##T transposed_##T(int m, int n, unsigned from, unsigned to) {                                \
        libxsmm_descriptor_blob blob;                                                                                  \
        (void)from;                                                                                                    \
        return libxsmm_dispatch_trans(libxsmm_trans_descriptor_init(&blob, sizeof(ELEMENT), m, n, to));                \
    }                                                                                                                  \
    static inline void transpose_##T(transposition_##T kernel, const ELEMENT *a, unsigned from, ELEMENT *c,            \
                                     unsigned to) {                                                                    \
        kernel(a, &from, c, &to);                                                                                      \
    }
#endif

#define DRIVER(T, ELEMENT)                                                                                             \
    static product_##T kernel_##T(int m, int n, int k, int trans_a, int trans_b, int beta, int ahead) {                \
        return strided_##T(m, n, k, trans_a ? k : m, trans_b ? n : k, m, trans_a, trans_b, beta, ahead);               \
    }                                                                                                                  \
                                                                                                                       \
    /* C_i := op(A_i) op(B) + beta C_i; `ahead` asks libxsmm to prefetch the next item's A. */                         \
    int gemm_##T(int m, int n, int k, int trans_a, int trans_b, int beta, int ahead, const ELEMENT *a,                 \
                 const ELEMENT *b, ELEMENT *c, int64_t items, int64_t total) {                                         \
        const product_##T kernel = kernel_##T(m, n, k, trans_a, trans_b, beta, ahead);                                 \
        if (kernel == NULL)                                                                                            \
            return NO_KERNEL;                                                                                          \
        EACH_ITEM(items, total) {                                                                                      \
            call_##T(kernel, a + here * m * k, b, c + here * m * n, a + next * m * k, b, c + next * m * n);            \
        }}                                                                                                             \
        return OK;                                                                                                     \
    }                                                                                                                  \
                                                                                                                       \
    /* D_i := A_i B^T C + D_i by two calls; A is m x k, B is l x k, C is l x n. The caller has scaled C by alpha,      \
       for libxsmm's own alpha is one. */                                                                              \
    int chain_##T(int m, int n, int k, int l, int ahead, const ELEMENT *a, const ELEMENT *b, const ELEMENT *c,         \
                  ELEMENT *d, int64_t items, int64_t total) {                                                          \
        const product_##T first = kernel_##T(m, l, k, 0, 1, 0, ahead), second = kernel_##T(m, n, l, 0, 0, 1, 0);       \
        if (first == NULL || second == NULL)                                                                           \
            return NO_KERNEL;                                                                                          \
        EACH_ITEM(items, total) {                                                                                      \
            ELEMENT between[m * l] __attribute__((aligned(64)));                                                       \
            call_##T(first, a + here * m * k, b, between, a + next * m * k, b, between);                               \
            call_##T(second, between, c, d + here * m * n, between, c, d + next * m * n);                              \
        }}                                                                                                             \
        return OK;                                                                                                     \
    }                                                                                                                  \
                                                                                                                       \
    /* All steps for an item, then for the next; `size` is that of a thread's scratch memory, in elements. */          \
    int steps_##T(const step *steps, int64_t count, int64_t size, int64_t items, int64_t total) {                      \
        union {                                                                                                        \
            product_##T product;                                                                                       \
            transposition_##T transposition;                                                                           \
        } kernels[count];                                                                                              \
        for (int64_t i = 0; i < count; i++) {                                                                          \
            const step *s = steps + i;                                                                                 \
            if (s->kind == PRODUCT)                                                                                    \
                kernels[i].product = strided_##T(s->m, s->n, s->k, s->a.leading, s->b.leading, s->c.leading, 0,        \
                                                 s->trans_b, s->beta, 0);                                              \
            else if (s->kind == TRANSPOSITION)                                                                         \
                kernels[i].transposition = transposed_##T(s->n, s->m, s->a.leading, s->c.leading);                     \
            if (s->kind != ADDITION && kernels[i].product == NULL)                                                     \
                return NO_KERNEL;                                                                                      \
        }                                                                                                              \
        EACH_ITEM(items, total) {                                                                                      \
            ELEMENT scratch[size] __attribute__((aligned(64)));                                                        \
            for (int64_t i = 0; i < count; i++) {                                                                      \
                const step *s = steps + i;                                                                             \
                const ELEMENT *a = AT(ELEMENT, s->a);                                                                  \
                ELEMENT *c = AT(ELEMENT, s->c);                                                                        \
                if (s->kind == PRODUCT) {                                                                              \
                    const ELEMENT *b = AT(ELEMENT, s->b);                                                              \
                    call_##T(kernels[i].product, a, b, c, a, b, c);                                                    \
                } else if (s->kind == TRANSPOSITION) {                                                                 \
                    transpose_##T(kernels[i].transposition, a, s->a.leading, c, s->c.leading);                         \
                } else {                                                                                               \
                    const ELEMENT scale = s->scale;                                                                    \
                    for (int64_t column = 0; column < s->n; column++)                                                  \
                        for (int64_t row = 0; row < s->m; row++)                                                       \
                            c[column * s->c.leading + row] += scale * a[column * s->a.leading + row];                  \
                }                                                                                                      \
            }                                                                                                          \
        }}                                                                                                             \
        return OK;                                                                                                     \
    }

#ifdef LIBXSMM_2
KERNELS(f32, float, , LIBXSMM_DATATYPE_F32)
KERNELS(f64, double, , LIBXSMM_DATATYPE_F64)
#else
KERNELS(f32, float, libxsmm_smmfunction, libxsmm_smmdispatch)
KERNELS(f64, double, libxsmm_dmmfunction, libxsmm_dmmdispatch)
#endif
DRIVER(f32, float)
DRIVER(f64, double)
