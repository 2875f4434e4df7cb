#ifndef THREAD_STACK_H
#define THREAD_STACK_H

#include <stdint.h>

/// The lowest address of the calling thread's stack; 0 if the system does not tell.
uintptr_t thread_stack_lowest_address(void);

/// Where the calling thread's stack is now. Not the address of a variable: a sanitizer keeps those elsewhere.
static inline uintptr_t thread_stack_position(void) { return (uintptr_t)__builtin_frame_address(0); }

#endif
