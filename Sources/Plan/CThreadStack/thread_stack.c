// pthread_getattr_np is declared only for those who ask for GNU's additions, which Swift's modules do not.
#define _GNU_SOURCE
#include "thread_stack.h"

#include <pthread.h>

uintptr_t thread_stack_lowest_address(void) {
#if defined(__APPLE__)
    pthread_t thread = pthread_self();
    return (uintptr_t)pthread_get_stackaddr_np(thread) - pthread_get_stacksize_np(thread);
#elif defined(__linux__)
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
    void *address = 0;
    size_t size = 0;
    int failed = pthread_attr_getstack(&attributes, &address, &size);
    pthread_attr_destroy(&attributes);
    return failed ? 0 : (uintptr_t)address;
#else
    return 0;
#endif
}
