#include "LenientText.h"

#include <cstring>

namespace crossfoot {

namespace {

constexpr uint32_t replacement = 0xFFFD;

bool is_high(uint32_t code) { return code >= 0xD800 && code <= 0xDBFF; }
bool is_low(uint32_t code) { return code >= 0xDC00 && code <= 0xDFFF; }

// Four hexadecimal digits, or a number above 0xFFFF when one is none.
uint32_t hexadecimal(const uint8_t *digits) {
  uint32_t code = 0;
  for (int i = 0; i < 4; i += 1) {
    const uint8_t c = digits[i];
    const uint32_t lower = c | 0x20;
    if (c >= '0' && c <= '9') {
      code = code << 4 | (c - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      code = code << 4 | (lower - 'a' + 10);
    } else {
      return UINT32_MAX;
    }
  }
  return code;
}

uint8_t *encode(uint32_t code, uint8_t *target) {
  if (code < 0x80) {
    *target++ = uint8_t(code);
  } else if (code < 0x800) {
    *target++ = uint8_t(0xC0 | code >> 6);
    *target++ = uint8_t(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    *target++ = uint8_t(0xE0 | code >> 12);
    *target++ = uint8_t(0x80 | (code >> 6 & 0x3F));
    *target++ = uint8_t(0x80 | (code & 0x3F));
  } else {
    *target++ = uint8_t(0xF0 | code >> 18);
    *target++ = uint8_t(0x80 | (code >> 12 & 0x3F));
    *target++ = uint8_t(0x80 | (code >> 6 & 0x3F));
    *target++ = uint8_t(0x80 | (code & 0x3F));
  }
  return target;
}

// Reads `uXXXX`, and its other half where there is one; moves `source` behind what it read.
uint32_t code_point(const uint8_t *&source) {
  const uint32_t code = hexadecimal(source + 1);
  if (code > 0xFFFF) return UINT32_MAX;
  source += 5;
  if (is_high(code) && source[0] == '\\' && source[1] == 'u') {
    const uint32_t low = hexadecimal(source + 2);
    if (is_low(low)) {
      source += 6;
      return 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
  }
  return code == 0 || is_high(code) || is_low(code) ? replacement : code;
}

}  // namespace

bool has_surrogate(std::string_view text) {
  const char *at = text.data();
  const char *const end = at + text.size();
  while (at < end && (at = static_cast<const char *>(std::memchr(at, 0xED, size_t(end - at)))) != nullptr) {
    if (at + 1 < end && uint8_t(at[1]) >= 0xA0) return true;
    at += 1;
  }
  return false;
}

uint8_t *unescape_leniently(const uint8_t *source, uint8_t *target) {
  static const char names[] = "\"\\/bfnrt";
  static const char meanings[] = "\"\\/\b\f\n\r\t";
  while (*source != '"') {
    if (*source != '\\') {
      *target++ = *source++;
      continue;
    }
    source += 1;
    if (*source == 'u') {
      const uint32_t code = code_point(source);
      if (code == UINT32_MAX) return nullptr;
      target = encode(code, target);
      continue;
    }
    const char *name = *source == 0 ? nullptr : std::strchr(names, *source);
    if (name == nullptr) return nullptr;
    *target++ = uint8_t(meanings[name - names]);
    source += 1;
  }
  return target;
}

}  // namespace crossfoot
