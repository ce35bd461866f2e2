// What stands ahead of each state of a text that is read from left to right.

#include "objectives/common/futures/futures.h"

#include <algorithm>

#include "harness/contract/chain.h"

namespace ablate::objectives {

std::vector<Future> futures_of(std::span<const Token> tokens, std::size_t window) {
  std::vector<Future> futures;
  for (const Segment& segment : segments(tokens)) {
    const std::size_t end = segment.first + segment.count;
    // A text that is cut begins anywhere: what stood before its first token may have been read.
    const bool read_before = segment.starts_document || segment.first == 0;
    for (std::size_t at = segment.first + (read_before ? 0 : 1); at < end; ++at)
      futures.push_back({at, tokens.subspan(at, std::min(window, end - at))});
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
