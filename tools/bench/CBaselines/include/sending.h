#ifndef CBASELINES_SENDING_H
#define CBASELINES_SENDING_H

#include <stddef.h>
#include <stdint.h>

/// Sends searches as the SDK does, into a mapped ring of the journal's format, with nothing that Swift adds: no types of
/// events, no subscribers, no sessions. Its parts are the SDK's: the clock, the check of the consents' generation, the
/// value encoded on the caller's time, a mutex, a UUIDv7 from SplitMix64, the number drawn from a shared counter and
/// announced in the ring, the line, the checksum, and the publishing of the ring's head.
typedef struct sender sender;

/// Maps a file of `sender_header_size + capacity` bytes. Takes the descriptor over. Gives NULL if that can't be done.
sender *sender_open(
    int descriptor, size_t capacity, const char *install, const char *session, const char *user, const char *app,
    const char *os, const char *sdk);

void sender_close(sender *sender);

/// Sends one search. Gives the address of its record in the ring, or NULL if there is no room.
void *sender_send(sender *sender, const char *query, size_t query_length, int64_t page);

/// Writes the line of a search with this id, number and time in microseconds. Gives its length; `line` has 1024 bytes.
size_t sender_line(
    sender *sender, uint64_t id_high, uint64_t id_low, int64_t seq, int64_t time, const char *query,
    size_t query_length, int64_t page, char *line);

/// Sends `count` searches into the ring, as if everything before had been moved. Gives the nanoseconds of all, or -1.
int64_t baseline_send(sender *sender, const char *query, size_t query_length, int64_t page, int64_t count);

/// Asks the clock of `sender_send` `count` times. Gives the nanoseconds of all.
int64_t baseline_clock(int64_t count);

/// Opens a counter of the instructions that the calling thread runs outside of the system. Gives a descriptor, or -1 where
/// the machine or the system has none.
int instructions_open(void);

/// What has been counted so far; -1 on an error.
int64_t instructions_read(int descriptor);

#endif
