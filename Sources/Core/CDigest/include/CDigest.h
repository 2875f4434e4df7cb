#ifndef CDIGEST_H
#define CDIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether this processor has instructions for SHA-256, which `cdigest_sha256` requires.
bool cdigest_has_sha256(void);

/// Writes the 32 bytes of the SHA-256 (FIPS 180-4) of a message, with the processor's instructions. Call it only if
/// `cdigest_has_sha256` returns true.
void cdigest_sha256(const uint8_t *message, size_t length, uint8_t digest[32]);

/// Continues the CRC-32C (Castagnoli) `crc` with more bytes; start with 0. Uses the processor's instruction if available.
uint32_t cdigest_crc32c(uint32_t crc, const uint8_t *bytes, size_t length);

/// Computes the same with a table, on any processor; for `cdigest_crc32c` and its tests.
uint32_t cdigest_crc32c_by_table(uint32_t crc, const uint8_t *bytes, size_t length);

#endif
