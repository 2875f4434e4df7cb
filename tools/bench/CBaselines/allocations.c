#include "allocations.h"

#include <stddef.h>
#include <stdlib.h>

#if defined(__GLIBC__)

#include <errno.h>
#include <malloc.h>

// glibc's own allocator under its second names. The definitions below take the place of the first names in the
// whole process, the shared libraries included.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// A plain thread-local of the executable: reading it allocates nothing itself.
static __thread bool is_counting;
static __thread int64_t blocks;

static inline void count(void) {
    if (is_counting) {
        blocks += 1;
    }
}

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count();
    return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size) {
    count();
    return __libc_realloc(block, size);
}

void *memalign(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size) {
    count();
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) {
        return EINVAL;
    }
    void *made = __libc_memalign(alignment, size);
    if (made == NULL) {
        return ENOMEM;
    }
    *block = made;
    return 0;
}

bool allocations_can_be_counted(void) { return true; }

void allocations_start(void) {
    blocks = 0;
    is_counting = true;
}

int64_t allocations_stop(void) {
    is_counting = false;
    return blocks;
}

int64_t allocated_bytes(void) {
    struct mallinfo2 heap = mallinfo2();
    return (int64_t)(heap.uordblks + heap.hblkhd);
}

#else

bool allocations_can_be_counted(void) { return false; }
void allocations_start(void) {}
int64_t allocations_stop(void) { return 0; }
int64_t allocated_bytes(void) { return 0; }

#endif
