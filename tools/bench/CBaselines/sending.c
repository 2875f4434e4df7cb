#define _GNU_SOURCE
#include "sending.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define HEADER_SIZE 4096
#define RECORD_HEADER_SIZE 56
#define LONGEST_NAME 255

// The words of the ring's header and of the control file that an append touches, each on a cache line of its own.
struct words {
    _Alignas(64) uint64_t head;
    _Alignas(64) uint64_t tail;
    _Alignas(64) uint64_t drawing;
    uint64_t sealed;
    _Alignas(64) uint64_t counter;
    _Alignas(64) uint64_t generation;
};

struct piece {
    char bytes[512];
    size_t length;
};

struct sender {
    int descriptor;
    size_t capacity;
    struct words *words;
    char *data;
    pthread_mutex_t lock;
    uint64_t head, end;
    uint64_t last_id, random;
    uint64_t known_generation;
    bool is_opted_out;
    uint64_t since_flush;
    // What all lines share.
    struct piece after_id, after_seq, after_time;
};

static void add(struct piece *piece, const char *text) {
    size_t length = strlen(text);
    if (piece->length + length > sizeof piece->bytes) abort();
    memcpy(piece->bytes + piece->length, text, length);
    piece->length += length;
}

sender *sender_open(
    int descriptor, size_t capacity, const char *install, const char *session, const char *user, const char *app,
    const char *os, const char *sdk) {
    struct sender *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    size_t size = HEADER_SIZE + capacity;
    void *file = MAP_FAILED;
    if (ftruncate(descriptor, (off_t)size) == 0) {
        file = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    }
    if (file == MAP_FAILED) {
        free(made);
        return NULL;
    }
    memset(file, 0, size);
    made->descriptor = descriptor;
    made->capacity = capacity;
    made->words = file;
    made->data = (char *)file + HEADER_SIZE;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
#if defined(__GLIBC__)
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ADAPTIVE_NP);
#endif
    pthread_mutex_init(&made->lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    made->random = (uint64_t)time(NULL);
    add(&made->after_id, "\",\"install_id\":\"");
    add(&made->after_id, install);
    add(&made->after_id, "\",\"seq\":");
    add(&made->after_seq, ",\"session_id\":\"");
    add(&made->after_seq, session);
    add(&made->after_seq, "\",\"user_id\":\"");
    add(&made->after_seq, user);
    add(&made->after_seq, "\",\"time\":");
    add(&made->after_time, ",\"schema\":\"search/1-0-0\",\"context\":{\"app\":\"");
    add(&made->after_time, app);
    add(&made->after_time, "\",\"os\":\"");
    add(&made->after_time, os);
    add(&made->after_time, "\",\"sdk\":\"");
    add(&made->after_time, sdk);
    add(&made->after_time, "\"},\"event\":{\"name\":\"search\",\"value\":");
    return made;
}

void sender_close(sender *sender) {
    munmap(sender->words, HEADER_SIZE + sender->capacity);
    close(sender->descriptor);
    pthread_mutex_destroy(&sender->lock);
    free(sender);
}

// MARK: Text

static inline char *put(char *out, const char *bytes, size_t length) {
    memcpy(out, bytes, length);
    return out + length;
}

static inline char *put_digits(char *out, uint64_t value) {
    char digits[20];
    char *start = digits + sizeof digits;
    do {
        *--start = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    return put(out, start, (size_t)(digits + sizeof digits - start));
}

/// Seconds with at most six decimals, no trailing zeros.
static inline char *put_seconds(char *out, int64_t microseconds) {
    uint64_t value = (uint64_t)microseconds, fraction = value % 1000000;
    out = put_digits(out, value / 1000000);
    if (fraction == 0) return out;
    int decimals = 6;
    while (fraction % 10 == 0) {
        fraction /= 10;
        decimals--;
    }
    *out = '.';
    for (int i = decimals; i > 0; i--) {
        out[i] = (char)('0' + fraction % 10);
        fraction /= 10;
    }
    return out + 1 + decimals;
}

static inline char *put_hex(char *out, uint64_t value, int digits) {
    for (int i = digits - 1; i >= 0; i--) *out++ = "0123456789abcdef"[value >> (4 * i) & 15];
    return out;
}

static inline char *put_id(char *out, uint64_t high, uint64_t low) {
    out = put_hex(out, high >> 32, 8);
    *out++ = '-';
    out = put_hex(out, high >> 16, 4);
    *out++ = '-';
    out = put_hex(out, high, 4);
    *out++ = '-';
    out = put_hex(out, low >> 48, 4);
    *out++ = '-';
    return put_hex(out, low, 12);
}

/// A text of JSON. What needs an escape is rare, and looked for byte by byte.
static inline char *put_text(char *out, const char *text, size_t length) {
    *out++ = '"';
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte == '"' || byte == '\\') *out++ = '\\';
        else if (byte < 0x20) {
            out = put(out, "\\u00", 4);
            out = put_hex(out, byte, 2);
            continue;
        }
        *out++ = (char)byte;
    }
    *out++ = '"';
    return out;
}

static inline size_t write_value(char *value, const char *query, size_t query_length, int64_t page) {
    char *out = put(value, "{\"query\":", 9);
    out = put_text(out, query, query_length);
    out = put(out, ",\"page\":", 8);
    if (page < 0) *out++ = '-';
    out = put_digits(out, page < 0 ? -(uint64_t)page : (uint64_t)page);
    *out++ = '}';
    return (size_t)(out - value);
}

static inline size_t write_line(
    const struct sender *sender, char *line, uint64_t id_high, uint64_t id_low, int64_t seq, int64_t time,
    const char *value, size_t value_length) {
    char *out = put(line, "{\"v\":1,\"id\":\"", 13);
    out = put_id(out, id_high, id_low);
    out = put(out, sender->after_id.bytes, sender->after_id.length);
    out = put_digits(out, (uint64_t)seq);
    out = put(out, sender->after_seq.bytes, sender->after_seq.length);
    out = put_seconds(out, time);
    out = put(out, sender->after_time.bytes, sender->after_time.length);
    out = put(out, value, value_length);
    out = put(out, "}}", 2);
    return (size_t)(out - line);
}

size_t sender_line(
    sender *sender, uint64_t id_high, uint64_t id_low, int64_t seq, int64_t time, const char *query,
    size_t query_length, int64_t page, char *line) {
    char value[512];
    return write_line(
        sender, line, id_high, id_low, seq, time, value, write_value(value, query, query_length, page));
}

// MARK: Ids

static inline uint64_t next_random(struct sender *sender) {
    uint64_t bits = __atomic_add_fetch(&sender->random, 0x9E3779B97F4A7C15u, __ATOMIC_RELAXED);
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EBu;
    return bits ^ bits >> 31;
}

static inline void make_id(struct sender *sender, int64_t time, uint64_t *high, uint64_t *low) {
    uint64_t milliseconds = (uint64_t)time / 1000;
    uint64_t last = __atomic_load_n(&sender->last_id, __ATOMIC_RELAXED), next;
    do {
        next = last + 1;
        if (milliseconds > last >> 12) next = milliseconds << 12 | (next_random(sender) & 0x07FF);
    } while (!__atomic_compare_exchange_n(
        &sender->last_id, &last, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    *high = next >> 12 << 16 | 0x7000 | (next & 0x0FFF);
    *low = 0x8000000000000000u | next_random(sender) >> 2;
}

// MARK: The ring

static inline uint64_t mixed(uint64_t value) {
    uint64_t product = value * 0x9E3779B97F4A7C15u;
    return product ^ product >> 32;
}

static inline uint64_t checksum(const char *bytes, size_t count) {
    uint64_t a = 0x243F6A8885A308D3u, b = 0x13198A2E03707344u, c = 0xA4093822299F31D0u, d = 0x082EFA98EC4E6C89u;
    const uint64_t *word = (const uint64_t *)bytes;
    size_t left = count / 8;
    for (; left >= 4; left -= 4, word += 4) {
        a = mixed(a ^ word[0]);
        b = mixed(b ^ word[1]);
        c = mixed(c ^ word[2]);
        d = mixed(d ^ word[3]);
    }
    for (; left > 0; left--, word++) a = mixed(a ^ *word);
    return mixed(mixed(mixed(mixed(count ^ a) ^ b) ^ c) ^ d);
}

static inline void store(char *record, size_t offset, uint64_t value) { memcpy(record + offset, &value, 8); }

/// Whether the user has opted out: looked up again only when the generation of the consents has changed.
static inline bool is_refused(struct sender *sender) {
    uint64_t generation = __atomic_load_n(&sender->words->generation, __ATOMIC_ACQUIRE);
    if (generation != __atomic_load_n(&sender->known_generation, __ATOMIC_RELAXED)) {
        __atomic_store_n(&sender->known_generation, generation, __ATOMIC_RELAXED);
    }
    return __atomic_load_n(&sender->is_opted_out, __ATOMIC_ACQUIRE);
}

static inline int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (int64_t)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

/// Under the lock.
static inline char *append(struct sender *sender, int64_t time, const char *value, size_t value_length) {
    struct words *words = sender->words;
    if (__atomic_load_n(&words->sealed, __ATOMIC_SEQ_CST)) return NULL;
    size_t need = (RECORD_HEADER_SIZE + 92 + sender->after_id.length + sender->after_seq.length
        + sender->after_time.length + value_length + LONGEST_NAME + 7) & ~(size_t)7;
    uint64_t position = sender->head, offset = position % sender->capacity;
    if (sender->capacity - offset < need) {
        // Fills the end of the ring.
        position += sender->capacity - offset;
        offset = 0;
    }
    if (position + need > sender->end) {
        sender->end = __atomic_load_n(&words->tail, __ATOMIC_ACQUIRE) + sender->capacity;
        if (position + need > sender->end) return NULL;
    }
    char *record = sender->data + offset;
    uint64_t drawn, high, low;
    size_t length;
    do {
        drawn = __atomic_load_n(&words->counter, __ATOMIC_ACQUIRE);
        if (is_refused(sender)) return NULL;
        make_id(sender, time, &high, &low);
        length = write_line(
            sender, record + RECORD_HEADER_SIZE, high, low, (int64_t)drawn + 1, time, value, value_length);
        __atomic_store_n(&words->drawing, drawn + 1, __ATOMIC_RELEASE);
    } while (!__atomic_compare_exchange_n(
        &words->counter, &drawn, drawn + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE));
    if (__atomic_load_n(&words->sealed, __ATOMIC_SEQ_CST)) return NULL;
    static const char name[] = "search";
    size_t end = RECORD_HEADER_SIZE + length + sizeof name - 1, size = (end + 7) & ~(size_t)7;
    memcpy(record + RECORD_HEADER_SIZE + length, name, sizeof name - 1);
    memset(record + end, 0, size - end);
    store(record, 8, position);
    store(record, 16, drawn + 1);
    store(record, 24, high);
    store(record, 32, low);
    store(record, 40, (uint64_t)time);
    // Length of the line, length of the name, kind, mark.
    store(record, 48, length | (uint64_t)(sizeof name - 1) << 32 | 1ull << 40 | 0x4A54ull << 48);
    store(record, 0, checksum(record + 8, size - 8));
    uint64_t announced = drawn + 1;
    if (!__atomic_compare_exchange_n(
            &words->drawing, &announced, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE)) return NULL;
    sender->head = position + size;
    __atomic_store_n(&words->head, sender->head, __ATOMIC_RELEASE);
    return record;
}

void *sender_send(sender *sender, const char *query, size_t query_length, int64_t page) {
    int64_t time = now();
    if (is_refused(sender)) return NULL;
    char value[512];
    if (query_length > 64) return NULL;
    size_t value_length = write_value(value, query, query_length, page);
    pthread_mutex_lock(&sender->lock);
    char *record = append(sender, time, value, value_length);
    pthread_mutex_unlock(&sender->lock);
    if (!record) return NULL;
    // Counted for the next flush.
    uint64_t count = __atomic_load_n(&sender->since_flush, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(
        &sender->since_flush, &count, count + 1 < 10000 ? count + 1 : 0, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {}
    return record;
}

// MARK: Measuring

static int64_t monotonic(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int64_t baseline_send(sender *sender, const char *query, size_t query_length, int64_t page, int64_t count) {
    __atomic_store_n(&sender->words->tail, sender->head, __ATOMIC_RELEASE);
    int64_t start = monotonic();
    for (int64_t i = 0; i < count; i++) {
        if (!sender_send(sender, query, query_length, page)) return -1;
    }
    return monotonic() - start;
}

int64_t baseline_clock(int64_t count) {
    static volatile int64_t seen;
    int64_t start = monotonic();
    for (int64_t i = 0; i < count; i++) seen = now();
    return monotonic() - start;
}

#if defined(__linux__)

#include <linux/perf_event.h>
#include <sys/syscall.h>

int instructions_open(void) {
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.size = sizeof attributes;
    attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, 0);
}

int64_t instructions_read(int descriptor) {
    int64_t count;
    return read(descriptor, &count, sizeof count) == sizeof count ? count : -1;
}

#else

int instructions_open(void) { return -1; }
int64_t instructions_read(int descriptor) { return -1; }

#endif
