/* What a kernel for an Intel GPU calls, on threads: one for each work-item, with sub-groups that meet at barriers.

   Block reads and writes and the products of matrices are those of the OpenCL extensions
   cl_intel_subgroup_2d_block_io and cl_intel_subgroup_matrix_multiply_accumulate. */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MOST 1024

typedef void (*Entry)(long *arguments, char *local);

typedef struct {
  Entry entry;
  long *arguments;
  char *local;
  int groups, items, lanes, number;
} Start;

static __thread int item, lane, subgroup, group;
static int lanes, items, groups;
static pthread_barrier_t all, each[MOST];
static char shared[MOST][256];

static void meet(void) { pthread_barrier_wait(&each[subgroup]); }

unsigned _Z22get_sub_group_local_id(void) { return lane; }
unsigned _Z16get_sub_group_id(void) { return subgroup; }
unsigned long _Z12get_local_idj(unsigned mode) { return mode ? 0 : item; }
unsigned long _Z12get_group_idj(unsigned mode) { return mode ? 0 : group; }
unsigned long _Z14get_num_groupsj(unsigned mode) { return mode ? 1 : groups; }
void _Z7barrierj(unsigned flags) { pthread_barrier_wait(&all); }
void _Z22atomic_work_item_fenceiii(int flags, int order, int scope) { __sync_synchronize(); }

/* Sub-groups: every lane shows its value, and takes another's. */

static void show(const void *value, int bytes) {
  memcpy(shared[item], value, bytes);
  meet();
}

static void take(void *value, int bytes, int from) {
  memcpy(value, shared[subgroup * lanes + (from & (lanes - 1))], bytes);
  meet();
}

#define SHUFFLE(type, letter)                                                                                          \
  type _Z17sub_group_shuffle##letter##j(type value, unsigned from) {                                                   \
    show(&value, sizeof value);                                                                                        \
    take(&value, sizeof value, from);                                                                                  \
    return value;                                                                                                      \
  }                                                                                                                    \
  type _Z20sub_group_shuffle_up##letter##j(type value, unsigned distance) {                                            \
    show(&value, sizeof value);                                                                                        \
    take(&value, sizeof value, lane - (int)distance);                                                                  \
    return value;                                                                                                      \
  }                                                                                                                    \
  type _Z21sub_group_shuffle_xor##letter##j(type value, unsigned mask) {                                               \
    show(&value, sizeof value);                                                                                        \
    take(&value, sizeof value, lane ^ (int)mask);                                                                      \
    return value;                                                                                                      \
  }

SHUFFLE(int, i)
SHUFFLE(long, l)
SHUFFLE(float, f)
SHUFFLE(double, d)

/* Blocks: width and pitch in bytes, the position in elements and rows. */

enum { READ, WRITE, TRANSFORM, TRANSPOSE };

static int faults;
int xe_faults(void) { return faults; }

void xe_block(char *base, int width, int height, int pitch, int x, int y, char *data, int bytes, int rows, int columns,
              int kind) {
  if ((long)base % 64 || width < 64 || width % 4 || pitch < 64 || pitch % 16 || pitch < width || (x * bytes) % 4)
    __sync_fetch_and_add(&faults, 1);
  int across = kind == TRANSPOSE ? rows / 16 : columns / 16, along = kind == TRANSPOSE ? columns : rows;
  for (int i = 0; i < along; ++i)
    for (int j = 0; j < across; ++j) {
      int own = lane * across + j;
      int row = y + (kind == TRANSPOSE ? own : i), column = x + (kind == TRANSPOSE ? i : own);
      char *number = data + (i * across + j) * bytes;
      int is_within = row >= 0 && row < height && column >= 0 && (column + 1) * bytes <= width;
      char *place = base + (long)row * pitch + (long)column * bytes;
      if (kind == WRITE) {
        if (is_within)
          memcpy(place, number, bytes);
      } else if (is_within)
        memcpy(number, place, bytes);
      else
        memset(number, 0, bytes);
    }
  if (kind == WRITE)
    meet(); /* what a sub-group writes, it reads afterwards */
}

/* Products. */

enum { F16, BF16, S8, F32, I32 };

static float wide(const char *number, int kind) {
  if (kind == F16) {
    _Float16 found;
    memcpy(&found, number, 2);
    return (float)found;
  }
  unsigned bits = 0;
  float found;
  memcpy((char *)&bits + 2, number, 2);
  memcpy(&found, &bits, 4);
  return found;
}

static void narrow(char *number, float value, int kind) {
  if (kind == F16) {
    _Float16 found = (_Float16)value;
    memcpy(number, &found, 2);
    return;
  }
  unsigned bits;
  memcpy(&bits, &value, 4);
  bits += 0x7FFF + ((bits >> 16) & 1);
  memcpy(number, (char *)&bits + 2, 2);
}

void xe_dpas(const char *a, const char *b, char *c, int repeats, int kind, int sums) {
  int bytes = kind == S8 ? 1 : 2, per = 2 / bytes, depth = 16 * per;
  memcpy(shared[item], a, repeats * 2);
  meet();
  for (int row = 0; row < repeats; ++row) {
    float total = 0;
    int whole = 0;
    for (int k = 0; k < depth; ++k) {
      const char *left = shared[subgroup * lanes + k / per] + row * 2 + k % per * bytes, *right = b + k * bytes;
      if (kind == S8)
        whole += *(const signed char *)left * *(const signed char *)right;
      else
        total += wide(left, kind) * wide(right, kind);
    }
    if (sums == I32)
      ((int *)c)[row] += whole;
    else if (sums == F32)
      ((float *)c)[row] += total;
    else
      narrow(c + 2 * row, wide(c + 2 * row, sums) + total, sums);
  }
  meet();
}

/* A launch. */

static void *work(void *given) {
  Start *start = given;
  item = start->number, lane = item % lanes, subgroup = item / lanes;
  for (group = 0; group < groups; ++group) {
    start->entry(start->arguments, start->local);
    pthread_barrier_wait(&all);
  }
  return 0;
}

void xe_run(Entry entry, long *arguments, int many_groups, int many_items, int many_lanes, int local_bytes) {
  pthread_t threads[MOST];
  Start starts[MOST];
  char *local = calloc(1, local_bytes + 64);
  groups = many_groups, items = many_items, lanes = many_lanes;
  pthread_barrier_init(&all, 0, items);
  for (int i = 0; i < items / lanes; ++i)
    pthread_barrier_init(&each[i], 0, lanes);
  for (int i = 0; i < items; ++i) {
    starts[i] = (Start){entry, arguments, local, groups, items, lanes, i};
    pthread_create(&threads[i], 0, work, &starts[i]);
  }
  for (int i = 0; i < items; ++i)
    pthread_join(threads[i], 0);
  free(local);
}
