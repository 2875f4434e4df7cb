#include "CDigest.h"

#include <string.h>

// The polynomial 0x1EDC6F41, its bits in reverse order.
static const uint32_t polynomial = 0x82f63b78;
static uint32_t table[256];

__attribute__((constructor)) static void fill_table(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ polynomial : crc >> 1;
        table[byte] = crc;
    }
}

uint32_t cdigest_crc32c_by_table(uint32_t crc, const uint8_t *bytes, size_t length) {
    crc = ~crc;
    for (size_t i = 0; i < length; i++) crc = table[(crc ^ bytes[i]) & 0xff] ^ crc >> 8;
    return ~crc;
}

#if defined(__x86_64__)

#include <immintrin.h>

__attribute__((target("sse4.2")))
static uint32_t by_instruction(uint32_t crc, const uint8_t *bytes, size_t length) {
    uint64_t state = ~crc;
    for (; length >= 8; length -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, 8);
        state = _mm_crc32_u64(state, word);
    }
    uint32_t rest = (uint32_t)state;
    for (; length > 0; length--, bytes++) rest = _mm_crc32_u8(rest, *bytes);
    return ~rest;
}

uint32_t cdigest_crc32c(uint32_t crc, const uint8_t *bytes, size_t length) {
    return __builtin_cpu_supports("sse4.2") ? by_instruction(crc, bytes, length)
                                            : cdigest_crc32c_by_table(crc, bytes, length);
}

#else

uint32_t cdigest_crc32c(uint32_t crc, const uint8_t *bytes, size_t length) {
    return cdigest_crc32c_by_table(crc, bytes, length);
}

#endif
