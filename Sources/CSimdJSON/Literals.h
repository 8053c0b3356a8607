#pragma once
#include <string_view>

namespace crossfoot {

// The token without the blanks behind it.
std::string_view trimmed(std::string_view token);

// Whether the text is a number by RFC 8259, section 6. simdjson would have to convert it to find out, and its value is not wanted.
bool is_number(std::string_view text);

}  // namespace crossfoot
