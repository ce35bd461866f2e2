// Draws a lane's batches and counts what each will use.

#include "harness/train/lane/lane_batches.h"

namespace ablate::train {
namespace {

/// What a batch will use. Its seconds are not known yet.
Usage cost_of(const data::SampledBatch& drawn) {
  Usage cost;
  cost.steps = 1;
  cost.text_tokens = drawn.text_tokens;
  cost.positions = drawn.batch.rows * drawn.batch.time;
  cost.sources = drawn.batch.rows * drawn.batch.source.time;
  cost.targets = data::scored_tokens(drawn.batch);
  if (drawn.batch.scored.empty()) return cost;
  const data::Scored& shown = drawn.batch.primary_scored();
  cost.target_weight = shown.weight();
  cost.unscored = shown.targets.empty();
  return cost;
}

}  // namespace

void LaneBatches::add_phase(std::int64_t first, Draw draw) {
  phases_.push_back({first, std::move(draw)});
}

void LaneBatches::draw(std::int64_t step) {
  next_phase_ = phases_.size() - 1;
  while (phases_[next_phase_].first > step) --next_phase_;
  next_ = phases_[next_phase_].draw(step - phases_[next_phase_].first);
}

void LaneBatches::advance() {
  if (!next_) return;
  drawn_ = std::move(*next_);
  next_.reset();
  phase_ = next_phase_;
  const double seconds = cost_.seconds;
  cost_ = cost_of(drawn_);
  cost_.seconds = seconds;
  weights_.clear();
  for (const data::Scored& scored : drawn_.batch.scored) weights_.push_back(scored.weight());
}

}  // namespace ablate::train
