// What stands ahead of each state of a text that is read from left to right.

#include "objectives/common/futures/futures.h"

#include <algorithm>

namespace ablate::objectives {

std::vector<Future> futures_of(std::span<const Token> tokens, std::size_t window) {
  std::vector<Future> futures;
  for (std::size_t first = 0; first < tokens.size();) {
    std::size_t end = first + 1;
    while (end < tokens.size() && tokens[end - 1] != end_token && tokens[end] != begin_token) ++end;
    // A text that is cut begins anywhere: what stood before its first token may have been read.
    const bool cut = first == 0 && tokens[0] != begin_token;
    for (std::size_t at = first + (cut ? 0 : 1); at < end; ++at)
      futures.push_back({at, tokens.subspan(at, std::min(window, end - at))});
    first = end;
  }
  return futures;
}

void add_shares(std::span<const Share> shares, std::size_t at, std::size_t count,
                Example& example) {
  for (std::size_t i = 0; i < count; ++i) {
    const Share& share = shares[std::min(i, shares.size() - 1)];
    const bool divided = i + 1 >= shares.size();
    const double parts = divided ? static_cast<double>(count - shares.size() + 1) : 1.0;
    example.labels.push_back({.head = 1,
                              .at = static_cast<std::int32_t>(at),
                              .target = share.token,
                              .weight = static_cast<float>(share.weight / parts)});
  }
}

}  // namespace ablate::objectives
