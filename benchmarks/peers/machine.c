/* What the machine itself can do: the rate of its fused multiply-adds and of its memory. Each call is timed by the
   caller and works on as many threads as OpenMP is told to use. */

#include <stdint.h>

/* GCC and Clang turn vectors of this type into the registers that -march=native has. */
#if defined(__AVX512F__)
#define BYTES 64
#elif defined(__AVX__)
#define BYTES 32
#else
#define BYTES 16
#endif
typedef float floats __attribute__((vector_size(BYTES)));
typedef double doubles __attribute__((vector_size(BYTES)));

/* Two units with a latency of four or five need ten sums that don't depend on each other; sixteen registers hold
   twelve and the operands. They have names, for compilers leave arrays in memory. */
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7) DO(8) DO(9) DO(10) DO(11)
#define CHAINS 12
#define BEGIN(I) sum##I = term + I;
#define STEP(I) sum##I = sum##I * factor + term;
#define ADD(I) +sum##I

#define FMA_PEAK(NAME, VECTOR, ELEMENT)                                                                                \
    /* Flops done by one thread in `rounds` rounds; every thread does as many. */                                      \
    int64_t NAME(int64_t rounds, ELEMENT *out) {                                                                       \
        const ELEMENT begin = out[0];                                                                                  \
        _Pragma("omp parallel") {                                                                                      \
            const VECTOR zero = {0}, factor = zero + (ELEMENT)0.999, term = zero + begin;                              \
            VECTOR sum0, sum1, sum2, sum3, sum4, sum5, sum6, sum7, sum8, sum9, sum10, sum11;                           \
            EACH(BEGIN)                                                                                                \
            for (int64_t round = 0; round < rounds; round++) {                                                         \
                EACH(STEP)                                                                                             \
            }                                                                                                          \
            const VECTOR all = EACH(ADD);                                                                              \
            _Pragma("omp critical") out[1] += all[0];                                                                  \
        }                                                                                                              \
        return rounds * CHAINS * (int64_t)(2 * BYTES / sizeof(ELEMENT));                                               \
    }

FMA_PEAK(fma_peak_f32, floats, float)
FMA_PEAK(fma_peak_f64, doubles, double)

/* a := b + s c, of which the caller counts 24 bytes an element: two read and one written. */
void triad(double *restrict a, const double *restrict b, const double *restrict c, double s, int64_t count) {
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < count; i++)
        a[i] = b[i] + s * c[i];
}

/* The sum of an array, 8 bytes an element: reading alone. */
double read_all(const double *a, int64_t count) {
    double sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
    for (int64_t i = 0; i < count; i++)
        sum += a[i];
    return sum;
}
