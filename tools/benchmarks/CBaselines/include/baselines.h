#ifndef CBASELINES_BASELINES_H
#define CBASELINES_BASELINES_H

#include <stddef.h>
#include <stdint.h>

/// Writes a line `count` times with one write(2) each, from the file's start. Gives the nanoseconds of all, or -1.
int64_t baseline_write(int descriptor, const void *line, size_t length, int64_t count);

/// Makes a database with the event log's tables, and inserts `count` events with the same line, 500 a transaction.
/// Gives the nanoseconds from the first insert to the last commit, or -1.
int64_t baseline_insert(const char *path, const char *schema, const void *line, size_t length, int64_t count);

/// Writes every line of an event log to a file through a buffer of 64 KiB. Gives the number of lines, or -1.
int64_t baseline_dump(const char *path, const char *output);

#endif
