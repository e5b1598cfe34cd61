/* Computes C = A op(B) of N by N matrices in f32 once, by what it is linked with, and compares C with loops.
 *
 * The entries are small whole numbers, so that all sums are exact. Status 0: C is right.
 * The argument is the length of streaming vectors in bits; where they have another one, the status is 2.
 * Matrices are column-major, or with ROW_MAJOR row-major and C = op(A) B, the same product of their transposes.
 * TRANSPOSED tells whether op transposes.
 */

#include <stdint.h>
#include <stdlib.h>

typedef struct {
    float *allocated, *aligned;
    int64_t offset, sizes[2], strides[2];
} memref;

void pytl_launch_f(int64_t first, int64_t last, int64_t groups, void **table);

static float left[N * N], right[N * N], product[N * N];

/* The length of streaming vectors. */
static int64_t vector_bits(void) {
    register int64_t bytes __asm__("x0");
    __asm__(".inst 0x04bf5820" : "=r"(bytes)); /* rdsvl x0, #1, which older assemblers do not know */
    return 8 * bytes;
}

int main(int argc, char **argv) {
    if (argc != 2 || vector_bits() != atoi(argv[1]))
        return 2;
    for (int i = 0; i < N * N; ++i) {
        left[i] = i % 7 - 3;
        right[i] = i % 5 - 2;
        product[i] = 99;
    }
    memref a = {left, left, 0, {N, N}, {N, 1}}, b = {right, right, 0, {N, N}, {N, 1}},
           c = {product, product, 0, {N, N}, {N, 1}};
    void *table[] = {&a, &b, &c};
    pytl_launch_f(0, 1, 1, table);
    /* in rows: C = op(A) B, and for column-major matrices Cᵀ = op(B)ᵀ Aᵀ */
    const float *first = ROW_MAJOR ? left : right, *second = ROW_MAJOR ? right : left;
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) {
            float sum = 0;
            for (int k = 0; k < N; ++k)
                sum += (TRANSPOSED ? first[k * N + i] : first[i * N + k]) * second[k * N + j];
            if (sum != product[i * N + j])
                return 1;
        }
    return 0;
}
