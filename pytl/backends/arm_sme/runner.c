/* What runs a kernel under QEMU.
 *
 *     runner N    N is the number of an open file: a header, the descriptors, and the memory of all arrays
 *
 * The file is mapped, the addresses in it, which count from its beginning, become the guest's, and the kernel is
 * called. A program that ends with status 0 has written 1 to the header's last word.
 */

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>

struct header {
    int64_t first, last, groups;       /* the work-groups to execute, and how many there are */
    int64_t table;                     /* where the addresses of the descriptors begin, in bytes */
    int64_t relocations, count;        /* where the places of all addresses are listed, as words of the file */
    int64_t done;
};

extern void pytl_launch(int64_t first, int64_t last, int64_t groups, void **table);

int main(int argc, char **argv) {
    struct rlimit none = {0, 0};
    struct stat status;
    int file = argc == 2 ? atoi(argv[1]) : -1;
    setrlimit(RLIMIT_CORE, &none); /* whoever calls reports a crash; the dump would be one of QEMU */
    if (file < 0 || fstat(file, &status) || status.st_size < (off_t)sizeof(struct header))
        return 100;
    char *memory = mmap(NULL, status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED)
        return 101;
    struct header *header = (struct header *)memory;
    int64_t *words = (int64_t *)memory, *places = (int64_t *)(memory + header->relocations);
    for (int64_t i = 0; i < header->count; ++i)
        words[places[i]] += (int64_t)(intptr_t)memory;
    pytl_launch(header->first, header->last, header->groups, (void **)(memory + header->table));
    header->done = 1;
    return 0;
}
