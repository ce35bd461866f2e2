#include "harness/plan/prepare/text_counter.h"

#include "harness/data/batches/texts.h"

namespace ablate::plan {

const TextCount& TextCounter::of(const PreparedPhase& phase, const PreparedMember& member) {
  const Key key(member.corpus.hash(), phase.packing, phase.context);
  const auto known = counted_.find(key);
  if (known != counted_.end()) return known->second;
  const data::Texts texts(member.corpus.training(), phase.objective.needs, phase.packing,
                          phase.context);
  const auto count = static_cast<double>(texts.count());
  return counted_[key] = {count, static_cast<double>(texts.raw_tokens()) / count};
}

double TextCounter::raw_tokens(const PreparedPhase& phase) {
  double mean = 0;
  for (const PreparedMember& member : phase.members)
    mean += member.fraction * of(phase, member).raw_tokens;
  return mean;
}

}  // namespace ablate::plan
