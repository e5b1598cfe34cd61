/* How many instructions of a kind a core executes per cycle, for calibrate.py. Each function executes ROUNDS times a
 * block of instructions, and returns how many that were. A cycle is that of a chain of additions. */

#include <stdint.h>
#include <stddef.h>

#if defined(__x86_64__)
#if defined(__AVX512F__)
#define VECTOR "zmm"
#define HALF "ymm"
#define BYTES 64
#define MASKED_LOAD "vmovups (%[at]), %%zmm0%{%%k1%}%{z%}\n\t"
#define MASKED_STORE "vmovups %%zmm1, (%[at])%{%%k1%}\n\t"
#define SET_MASK "mov $0x7ff, %%eax\n\tkmovw %%eax, %%k1\n\t"
#define MASK_REGISTER , "k1"
#elif defined(__AVX2__)
#define VECTOR "ymm"
#define HALF "xmm"
#define BYTES 32
#define MASKED_LOAD "vmaskmovps (%[at]), %%ymm15, %%ymm0\n\t"
#define MASKED_STORE "vmaskmovps %%ymm1, %%ymm15, (%[at])\n\t"
#define SET_MASK "vmovups (%[mask]), %%ymm15\n\t"
#define MASK_REGISTER
#else
#define BYTES 16
#endif
#elif defined(__aarch64__)
#define BYTES 16
#endif

#define FOUR(text) text text text text
#define TWELVE(of) of(0) of(1) of(2) of(3) of(4) of(5) of(6) of(7) of(8) of(9) of(10) of(11)

int64_t vector_bytes(void) { return BYTES; }

/* 64 additions, each of which waits for the one before. */
int64_t additions(int64_t rounds, void *data) {
    int64_t sum = 0;
    (void)data;
    for (int64_t k = 0; k < rounds; ++k)
#if defined(__x86_64__)
        __asm__ volatile(FOUR(FOUR(FOUR("add $1, %0\n\t"))) : "+r"(sum));
#else
        __asm__ volatile(FOUR(FOUR(FOUR("add %0, %0, #1\n\t"))) : "+r"(sum));
#endif
    return 64 * rounds;
}

/* 16 loads of addresses, each of which waits for the one before. */
int64_t chased(int64_t rounds, void *data) {
    void *at = data;
    *(void **)at = at;
    for (int64_t k = 0; k < rounds; ++k)
#if defined(__x86_64__)
        __asm__ volatile(FOUR(FOUR("mov (%0), %0\n\t")) : "+r"(at) : : "memory");
#else
        __asm__ volatile(FOUR(FOUR("ldr %0, [%0]\n\t")) : "+r"(at) : : "memory");
#endif
    return 16 * rounds;
}

#if defined(VECTOR)
#define SIXTEEN_VECTORS                                                                                             \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",      \
        "xmm13", "xmm14", "xmm15"
#define BLOCK(name, text, count, before)                                                                            \
    int64_t name(int64_t rounds, void *data) {                                                                      \
        static const int32_t mask[8] = {-1, -1, -1, -1, -1, -1, 0, 0};                                              \
        __asm__ volatile(before : : [mask] "r"(mask) : "eax", "memory" MASK_REGISTER);                              \
        for (int64_t k = 0; k < rounds; ++k)                                                                        \
            __asm__ volatile(text : : [at] "r"(data) : "memory", SIXTEEN_VECTORS_BUT_MASK);                         \
        return (count) * rounds;                                                                                    \
    }
#define SIXTEEN_VECTORS_BUT_MASK                                                                                    \
    "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",      \
        "xmm13", "xmm14"
#define FMA(n) "vfmadd231ps %%" VECTOR "14, %%" VECTOR "13, %%" VECTOR #n "\n\t"
#define HALF_FMA(n) "vfmadd231ps %%" HALF "14, %%" HALF "13, %%" HALF #n "\n\t"
#define SHUFFLE(n) "vunpcklps %%" VECTOR "14, %%" VECTOR "13, %%" VECTOR #n "\n\t"
#define LOAD(n) "vmovups (%[at]), %%" VECTOR #n "\n\t"
#define STORE "vmovups %%" VECTOR "1, (%[at])\n\t"
BLOCK(fmas, TWELVE(FMA), 12, "")
BLOCK(half_fmas, TWELVE(HALF_FMA), 12, "")
BLOCK(others, TWELVE(SHUFFLE), 12, "")
BLOCK(loads, TWELVE(LOAD), 12, "")
BLOCK(stores, FOUR(STORE), 4, "")
BLOCK(masked_loads, FOUR(MASKED_LOAD), 4, SET_MASK)
BLOCK(masked_stores, FOUR(MASKED_STORE), 4, SET_MASK)

/* 16 multiply-adds, each of which waits for the one before. */
BLOCK(chained_fmas, FOUR(FOUR(FMA(0))), 16, "")
#elif defined(__aarch64__)
#define BLOCK(name, text, count)                                                                                    \
    int64_t name(int64_t rounds, void *data) {                                                                      \
        for (int64_t k = 0; k < rounds; ++k)                                                                        \
            __asm__ volatile(text : : [at] "r"(data) : "memory", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7",    \
                             "v8", "v9", "v10", "v11", "v13", "v14");                                               \
        return (count) * rounds;                                                                                    \
    }
#define FMA(n) "fmla v" #n ".4s, v13.4s, v14.4s\n\t"
#define SHUFFLE(n) "zip1 v" #n ".4s, v13.4s, v14.4s\n\t"
#define LOAD(n) "ldr q" #n ", [%[at]]\n\t"
BLOCK(fmas, TWELVE(FMA), 12)
BLOCK(others, TWELVE(SHUFFLE), 12)
BLOCK(loads, TWELVE(LOAD), 12)
BLOCK(stores, FOUR("str q1, [%[at]]\n\t"), 4)
BLOCK(chained_fmas, FOUR(FOUR(FMA(0))), 16)
#endif

/* Copies an array of a size in bytes to what lies as far behind it, by stores past the caches or by others, some times.
 * It begins at a cache line. */
#if defined(__AVX512F__)
#include <immintrin.h>
#define PAST(at, value) _mm512_stream_pd(at, (__m512d)(value))
#elif defined(__AVX__)
#include <immintrin.h>
#define PAST(at, value) _mm256_stream_pd(at, (__m256d)(value))
#else
#define PAST(at, value) *(numbers *)(at) = (value)
#endif
typedef double numbers __attribute__((vector_size(BYTES)));
#define COPYING(name, STORE)                                                                                         \
    int64_t name(int64_t rounds, void *data, int64_t size) {                                                         \
        const double *from = data;                                                                                   \
        double *to = (double *)data + size / 8;                                                                      \
        for (int64_t k = 0; k < rounds; ++k)                                                                         \
            for (int64_t i = 0; i < size / 8; i += BYTES / 8) STORE(to + i, *(const numbers *)(from + i));           \
        return rounds * size;                                                                                        \
    }
#define THROUGH(at, value) *(numbers *)(at) = (value)
COPYING(copying, THROUGH)
COPYING(copying_past, PAST)

/* Reads an array of a size in bytes, a cache line after the other, some times. */
int64_t reading(int64_t rounds, void *data, int64_t size) {
    double sums[8] = {0};
    const double *numbers = data;
    for (int64_t k = 0; k < rounds; ++k) {
        for (int64_t i = 0; i < size / 8; i += 8)
            for (int j = 0; j < 8; ++j) sums[j] += numbers[i + j];
        __asm__ volatile("" : : "r"(sums) : "memory");
    }
    return rounds * size;
}
