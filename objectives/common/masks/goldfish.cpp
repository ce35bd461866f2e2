// Which targets a loss against memorisation leaves out.

#include "objectives/common/masks/goldfish.h"

#include "harness/base/rng.h"
#include "harness/contract/chain.h"

namespace ablate::objectives {

std::int64_t leave_out(const Goldfish& goldfish, const Text& text, Example& example) {
  constexpr std::uint64_t kKey = 0x60'1D'F1'5B;  // one for all trials: a passage has one fate
  std::int64_t count = 0;
  const std::size_t before = goldfish.context - (goldfish.with_target ? 1 : 0);
  for (const Segment& segment : segments(text.tokens))
    for (std::size_t at = segment.first + before; at < segment.first + segment.count; ++at) {
      Rng hash(kKey);
      for (const Token token : text.tokens.subspan(at - before, goldfish.context))
        hash = hash.fork(static_cast<std::uint64_t>(token));
      if (hash.below(goldfish.one_in) != 0) continue;
      example.weights[at] = 0;
      ++count;
    }
  return count;
}

}  // namespace ablate::objectives
