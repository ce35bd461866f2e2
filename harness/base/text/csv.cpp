#include "harness/base/text/csv.h"

namespace ablate {
namespace {

/// Whether a spreadsheet may run the text, after apostrophes and what it trims.
bool is_like_a_formula(std::string_view text) {
  const std::size_t begin = text.find_first_not_of("' \t\r\n");
  return begin != std::string_view::npos &&
         std::string_view("=+-@").find(text[begin]) != std::string_view::npos;
}

}  // namespace

std::string csv_field(std::string_view text) {
  const std::string_view apostrophe = is_like_a_formula(text) ? "'" : "";
  if (apostrophe.empty() && text.find_first_of(",\"\n\r'") == std::string_view::npos)
    return std::string(text);
  std::string quoted = "\"" + std::string(apostrophe);
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string_view csv_original(std::string_view field) {
  const bool prefixed = field.starts_with('\'') && is_like_a_formula(field);
  return prefixed ? field.substr(1) : field;
}

}  // namespace ablate
