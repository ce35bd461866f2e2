// The names of special ids, and what they say of documents.

#include "harness/contract/vocabulary.h"

#include <array>

namespace ablate {

std::string_view special_name(Token token) {
  static constexpr std::array<std::string_view, special_count> kNames = {
      "<pad>",    "<begin>",  "<end>",        "<separator>", "<mask>",   "<classify>", "<prefix>",
      "<middle>", "<suffix>", "<end_middle>", "<mode_r>",    "<mode_s>", "<mode_x>",   "<unknown>"};
  return token >= 0 && token < special_count ? kNames[static_cast<std::size_t>(token)]
                                             : std::string_view();
}

std::size_t document_end(std::span<const Token> tokens, std::size_t first) {
  for (std::size_t i = first; i < tokens.size(); ++i) {
    if (tokens[i] == end_token) return i + 1;
    if (tokens[i] == begin_token && i > first) return i;
  }
  return tokens.size();
}

}  // namespace ablate
