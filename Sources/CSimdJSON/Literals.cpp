#include "Literals.h"

#include <cstddef>

namespace crossfoot {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

size_t digits(std::string_view text, size_t from) {
  while (from < text.size() && text[from] >= '0' && text[from] <= '9') from += 1;
  return from;
}

}  // namespace

std::string_view trimmed(std::string_view token) {
  while (!token.empty() && is_blank(token.back())) token.remove_suffix(1);
  return token;
}

bool is_number(std::string_view text) {
  size_t at = !text.empty() && text[0] == '-' ? 1 : 0;
  const size_t whole = digits(text, at);
  if (whole == at || (text[at] == '0' && whole > at + 1)) return false;
  at = whole;
  if (at < text.size() && text[at] == '.') {
    const size_t fraction = digits(text, at + 1);
    if (fraction == at + 1) return false;
    at = fraction;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    at += 1;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) at += 1;
    const size_t exponent = digits(text, at);
    if (exponent == at) return false;
    at = exponent;
  }
  return at == text.size();
}

}  // namespace crossfoot
