#include "harness/train/lane/bank_lanes.h"

#include <algorithm>

namespace ablate::train {

BankLanes::BankLanes(std::vector<TrainingLane> given, int threads)
    : lanes_(std::make_move_iterator(given.begin()), std::make_move_iterator(given.end())),
      batches_(lanes_.size()),
      threads_(std::min(static_cast<std::size_t>(threads), lanes_.size())) {
  if (lanes_.empty()) throw std::logic_error("train: a bank needs at least one lane, got none");
  for (const Lane& lane : lanes_)
    if (lane.heads() != heads())
      reject("train: the trials of a bank have different heads; train them in separate banks");
    else if (plan::micro_batch_of(lane.train()) != micro_batch())
      reject(
          "train: the trials of a bank have different micro_batch; train them in separate banks");
    else if (lane.train().number("dropout") != dropout())
      reject("train: the trials of a bank have different dropout; train them in separate banks");
    else if (plan::loss_of(lane.train()) != loss())
      reject("train: the trials of a bank have different losses; train them in separate banks");
  for (const HeadNeed& head : lanes_.front().given().phases.front().heads)
    if (head.spec != nullptr)
      fact_names_.insert(fact_names_.end(), head.spec->facts.begin(), head.spec->facts.end());
}

bool BankLanes::any_active() const {
  return std::any_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.active(); });
}

bool BankLanes::timed() const {
  return std::any_of(lanes_.begin(), lanes_.end(), [](const Lane& lane) { return lane.timed(); });
}

std::vector<Lane::CountedFact> BankLanes::facts(const double* rows, std::size_t lane) const {
  std::vector<Lane::CountedFact> facts;
  for (const std::string_view name : fact_names_) {
    facts.push_back({name, rows[lane], rows[count() + lane]});
    rows += 2 * count();
  }
  return facts;
}

std::vector<std::uint64_t> BankLanes::seeds() const {
  std::vector<std::uint64_t> all;
  for (const Lane& lane : lanes_) all.push_back(lane.seed());
  return all;
}

std::vector<AdamWSettings> BankLanes::adamw_settings() const {
  std::vector<AdamWSettings> all;
  for (const Lane& lane : lanes_) all.push_back(adamw_settings_of(lane.train()));
  return all;
}

void BankLanes::draw(std::int64_t step) {
  threads_.parallel_for(lanes_.size(), [this, step](std::size_t lane) { lanes_[lane].draw(step); });
}

/// A lane that has ended is not updated, so it may read any batch. Where the shape of the active
/// lanes' batches has changed since, it reads one of theirs.
void BankLanes::advance() {
  const data::Batch* going_on = nullptr;
  for (Lane& lane : lanes_) {
    lane.advance();
    if (lane.active() && going_on == nullptr) going_on = &lane.batch();
  }
  for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
    const data::Batch& own = lanes_[lane].batch();
    const bool fits = going_on == nullptr ||
                      (own.time == going_on->time && own.source.time == going_on->source.time);
    batches_[lane] = fits ? own : *going_on;
  }
}

/// A lane's loss is the sum over heads of coefficient * total / weight. Lanes that have ended have
/// a gradient scale of 0 and a learning rate of -1.
StepOrder BankLanes::order(std::int64_t step) const {
  StepOrder order{.step = step, .lanes = batches_};
  for (std::size_t head = 0; head < heads(); ++head)
    for (const Lane& lane : lanes_) {
      const double weight = lane.active() ? lane.weight(head) : 0;
      order.gradient_scales.push_back(
          weight > 0 ? static_cast<float>(lane.coefficient(head) / weight) : 0);
    }
  for (const Lane& lane : lanes_)
    order.learning_rates.push_back(lane.active() ? lane.learning_rate() : -1);
  return order;
}

}  // namespace ablate::train
