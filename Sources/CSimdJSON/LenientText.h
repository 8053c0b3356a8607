#pragma once
#include <cstdint>
#include <string_view>

namespace crossfoot {

// Whether unescaping left half of a UTF-16 pair, which is no UTF-8 (ED A0..BF xx).
bool has_surrogate(std::string_view text);

// Unescapes the string at `source` (behind its opening quote) up to its closing quote, with U+FFFD for U+0000 and for halves of UTF-16
// pairs: providers hand on what their customers typed, and one such character must not cost the record. Returns the end of what was
// written, or nullptr for an escape that JSON does not have. Never writes more bytes than it reads.
uint8_t *unescape_leniently(const uint8_t *source, uint8_t *target);

}  // namespace crossfoot
