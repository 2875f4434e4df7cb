#ifndef CDIGEST_H
#define CDIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether this processor has instructions for SHA-256, and so whether `cdigest_sha256` may be called.
bool cdigest_has_sha256(void);

/// Writes the 32 bytes of the SHA-256 (FIPS 180-4) of a message, by the processor's own instructions. Call it only if
/// `cdigest_has_sha256` says so.
void cdigest_sha256(const uint8_t *message, size_t length, uint8_t digest[32]);

/// The CRC-32C (Castagnoli) of bytes that follow those of `crc`; 0 to begin. By the processor's instruction if it has one.
uint32_t cdigest_crc32c(uint32_t crc, const uint8_t *bytes, size_t length);

/// The same by a table, on any processor; for `cdigest_crc32c` and its tests.
uint32_t cdigest_crc32c_by_table(uint32_t crc, const uint8_t *bytes, size_t length);

#endif
