#include "reports/diff/store_difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/store/folder/plan_difference.h"
#include "harness/store/plan/stored_plan.h"
#include "reports/analysis/facts.h"
#include "reports/diff/paired_trials.h"

namespace ablate::reports {
namespace {

using store::TrialRecord;

constexpr std::string_view kProgramFacts[] = {"version", "commit", "program_sha256", "compiler",
                                              "library"};
constexpr std::string_view kMachineFacts[] = {"host",    "machine",      "kernel", "processor",
                                              "cores",   "memory_bytes", "device", "precision",
                                              "kernels", "instructions", "threads"};

/// The values of a fact that the trials recorded, each once.
std::vector<std::string> values_of_fact(const std::vector<Facts>& trials, const std::string& fact) {
  std::set<std::string> values;
  for (const Facts& facts : trials)
    if (const auto found = facts.find(fact); found != facts.end())
      values.insert(canonical(found->second));
  return {values.begin(), values.end()};
}

std::vector<Facts> provenances(const store::Records& records) {
  std::vector<Facts> all;
  for (const TrialRecord& trial : records.trials)
    if (trial.provenance.is_object()) all.push_back(facts_of(trial.provenance));
  return all;
}

/// Whether a path is one of the names, or lies below it.
bool is_below(const std::string& path, std::span<const std::string_view> names) {
  return std::find(names.begin(), names.end(), path.substr(0, path.find('.'))) != names.end();
}

std::vector<FactDifference> differing_facts(const std::vector<Facts>& first,
                                            const std::vector<Facts>& second,
                                            std::span<const std::string_view> names) {
  std::set<std::string> paths;
  for (const auto* side : {&first, &second})
    for (const Facts& facts : *side)
      for (const auto& [path, value] : facts)
        if (is_below(path, names)) paths.insert(path);
  std::vector<FactDifference> differences;
  for (const std::string& path : paths) {
    FactDifference fact{path, values_of_fact(first, path), values_of_fact(second, path)};
    if (fact.first != fact.second) differences.push_back(std::move(fact));
  }
  return differences;
}

/// The measurement ids of the plan's trials, by arm and seed.
std::map<TrialPlace, std::vector<std::string>> measurements_in(const store::StoredPlan& plan) {
  std::map<TrialPlace, std::vector<std::string>> ids;
  for (const store::StoredTrial& trial : plan.trials)
    ids[{trial.arm, trial.seed}] = trial.measurements;
  return ids;
}

std::vector<std::string> plan_lines(const store::Records& first, const store::Records& second,
                                    const std::vector<TrialPair>& pairs) {
  std::vector<std::string> lines;
  const store::StoredPlan own = store::stored_plan(first.plan),
                          other = store::stored_plan(second.plan);
  if (own.experiment != other.experiment)
    lines.push_back(fmt::format("experiment: {} -> {}", own.experiment, other.experiment));
  for (std::string& line : store::compare_plans(own, other).lines) lines.push_back(std::move(line));
  const auto ours = measurements_in(own), theirs = measurements_in(other);
  std::int64_t ids = 0, measurements = 0;
  for (const TrialPair& pair : pairs) {
    const TrialPlace place{pair.first->arm, pair.first->seed};
    if (pair.first->id != pair.second->id) ++ids;
    if (ours.contains(place) && theirs.contains(place) && ours.at(place) != theirs.at(place))
      ++measurements;
  }
  if (ids > 0)
    lines.push_back(fmt::format("ids of {} of {} trials that both have", ids, pairs.size()));
  if (measurements > 0)
    lines.push_back(fmt::format("ids of what is measured on {} of {} trials that both have",
                                measurements, pairs.size()));
  return lines;
}

bool same_point(const store::CurvePoint& a, const store::CurvePoint& b) {
  return a.step == b.step && a.spike == b.spike && same_bits(a.text_tokens, b.text_tokens) &&
         same_bits(a.loss, b.loss) && same_bits(a.learning_rate, b.learning_rate) &&
         same_bits(a.gradient_norm, b.gradient_norm);
}

bool same_sample(const store::Sample& a, const store::Sample& b) {
  return a.text == b.text && a.about == b.about;
}

void compare_records(const std::vector<TrialPair>& pairs, StoreDifference& difference) {
  for (const auto& [first, second] : pairs) {
    if (first->outcome != second->outcome)
      difference.outcomes.push_back({first->arm, first->seed, first->outcome, second->outcome});
    if (!first->curve.empty() && !second->curve.empty()) {
      ++difference.curves;
      if (std::ranges::equal(first->curve.points(), second->curve.points(), same_point))
        ++difference.equal_curves;
    }
    if (!first->samples.empty() && !second->samples.empty()) {
      ++difference.samples;
      if (std::equal(first->samples.begin(), first->samples.end(), second->samples.begin(),
                     second->samples.end(), same_sample))
        ++difference.equal_samples;
    }
  }
}

void append(std::vector<std::string>& lines, std::vector<std::string> more) {
  lines.insert(lines.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

}  // namespace

bool StoreDifference::same_numbers() const {
  return outcomes.empty() && equal_values == values && equal_points == points &&
         equal_curves == curves && equal_samples == samples;
}

bool StoreDifference::equal() const {
  return same_numbers() && plan.empty() && program.empty() && machine.empty() &&
         only_first.empty() && only_second.empty();
}

StoreDifference difference_between(const store::Records& first, const store::Records& second) {
  const Analysis analysis = analyse(first);
  analyse(second);  // throws where it is inconsistent
  const TrialsByPlace ours = by_place(first), theirs = by_place(second);
  const std::vector<TrialPair> pairs = common_trials(ours, theirs);
  StoreDifference difference;
  difference.trials = static_cast<std::int64_t>(pairs.size());
  difference.plan = plan_lines(first, second, pairs);
  const std::vector<Facts> before = provenances(first), after = provenances(second);
  difference.program = differing_facts(before, after, kProgramFacts);
  difference.machine = differing_facts(before, after, kMachineFacts);
  difference.only_first = missing_trials(ours, theirs);
  difference.only_second = missing_trials(theirs, ours);
  append(difference.only_first, missing_metrics(pairs, &TrialPair::first, &TrialPair::second));
  append(difference.only_second, missing_metrics(pairs, &TrialPair::second, &TrialPair::first));
  compare_records(pairs, difference);
  ComparedMetrics metrics = compare_metrics(pairs, analysis);
  difference.values = metrics.values;
  difference.equal_values = metrics.equal;
  difference.points = metrics.points;
  difference.equal_points = metrics.equal_points;
  difference.metrics = std::move(metrics.differing);
  return difference;
}

}  // namespace ablate::reports
