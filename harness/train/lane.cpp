// The account of one trial in a bank: budget, learning rate, curve, ledger.

#include "harness/train/lane.h"

#include <cmath>

#include "harness/plan/train_params.h"

namespace ablate {
namespace {

/// What the batch will cost; the seconds are not known yet.
Spent cost_of(const Drawn& drawn) {
  Spent cost;
  cost.steps = 1;
  cost.text_tokens = drawn.text_tokens;
  cost.positions = drawn.batch.rows * drawn.batch.time;
  cost.sources = drawn.batch.rows * drawn.batch.source.time;
  cost.targets = scored_tokens(drawn.batch);
  if (!drawn.batch.scored.empty()) cost.target_weight = drawn.batch.scored.front().weight();
  return cost;
}

}  // namespace

Lane::Lane(TrainingLane given)
    : given_(std::move(given)),
      train_(train_params(), given_.trial->config.at("train")),
      schedule_(schedule_of(train_)),
      budget_(*given_.trial, given_.cost) {}

void Lane::draw(std::int64_t step) {
  if (active()) next_ = given_.draw(step);
}

void Lane::advance() {
  if (!next_) return;
  drawn_ = std::move(*next_);
  next_.reset();
  const double seconds = cost_.seconds;
  cost_ = cost_of(drawn_);
  cost_.seconds = seconds;  // as long as the last step, as far as anybody knows
  weights_.clear();
  for (const Scored& scored : drawn_.batch.scored) weights_.push_back(scored.weight());
}

double Lane::rate() const {
  Spent after = ahead_;
  after += cost_;
  return schedule_.rate((budget_.share(ahead_) + budget_.share(after)) / 2);
}

void Lane::commit() {
  made_.push_back({cost_, budget_.share(ahead_), rate(), weights_, std::move(drawn_.examples)});
  ahead_ += cost_;
}

double Lane::account(const std::vector<double>& totals, double gradient_norm, double seconds) {
  Made made = std::move(made_.front());
  made_.pop_front();
  cost_.seconds = made.cost.seconds = seconds;
  spent_ += made.cost;
  if (made_.empty()) ahead_ = spent_;
  count_realised(made.examples);
  const Loss loss{totals[0], made.cost.target_weight};
  further_.resize(totals.size() - 1);
  for (std::size_t i = 0; i < further_.size(); ++i)
    further_[i] += {totals[i + 1], made.weights[i + 1]};
  monitor_.add(loss, gradient_norm, made.share >= schedule_.warmup);
  const bool diverged = !monitor_.divergence().empty();
  const auto points = static_cast<double>(train_.integer("curve_points"));
  const bool due = std::floor(share() * points) > std::floor(made.share * points);
  if (due || diverged || spent_.steps == 1) {
    const Monitor::Stretch stretch = monitor_.take();
    write_point(stretch, diverged ? loss.mean() : stretch.loss.mean(), made.rate);
  }
  if (diverged) {
    end_ = LaneEnd::diverged;
    made_.clear();
    ahead_ = spent_;
  } else if (share() >= 1) {
    deviation_ = deviation(given_.intended, realised_);
    end_ = deviation_.empty() ? LaneEnd::completed : LaneEnd::unfaithful;
  }
  return loss.mean();
}

std::string Lane::message() const {
  return end_ == LaneEnd::unfaithful ? deviation_ : monitor_.divergence();
}

void Lane::count_realised(const std::vector<Placed>& examples) {
  for (const Placed& placed : examples) realised_.add(placed.text, placed.example);
}

void Lane::write_point(const Monitor::Stretch& stretch, double loss, double rate) {
  Json point = {{"step", spent_.steps},
                {"text_tokens", spent_.text_tokens},
                {"loss", loss},
                {"learning_rate", rate},
                {"gradient_norm", stretch.gradient_norm},
                {"spike", stretch.spike},
                {"seconds", spent_.seconds}};
  for (Loss& head : further_) {
    point["further_losses"].push_back(number_to_json(head.mean()));
    head = {};
  }
  given_.journal->write("curve", point);
}

Json Lane::state() const {
  Json further = Json::array();
  for (const Loss& head : further_) further.push_back({head.total, head.weight});
  return {{"spent", to_json(spent_)},
          {"monitor", monitor_.json()},
          {"step_seconds", cost_.seconds},
          {"further_losses", std::move(further)}};
}

void Lane::restore(const Json& state) {
  spent_ = spent_from_json(state.at("spent"));
  ahead_ = spent_;
  monitor_ = Monitor::from_json(state.at("monitor"));
  further_.clear();
  for (const Json& head : state.value("further_losses", Json::array()))
    further_.push_back({head.at(0), head.at(1)});
  for (std::int64_t step = 0; step < spent_.steps; ++step) {
    drawn_ = given_.draw(step);
    count_realised(drawn_.examples);
  }
  cost_.seconds = state.at("step_seconds");
}

Json Lane::ledger() const {
  const ParameterCount& parameters = given_.trial->parameters;
  const double trunk = spent_.trunk_flops(given_.cost);
  const double head = spent_.head_flops(given_.cost);
  const auto texts_read = static_cast<double>(spent_.steps * drawn_.batch.rows);
  const double seconds = spent_.seconds;
  return {
      {"parameters", parameters.total},
      {"parameters_without_embeddings", parameters.total - parameters.embeddings},
      {"parameters_at_inference", parameters.at_inference},
      {"steps", spent_.steps},
      {"text_tokens", spent_.text_tokens},
      {"positions", spent_.positions},
      {"source_positions", spent_.sources},
      {"targets", spent_.targets},
      {"target_weight", spent_.target_weight},
      {"epochs", given_.texts > 0 ? texts_read / static_cast<double>(given_.texts) : 0.0},
      {"flops", trunk + head},
      {"trunk_flops", trunk},
      {"head_flops", head},
      {"seconds", seconds},
      {"tokens_per_second", seconds > 0 ? static_cast<double>(spent_.text_tokens) / seconds : 0},
      {"objective", given_.trial->config.at("objective")},
      {"intended", to_json(given_.intended)},
      {"realised", realised_.json()}};
}

}  // namespace ablate
