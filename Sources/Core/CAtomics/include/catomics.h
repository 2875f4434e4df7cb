#ifndef CATOMICS_H
#define CATOMICS_H

#include <stdbool.h>
#include <stdint.h>

// Atomic operations on 64-bit words, which Swift code inlines. The words are plain memory, aligned to eight bytes,
// possibly in a file that several processes map.
//
// Callers pass constant orders, so that each call becomes one instruction. Sanitizers recognize the compiler's own
// atomic operations.
#define CATOMICS_INLINE static inline __attribute__((always_inline))

enum {
    catomics_relaxed = __ATOMIC_RELAXED,
    catomics_acquire = __ATOMIC_ACQUIRE,
    catomics_release = __ATOMIC_RELEASE,
    catomics_acquire_release = __ATOMIC_ACQ_REL,
    catomics_sequential = __ATOMIC_SEQ_CST,
};

// Loads and stores are in nearly every function of the hot path. One function per order avoids branches that would keep
// Swift's optimizer from inlining their callers.
CATOMICS_INLINE uint64_t catomics_load_relaxed(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }
CATOMICS_INLINE uint64_t catomics_load_acquire(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }
CATOMICS_INLINE uint64_t catomics_load_sequential(const uint64_t *word) {
    return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

CATOMICS_INLINE void catomics_store_relaxed(uint64_t *word, uint64_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}
CATOMICS_INLINE void catomics_store_release(uint64_t *word, uint64_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
CATOMICS_INLINE void catomics_store_sequential(uint64_t *word, uint64_t value) {
    __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

CATOMICS_INLINE uint64_t catomics_exchange(uint64_t *word, uint64_t value, int order) {
    return __atomic_exchange_n(word, value, order);
}

/// Stores `desired` if the word is `*expected`. `*expected` becomes the previous value.
CATOMICS_INLINE bool catomics_compare_exchange(
    uint64_t *word, uint64_t *expected, uint64_t desired, int success, int failure) {
    return __atomic_compare_exchange_n(word, expected, desired, false, success, failure);
}

/// Like the strong exchange above, but may fail spuriously: cheaper in a loop.
CATOMICS_INLINE bool catomics_weak_compare_exchange(
    uint64_t *word, uint64_t *expected, uint64_t desired, int success, int failure) {
    return __atomic_compare_exchange_n(word, expected, desired, true, success, failure);
}

/// Adds with wraparound, and returns the previous value, like the next two functions.
CATOMICS_INLINE uint64_t catomics_add(uint64_t *word, uint64_t value, int order) {
    return __atomic_fetch_add(word, value, order);
}

CATOMICS_INLINE uint64_t catomics_or(uint64_t *word, uint64_t bits, int order) {
    return __atomic_fetch_or(word, bits, order);
}

CATOMICS_INLINE uint64_t catomics_and(uint64_t *word, uint64_t bits, int order) {
    return __atomic_fetch_and(word, bits, order);
}

/// Starts to load an address into the processor's cache, without waiting. The address may be invalid.
CATOMICS_INLINE void catomics_prefetch(uintptr_t address) { __builtin_prefetch((const void *)address); }

#endif
