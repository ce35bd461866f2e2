#include "harness/base/json/parse.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/error.h"

namespace ablate {
namespace {

constexpr int kDeepest = 64;

/// How deep the brackets of a JSON text are nested, those within strings left out.
int depth_of(std::string_view text) {
  int depth = 0, deepest = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c == '\\') ++at;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      deepest = std::max(deepest, ++depth);
    } else if (c == '}' || c == ']') {
      --depth;
    }
  }
  return deepest;
}

}  // namespace

Json parse_stored(std::string_view text, std::string_view where) {
  // Counted beforehand: the parser's own callback costs as much again as the parsing.
  if (depth_of(text) > kDeepest) damaged("{}: is nested more than {} deep", where, kDeepest);
  try {
    return Json::parse(text);
  } catch (const Json::exception&) {
    damaged("{}: is not JSON; the file was changed or cut off", where);
  }
}

}  // namespace ablate
