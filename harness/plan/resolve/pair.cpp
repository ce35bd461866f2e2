// Compares needs with an offer.

#include "harness/plan/resolve/pair.h"

#include <utility>

#include "harness/base/find_named.h"

namespace ablate::plan {
std::string mismatch(const Needs& needs, const Offer& offer, std::span<const HeadSpec> heads) {
  if (needs.attention == Attention::bidirectional && needs.alignment == Alignment::in_place &&
      !offer.bidirectional)
    return "it predicts in place and reads in both directions; the backbone is causal";
  if (needs.attention_least == Attention::bidirectional && !offer.bidirectional)
    return "its examples are read in both directions; the backbone is causal, and would train it "
           "on other examples";
  if (needs.attention == Attention::causal && !offer.causal)
    return "it may see nothing but the past; the backbone reads in both directions";
  if (needs.alignment == Alignment::in_place && !offer.in_place)
    return "it predicts in place; the backbone predicts what follows its inputs";
  if (needs.alignment == Alignment::continuation && !offer.continuation)
    return "it predicts what follows its inputs; the backbone predicts in place";
  if (offer.encoder && (!needs.reads || needs.one_stack))
    return "it has no inputs that an encoder could read; take an objective that reads some";
  for (const HeadNeed& need : needs.heads) {
    const HeadSpec& spec = find_named(heads, "head", need.kind);
    if (spec.refusal == nullptr) continue;
    if (std::string reason = spec.refusal(offer); !reason.empty()) return reason;
  }
  return "";
}

Needs hosted(Needs needs, const Offer& offer, std::span<const HeadSpec> heads) {
  if (!offer.bidirectional) {
    needs.attention = Attention::causal;
    needs.documents.reset();
  }
  needs.separate_inputs = offer.encoder;
  needs.heads = known_heads(std::move(needs.heads), heads);
  return needs;
}

Json built_for(const Needs& needs) {
  Json heads = Json::array();
  for (const HeadNeed& need : needs.heads) heads.push_back({need.kind, need.params});
  Json built = {heads, needs.separate_inputs};
  if (needs.inner_positions) built.push_back("inner_positions");
  return built;
}

}  // namespace ablate::plan
