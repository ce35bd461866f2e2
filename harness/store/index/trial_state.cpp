#include "harness/store/index/trial_state.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/store/journal/journal.h"
#include "harness/store/journal/journal_lines.h"

namespace ablate::store {
namespace {

std::string text_or_empty(const Json& event, const char* name) {
  const auto found = event.find(name);
  return found == event.end() || found->is_null() ? std::string() : found->get<std::string>();
}

double number_or_nan(const Json& event, const char* name) {
  const auto found = event.find(name);
  return number_from_json(found == event.end() || found->is_null() ? Json("nan") : *found);
}

/// Notes that an attempt was alive at a time; its first event adds it.
void sign_of_life(TrialState& state, std::int64_t attempt, std::string_view time) {
  if (state.attempts.empty() || state.attempts.back().number != attempt) {
    state.attempts.push_back({.number = attempt, .started = std::string(time)});
    state.outcome = "unfinished";
    state.message.clear();
  }
  state.attempts.back().ended = time;
}

void take_attempt(TrialState& state, const Json& event) {
  state.attempts.back().provenance = event.value("provenance", Json());
  if (event.contains("trial")) state.trial = event.at("trial");
}

/// Removes the rows of previous attempts at or after `step`: they were computed again.
template <class Row>
void supersede(std::vector<Row>& rows, std::int64_t step) {
  while (!rows.empty() && rows.back().step >= step) rows.pop_back();
}

/// Removes the spikes of previous attempts at or after `step`, as points of the curve are.
void supersede_spikes(TrialState& state, std::int64_t attempt, std::int64_t step) {
  std::erase_if(state.spikes, [&](const LossSpike& spike) {
    return spike.step >= step && spike.attempt < attempt;
  });
}

void take_curve(TrialState& state, const Json& event) {
  state.curve.add({.step = integer_in(event.at("step")),
                   .text_tokens = number_or_nan(event, "text_tokens"),
                   .loss = number_or_nan(event, "loss"),
                   .learning_rate = number_or_nan(event, "learning_rate"),
                   .gradient_norm = number_or_nan(event, "gradient_norm"),
                   .spike = event.value("spike", false)});
}

void take_spike(TrialState& state, const Json& event) {
  LossSpike spike{.step = integer_in(event.at("step")), .loss = number_or_nan(event, "loss")};
  for (const Json& read : event.at("documents"))
    spike.documents.push_back({integer_in(read.at(0)), integer_in(read.at(1))});
  spike.attempt = integer_in(event.at("attempt"));
  supersede(state.spikes, spike.step);
  state.spikes.push_back(std::move(spike));
}

void take_checkpoint(std::vector<StoredCheckpoint>& checkpoints, const Json& event) {
  const StoredCheckpoint checkpoint{.step = integer_in(event.at("step")),
                                    .attempt = integer_in(event.at("attempt")),
                                    .file = event.at("file"),
                                    .sha256 = event.at("sha256")};
  supersede(checkpoints, checkpoint.step);
  checkpoints.push_back(checkpoint);
}

/// The point on the way at which a measurement was made; none at the end.
std::optional<TrainingPoint> point_in(const Json& event) {
  const auto at = event.find("at");
  if (at == event.end()) return std::nullopt;
  return TrainingPoint{integer_in(at->at("step")), number_or_nan(*at, "text_tokens"),
                       number_or_nan(*at, "targets"), number_or_nan(*at, "flops"),
                       number_or_nan(*at, "seconds")};
}

void take_measurement(TrialState& state, const Json& event) {
  StoredMeasurement made{.id = event.at("id"),
                         .probe = text_or_empty(event, "probe"),
                         .attempt = integer_in(event.at("attempt")),
                         .at = point_in(event),
                         .details = event.value("details", Json::object())};
  if (event.contains("spent")) made.spent = event.at("spent").get<MeasuringTime>();
  for (const auto& [name, value] : event.at("metrics").items())
    made.metrics[name] = number_from_json(value);
  for (const Json& sample : event.value("samples", Json::array()))
    made.samples.push_back({sample.at("text"), sample.value("about", Json::object())});
  const auto same = [&](const auto& previous) { return previous.id == made.id; };
  std::erase_if(state.measurements, same);
  std::erase_if(state.failures, same);
  state.measurements.push_back(std::move(made));
}

void take_failure(TrialState& state, const Json& event) {
  StoredFailure failure{.id = event.at("id"),
                        .probe = text_or_empty(event, "probe"),
                        .attempt = integer_in(event.at("attempt")),
                        .message = event.at("message"),
                        .groups = event.at("groups").get<std::vector<std::string>>()};
  if (event.contains("step")) failure.step = integer_in(event.at("step"));
  std::erase_if(state.failures, [&](const auto& previous) { return previous.id == failure.id; });
  state.failures.push_back(std::move(failure));
}

void take_outcome(TrialState& state, const Json& event) {
  Attempt& attempt = state.attempts.back();
  attempt.outcome = event.at("outcome");
  attempt.message = text_or_empty(event, "message");
  state.outcome = attempt.outcome == "stopped" ? "unfinished" : attempt.outcome;
  state.message = attempt.message;
}

void take(TrialState& state, const Json& event) {
  sign_of_life(state, integer_in(event.at("attempt")),
               event.at("time").get_ref<const std::string&>());
  const std::string kind = event.at("event");
  if (kind == "attempt") take_attempt(state, event);
  if (kind == "curve") {
    take_curve(state, event);
    supersede_spikes(state, integer_in(event.at("attempt")), integer_in(event.at("step")));
  }
  if (kind == "spike") take_spike(state, event);
  if (kind == "checkpoint") take_checkpoint(state.checkpoints, event);
  if (kind == "phase") take_checkpoint(state.phases, event);
  if (kind == "snapshot") take_checkpoint(state.snapshots, event);
  if (kind == "measurement") take_measurement(state, event);
  if (kind == "failure") take_failure(state, event);
  if (kind == "outcome") take_outcome(state, event);
  if (kind == "ledger") state.ledger = event;
  if (kind == "stage")
    state.stages.push_back({integer_in(event.at("attempt")), event.at("stage"),
                            number_or_nan(event, "seconds"), integer_in(event, "lanes", 1)});
}

template <class Row>
bool has_id(const std::vector<Row>& rows, const std::string& id) {
  return std::any_of(rows.begin(), rows.end(), [&](const Row& row) { return row.id == id; });
}

}  // namespace

std::int64_t TrialState::missing(const std::vector<std::string>& measurement_ids) const {
  return std::count_if(measurement_ids.begin(), measurement_ids.end(),
                       [&](const auto& id) { return !has_id(measurements, id); });
}

std::int64_t TrialState::failed(const std::vector<std::string>& measurement_ids) const {
  return std::count_if(measurement_ids.begin(), measurement_ids.end(),
                       [&](const auto& id) { return has_id(failures, id); });
}

double TrialState::seconds() const {
  double sum = 0;
  for (const StoredStage& stage : stages) sum += stage.seconds;
  return sum;
}

double TrialState::fraction_in(std::string_view name) const {
  double all = 0, named = 0;
  for (const StoredStage& stage : stages) {
    const double own = stage.seconds / static_cast<double>(std::max<std::int64_t>(stage.lanes, 1));
    all += own;
    if (stage.stage == name) named += own;
  }
  return all > 0 ? named / all : std::numeric_limits<double>::quiet_NaN();
}

namespace {

/// Takes an event; `line`: its number in `file`.
void take_of(TrialState& state, const Json& event, const std::filesystem::path& file,
             std::size_t line) {
  try {
    take(state, event);
  } catch (const Json::exception& error) {
    damaged(
        "{}:{}: verifies, but is not an event that this version knows: {}; was it "
        "written by a newer one?",
        file.string(), line, error.what());
  }
}

/// Checks what all events together say, and adds to the ledger what follows from them.
void finish(TrialState& state, const std::filesystem::path& file) {
  check_owner(state.trial, file);
  if (state.ledger.is_object()) {
    for (const char* ours : {"event", "attempt", "time"}) state.ledger.erase(ours);
    if (const double training = state.fraction_in("train"); std::isfinite(training)) {
      state.ledger["share_not_training"] = 1 - training;
      state.ledger["share_probing"] = state.fraction_in("probes");
    }
  }
  const auto known = {"completed", "failed", "diverged", "unfinished"};
  if (std::find(known.begin(), known.end(), state.outcome) == known.end())
    damaged(
        "{}: outcome \"{}\" is none of completed, failed, diverged, stopped; was it "
        "written by a newer version?",
        file.string(), state.outcome);
}

}  // namespace

TrialState trial_state(const std::vector<Json>& events, const std::filesystem::path& file) {
  TrialState state;
  std::size_t line = 0;
  for (const Json& event : events) take_of(state, event, file, ++line);
  finish(state, file);
  return state;
}

TrialState trial_state(std::string_view journal, const std::filesystem::path& file) {
  TrialState state;
  std::size_t line = 0;
  const EventTaker take = {[&](const Json& event) { take_of(state, event, file, ++line); },
                           [&](const CurveEvent& event) {
                             ++line;
                             sign_of_life(state, event.attempt, event.time);
                             state.curve.add(event);
                             supersede_spikes(state, event.attempt, event.step);
                           }};
  read_sound_lines(journal, file, take);
  finish(state, file);
  return state;
}

TrialState read_trial_state(const std::filesystem::path& journal) {
  if (!std::filesystem::exists(journal)) return {};
  return trial_state(read_file(journal), journal);
}

}  // namespace ablate::store
