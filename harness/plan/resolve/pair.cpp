// Compares needs with an offer.

#include "harness/plan/resolve/pair.h"

#include <fmt/core.h>

#include <algorithm>

namespace ablate::plan {
namespace {

std::string_view name_of(Head head) {
  switch (head) {
    case Head::token:
      return "token";
    case Head::future_tokens:
      return "future tokens";
    case Head::pair:
      return "pair";
    case Head::embedding:
      break;
  }
  return "embedding";
}

}  // namespace

std::string mismatch(const Needs& needs, const Offer& offer) {
  if (needs.second_network) return "it needs a second network, which no backbone has yet";
  if (needs.attention == Attention::bidirectional && needs.alignment == Alignment::in_place &&
      !offer.bidirectional)
    return "it predicts in place and reads in both directions; the backbone is causal";
  if (needs.attention == Attention::causal && !offer.causal)
    return "it may see nothing but the past; the backbone reads in both directions";
  if (needs.alignment == Alignment::in_place && !offer.in_place)
    return "it predicts in place; the backbone predicts what follows its inputs";
  if (needs.alignment == Alignment::continuation && !offer.continuation)
    return "it predicts what follows its inputs; the backbone predicts in place";
  if (offer.encoder && !needs.reads)
    return "it has no inputs that an encoder could read; take an objective that reads some";
  for (const HeadNeed& need : needs.heads)
    if (std::find(offer.heads.begin(), offer.heads.end(), need.head) == offer.heads.end())
      return fmt::format("it needs a {} head, which the backbone does not have",
                         name_of(need.head));
  return "";
}

Needs hosted(Needs needs, const Offer& offer) {
  if (!offer.bidirectional) needs.attention = Attention::causal;
  needs.separate_inputs = offer.encoder;
  return needs;
}

Json built_for(const Needs& needs) {
  Json heads = Json::array();
  for (const HeadNeed& need : needs.heads)
    heads.push_back({static_cast<int>(need.head), need.ahead, need.coefficient});
  return {heads, static_cast<int>(needs.future), needs.shorten_trunk, needs.separate_inputs};
}

}  // namespace ablate::plan
