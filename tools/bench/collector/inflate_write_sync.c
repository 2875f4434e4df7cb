// The least that durable acceptance costs: inflates each request's body, writes it, and syncs once for as many requests as a
// group has.
//
//   inflate_write_sync FILE OUT GROUP
//
// FILE holds requests as make_requests.py writes them. Prints a line of JSON: seconds, CPU seconds, requests, bytes of lines.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

static void fail(const char *what) {
    perror(what);
    exit(1);
}

int main(int count, char **arguments) {
    if (count < 4) return 64;
    int in = open(arguments[1], O_RDONLY), out = open(arguments[2], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    int group = atoi(arguments[3]);
    struct stat status;
    if (in < 0 || out < 0 || fstat(in, &status)) fail("open");
    const unsigned char *file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, in, 0);
    if (file == MAP_FAILED) fail("mmap");
    static unsigned char plain[1 << 20];
    struct timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    long requests = 0, bytes = 0;
    z_stream stream = {0};
    if (inflateInit2(&stream, 31) != Z_OK) return 1;
    for (off_t place = 0; place < status.st_size;) {
        uint32_t length;
        memcpy(&length, file + place, 4);
        const unsigned char *request = file + place + 4;
        const unsigned char *body = memmem(request, length, "\r\n\r\n", 4);
        if (!body) return 1;
        body += 4;
        size_t rest = (size_t)(request + length - body);
        const unsigned char *text = body;
        size_t text_length = rest;
        if (rest > 2 && body[0] == 0x1f && body[1] == 0x8b) {
            inflateReset(&stream);
            stream.next_in = (unsigned char *)body;
            stream.avail_in = (unsigned)rest;
            stream.next_out = plain;
            stream.avail_out = sizeof plain;
            if (inflate(&stream, Z_FINISH) != Z_STREAM_END) return 1;
            text = plain;
            text_length = stream.total_out;
        }
        if (write(out, text, text_length) != (ssize_t)text_length) fail("write");
        bytes += (long)text_length;
        if (++requests % group == 0 && fdatasync(out)) fail("fdatasync");
        place += 4 + length;
    }
    if (fdatasync(out)) fail("fdatasync");
    clock_gettime(CLOCK_MONOTONIC, &end);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf(
        "{\"seconds\":%.6f,\"cpu_seconds\":%.6f,\"requests\":%ld,\"bytes\":%ld}\n",
        (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9,
        (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6,
        requests, bytes);
    return 0;
}
