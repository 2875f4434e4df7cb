// Reads the stream of the live page over several connections, and discards it, until it is ended with SIGTERM.
//
//   viewers PORT COUNT TOKEN
//
// Prints a line when all streams have been answered, and at the end a line of JSON: the rows that each viewer received, bytes, and CPU
// seconds of this program. Status 1 if a connection fails.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

struct viewer {
    int descriptor;
    int64_t rows;
    size_t matched;  // of `mark`, at the end of what was read
    int answered;
};

// The start of a row. Its first byte does not occur again in it, so a mismatch restarts the search at that byte.
static const char mark[] = "\ndata: {";
static volatile sig_atomic_t ended;

static void end(int signal) { (void)signal; ended = 1; }

static void fail(const char *what) {
    perror(what);
    exit(1);
}

int main(int count_of_arguments, char **arguments) {
    if (count_of_arguments != 4) {
        fprintf(stderr, "usage: viewers PORT COUNT TOKEN\n");
        return 64;
    }
    int count = atoi(arguments[2]);
    struct viewer *viewers = calloc((size_t)count, sizeof(struct viewer));
    int poll = epoll_create1(0);
    if (!viewers || poll < 0) fail("viewers");
    struct sigaction action = {.sa_handler = end};
    sigaction(SIGTERM, &action, NULL);
    char request[1024];
    int length = snprintf(
        request, sizeof request, "GET /v1/stream HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nAuthorization: Bearer %s\r\n\r\n", arguments[1],
        arguments[3]);
    for (int index = 0; index < count; index++) {
        struct sockaddr_in address = {
            .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[1])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        viewers[index].descriptor = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(viewers[index].descriptor, (struct sockaddr *)&address, sizeof address)) fail("connect");
        if (write(viewers[index].descriptor, request, (size_t)length) != length) fail("write");
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = &viewers[index]};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, viewers[index].descriptor, &event)) fail("epoll_ctl");
    }
    static char buffer[1 << 18];
    int64_t bytes = 0;
    int answered = 0;
    while (!ended) {
        struct epoll_event events[64];
        int ready = epoll_wait(poll, events, 64, -1);
        if (ready < 0 && errno != EINTR) fail("epoll_wait");
        for (int index = 0; index < ready; index++) {
            struct viewer *viewer = events[index].data.ptr;
            ssize_t read_count = read(viewer->descriptor, buffer, sizeof buffer);
            if (read_count <= 0) {
                if (ended) break;
                fprintf(stderr, "viewers: a stream ended\n");
                return 1;
            }
            if (!viewer->answered) {
                if (memcmp(buffer, "HTTP/1.1 200", 12)) {
                    fprintf(stderr, "viewers: %.40s\n", buffer);
                    return 1;
                }
                viewer->answered = 1;
                if (++answered == count) {
                    printf("reading\n");
                    fflush(stdout);
                }
            }
            bytes += read_count;
            for (ssize_t at = 0; at < read_count; at++) {
                if (buffer[at] == mark[viewer->matched]) {
                    if (++viewer->matched == sizeof mark - 1) {
                        viewer->rows++;
                        viewer->matched = 0;
                    }
                } else {
                    viewer->matched = buffer[at] == mark[0];
                    if (!viewer->matched) {
                        // Skips to the next line feed.
                        const char *next = memchr(buffer + at, mark[0], (size_t)(read_count - at));
                        if (!next) break;
                        at = next - buffer - 1;
                    }
                }
            }
        }
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("{\"rows\":[");
    for (int index = 0; index < count; index++) printf(index ? ",%lld" : "%lld", (long long)viewers[index].rows);
    printf(
        "],\"bytes\":%lld,\"cpu\":%.3f}\n", (long long)bytes,
        (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6);
    return 0;
}
