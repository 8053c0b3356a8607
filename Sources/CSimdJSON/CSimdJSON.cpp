#include "CSimdJSON.h"

#include <simdjson.h>

#include <cstring>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "LenientText.h"
#include "Literals.h"

namespace ondemand = simdjson::ondemand;
using crossfoot::trimmed;

static_assert(simdjson::SIMDJSON_PADDING <= 64, "readers leave 64 bytes behind a document");

namespace {

constexpr size_t padding = 64;
constexpr size_t longest_document = size_t(1) << 30;  // offsets are 32 bits wide
constexpr csimdjson_outcome fine = {CSIMDJSON_OK, 0, nullptr};

// A byte buffer that only ever grows and is not cleared between documents.
struct Buffer {
  std::unique_ptr<char[]> bytes;
  size_t capacity = 0;

  bool reserve(size_t length) {
    if (length <= capacity) return true;
    const size_t wanted = length + length / 2;
    bytes.reset(new (std::nothrow) char[wanted]);
    capacity = bytes ? wanted : 0;
    return bytes != nullptr;
  }
};

const char *reason(simdjson::error_code error) {
  switch (error) {
    case simdjson::EMPTY: return "nothing";
    case simdjson::UNCLOSED_STRING: return "a string without an end";
    case simdjson::UNESCAPED_CHARS: return "a control character in a string";
    case simdjson::INCOMPLETE_ARRAY_OR_OBJECT: return "an array or object without an end";
    case simdjson::CAPACITY: return "more than can be parsed";
    case simdjson::MEMALLOC: return "no memory for the document";
    default: return "something out of place";
  }
}

}  // namespace

struct csimdjson_parser {
  ondemand::parser parser;
  std::vector<csimdjson_node> nodes;
  Buffer strings, copy;
  uint8_t *next = nullptr;  // where the next unescaped string goes
  const char *source = nullptr;
  size_t length = 0;
  uint32_t depth_limit = 64;
  bool has_escapes = false;
  csimdjson_outcome outcome = fine;

  csimdjson_outcome parse(const char *bytes, size_t byte_count, bool has_padding, csimdjson_tape *tape);

 private:
  csimdjson_outcome prepare(const char *bytes, size_t byte_count, bool has_padding);
  csimdjson_outcome walk_document();
  template <typename Value>
  bool walk(Value &value, csimdjson_node node, uint32_t depth);
  template <typename Value>
  bool walk_array(Value &value, uint32_t depth);
  template <typename Value>
  bool walk_object(Value &value, uint32_t depth);
  bool scalar(std::string_view token, csimdjson_node node);
  bool text(ondemand::raw_json_string raw, uint32_t &offset, uint32_t &text_length);

  bool refuse(csimdjson_status status, const char *at, const char *reason) {
    if (outcome.status == CSIMDJSON_OK) {
      const bool is_inside = at >= source && at <= source + length;
      outcome = {status, is_inside ? size_t(at - source) : length, reason};
    }
    return false;
  }
  bool refuse(simdjson::error_code error) {
    const char *at = nullptr;
    if (document.current_location().get(at) != simdjson::SUCCESS) at = source + length;
    return refuse(CSIMDJSON_MALFORMED, at, reason(error));
  }

  ondemand::document document;
};

bool csimdjson_parser::text(ondemand::raw_json_string raw, uint32_t &offset, uint32_t &text_length) {
  uint8_t *const start = next;
  std::string_view found;
  bool is_plain = parser.unescape(raw, next).get(found) == simdjson::SUCCESS;
  // Only an escape can yield U+0000 or half a character; both become U+FFFD.
  if (is_plain && has_escapes) is_plain = std::memchr(found.data(), 0, found.size()) == nullptr;
  if (!is_plain || (has_escapes && crossfoot::has_surrogate(found))) {
    next = crossfoot::unescape_leniently(reinterpret_cast<const uint8_t *>(raw.raw()), start);
    if (next == nullptr) return refuse(CSIMDJSON_MALFORMED, raw.raw(), "a string with an escape that JSON does not have");
  }
  offset = uint32_t(start - reinterpret_cast<uint8_t *>(strings.bytes.get()));
  text_length = uint32_t(next - start);
  return true;
}

bool csimdjson_parser::scalar(std::string_view token, csimdjson_node node) {
  token = trimmed(token);
  node.text_offset = uint32_t(token.data() - source);
  node.text_length = uint32_t(token.size());
  if (token == "null") {
    node.kind = CSIMDJSON_NULL;
  } else if (token == "true") {
    node.kind = CSIMDJSON_TRUE;
  } else if (token == "false") {
    node.kind = CSIMDJSON_FALSE;
  } else if (crossfoot::is_number(token)) {
    node.kind = CSIMDJSON_NUMBER;
  } else {
    return refuse(CSIMDJSON_MALFORMED, token.data(), "neither a number nor true, false or null");
  }
  node.end = uint32_t(nodes.size()) + 1;
  nodes.push_back(node);
  return true;
}

template <typename Value>
bool csimdjson_parser::walk_array(Value &value, uint32_t depth) {
  ondemand::array array;
  if (auto error = value.get_array().get(array)) return refuse(error);
  for (auto item : array) {
    ondemand::value element;
    if (auto error = std::move(item).get(element)) return refuse(error);
    if (!walk(element, {}, depth + 1)) return false;
  }
  return true;
}

template <typename Value>
bool csimdjson_parser::walk_object(Value &value, uint32_t depth) {
  ondemand::object object;
  if (auto error = value.get_object().get(object)) return refuse(error);
  for (auto item : object) {
    ondemand::field field;
    if (auto error = std::move(item).get(field)) return refuse(error);
    csimdjson_node node = {};
    if (!text(field.key(), node.key_offset, node.key_length)) return false;
    ondemand::value member = field.value();
    if (!walk(member, node, depth + 1)) return false;
  }
  return true;
}

template <typename Value>
bool csimdjson_parser::walk(Value &value, csimdjson_node node, uint32_t depth) {
  ondemand::json_type type;
  if (auto error = value.type().get(type)) return refuse(error);
  if (type == ondemand::json_type::string) {
    ondemand::raw_json_string raw;
    if (auto error = value.get_raw_json_string().get(raw)) return refuse(error);
    if (!text(raw, node.text_offset, node.text_length)) return false;
    node.kind = CSIMDJSON_STRING;
    node.end = uint32_t(nodes.size()) + 1;
    nodes.push_back(node);
    return true;
  }
  if (type != ondemand::json_type::array && type != ondemand::json_type::object) {
    std::string_view token;
    if (auto error = simdjson::simdjson_result<std::string_view>(value.raw_json_token()).get(token)) return refuse(error);
    return scalar(token, node);
  }
  if (depth >= depth_limit) return refuse(CSIMDJSON_TOO_DEEP, source, "nested too deeply");
  const size_t index = nodes.size();
  const bool is_array = type == ondemand::json_type::array;
  node.kind = is_array ? CSIMDJSON_ARRAY : CSIMDJSON_OBJECT;
  nodes.push_back(node);
  if (!(is_array ? walk_array(value, depth) : walk_object(value, depth))) return false;
  nodes[index].end = uint32_t(nodes.size());
  return true;
}

csimdjson_outcome csimdjson_parser::walk_document() {
  if (auto error = parser.iterate(source, length, length + padding).get(document)) {
    if (error == simdjson::UTF8_ERROR) return {CSIMDJSON_INVALID_UTF8, 0, "text that is not UTF-8"};
    const bool is_cut = error == simdjson::EMPTY || error == simdjson::UNCLOSED_STRING;
    return {CSIMDJSON_MALFORMED, is_cut ? length : 0, reason(error)};
  }
  if (!walk(document, {}, 0)) return outcome;
  // A scalar is only looked at by its token, so that its end is where the rest of the document must be blank.
  const csimdjson_node &root = nodes[0];
  if (root.kind == CSIMDJSON_ARRAY || root.kind == CSIMDJSON_OBJECT || root.kind == CSIMDJSON_STRING) {
    const char *at = nullptr;
    if (document.current_location().get(at) == simdjson::SUCCESS) {
      return {CSIMDJSON_MALFORMED, size_t(at - source), "something follows the document"};
    }
  } else if (trimmed({source + root.text_offset, length - root.text_offset}).size() != root.text_length) {
    return {CSIMDJSON_MALFORMED, root.text_offset + root.text_length, "something follows the document"};
  }
  return fine;
}

csimdjson_outcome csimdjson_parser::prepare(const char *bytes, size_t byte_count, bool has_padding) {
  constexpr csimdjson_outcome no_memory = {CSIMDJSON_TOO_LARGE, 0, "no memory for the document"};
  if (byte_count > longest_document) return {CSIMDJSON_TOO_LARGE, longest_document, "longer than 1 GiB"};
  if (!strings.reserve(byte_count + 2 * padding)) return no_memory;
  if (!has_padding) {
    if (!copy.reserve(byte_count + padding)) return no_memory;
    if (byte_count > 0) std::memcpy(copy.bytes.get(), bytes, byte_count);
    std::memset(copy.bytes.get() + byte_count, 0, padding);
    bytes = copy.bytes.get();
  }
  nodes.clear();
  source = bytes;
  length = byte_count;
  next = reinterpret_cast<uint8_t *>(strings.bytes.get());
  has_escapes = byte_count > 0 && std::memchr(bytes, '\\', byte_count) != nullptr;
  outcome = fine;
  return fine;
}

csimdjson_outcome csimdjson_parser::parse(const char *bytes, size_t byte_count, bool has_padding, csimdjson_tape *tape) {
  csimdjson_outcome result = prepare(bytes, byte_count, has_padding);
  if (result.status == CSIMDJSON_OK) result = walk_document();
  *tape = {nodes.data(), strings.bytes.get(), source, uint32_t(nodes.size())};
  return result;
}

extern "C" csimdjson_parser *csimdjson_parser_create(uint32_t depth_limit) {
  auto *parser = new (std::nothrow) csimdjson_parser;
  if (parser != nullptr) parser->depth_limit = depth_limit;
  return parser;
}

extern "C" void csimdjson_parser_destroy(csimdjson_parser *parser) { delete parser; }

extern "C" csimdjson_outcome csimdjson_parse(
  csimdjson_parser *parser, const char *bytes, size_t length, bool has_padding, csimdjson_tape *tape) {
  return parser->parse(bytes, length, has_padding, tape);
}
