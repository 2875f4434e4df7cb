#ifndef CBASELINES_BASELINES_H
#define CBASELINES_BASELINES_H

#include <stddef.h>
#include <stdint.h>

// Touches as many bytes of memory and gives them back, so that what comes next finds pages that the machine has. A virtual machine may
// get its memory from the host page by page, at ten times the price of a page that it has had before.
void touch_memory(size_t bytes);

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
