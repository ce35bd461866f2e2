// The account of one trial in a bank: budget, learning rate, curve, ledger.

#include "harness/train/lane/lane.h"

#include <cmath>

#include "harness/train/lane/lane_ledger.h"

namespace ablate::train {
namespace {

/// What the batch will cost; the seconds are not known yet.
Usage cost_of(const data::SampledBatch& drawn) {
  Usage cost;
  cost.steps = 1;
  cost.text_tokens = drawn.text_tokens;
  cost.positions = drawn.batch.rows * drawn.batch.time;
  cost.sources = drawn.batch.rows * drawn.batch.source.time;
  cost.targets = data::scored_tokens(drawn.batch);
  if (!drawn.batch.scored.empty()) cost.target_weight = drawn.batch.scored.front().weight();
  return cost;
}

}  // namespace

Lane::Lane(TrainingLane given) : given_(std::move(given)) {
  for (const TrainingPhase& phase : given_.phases) {
    Account account{.schedule = schedule_of(phase.train),
                    .budget = Budget(phase.train.section("budget"), phase.steps, phase.cost),
                    .first = steps_};
    steps_ += account.budget.steps();
    accounts_.push_back(std::move(account));
  }
}

std::size_t Lane::phase_of(std::int64_t step) const {
  std::size_t phase = accounts_.size() - 1;
  while (accounts_[phase].first > step) --phase;
  return phase;
}

Usage Lane::spent() const {
  Usage sum = accounts_[0].spent;
  for (std::size_t i = 1; i < accounts_.size(); ++i) sum += accounts_[i].spent;
  return sum;
}

std::int64_t Lane::steps_spent() const { return spent().steps; }

double Lane::share() const { return whole_share(&Account::spent); }

/// Of several phases, whose steps the plan has counted, the share of the steps.
double Lane::whole_share(const Usage Account::*of) const {
  if (accounts_.size() == 1) return accounts_[0].budget.share(accounts_[0].*of);
  std::int64_t made = 0;
  for (const Account& account : accounts_) made += (account.*of).steps;
  return static_cast<double>(made) / static_cast<double>(steps_);
}

void Lane::draw(std::int64_t step) {
  if (!active()) return;
  next_at_ = phase_of(step);
  next_ = given_.phases[next_at_].draw(step - accounts_[next_at_].first);
}

void Lane::advance() {
  if (!next_) return;
  drawn_ = std::move(*next_);
  next_.reset();
  at_ = next_at_;
  const double seconds = cost_.seconds;
  cost_ = cost_of(drawn_);
  cost_.seconds = seconds;  // as long as the last step, as far as anybody knows
  weights_.clear();
  for (const data::Scored& scored : drawn_.batch.scored) weights_.push_back(scored.weight());
}

double Lane::rate() const {
  const Account& account = accounts_[at_];
  Usage after = account.ahead;
  after += cost_;
  return account.schedule.learning_rate(
      (account.budget.share(account.ahead) + account.budget.share(after)) / 2);
}

void Lane::commit() {
  Account& account = accounts_[at_];
  made_.push_back({at_, cost_, account.budget.share(account.ahead), whole_share(&Account::ahead),
                   rate(), weights_, std::move(drawn_.examples)});
  account.ahead += cost_;
}

bool Lane::spent_phase() const { return accounts_[at_].budget.share(accounts_[at_].ahead) >= 1; }

void Lane::forget_ahead() {
  for (Account& account : accounts_) account.ahead = account.spent;
}

double Lane::account(const std::vector<double>& totals, double gradient_norm, double seconds) {
  Made made = std::move(made_.front());
  made_.pop_front();
  cost_.seconds = made.cost.seconds = seconds;
  Account& account = accounts_[made.phase];
  account.spent += made.cost;
  if (made_.empty()) forget_ahead();
  count_realised(made.examples, account.realised);
  const Loss loss{totals[0], made.cost.target_weight};
  further_.resize(totals.size() - 1);
  for (std::size_t i = 0; i < further_.size(); ++i)
    further_[i] += {totals[i + 1], made.weights[i + 1]};
  judge(made, loss, gradient_norm);
  return loss.mean();
}

/// What a step's loss says of the lane: a point of its curve, a phase's end, its own.
void Lane::judge(const Made& made, const Loss& loss, double gradient_norm) {
  const Account& account = accounts_[made.phase];
  const bool first = account.spent.steps == 1, over = account.budget.share(account.spent) >= 1;
  if (first && made.phase > 0) monitor_.begin_phase();
  monitor_.add(loss, gradient_norm, made.share >= account.schedule.warmup);
  const bool diverged = !monitor_.divergence().empty();
  const auto points = static_cast<double>(train().integer("curve_points"));
  const bool due = std::floor(share() * points) > std::floor(made.whole * points);
  if (due || diverged || first || over) {
    const Monitor::Stretch stretch = monitor_.take();
    write_point(made, stretch, diverged ? loss.mean() : stretch.loss.mean());
  }
  ended_phase_.reset();
  if (diverged)
    end_early(LaneEnd::diverged);
  else if (over)
    end_phase(made.phase);
}

/// A phase that did not do what its objective states ends the trial, whatever was to follow.
void Lane::end_phase(std::size_t phase) {
  deviation_ = deviation(given_.phases[phase].intended, accounts_[phase].realised);
  if (!deviation_.empty())
    end_early(LaneEnd::unfaithful);
  else if (phase + 1 < accounts_.size())
    ended_phase_ = phase;
  else
    end_ = LaneEnd::completed;
}

/// Steps that were made and not accounted for are forgotten.
void Lane::end_early(LaneEnd end) {
  end_ = end;
  made_.clear();
  forget_ahead();
}

std::string Lane::message() const {
  return end_ == LaneEnd::unfaithful ? deviation_ : monitor_.divergence();
}

void Lane::count_realised(const std::vector<data::PlacedExample>& examples, Realised& realised) {
  for (const data::PlacedExample& placed : examples) realised.add(placed.text, placed.example);
}

void Lane::write_point(const Made& made, const Monitor::Stretch& stretch, double loss) {
  const Usage so_far = spent();
  Json point = {{"step", so_far.steps},
                {"text_tokens", so_far.text_tokens},
                {"loss", loss},
                {"learning_rate", made.rate},
                {"gradient_norm", stretch.gradient_norm},
                {"spike", stretch.spike},
                {"seconds", so_far.seconds}};
  if (!given_.phases[made.phase].name.empty()) point["phase"] = made.phase;
  for (Loss& head : further_) {
    point["further_losses"].push_back(store::number_to_json(head.mean()));
    head = {};
  }
  given_.journal->write("curve", point);
}

Json Lane::state() const {
  Json further = Json::array(), phases = Json::array();
  for (const Loss& head : further_) further.push_back({head.total, head.weight});
  for (const Account& account : accounts_) phases.push_back(to_json(account.spent));
  Json state = {{"spent", to_json(spent())},
                {"monitor", monitor_.json()},
                {"step_seconds", cost_.seconds},
                {"further_losses", std::move(further)}};
  if (phases.size() > 1) state["phases"] = std::move(phases);
  return state;
}

void Lane::restore(const Json& state) {
  const Json phases = state.value("phases", Json::array({state.at("spent")}));
  for (std::size_t i = 0; i < accounts_.size(); ++i)
    accounts_[i].spent = usage_from_json(phases.at(i));
  forget_ahead();
  monitor_ = Monitor::from_json(state.at("monitor"));
  further_.clear();
  for (const Json& head : state.value("further_losses", Json::array()))
    further_.push_back({head.at(0), head.at(1)});
  for (std::int64_t step = 0, count = steps_spent(); step < count; ++step) {
    at_ = phase_of(step);
    drawn_ = given_.phases[at_].draw(step - accounts_[at_].first);
    count_realised(drawn_.examples, accounts_[at_].realised);
  }
  cost_.seconds = state.at("step_seconds");
}

Json Lane::ledger() const {
  std::vector<PhaseUsage> spent;
  for (std::size_t i = 0; i < accounts_.size(); ++i)
    spent.push_back({given_.phases[i], accounts_[i].spent, accounts_[i].realised});
  return ledger_of(given_, spent, drawn_.batch.rows);
}

}  // namespace ablate::train
