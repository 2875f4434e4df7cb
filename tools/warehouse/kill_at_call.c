// Kills its process at a call that changes files: before the call, or when half of a write is done. Loaded with LD_PRELOAD; programs
// that the process starts are not killed.
//
//   KILL_AT_CALL      the number of the call, from 1
//   KILL_WITH_SYNCS   also counts fsync, at which a kill leaves the same contents as at the next other call

#define _GNU_SOURCE
#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long left;
static int with_syncs;

__attribute__((constructor)) static void begin(void) {
    const char *number = getenv("KILL_AT_CALL");
    left = number ? atol(number) : 0;
    with_syncs = getenv("KILL_WITH_SYNCS") != NULL;
    unsetenv("LD_PRELOAD");
}

static int is_last(void) { return atomic_fetch_sub(&left, 1) == 1; }

static void die(void) { kill(getpid(), SIGKILL); }

#define BEFORE(name, arguments, ...)                                     \
    int name arguments {                                                 \
        if (is_last()) die();                                            \
        return ((int (*) arguments)dlsym(RTLD_NEXT, #name))(__VA_ARGS__); \
    }

BEFORE(mkdir, (const char *path, mode_t mode), path, mode)
BEFORE(rename, (const char *path, const char *other), path, other)
BEFORE(link, (const char *path, const char *other), path, other)
BEFORE(unlink, (const char *path), path)
BEFORE(rmdir, (const char *path), path)

int fsync(int descriptor) {
    if (with_syncs && is_last()) die();
    return (int)syscall(SYS_fsync, descriptor);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    struct stat status;
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && is_last()) {
        syscall(SYS_write, descriptor, bytes, count / 2);
        die();
    }
    return syscall(SYS_write, descriptor, bytes, count);
}
