// SwiftPM builds no C target without a source file: everything is in the header.
#include "catomics.h"

_Static_assert(__atomic_always_lock_free(sizeof(uint64_t), 0), "processes share these words: no lock may guard them");
