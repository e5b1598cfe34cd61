/* Tile registers in memory, for kernels through MLIR: functions in the place of the processor's nine instructions. */
#include <stdint.h>
#include <string.h>

static __thread uint8_t configuration[64];
static __thread uint8_t registers[8][16][64];

static int rows(int tile) { return configuration[48 + tile]; }
static int row_bytes(int tile) { return configuration[16 + 2 * tile] | configuration[17 + 2 * tile] << 8; }

void emulated_ldtilecfg(const uint8_t *from) {
    memcpy(configuration, from, 64);
    memset(registers, 0, sizeof registers);
}

void emulated_tilerelease(void) { memset(configuration, 0, 64); }

void emulated_tilezero(int8_t tile) { memset(registers[tile & 7], 0, 1024); }

void emulated_tileloadd64(int8_t tile, const uint8_t *from, int64_t stride) {
    for (int row = 0; row < rows(tile & 7); row++) memcpy(registers[tile & 7][row], from + row * stride, row_bytes(tile & 7));
}

void emulated_tilestored64(int8_t tile, uint8_t *to, int64_t stride) {
    for (int row = 0; row < rows(tile & 7); row++) memcpy(to + row * stride, registers[tile & 7][row], row_bytes(tile & 7));
}

static float bf16(const uint8_t *at) {
    uint32_t bits = (uint32_t)(at[0] | at[1] << 8) << 16;
    float number;
    memcpy(&number, &bits, 4);
    return number;
}

static float f16(const uint8_t *at) {
    _Float16 number;
    memcpy(&number, at, 2);
    return number;
}

static float i8(const uint8_t *at) { return (int8_t)*at; }

static void dot(int sums, int left, int right, int group, int is_integer, float number(const uint8_t *)) {
    sums &= 7, left &= 7, right &= 7;
    int fits = rows(sums) > 0 && rows(sums) == rows(left) && row_bytes(sums) == row_bytes(right) &&
               row_bytes(left) == 4 * rows(right);
    for (int m = 0; m < rows(sums); m++)
        for (int n = 0; n < row_bytes(sums) / 4; n++) {
            uint8_t *place = registers[sums][m] + 4 * n;
            for (int k = 0; k < rows(right); k++)
                for (int part = 0; part < group; part++) {
                    int byte = part * 4 / group;
                    float a = number(registers[left][m] + 4 * k + byte), b = number(registers[right][k] + 4 * n + byte);
                    int32_t integer;
                    float real;
                    memcpy(&integer, place, 4), memcpy(&real, place, 4);
                    integer += (int32_t)a * (int32_t)b, real += a * b;
                    memcpy(place, is_integer ? (void *)&integer : (void *)&real, 4);
                }
            if (!fits) memset(place, 0xb3, 4);
        }
}

void emulated_tdpbf16ps(int8_t sums, int8_t left, int8_t right) { dot(sums, left, right, 2, 0, bf16); }
void emulated_tdpfp16ps(int8_t sums, int8_t left, int8_t right) { dot(sums, left, right, 2, 0, f16); }
void emulated_tdpbssd(int8_t sums, int8_t left, int8_t right) { dot(sums, left, right, 4, 1, i8); }
