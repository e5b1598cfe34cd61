/* What code in streaming mode calls beside the C library. */

#include <stddef.h>
#include <stdint.h>

/* Copies in streaming mode, where the C library's, which use Advanced SIMD, are illegal. */

#define SCALAR __attribute__((target("general-regs-only"), visibility("hidden")))
#define STEP __asm__ volatile("" ::: "memory") /* keeps the loop from becoming a call of memcpy */

SCALAR void *__arm_sc_memcpy(void *to, const void *from, size_t size) {
    for (size_t i = 0; i < size; ++i) {
        ((char *)to)[i] = ((const char *)from)[i];
        STEP;
    }
    return to;
}

SCALAR void *__arm_sc_memmove(void *to, const void *from, size_t size) {
    if ((uintptr_t)to - (uintptr_t)from >= size)
        return __arm_sc_memcpy(to, from, size);
    for (size_t i = size; i > 0; --i) {
        ((char *)to)[i - 1] = ((const char *)from)[i - 1];
        STEP;
    }
    return to;
}

SCALAR void *__arm_sc_memset(void *to, int value, size_t size) {
    for (size_t i = 0; i < size; ++i) {
        ((char *)to)[i] = (char)value;
        STEP;
    }
    return to;
}

/* The support routines of "Procedure Call Standard for the Arm 64-bit Architecture", SME, which libgcc has from 14 on.
 * They preserve all registers but x0, x1 and x14 to x17, as is demanded. Older assemblers know neither the
 * instructions nor TPIDR2_EL0 (s3_3_c13_c0_5) and SVCR (s3_3_c4_c2_2), so these are written as numbers. */
#ifdef __APPLE__ /* Mach-O */
#define SYMBOL(name) "_" name
#define HIDDEN(name) "   .private_extern _" name "\n"
#else
#define SYMBOL(name) name
#define HIDDEN(name) "   .hidden " name "\n   .type " name ", %function\n"
#endif
#define ROUTINE(name) "   .globl " SYMBOL(name) "\n" HIDDEN(name) "   .balign 4\n" SYMBOL(name) ":\n"
/* Moves all slices of ZA, by an instruction on x16 and the slice w15, and returns. The buffer is that of a block, whose
 * address a register has: bytes 0-7 the buffer, 8-9 the slices. */
#define MOVE_SLICES(block, move) \
    "   ldr x16, [" block "]\n" \
    "   ldrh w17, [" block ", #8]\n" \
    "   mov w15, wzr\n" \
    "   .inst 0x04bf582e\n" /* rdsvl x14, #1 */ \
    "1: cmp w15, w17\n" \
    "   b.hs 2f\n" \
    "   .inst " move "\n" \
    "   add x16, x16, x14\n" \
    "   add w15, w15, #1\n" \
    "   b 1b\n" \
    "2: ret\n"
#define STORE_SLICE "0xe1206200" /* str za[w15, 0], [x16] */
#define LOAD_SLICE "0xe1006200" /* ldr za[w15, 0], [x16] */

__asm__(
    "   .text\n"

    /* Save ZA to the buffer of the block that TPIDR2 points to, if it does. */
    ROUTINE("__arm_tpidr2_save")
    "   mrs x14, s3_3_c13_c0_5\n"
    "   cbz x14, 2f\n"
    MOVE_SLICES("x14", STORE_SLICE)

    /* Load ZA from the block in x0; a save that is pending is a mistake of the caller. */
    ROUTINE("__arm_tpidr2_restore")
    "   mrs x14, s3_3_c13_c0_5\n"
    "   cbnz x14, 3f\n"
    MOVE_SLICES("x0", LOAD_SLICE)
    "3: brk #1\n"

    /* Save ZA if that is pending, and turn it off. */
    ROUTINE("__arm_za_disable")
    "   stp x29, x30, [sp, #-16]!\n"
    "   mov x29, sp\n"
    "   bl " SYMBOL("__arm_tpidr2_save") "\n"
    "   msr s3_3_c13_c0_5, xzr\n"
    "   .inst 0xd503447f\n" /* smstop za */
    "   ldp x29, x30, [sp], #16\n"
    "   ret\n"

    /* x0: bit 63 that there is SME, bit 62 that there is TPIDR2, bits 0 and 1 streaming mode and ZA; x1: TPIDR2. */
    ROUTINE("__arm_sme_state")
    "   mrs x0, s3_3_c4_c2_2\n"
    "   and x0, x0, #3\n"
    "   orr x0, x0, #0xc000000000000000\n"
    "   mrs x1, s3_3_c13_c0_5\n"
    "   ret\n"

    /* The length of vectors as they are now, in words of 64 bits. */
    ROUTINE("__arm_get_current_vg")
    "   .inst 0x04e0e3e0\n" /* cntd x0 */
    "   ret\n");
