/* libxsmm 2.0's kernels for a sparse matrix times matrices of packed items, whose numbers lie side by side in memory. */

#include <libxsmm.h>
#include <stddef.h>
#include <stdint.h>

/* C[m][n][packed] += A[m][k] B[k][n][packed], A in the CSR format; NULL where libxsmm makes none. */
void *packed_product(int m, int n, int k, int packed, int is_f64, const unsigned *begins, const unsigned *columns,
                     const void *values) {
    const libxsmm_datatype type = is_f64 ? LIBXSMM_DATATYPE_F64 : LIBXSMM_DATATYPE_F32;
    const libxsmm_gemm_shape shape = libxsmm_create_gemm_shape(m, n, k, 0, n, n, type, type, type, type);
    return (void *)libxsmm_create_packed_spgemm_csr(shape, LIBXSMM_GEMM_FLAG_NONE, LIBXSMM_GEMM_PREFETCH_NONE, packed,
                                                    begins, columns, values);
}

/* The product for `total` packs of items, which are `pack_b` and `pack_c` bytes long. */
void packed_run(void *product, char *values, char *b, char *c, int64_t pack_b, int64_t pack_c, int64_t packs,
                int64_t total) {
    libxsmm_gemm_param arguments = {0};
    arguments.a.primary = values;
    for (int64_t done = 0, here = 0; done < total; done++, here = here + 1 == packs ? 0 : here + 1) {
        arguments.b.primary = b + here * pack_b;
        arguments.c.primary = c + here * pack_c;
        ((libxsmm_gemmfunction)product)(&arguments);
    }
}
