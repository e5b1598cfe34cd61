/* Computes C = op(A) op(B) + BETA C in f32 once, by what it is linked with, and compares C with loops.
 *
 * C has M rows and N columns, the sums K terms. The entries are small whole numbers, so that all sums are exact.
 * Status 0: C is right. The argument is the length of streaming vectors in bits; where they have another one, the
 * status is 2. Matrices are column-major, or with ROW_MAJOR row-major and the factors exchanged, which is the same
 * product of transposes. TRANSPOSED_A and TRANSPOSED_B tell what op does.
 */

#include <stdint.h>
#include <stdlib.h>

typedef struct {
    float *allocated, *aligned;
    int64_t offset, sizes[2], strides[2];
} memref;

void pytl_launch_f(int64_t first, int64_t last, int64_t groups, void **table);

static float left[M * K], right[K * N], product[M * N];

/* The length of streaming vectors. */
static int64_t vector_bits(void) {
    register int64_t bytes __asm__("x0");
    __asm__(".inst 0x04bf5820" : "=r"(bytes)); /* rdsvl x0, #1, which older assemblers do not know */
    return 8 * bytes;
}

/* A column-major matrix, as row-major memory. */
static memref of(float *numbers, int64_t rows, int64_t columns) {
    memref m = {numbers, numbers, 0, {columns, rows}, {rows, 1}};
    return m;
}

int main(int argc, char **argv) {
    if (argc != 2 || vector_bits() != atoi(argv[1]))
        return 2;
    for (int i = 0; i < M * K; ++i)
        left[i] = i % 7 - 3;
    for (int i = 0; i < K * N; ++i)
        right[i] = i % 5 - 2;
    for (int i = 0; i < M * N; ++i)
        product[i] = i % 9;
    memref a = of(left, TRANSPOSED_A ? K : M, TRANSPOSED_A ? M : K),
           b = of(right, TRANSPOSED_B ? N : K, TRANSPOSED_B ? K : N), c = of(product, M, N);
    void *table[] = {ROW_MAJOR ? &b : &a, ROW_MAJOR ? &a : &b, &c};
    pytl_launch_f(0, 1, 1, table);
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j) {
            float sum = BETA * ((j * M + i) % 9);
            for (int k = 0; k < K; ++k)
                sum += left[TRANSPOSED_A ? i * K + k : k * M + i] * right[TRANSPOSED_B ? k * N + j : j * K + k];
            if (sum != product[j * M + i])
                return 1;
        }
    return 0;
}
