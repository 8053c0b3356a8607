#pragma once
// A C face for simdjson's On-Demand parser: one document in, one flat tape out. Every buffer belongs to the parser and is reused by its
// next document, so that a tape is valid until then.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum csimdjson_kind {
  CSIMDJSON_NULL = 1,
  CSIMDJSON_FALSE,
  CSIMDJSON_TRUE,
  CSIMDJSON_NUMBER,
  CSIMDJSON_STRING,
  CSIMDJSON_ARRAY,
  CSIMDJSON_OBJECT
};

// One value. Children follow their parent; `end` is the index after the value's last descendant, where its next sibling stands.
typedef struct {
  uint32_t kind;
  uint32_t end;
  uint32_t key_offset;   // in `strings`; only a member of an object has a key
  uint32_t key_length;
  uint32_t text_offset;  // a string's in `strings`, a number's in `source`
  uint32_t text_length;
} csimdjson_node;

typedef struct {
  const csimdjson_node *nodes;
  const char *strings;  // keys and strings, unescaped, valid UTF-8 without U+0000
  const char *source;   // the document, for the literal text of numbers
  uint32_t count;       // of nodes
} csimdjson_tape;

enum csimdjson_status { CSIMDJSON_OK = 0, CSIMDJSON_MALFORMED, CSIMDJSON_INVALID_UTF8, CSIMDJSON_TOO_DEEP, CSIMDJSON_TOO_LARGE };

typedef struct {
  enum csimdjson_status status;
  size_t offset;       // of the fault, in bytes; the document's length where it ended too early; 0 for invalid UTF-8
  const char *reason;  // static text, NULL when all is well
} csimdjson_outcome;

typedef struct csimdjson_parser csimdjson_parser;

// NULL when there is no memory.
csimdjson_parser *csimdjson_parser_create(uint32_t depth_limit);
void csimdjson_parser_destroy(csimdjson_parser *parser);

// Reads exactly one document, to its end. `has_padding`: 64 readable bytes follow it, so that it need not be copied; it must then stay
// where it is as long as the tape is used.
csimdjson_outcome csimdjson_parse(
  csimdjson_parser *parser, const char *bytes, size_t length, bool has_padding, csimdjson_tape *tape);

#ifdef __cplusplus
}
#endif
