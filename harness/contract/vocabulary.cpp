// The names of special ids.

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

}  // namespace ablate
