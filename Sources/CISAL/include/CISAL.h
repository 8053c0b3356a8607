// ISA-L's streaming deflate (RFC 1951) behind an opaque stream: its own struct holds its whole window, which Swift cannot import.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct cisal_stream cisal_stream;

/// What the output ends with once all input has been taken.
typedef enum { CISAL_OPEN, CISAL_AT_BYTE, CISAL_COMPLETE } cisal_ending;

/// A new stream at ISA-L's level 1; null without memory.
cisal_stream *cisal_begin(void);
void cisal_free(cisal_stream *stream);

/// Hands over the next input, which must stay where it is until `cisal_output` has taken all of it.
void cisal_input(cisal_stream *stream, const void *bytes, uint32_t count, cisal_ending ending);

/// Compresses into `output` and returns the number of bytes written. Fewer than `capacity`: all input has been taken.
size_t cisal_output(cisal_stream *stream, void *output, uint32_t capacity);

/// Continues the CRC-32 of ISO 3309, as archives have it, from `crc` (0 at the start).
uint32_t cisal_crc32(uint32_t crc, const void *bytes, size_t count);
