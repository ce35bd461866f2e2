// The accounts of one trial in a bank: budget, learning rate, curve, ledger.

#include "harness/train/lane/lane.h"

#include <cmath>
#include <set>
#include <utility>

#include "harness/train/lane/lane_ledger.h"

namespace ablate::train {
namespace {

/// What is written down: of a trial's spikes, and of the documents of each. Losses with a heavy tail spike
/// all the time.
constexpr std::int64_t kSpikes = 500;
constexpr std::size_t kSpikeDocuments = 64;

/// A mean loss as journals store it: null where nothing was scored.
Json mean_to_json(std::optional<double> mean) {
  return mean ? store::number_to_json(*mean) : Json();
}

}  // namespace

Lane::Lane(TrainingLane given) : given_(std::move(given)) {
  for (const TrainingPhase& phase : given_.phases) {
    Account account{.schedule = schedule_of(phase.train),
                    .budget = Budget(phase.train.section("budget"), phase.steps, phase.cost)};
    batches_.add_phase(steps_, phase.draw);
    steps_ += account.budget.steps();
    accounts_.push_back(std::move(account));
  }
}

Usage Lane::spent() const {
  Usage sum = accounts_[0].spent;
  for (std::size_t i = 1; i < accounts_.size(); ++i) sum += accounts_[i].spent;
  return sum;
}

std::int64_t Lane::steps_spent() const { return spent().steps; }

double Lane::progress() const { return progress_of(&Account::spent); }

/// The steps of several phases are counted by the plan, so their progress is that of the steps.
double Lane::progress_of(const Usage Account::*usage) const {
  if (accounts_.size() == 1) return accounts_[0].budget.progress(accounts_[0].*usage);
  std::int64_t made = 0;
  for (const Account& account : accounts_) made += (account.*usage).steps;
  return static_cast<double>(made) / static_cast<double>(steps_);
}

void Lane::draw(std::int64_t step) {
  if (active()) batches_.draw(step);
}

double Lane::learning_rate() const {
  const Account& account = accounts_[batches_.phase()];
  Usage after = account.ahead;
  after += batches_.cost();
  return account.schedule.learning_rate(
      (account.budget.progress(account.ahead) + account.budget.progress(after)) / 2);
}

double Lane::coefficient(std::size_t head) const {
  const std::size_t phase = batches_.phase();
  const Account& account = accounts_[phase];
  return given_.phases[phase].heads[head].coefficient_at(account.budget.progress(account.ahead));
}

void Lane::commit() {
  Account& account = accounts_[batches_.phase()];
  made_.push_back({batches_.phase(), batches_.cost(), account.budget.progress(account.ahead),
                   progress_of(&Account::ahead), learning_rate(), batches_.weights(),
                   batches_.batch().primary, batches_.take_examples()});
  account.ahead += batches_.cost();
}

bool Lane::spent_phase() const {
  const Account& account = accounts_[batches_.phase()];
  return account.budget.progress(account.ahead) >= 1;
}

bool Lane::snapshot_due() const {
  std::int64_t made = 0;
  for (const Account& account : accounts_) made += account.ahead.steps;
  return given_.snapshots.contains(made);
}

void Lane::forget_ahead() {
  for (Account& account : accounts_) account.ahead = account.spent;
}

std::optional<double> Lane::account(const std::vector<double>& totals, double gradient_norm,
                                    double seconds, const std::vector<CountedFact>& facts) {
  Made made = std::move(made_.front());
  made_.pop_front();
  made.cost.seconds = seconds;
  batches_.set_seconds(seconds);
  Account& account = accounts_[made.phase];
  account.spent += made.cost;
  const double clip = given_.phases[made.phase].train.number("clip");
  if (clip > 0 && gradient_norm > clip) ++account.spent.clipped;
  if (made_.empty()) forget_ahead();
  count_realised(made.examples, account.realised);
  for (const CountedFact& fact : facts)
    if (fact.count > 0) account.realised.add(fact.name, fact.sum, fact.count);
  const Loss loss{totals[made.primary], made.cost.target_weight};
  further_.resize(totals.size() - 1);
  for (std::size_t head = 0, i = 0; head < totals.size(); ++head)
    if (head != made.primary) further_[i++] += {totals[head], made.weights[head]};
  judge(made, loss, gradient_norm);
  return made.scored() ? loss.mean() : std::nullopt;
}

void Lane::judge(const Made& made, const Loss& loss, double gradient_norm) {
  const Account& account = accounts_[made.phase];
  const bool first = account.spent.steps == 1, over = account.budget.progress(account.spent) >= 1;
  if (first && made.phase > 0) monitor_.begin_phase();
  monitor_.add(loss, gradient_norm, made.phase_progress >= account.schedule.warmup, made.scored());
  if (const std::optional<double> spike = monitor_.spike()) write_spike(made, *spike);
  const bool diverged = !monitor_.divergence().empty();
  const auto points = static_cast<double>(train().integer("curve_points"));
  const bool due = std::floor(progress() * points) > std::floor(made.progress * points);
  if (due || diverged || first || over) {
    const Monitor::Stretch stretch = monitor_.take();
    write_point(made, stretch, diverged ? loss.mean() : stretch.mean());
  }
  ended_phase_.reset();
  if (diverged)
    end_early(LaneEnd::diverged);
  else if (over)
    end_phase(made.phase);
}

/// A phase that did not do what its objective states ends the trial; no later phase is trained.
void Lane::end_phase(std::size_t phase) {
  deviation_ = deviation(given_.phases[phase].intended, accounts_[phase].realised);
  if (!deviation_.empty())
    end_early(LaneEnd::unfaithful);
  else if (phase + 1 < accounts_.size())
    ended_phase_ = phase;
  else
    end_ = LaneEnd::completed;
}

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

void Lane::write_spike(const Made& made, double loss) {
  if (given_.journal == nullptr || ++spikes_ > kSpikes)
    return;  // points of the curve still say that there were some
  std::set<std::pair<std::int64_t, std::int64_t>> read;
  for (const data::PlacedExample& placed : made.examples)
    read.emplace(placed.text.corpus, placed.text.document);
  Json documents = Json::array();
  for (const auto& [corpus, document] : read)
    if (documents.size() < kSpikeDocuments) documents.push_back({corpus, document});
  given_.journal->write(
      "spike", {{"step", spent().steps}, {"loss", loss}, {"documents", std::move(documents)}},
      Durable::with_next);
}

void Lane::write_point(const Made& made, const Monitor::Stretch& stretch,
                       std::optional<double> loss) {
  const Usage so_far = spent();
  Json point = {{"step", so_far.steps},
                {"text_tokens", so_far.text_tokens},
                {"loss", mean_to_json(loss)},
                {"learning_rate", made.learning_rate},
                {"gradient_norm", stretch.gradient_norm},
                {"spike", stretch.spike},
                {"seconds", so_far.seconds}};
  if (!given_.phases[made.phase].name.empty()) point["phase"] = made.phase;
  for (Loss& head : further_) {
    point["further_losses"].push_back(mean_to_json(head.mean()));
    head = {};
  }
  if (given_.journal == nullptr) return;
  // Many lanes reach a point in the same step, and waiting for the disk for each would take longer
  // than the step.
  given_.journal->write("curve", point, Durable::with_next);
}

Json Lane::used_so_far() const {
  const Usage all = spent();
  double flops = 0;
  for (std::size_t i = 0; i < accounts_.size(); ++i) {
    const Usage& usage = accounts_[i].spent;
    flops += usage.trunk_flops(given_.phases[i].cost) + usage.head_flops(given_.phases[i].cost);
  }
  return {{"step", all.steps},
          {"text_tokens", all.text_tokens},
          {"targets", all.targets},
          {"flops", flops},
          {"seconds", all.seconds}};
}

Json Lane::state() const {
  Json further = Json::array(), phases = Json::array(), realised = Json::array();
  for (const Loss& head : further_) further.push_back({head.total, head.weight});
  for (const Account& account : accounts_) {
    phases.push_back(to_json(account.spent));
    realised.push_back(account.realised.state());
  }
  Json state = {{"spent", to_json(spent())},
                {"monitor", monitor_.json()},
                {"step_seconds", batches_.cost().seconds},
                {"further_losses", std::move(further)},
                {"realised", std::move(realised)}};
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
  if (state.contains("realised"))
    for (std::size_t i = 0; i < accounts_.size(); ++i)
      accounts_[i].realised = Realised::from_state(state.at("realised").at(i));
  else
    count_steps_again();
  batches_.set_seconds(state.at("step_seconds"));
}

/// For checkpoints of earlier versions, which do not hold what was realised.
void Lane::count_steps_again() {
  for (std::int64_t step = 0, count = steps_spent(); step < count; ++step) {
    batches_.draw(step);
    batches_.advance();
    count_realised(batches_.take_examples(), accounts_[batches_.phase()].realised);
  }
}

Json Lane::ledger() const {
  std::vector<PhaseUsage> spent;
  for (std::size_t i = 0; i < accounts_.size(); ++i)
    spent.push_back({given_.phases[i], accounts_[i].spent, accounts_[i].realised});
  return ledger_of(given_, spent, batch().rows);
}

}  // namespace ablate::train
