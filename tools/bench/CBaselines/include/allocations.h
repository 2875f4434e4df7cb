#ifndef CBASELINES_ALLOCATIONS_H
#define CBASELINES_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this build intercepts the allocator (glibc only).
bool allocations_can_be_counted(void);

/// From here on, each block that the calling thread takes from the heap counts.
void allocations_start(void);

/// Ends counting on the calling thread, and says how many blocks it took since `allocations_start`.
int64_t allocations_stop(void);

/// The heap's bytes in use, those for its own bookkeeping included.
int64_t allocated_bytes(void);

#endif
