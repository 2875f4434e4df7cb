// Preloaded: adds offsets from a file to the wall clock and to the boot clock of a process. Linux only.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

// Seconds: the wall clock's, the boot clock's.
static const volatile long *offsets(void) {
    static const volatile long none[2], *mapped;
    if (mapped) return mapped;
    const char *path = getenv("CLOCK_OFFSETS");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return none;
    void *bytes = mmap(NULL, sizeof none, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    return bytes == MAP_FAILED ? none : (mapped = bytes);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += offsets()[0];
    if (result == 0 && clock == CLOCK_BOOTTIME) time->tv_sec += offsets()[1];
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}
