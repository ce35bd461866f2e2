#include "harness/nightly/judge/results.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdint>
#include <set>

#include "harness/contract/metric.h"
#include "harness/nightly/judge/bits.h"
#include "harness/nightly/judge/plan_facts.h"
#include "harness/statistics/one_sample/summary.h"

namespace ablate::nightly {
namespace {

using store::Records;
using store::TrialRecord;

std::map<std::int64_t, const TrialRecord*> by_seed(const Records& records, const std::string& arm) {
  std::map<std::int64_t, const TrialRecord*> trials;
  for (const TrialRecord& trial : records.trials)
    if (trial.arm == arm) trials[trial.seed] = &trial;
  return trials;
}

std::vector<std::string> arms_of(const Records& records) {
  std::vector<std::string> names;
  for (const Json& arm : records.plan.at("arms")) names.push_back(arm.at("name"));
  return names;
}

// What the plan says of a metric of an arm; null where it does not have it.
Json metric_row(const Records& records, const std::string& arm, const std::string& metric) {
  const Json& metrics = records.plan.at("metrics");
  if (!metrics.contains(arm)) return nullptr;
  for (const Json& each : metrics.at(arm))
    if (each.at("name") == metric) return each;
  return nullptr;
}

// Whether a metric has a better direction: others are not judged.
bool is_judged(const Json& row) {
  return row.is_object() && (row.at("better") == name_of(Better::lower) ||
                             row.at("better") == name_of(Better::higher));
}

// A metric of the trials that both programs have, by seed.
struct PairedMetric {
  std::vector<double> before, now;
  std::size_t lost = 0, missing = 0;  // trials whose value is no number now, or was not measured
  bool same = true;                   // every bit of it
};

class ArmComparison {
 public:
  ArmComparison(std::string prefix, const std::string& arm, const Records& baseline,
                const Records& now, Compared& out)
      : prefix_(std::move(prefix)),
        arm_(arm),
        baseline_(baseline),
        now_(now),
        before_(by_seed(baseline, arm)),
        after_(by_seed(now, arm)),
        out_(out) {}

  void compare(const Margins& margins) {
    compare_facts();
    if (!compare_outcomes()) return;
    compare_bits();
    for (const auto& [metric, margin] : margins.stated)
      compare_metric(metric, margin, margins.held);
  }

 private:
  void add(const std::string& what, Kind kind, Verdict verdict, std::string reason,
           Json numbers = Json::object()) {
    out_.findings.push_back({prefix_ + what, kind, verdict, std::move(reason), std::move(numbers)});
  }

  void compare_facts() {
    const Json facts = facts_of(now_, arm_);
    const std::string words = differing(facts_of(baseline_, arm_), facts);
    const Json digest = {{"digest", digest_of(canonical(facts))}};
    if (words.empty()) return add("plan", Kind::exact, Verdict::pass, "the same plan", digest);
    add("plan", Kind::exact, Verdict::regression, words + "; if that is wanted, pin a new baseline",
        digest);
  }

  // Whether there is something to compare beyond outcomes.
  bool compare_outcomes() {
    std::size_t lost = 0, missing = 0;
    for (const auto& [seed, trial] : before_) {
      if (trial->outcome != "completed") continue;
      const auto found = after_.find(seed);
      if (found == after_.end() || found->second->outcome == "unfinished") {
        ++missing;
      } else {
        lost += found->second->outcome != "completed";
      }
    }
    const auto of_all = [&](std::size_t count) {
      return fmt::format("{} of {} trials", count, before_.size());
    };
    if (missing > 0)
      add("trials", Kind::exact, Verdict::no_data, of_all(missing) + " did not run to an end");
    if (lost > 0)
      add("trials", Kind::exact, Verdict::regression,
          of_all(lost) + " failed or diverged that completed before");
    if (missing + lost == 0)
      add("trials", Kind::exact, Verdict::pass, "all trials that completed before completed");
    return missing < before_.size();
  }

  void compare_bits() {
    std::size_t same = 0, pairs = 0;
    std::string bits;
    const std::set<std::string> timed = timed_metrics(now_, arm_);
    for (const auto& [seed, trial] : after_) bits += bits_text(*trial, timed);
    const Json digest = {{"digest", digest_of(bits)}};
    for (const auto& [seed, trial] : before_) {
      const auto found = after_.find(seed);
      if (found == after_.end()) continue;
      ++pairs;
      same += bits_text(*trial, timed) == bits_text(*found->second, timed);
    }
    all_same_ = same == pairs && pairs == before_.size();
    if (all_same_)
      return add("bits", Kind::exact, Verdict::pass,
                 fmt::format("the same bits in all {} trials", pairs), digest);
    add("bits", Kind::exact, Verdict::changed,
        fmt::format("other bits in {} of {} trials; the metrics tell whether they are worse",
                    pairs - same, pairs),
        digest);
  }

  PairedMetric paired(const std::string& metric) const {
    PairedMetric paired;
    for (const auto& [seed, trial] : before_) {
      const auto found = after_.find(seed);
      const auto old_value = trial->metrics.find(metric);
      if (found == after_.end() || old_value == trial->metrics.end() ||
          !std::isfinite(old_value->second))
        continue;
      const auto new_value = found->second->metrics.find(metric);
      if (new_value == found->second->metrics.end()) {
        paired.missing += found->second->outcome == "completed";  // else compare_outcomes() tells
        continue;
      }
      paired.same = paired.same && same_bits(old_value->second, new_value->second);
      if (!std::isfinite(new_value->second)) {
        ++paired.lost;
        continue;
      }
      paired.before.push_back(old_value->second);
      paired.now.push_back(new_value->second);
    }
    return paired;
  }

  // What pages show of a metric.
  static Json values_of(const PairedMetric& paired, const Json& row, double margin) {
    Json values = {{"better", row.at("better")}, {"unit", row.value("unit", "")}};
    if (margin > 0) values["margin"] = margin;
    if (paired.now.empty()) return values;
    values["now"] = statistics::mean(paired.now);
    values["baseline"] = statistics::mean(paired.before);
    return values;
  }

  void compare_metric(const std::string& metric, const std::optional<double>& margin,
                      const std::map<std::string, double>& all_held) {
    const Json row = metric_row(now_, arm_, metric);
    if (!is_judged(row)) return;
    const PairedMetric pairs = paired(metric);
    QualitySeries series{.series = prefix_ + metric};
    const auto held = all_held.find(series.series);
    if (held != all_held.end()) series.held = held->second;
    series.margin = margin.value_or(series.held);
    series.values = values_of(pairs, row, series.margin);
    if (all_same_) return add(metric, Kind::quality, Verdict::pass, "the same bits", series.values);
    const auto of_all = [&](std::size_t count) {
      return fmt::format("{} of {} trials", count, before_.size());
    };
    if (pairs.lost > 0)
      return add(metric, Kind::quality, Verdict::regression,
                 "is no finite number in " + of_all(pairs.lost) + ", and was before");
    if (pairs.missing > 0)
      return add(metric, Kind::quality, Verdict::no_data,
                 "was not measured in " + of_all(pairs.missing) + ", and was before");
    if (pairs.same && !pairs.now.empty())
      return add(metric, Kind::quality, Verdict::pass, "the same values", series.values);
    if (series.margin == 0)
      return add(
          metric, Kind::quality, Verdict::no_data,
          "has other values and no margin; state one in the suite, or find the smallest that "
          "the seeds can hold: ablate gate calibrate",
          series.values);
    const double sign = row.at("better") == name_of(Better::lower) ? 1 : -1;
    for (std::size_t i = 0; i < pairs.now.size(); ++i)
      series.worsening.push_back(sign * (pairs.now[i] - pairs.before[i]));
    out_.quality.push_back(std::move(series));
  }

  std::string prefix_;
  const std::string& arm_;
  const Records &baseline_, &now_;
  std::map<std::int64_t, const TrialRecord*> before_, after_;
  Compared& out_;
  bool all_same_ = false;
};

}  // namespace

Compared compare(const std::string& experiment, const Records& baseline, const Records& now,
                 const Margins& margins) {
  Compared compared;
  const std::vector<std::string> before = arms_of(baseline), after = arms_of(now);
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& arm : before) {
    const std::string prefix = experiment + '/' + arm + '/';
    if (has(after, arm)) {
      ArmComparison(prefix, arm, baseline, now, compared).compare(margins);
    } else {
      compared.findings.push_back({prefix + "plan", Kind::exact, Verdict::no_data,
                                   "the baseline has this arm, tonight's plan has not"});
    }
  }
  for (const std::string& arm : after)
    if (!has(before, arm))
      compared.findings.push_back({experiment + '/' + arm + "/plan", Kind::exact, Verdict::changed,
                                   "a new arm; it is compared from the next pin on"});
  return compared;
}

std::map<std::string, std::vector<double>> judged_values(
    const std::string& experiment, const Records& records,
    const std::map<std::string, std::optional<double>>& margins) {
  std::map<std::string, std::vector<double>> values;
  for (const TrialRecord& trial : records.trials) {
    if (trial.outcome != "completed") continue;
    for (const auto& [metric, margin] : margins) {
      const auto found = trial.metrics.find(metric);
      if (!is_judged(metric_row(records, trial.arm, metric)) || found == trial.metrics.end() ||
          !std::isfinite(found->second))
        continue;
      values[experiment + '/' + trial.arm + '/' + metric].push_back(found->second);
    }
  }
  return values;
}

}  // namespace ablate::nightly
