#include "objectives/common/spans/parts.h"

namespace ablate::objectives {

std::vector<Part> parts_of(const Text& text) {
  std::vector<Part> parts;
  Part open;
  const auto close = [&](std::size_t next) {
    open.count = next - open.first;
    if (open.count > 0) parts.push_back(open);
    open = {.first = next};
  };
  for (std::size_t i = 0; i < text.tokens.size(); ++i) {
    const bool own = !text.is_special(i);
    const bool parted = own && open.own_count > 0 && open.own_first + open.own_count < i;
    if (text.tokens[i] == begin_token || parted) close(i);
    if (own && open.own_count++ == 0) open.own_first = i;
    if (text.tokens[i] == end_token) close(i + 1);
  }
  close(text.tokens.size());
  return parts;
}

}  // namespace ablate::objectives
