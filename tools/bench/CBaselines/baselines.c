// The same work as the package's, with nothing around the system's and SQLite's own calls.
#include "baselines.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void touch_memory(size_t bytes) {
    char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    for (size_t offset = 0; offset < bytes; offset += 4096) ((volatile char *)memory)[offset] = 1;
    munmap(memory, bytes);
}

int64_t baseline_write(int descriptor, const void *line, size_t length, int64_t count) {
    if (lseek(descriptor, 0, SEEK_SET) != 0 || ftruncate(descriptor, 0) != 0) return -1;
    int64_t start = now();
    for (int64_t i = 0; i < count; i++) {
        if (write(descriptor, line, length) != (ssize_t)length) return -1;
    }
    return now() - start;
}

static void big_endian(unsigned char *bytes, uint64_t value) {
    for (int i = 0; i < 8; i++) bytes[i] = (unsigned char)(value >> (56 - 8 * i));
}

int64_t baseline_insert(const char *path, const char *schema, const void *line, size_t length, int64_t count) {
    sqlite3 *db = NULL;
    sqlite3_stmt *insert = NULL, *totals = NULL;
    int64_t elapsed = -1;
    if (sqlite3_open(path, &db) != SQLITE_OK) goto end;
    if (sqlite3_exec(db, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", NULL, NULL, NULL) != SQLITE_OK) goto end;
    if (sqlite3_exec(db, schema, NULL, NULL, NULL) != SQLITE_OK) goto end;
    if (sqlite3_prepare_v2(
            db, "INSERT INTO events (seq, id, time, name, line) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING", -1,
            &insert, NULL) != SQLITE_OK) goto end;
    if (sqlite3_prepare_v2(
            db, "UPDATE log SET last_seq = ?, event_count = event_count + 500, event_bytes = event_bytes + ?", -1,
            &totals, NULL) != SQLITE_OK) goto end;
    int64_t start = now();
    for (int64_t i = 1; i <= count; i++) {
        if (i % 500 == 1 && sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK) goto end;
        unsigned char id[16];
        big_endian(id, (uint64_t)i << 16 | 0x7000);
        big_endian(id + 8, 0x8000000000000000u | (uint64_t)i);
        sqlite3_bind_int64(insert, 1, i);
        sqlite3_bind_blob(insert, 2, id, sizeof id, SQLITE_STATIC);
        sqlite3_bind_int64(insert, 3, 1700000000000000 + i);
        sqlite3_bind_text(insert, 4, "search", 6, SQLITE_STATIC);
        sqlite3_bind_blob(insert, 5, line, (int)length, SQLITE_STATIC);
        if (sqlite3_step(insert) != SQLITE_DONE) goto end;
        sqlite3_reset(insert);
        if (i % 500 == 0 || i == count) {
            sqlite3_bind_int64(totals, 1, i);
            sqlite3_bind_int64(totals, 2, 500 * (int64_t)length);
            if (sqlite3_step(totals) != SQLITE_DONE) goto end;
            sqlite3_reset(totals);
            if (sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) != SQLITE_OK) goto end;
        }
    }
    elapsed = now() - start;
end:
    if (elapsed < 0) fprintf(stderr, "baseline_insert: %s\n", db ? sqlite3_errmsg(db) : "no memory");
    sqlite3_finalize(insert);
    sqlite3_finalize(totals);
    sqlite3_close(db);
    return elapsed;
}

int64_t baseline_execute(const char *path, const char *sql) {
    sqlite3 *db = NULL;
    int status = sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL);
    if (status == SQLITE_OK) status = sqlite3_exec(db, sql, NULL, NULL, NULL);
    sqlite3_close(db);
    return status == SQLITE_OK ? 0 : -1;
}

int64_t baseline_dump(const char *path, const char *where, const char *output) {
    sqlite3 *db = NULL;
    sqlite3_stmt *select = NULL;
    static char buffer[64 << 10];
    int64_t count = -1;
    FILE *file = fopen(output, "w");
    if (!file) return -1;
    setvbuf(file, buffer, _IOFBF, sizeof buffer);
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK) goto end;
    char query[1024];
    snprintf(query, sizeof query, "SELECT line FROM events WHERE %s ORDER BY seq", where);
    if (sqlite3_prepare_v2(db, query, -1, &select, NULL) != SQLITE_OK) goto end;
    int64_t lines = 0;
    int step;
    while ((step = sqlite3_step(select)) == SQLITE_ROW) {
        const void *line = sqlite3_column_blob(select, 0);
        fwrite(line, 1, (size_t)sqlite3_column_bytes(select, 0), file);
        fputc('\n', file);
        lines++;
    }
    if (step == SQLITE_DONE) count = lines;
end:
    sqlite3_finalize(select);
    sqlite3_close(db);
    if (fclose(file) != 0) return -1;
    return count;
}
