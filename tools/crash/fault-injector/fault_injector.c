// Makes system calls on the files of one folder fall short or fail, as strace cannot: loaded with LD_PRELOAD.
//
//   CRASH_FAULT_CALL    pwrite64, write, fsync, fdatasync or mmap
//   CRASH_FAULT_ERROR   an error's number; 0 to write only half of what was asked for
//   CRASH_FAULT_FOLDER  the folder, as an absolute path
//   CRASH_FAULT_FIRST   the first call that is struck, from 1
//   CRASH_FAULT_STEP    then each so many calls; 0 for never again
//   CRASH_FAULT_DELAY   how long each write lasts longer, in microseconds; a sync ten times as long
//
// Each time it strikes it says so on standard error.

#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

static int is_in_folder(int descriptor) {
    char link[64], path[4096];
    const char *folder = getenv("CRASH_FAULT_FOLDER");
    if (!folder || descriptor < 0) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length <= 0) return 0;
    path[length] = 0;
    return strncmp(path, folder, strlen(folder)) == 0;
}

static void delay(int descriptor, int factor) {
    long microseconds = number("CRASH_FAULT_DELAY");
    if (microseconds > 0 && is_in_folder(descriptor)) usleep((useconds_t)(microseconds * factor));
}

static int strikes(const char *call, int descriptor) {
    const char *chosen = getenv("CRASH_FAULT_CALL");
    if (!chosen || strcmp(chosen, call) != 0 || !is_in_folder(descriptor)) return 0;
    long count = atomic_fetch_add(&calls, 1) + 1 - number("CRASH_FAULT_FIRST");
    long step = number("CRASH_FAULT_STEP");
    if (count < 0 || (count > 0 && (step == 0 || count % step != 0))) return 0;
    dprintf(STDERR_FILENO, "fault-injector: %s INJECTED\n", call);
    return 1;
}

// Whether a call fails; errno is set then.
static int fails(const char *call, int descriptor) {
    if (!strikes(call, descriptor)) return 0;
    errno = (int)number("CRASH_FAULT_ERROR");
    return 1;
}

// What a write is to write: all, half, or nothing, and -1, after an error.
static ssize_t share(const char *call, int descriptor, size_t count) {
    if (count <= 1 || !strikes(call, descriptor)) return (ssize_t)count;
    int error = (int)number("CRASH_FAULT_ERROR");
    if (!error) return (ssize_t)(count / 2);
    errno = error;
    return -1;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
    delay(descriptor, 1);
    ssize_t share_ = share("pwrite64", descriptor, count);
    return share_ < 0 ? -1 : syscall(SYS_pwrite64, descriptor, bytes, share_, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return pwrite64(descriptor, bytes, count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    delay(descriptor, 1);
    ssize_t share_ = share("write", descriptor, count);
    return share_ < 0 ? -1 : syscall(SYS_write, descriptor, bytes, share_);
}

int fsync(int descriptor) {
    delay(descriptor, 10);
    return fails("fsync", descriptor) ? -1 : (int)syscall(SYS_fsync, descriptor);
}

int fdatasync(int descriptor) {
    delay(descriptor, 10);
    return fails("fdatasync", descriptor) ? -1 : (int)syscall(SYS_fdatasync, descriptor);
}

void *mmap64(void *address, size_t length, int protection, int flags, int descriptor, off64_t offset) {
    if (descriptor >= 0 && fails("mmap", descriptor)) return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
}

void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
    return mmap64(address, length, protection, flags, descriptor, offset);
}
