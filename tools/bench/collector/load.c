// Sends the requests of a file over keep-alive connections, one at a time on each, and times every answer.
//
//   load PORT CONNECTIONS FILE [RATE]
//
// FILE holds requests as make_requests.py writes them. RATE is requests a second for all connections together; without it each
// connection sends as soon as it has its answer. With RATE, a latency counts from the time at which the request was due, so a
// stalled server can't hide what it delayed. Prints a line of JSON: seconds, requests, answers by status, latency in
// microseconds at p50, p99 and the maximum, CPU seconds of this program. Status 1 if a connection fails.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

struct connection {
    int descriptor;
    const char *request;
    size_t length, sent, received, expected;
    int64_t due;
    char head[65536];
};

static const char *file;
static size_t file_length, position;
static int64_t start, sent_count, answer_count, rate;
static int64_t *latencies;
static size_t latency_room;
static int64_t statuses[600];

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void fail(const char *what) {
    fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int64_t due_time(void) { return rate ? start + sent_count * 1000000000LL / rate : now(); }

static int begin(struct connection *connection) {
    if (position >= file_length) return 0;
    uint32_t length;
    memcpy(&length, file + position, 4);
    connection->request = file + position + 4;
    connection->length = length;
    connection->due = due_time();
    connection->sent = connection->received = connection->expected = 0;
    position += 4 + length;
    sent_count++;
    return 1;
}

static void write_more(struct connection *connection) {
    while (connection->sent < connection->length) {
        ssize_t count = write(
            connection->descriptor, connection->request + connection->sent, connection->length - connection->sent);
        if (count < 0) {
            if (errno == EAGAIN) return;
            fail("write");
        }
        connection->sent += (size_t)count;
    }
}

// Whether the answer is whole.
static int read_more(struct connection *connection) {
    while (1) {
        size_t room = sizeof connection->head - 1 - connection->received;
        if (room == 0) {
            errno = EMSGSIZE;
            fail("an answer is longer than 64 KiB");
        }
        ssize_t count = read(connection->descriptor, connection->head + connection->received, room);
        if (count == 0) {
            errno = ECONNRESET;
            fail("the server closed a connection");
        }
        if (count < 0) {
            if (errno == EAGAIN) return 0;
            fail("read");
        }
        connection->received += (size_t)count;
        connection->head[connection->received] = 0;
        if (!connection->expected) {
            char *end = strstr(connection->head, "\r\n\r\n");
            if (!end) continue;
            char *field = strcasestr(connection->head, "\r\ncontent-length:");
            if (!field || field > end) {
                errno = EPROTO;
                fail("an answer has no Content-Length");
            }
            connection->expected = (size_t)(end + 4 - connection->head) + strtoul(field + 17, NULL, 10);
        }
        if (connection->received >= connection->expected) {
            int status = atoi(connection->head + 9);
            statuses[status > 0 && status < 600 ? status : 0]++;
            latencies[answer_count++] = now() - connection->due;
            return 1;
        }
    }
}

static int compare(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

int main(int count, char **arguments) {
    if (count < 4) {
        fprintf(stderr, "usage: load PORT CONNECTIONS FILE [RATE]\n");
        return 64;
    }
    int connections = atoi(arguments[2]);
    rate = count > 4 ? atoll(arguments[4]) : 0;
    int descriptor = open(arguments[3], O_RDONLY);
    struct stat status;
    if (descriptor < 0 || fstat(descriptor, &status)) fail(arguments[3]);
    file_length = (size_t)status.st_size;
    file = mmap(NULL, file_length, PROT_READ, MAP_PRIVATE | MAP_POPULATE, descriptor, 0);
    if (file == MAP_FAILED) fail("mmap");
    for (size_t place = 0; place < file_length; latency_room++) {
        uint32_t length;
        memcpy(&length, file + place, 4);
        place += 4 + length;
    }
    latencies = calloc(latency_room, sizeof *latencies);
    struct connection *all = calloc((size_t)connections, sizeof *all);
    int poll = epoll_create1(0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[1]))};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int i = 0; i < connections; i++) {
        all[i].descriptor = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(all[i].descriptor, (struct sockaddr *)&address, sizeof address)) fail("connect");
        int one = 1;
        setsockopt(all[i].descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        fcntl(all[i].descriptor, F_SETFL, O_NONBLOCK);
        struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLET, .data.ptr = &all[i]};
        if (epoll_ctl(poll, EPOLL_CTL_ADD, all[i].descriptor, &event)) fail("epoll_ctl");
    }
    int timer = -1;
    if (rate) {
        timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
        if (timer < 0 || epoll_ctl(poll, EPOLL_CTL_ADD, timer, &event)) fail("timerfd");
    }
    start = now();
    // A queue of connections without a request, for a run at a rate. The next request is sent on the one that waits longest: the
    // server closes connections that are never used.
    struct connection **idle = calloc((size_t)connections, sizeof *idle);
    int idle_first = 0, idle_count = 0;
    for (int i = connections - 1; i >= 0; i--) {
        if (rate) {
            idle[idle_count++] = &all[i];
        } else if (begin(&all[i])) {
            write_more(&all[i]);
        }
    }
    while (answer_count < (int64_t)latency_room) {
        if (rate) {
            while (idle_count && position < file_length && due_time() <= now()) {
                struct connection *next = idle[idle_first];
                idle_first = (idle_first + 1) % connections;
                idle_count--;
                begin(next);
                write_more(next);
            }
            if (idle_count && position < file_length) {
                int64_t due = due_time();
                struct itimerspec when = {.it_value = {due / 1000000000, due % 1000000000}};
                timerfd_settime(timer, TFD_TIMER_ABSTIME, &when, NULL);
            }
        }
        struct epoll_event events[256];
        int ready = epoll_wait(poll, events, 256, 30000);
        if (ready < 0 && errno == EINTR) continue;
        if (ready == 0) {
            errno = ETIMEDOUT;
            fail("no answer for 30 s");
        }
        for (int i = 0; i < ready; i++) {
            struct connection *connection = events[i].data.ptr;
            if (!connection) {
                uint64_t expirations;
                ssize_t ignored = read(timer, &expirations, sizeof expirations);
                (void)ignored;
                continue;
            }
            if (!connection->request) continue;
            if (connection->sent < connection->length) write_more(connection);
            while (connection->request && read_more(connection)) {
                connection->request = NULL;
                if (rate) {
                    idle[(idle_first + idle_count++) % connections] = connection;
                } else if (begin(connection)) {
                    write_more(connection);
                }
            }
        }
    }
    double seconds = (double)(now() - start) / 1e9;
    qsort(latencies, (size_t)answer_count, sizeof *latencies, compare);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("{\"seconds\":%.6f,\"requests\":%lld,\"statuses\":{", seconds, (long long)answer_count);
    const char *comma = "";
    for (int i = 0; i < 600; i++) {
        if (!statuses[i]) continue;
        printf("%s\"%d\":%lld", comma, i, (long long)statuses[i]);
        comma = ",";
    }
    printf(
        "},\"p50_us\":%.1f,\"p99_us\":%.1f,\"max_us\":%.1f,\"cpu_seconds\":%.3f}\n", (double)latencies[answer_count / 2] / 1e3,
        (double)latencies[answer_count * 99 / 100] / 1e3, (double)latencies[answer_count - 1] / 1e3,
        (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6);
    return 0;
}
