#include "CISAL.h"
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>

struct cisal_stream {
  struct isal_zstream deflate;
  uint8_t level_buffer[ISAL_DEF_LVL1_DEFAULT];
  // A copy of the input with zeros behind it: vector instructions load past the end, and the same bytes have to give the same output.
  uint8_t *input;
  size_t capacity;
};

enum { padding = 512, alignment = 64 };

cisal_stream *cisal_begin(void) {
  cisal_stream *stream = calloc(1, sizeof *stream);
  if (!stream) return NULL;
  isal_deflate_init(&stream->deflate);
  stream->deflate.level = 1;
  stream->deflate.level_buf = stream->level_buffer;
  stream->deflate.level_buf_size = sizeof stream->level_buffer;
  return stream;
}

void cisal_free(cisal_stream *stream) {
  if (stream) free(stream->input);
  free(stream);
}

static void copy_input(cisal_stream *stream, const void *bytes, uint32_t count) {
  size_t needed = ((size_t)count + padding + alignment - 1) / alignment * alignment;
  if (needed > stream->capacity) {
    free(stream->input);
    stream->input = aligned_alloc(alignment, needed);
    if (!stream->input) abort();
    stream->capacity = needed;
  }
  if (count) memcpy(stream->input, bytes, count);
  memset(stream->input + count, 0, stream->capacity - count);
}

void cisal_input(cisal_stream *stream, const void *bytes, uint32_t count, cisal_ending ending) {
  copy_input(stream, bytes, count);
  stream->deflate.next_in = stream->input;
  stream->deflate.avail_in = count;
  stream->deflate.flush = ending == CISAL_AT_BYTE ? FULL_FLUSH : NO_FLUSH;
  stream->deflate.end_of_stream = ending == CISAL_COMPLETE;
}

size_t cisal_output(cisal_stream *stream, void *output, uint32_t capacity) {
  stream->deflate.next_out = output;
  stream->deflate.avail_out = capacity;
  // With level, buffers and flush set as above it has nothing to refuse.
  if (isal_deflate(&stream->deflate) != COMP_OK) abort();
  return capacity - stream->deflate.avail_out;
}

uint32_t cisal_crc32(uint32_t crc, const void *bytes, size_t count) { return crc32_gzip_refl(crc, bytes, count); }
