/* Executes a kernel once, on the arrays that come by stdin, and writes these to stdout.
 *
 * What comes are words of 64 bits: the length of streaming vectors in bits, the numbers of work-groups and of
 * parameters, and for each of these how many items its group has (0 if it is a memref), the bytes of an item, its
 * number of modes, its sizes and its strides, as MLIR orders them; then the arrays. Where vectors have another length,
 * the status is 2.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void pytl_launch(int64_t first, int64_t last, int64_t groups, void **table);

/* The length of streaming vectors. */
static int64_t vector_bits(void) {
    register int64_t bytes __asm__("x0");
    __asm__(".inst 0x04bf5820" : "=r"(bytes)); /* rdsvl x0, #1, which older assemblers do not know */
    return 8 * bytes;
}

static void read_all(void *to, size_t size) {
    if (fread(to, 1, size, stdin) != size)
        exit(1);
}

static int64_t word(void) {
    int64_t number;
    read_all(&number, sizeof number);
    return number;
}

enum { MOST = 64 };

int main(void) {
    if (vector_bits() != word())
        return 2;
    int64_t groups = word(), count = word(), sizes[MOST];
    void *table[MOST], *memory[MOST];
    for (int n = 0; n < count; ++n) {
        int64_t items = word(), bytes = word(), modes = 2 * word(), each = items ? items : 1;
        int64_t *descriptor = malloc((3 + modes + 5) * 8);
        char *array = aligned_alloc(64, (sizes[n] = each * bytes) / 64 * 64 + 64);
        descriptor[0] = descriptor[1] = (int64_t)array;
        descriptor[2] = 0;
        for (int mode = 0; mode < modes; ++mode)
            descriptor[3 + mode] = word();
        if (items) { /* a memref of the addresses of its items, whose sizes are known */
            int64_t *addresses = malloc(items * 8);
            for (int item = 0; item < items; ++item)
                addresses[item] = (int64_t)array + item * bytes;
            descriptor[0] = descriptor[1] = (int64_t)addresses;
            descriptor[3] = items, descriptor[4] = 1;
        }
        table[n] = descriptor;
        memory[n] = array;
    }
    for (int n = 0; n < count; ++n)
        read_all(memory[n], sizes[n]);
    pytl_launch(0, groups, groups, table);
    for (int n = 0; n < count; ++n)
        fwrite(memory[n], 1, sizes[n], stdout);
    return 0;
}
