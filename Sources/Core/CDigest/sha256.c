#include "CDigest.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>
#include <string.h>

static const uint32_t round_constants[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

bool cdigest_has_sha256(void) {
    unsigned a, b, c, d;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return false;
    if (!(c & (1u << 9)) || !(c & (1u << 19))) return false;  // SSSE3 for the byte order, SSE4.1 for the blend
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return false;
    return (b & (1u << 29)) != 0;
}

// The state is kept in the order that the instructions want: {A,B,E,F} and {C,D,G,H}, the first in the highest lane.
__attribute__((target("sha,sse4.1,ssse3")))
static void take_blocks(__m128i *abef, __m128i *cdgh, const uint8_t *blocks, size_t count) {
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0bLL, 0x0405060700010203LL);
    for (; count > 0; count--, blocks += 64) {
        const __m128i saved_abef = *abef, saved_cdgh = *cdgh;
        __m128i words[4];
        for (int i = 0; i < 4; i++) {
            words[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(blocks + 16 * i)), big_endian);
        }
#pragma clang loop unroll(full)
        for (int group = 0; group < 16; group++) {
            __m128i current = words[group & 3];
            if (group >= 4) {
                // W[t] = σ1(W[t-2]) + W[t-7] + σ0(W[t-15]) + W[t-16], four at a time.
                const __m128i last = words[(group + 3) & 3];
                current = _mm_sha256msg1_epu32(current, words[(group + 1) & 3]);
                current = _mm_add_epi32(current, _mm_alignr_epi8(last, words[(group + 2) & 3], 4));
                current = _mm_sha256msg2_epu32(current, last);
                words[group & 3] = current;
            }
            const __m128i sum =
                _mm_add_epi32(current, _mm_load_si128((const __m128i *)(round_constants + 4 * group)));
            *cdgh = _mm_sha256rnds2_epu32(*cdgh, *abef, sum);
            *abef = _mm_sha256rnds2_epu32(*abef, *cdgh, _mm_shuffle_epi32(sum, 0x0e));
        }
        *abef = _mm_add_epi32(*abef, saved_abef);
        *cdgh = _mm_add_epi32(*cdgh, saved_cdgh);
    }
}

__attribute__((target("sha,sse4.1,ssse3")))
void cdigest_sha256(const uint8_t *message, size_t length, uint8_t digest[32]) {
    __m128i abef = _mm_set_epi32(0x6a09e667, (int)0xbb67ae85, 0x510e527f, (int)0x9b05688c);
    __m128i cdgh = _mm_set_epi32(0x3c6ef372, (int)0xa54ff53a, 0x1f83d9ab, 0x5be0cd19);
    const size_t whole = length / 64;
    take_blocks(&abef, &cdgh, message, whole);

    uint8_t last[128] = {0};
    const size_t rest = length - 64 * whole;
    if (rest > 0) memcpy(last, message + 64 * whole, rest);
    last[rest] = 0x80;
    const size_t end = rest < 56 ? 64 : 128;
    const uint64_t bits = (uint64_t)length * 8;
    for (int i = 0; i < 8; i++) last[end - 1 - i] = (uint8_t)(bits >> (8 * i));
    take_blocks(&abef, &cdgh, last, end / 64);

    uint32_t words[8];
    uint32_t first[4], second[4];
    _mm_storeu_si128((__m128i *)first, abef);
    _mm_storeu_si128((__m128i *)second, cdgh);
    words[0] = first[3];
    words[1] = first[2];
    words[2] = second[3];
    words[3] = second[2];
    words[4] = first[1];
    words[5] = first[0];
    words[6] = second[1];
    words[7] = second[0];
    for (int i = 0; i < 8; i++) {
        const uint32_t swapped = __builtin_bswap32(words[i]);
        memcpy(digest + 4 * i, &swapped, 4);
    }
}

#else

#include <stdlib.h>

bool cdigest_has_sha256(void) { return false; }

void cdigest_sha256(const uint8_t *message, size_t length, uint8_t digest[32]) {
    (void)message;
    (void)length;
    (void)digest;
    abort();  // cdigest_has_sha256 said no
}

#endif
