/* A plugin of QEMU's: counts the instructions that a program executes at addresses from `lo` up to `hi`.
 *
 * Debian packages no header of QEMU's plugins. What stands here is what it declares of what is used: eight functions,
 * two types that nobody looks into, and an enumeration's first value, in the form that QEMU 4.2 to 10 have in common.
 * PLUGIN_VERSION is that of the interface: 1 up to QEMU 8, and 2, the lowest that is accepted, from QEMU 9 on.
 */

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
void qemu_plugin_register_vcpu_insn_exec_cb(
    struct qemu_plugin_insn *, void (*)(unsigned, void *), enum qemu_plugin_cb_flags, void *
);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void *), void *);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);

EXPORT int qemu_plugin_version = PLUGIN_VERSION;

static uint64_t count, lo, hi; /* the program has one thread */

static void executed(unsigned processor, void *data) { ++count; }

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); ++i) {
        struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);
        uint64_t address = qemu_plugin_insn_vaddr(instruction);
        if (lo <= address && address < hi)
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, executed, QEMU_PLUGIN_CB_NO_REGS, NULL);
    }
}

static void ended(qemu_plugin_id_t id, void *data) { fprintf(stderr, "executed %" PRIu64 "\n", count); }

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv) {
    for (int i = 0; i < argc; ++i) {
        if (!strncmp(argv[i], "lo=", 3))
            lo = strtoull(argv[i] + 3, NULL, 16);
        if (!strncmp(argv[i], "hi=", 3))
            hi = strtoull(argv[i] + 3, NULL, 16);
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
