#include "harness/base/json/parse.h"

#include <fmt/core.h>

#include "harness/base/error.h"

namespace ablate {

bool is_nested_deeper(std::string_view text, int levels) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c == '\\') ++at;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      if (++depth > levels) return true;
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return false;
}

// Levels are counted beforehand: the parser's own callback costs as much again as the parsing.
Json parse_json(std::string_view text) {
  if (is_nested_deeper(text))
    throw Json::other_error::create(
        501, fmt::format("it is nested more than {} deep", kMaxJsonLevels), nullptr);
  return Json::parse(text);
}

Json parse_or_discard(std::string_view text) {
  if (is_nested_deeper(text)) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, /*allow_exceptions=*/false);
}

Json parse_stored(std::string_view text, std::string_view where) {
  if (is_nested_deeper(text)) damaged("{}: is nested more than {} deep", where, kMaxJsonLevels);
  try {
    return Json::parse(text);
  } catch (const Json::exception&) {
    damaged("{}: is not JSON; the file was changed or cut off", where);
  }
}

}  // namespace ablate
