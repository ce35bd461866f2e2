// Token order prediction: beside the next token, rank the tokens that come soon by how soon they come.
//
// A second head gives each token of the vocabulary a score. Its target is a distribution over the distinct
// tokens of a window, the first of which is the next token: the softmax of minus the distance to each
// one's first occurrence. So the sooner a token occurs, the higher it ranks, and how often it occurs
// does not count. The first head is causal language modelling.
//
// The weights of tokens fall by a factor e from one distance to the next: whatever the window, tokens
// further than about eight hardly count.
//
// Source: Zuhri et al. 2025, "Predicting the Order of Upcoming Tokens Improves Language Modeling",
// arXiv:2508.19228, section 3.

#include <algorithm>
#include <cmath>

#include "objectives/common/futures/with_future.h"

namespace ablate::objectives {
namespace {

constexpr std::string_view kPicture =
    "text     a b a c\n"
    "inputs   (none)\n"
    "targets  a b a c               of head 1, which predicts the next token\n"
    "         a .71, b .26, c .04   of head 2, at the state that predicts the first a: softmax of "
    "0,\n"
    "                               -1 and -3\n";

constexpr std::string_view kDiffers =
    "the source's code looks thousands of tokens ahead; here 64 at most, and 8 by default, since "
    "tokens further than that hardly count\n"
    "the source's code keeps distances in half precision, in which a window of 4096 gives the two "
    "nearest tokens the same score; here distances are exact\n"
    "tokens past the end of the document have no score, because nothing is known of the next one; "
    "a place whose window is cut by the end of the text is not scored\n";

std::vector<Share> shares_of(std::span<const Token> window) {
  std::vector<Share> shares;
  double sum = 0;
  for (std::size_t j = 0; j < window.size(); ++j) {
    const bool occurred = std::ranges::any_of(
        shares, [&](const Share& earlier) { return earlier.token == window[j]; });
    if (occurred) continue;
    shares.push_back({window[j], std::exp(-static_cast<double>(j))});
    sum += shares.back().weight;
  }
  for (Share& share : shares) share.weight /= sum;
  return shares;
}

Objective build(const Params& params, const Context& context) {
  // No optimum of the second head: the softmax makes a token's weight depend on which others occur.
  return with_future({.of = "order", .shares = shares_of}, params, context);
}

}  // namespace

ObjectiveSpec token_order_objective() {
  return causal_with_heads(
      {.name = "token_order",
       .summary = "predict every token, and rank the tokens that come soon by how soon they come",
       .picture = kPicture,
       .source = "Zuhri et al. 2025, arXiv:2508.19228, section 3",
       .differs = kDiffers,
       .params =
           future_params(8, "tokens that the second head looks ahead, the next one included", 1),
       .build = build,
       .further_heads = [](const Params& given) {
         return std::vector<HeadNeed>{head_of("order", given)};
       }});
}

}  // namespace ablate::objectives
