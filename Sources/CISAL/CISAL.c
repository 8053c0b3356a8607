#include "CISAL.h"
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>

struct cisal_stream {
  struct isal_zstream deflate;
  uint8_t level_buffer[ISAL_DEF_LVL1_DEFAULT];
};

cisal_stream *cisal_begin(void) {
  cisal_stream *stream = malloc(sizeof *stream);
  if (!stream) return NULL;
  isal_deflate_init(&stream->deflate);
  stream->deflate.level = 1;
  stream->deflate.level_buf = stream->level_buffer;
  stream->deflate.level_buf_size = sizeof stream->level_buffer;
  return stream;
}

void cisal_free(cisal_stream *stream) { free(stream); }

void cisal_input(cisal_stream *stream, const void *bytes, uint32_t count, cisal_ending ending) {
  stream->deflate.next_in = (uint8_t *)bytes;
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
