#ifndef CBASELINES_BASELINES_H
#define CBASELINES_BASELINES_H

#include <stddef.h>
#include <stdint.h>

/// Writes a line `count` times with one write(2) each, from the file's start. Gives the nanoseconds of all, or -1.
int64_t baseline_write(int descriptor, const void *line, size_t length, int64_t count);

/// Makes a database with the event log's tables, and inserts `count` events with the same line, 500 a transaction.
/// Gives the nanoseconds from the first insert to the last commit, or -1.
int64_t baseline_insert(const char *path, const char *schema, const void *line, size_t length, int64_t count);

/// Runs SQL on a database. Gives 0, or -1.
int64_t baseline_execute(const char *path, const char *sql);

/// Writes the lines of an event log for which a condition in SQL holds to a file through a buffer of 64 KiB. Gives the
/// number of lines, or -1.
int64_t baseline_dump(const char *path, const char *where, const char *output);

#endif
