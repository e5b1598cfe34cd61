/* Sets a row of ZA, lets the support routines save it as a callee would, overwrites it, restores it: status 0. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct block { void *buffer; uint16_t slices; uint8_t reserved[6]; };

extern void __arm_tpidr2_restore(struct block *);

int main(void) {
    static uint8_t buffer[256 * 256], row[256], after[256];
    struct block block = {buffer, 0, {0}};
    uint64_t length;
    for (int i = 0; i < 256; ++i)
        row[i] = (uint8_t)(i + 1);
    __asm__ volatile(".inst 0x04bf5829\n mov %0, x9\n" : "=r"(length) : : "x9"); /* rdsvl x9, #1 */
    block.slices = (uint16_t)length;
    __asm__ volatile(
        ".inst 0xd503457f\n" /* smstart za */
        "mov w15, #3\n mov x16, %0\n"
        ".inst 0xe1006200\n" /* ldr za[w15, 0], [x16] */
        "msr s3_3_c13_c0_5, %1\n"
        "bl __arm_za_disable\n"
        ".inst 0xd503457f\n" /* smstart za, which clears it */
        :
        : "r"(row), "r"(&block)
        : "x14", "x15", "x16", "x17", "x30", "memory");
    __arm_tpidr2_restore(&block);
    __asm__ volatile(
        "mov w15, #3\n mov x16, %0\n"
        ".inst 0xe1206200\n" /* str za[w15, 0], [x16] */
        ".inst 0xd503447f\n" /* smstop za */
        :
        : "r"(after)
        : "x15", "x16", "memory");
    return memcmp(row, after, length) != 0 || length < 16;
}
