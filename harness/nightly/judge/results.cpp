#include "harness/nightly/judge/results.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/contract/metrics/metric.h"
#include "harness/nightly/judge/bits.h"
#include "harness/nightly/judge/paired_metric.h"
#include "harness/nightly/judge/plan_facts.h"
#include "harness/statistics/one_sample/rounding.h"

namespace ablate::nightly {
namespace {

using store::Records;
using store::TrialRecord;

TrialsBySeed by_seed(const Records& records, const std::string& arm) {
  TrialsBySeed trials;
  for (const TrialRecord& trial : records.trials)
    if (trial.arm == arm) trials[trial.seed] = &trial;
  return trials;
}

/// The results of a program, and what their plan says.
struct Side {
  const Records& records;
  store::StoredPlan plan = store::stored_plan(records.plan);

  bool has(const std::string& arm) const {
    return std::ranges::find(plan.arms, arm, &store::StoredArm::name) != plan.arms.end();
  }
};

class ArmComparison {
 public:
  ArmComparison(std::string prefix, const std::string& arm, const Side& baseline, const Side& now,
                Compared& out)
      : prefix_(std::move(prefix)),
        arm_(arm),
        baseline_(baseline),
        now_(now),
        before_(by_seed(baseline.records, arm)),
        after_(by_seed(now.records, arm)),
        out_(out) {}

  void compare(const Margins& margins) {
    compare_facts();
    compare_outcomes();
    find_same_bits();
    for (const auto& [metric, margin] : margins.stated)
      compare_metric(metric, margin, margins.held);
    tell_bits();
  }

 private:
  void add(const std::string& what, Kind kind, Verdict verdict, std::string reason,
           Json numbers = Json::object()) {
    out_.findings.push_back({prefix_ + what, kind, verdict, std::move(reason), std::move(numbers)});
  }

  void compare_facts() {
    const Json facts = facts_of(now_.plan, now_.records, arm_);
    const std::string words = differing(facts_of(baseline_.plan, baseline_.records, arm_), facts);
    const Json digest = {{"digest", digest_of(canonical(facts))}};
    if (words.empty()) return add("plan", Kind::exact, Verdict::pass, "the same plan", digest);
    add("plan", Kind::exact, Verdict::regression, words + "; if that is wanted, pin a new baseline",
        digest);
  }

  void compare_outcomes() {
    std::size_t lost = 0, missing = 0, unusable = 0;
    std::string why_lost, why_unusable;
    if (before_.empty())
      return add("trials", Kind::exact, Verdict::no_data, "the baseline has no trial of this arm");
    for (const auto& [seed, trial] : before_) {
      const auto found = after_.find(seed);
      if (found == after_.end() || found->second->outcome == "unfinished") {
        ++missing;
      } else if (trial->outcome == "failed" || trial->outcome == "unfinished") {
        ++unusable;
        why_unusable = trial->message.empty() ? trial->outcome : trial->message;
      } else if (found->second->outcome != trial->outcome &&
                 found->second->outcome != "completed") {
        ++lost;
        why_lost = found->second->outcome + ": " + found->second->message;
      }
    }
    if (missing > 0)
      add("trials", Kind::exact, Verdict::no_data, of_all(missing) + " did not run to an end");
    if (unusable > 0) {
      baseline_failure_ = fmt::format("the baseline's program has no result of {}: {}",
                                      of_all(unusable), why_unusable);
      add("trials", Kind::exact, Verdict::no_data, baseline_failure_);
    }
    if (lost > 0)
      add("trials", Kind::exact, Verdict::regression,
          fmt::format("{} failed or diverged that did not before ({})", of_all(lost), why_lost));
    if (missing + unusable + lost == 0)
      add("trials", Kind::exact, Verdict::pass, "no trial ended worse than the baseline's");
  }

  void find_same_bits() {
    const std::set<std::string> timed = timed_metrics(now_.plan, arm_);
    std::string bits;
    for (const auto& [seed, trial] : after_) bits += bits_text(*trial, timed);
    digest_ = digest_of(bits);
    for (const auto& [seed, trial] : before_) {
      const auto found = after_.find(seed);
      if (found == after_.end()) continue;
      ++pairs_;
      same_ += bits_text(*trial, timed) == bits_text(*found->second, timed);
    }
    all_same_ =
        same_ == pairs_ && pairs_ == before_.size() && pairs_ > 0 && baseline_failure_.empty();
  }

  // Other bits pass only where a metric says that they are no worse.
  void tell_bits() {
    const Json digest = {{"digest", digest_}};
    if (all_same_)
      return add("bits", Kind::exact, Verdict::pass,
                 fmt::format("the same bits in all {} trials", pairs_), digest);
    const std::string words = fmt::format("other bits in {} of {} trials", pairs_ - same_, pairs_);
    if (judged_ > 0)
      return add("bits", Kind::exact, Verdict::changed,
                 words + "; the metrics tell whether they are worse", digest);
    add("bits", Kind::exact, Verdict::inconclusive,
        words + ", and no metric tells whether they are worse: state margins in the suite", digest);
  }

  // A metric that one of the plans has, or that neither has and so is no series of this arm.
  void compare_metric(const std::string& metric, const std::optional<double>& margin,
                      const std::map<std::string, double>& all_held) {
    const store::StoredMetric* const planned = planned_metric(now_.plan, arm_, metric);
    const store::StoredMetric* const previous = planned_metric(baseline_.plan, arm_, metric);
    const auto no_data = [&](const std::string& reason, Json values = Json::object()) {
      add(metric, Kind::quality, Verdict::no_data, reason, std::move(values));
    };
    if (!has_direction(planned))
      return has_direction(previous)
                 ? no_data("the baseline has this metric, tonight's plan has not")
                 : void();
    if (!has_direction(previous))
      return add(metric, Kind::quality, Verdict::changed,
                 "a new metric; it is compared from the next pin on");
    if (planned->better != previous->better)
      return no_data(fmt::format("{} was better before, {} is now", name_of(previous->better),
                                 name_of(planned->better)));
    const PairedMetric pairs = paired(before_, after_, metric);
    QualitySeries series{.series = prefix_ + metric};
    const auto held = all_held.find(series.series);
    if (held != all_held.end()) series.held = held->second;
    series.margin = margin.value_or(series.held);
    series.values = values_of(pairs, *planned, series.margin);
    if (pairs.lost > 0)
      return add(metric, Kind::quality, Verdict::regression,
                 "is no finite number in " + of_all(pairs.lost) + ", and was before");
    if (pairs.missing > 0)
      return no_data("was not measured in " + of_all(pairs.missing) + ", and was before");
    if (pairs.now.empty())
      return no_data(baseline_failure_.empty() ? "no trial of both programs has a number of it"
                                               : baseline_failure_);
    ++judged_;
    if (all_same_ || pairs.same)
      return add(metric, Kind::quality, Verdict::pass,
                 all_same_ ? "the same bits" : "the same values", series.values);
    if (series.margin == 0)
      return no_data(
          "has other values and no margin; state one in the suite, or find the smallest that "
          "the seeds can hold: ablate gate calibrate",
          series.values);
    const double sign = planned->better == Better::lower ? 1 : -1;
    for (std::size_t i = 0; i < pairs.now.size(); ++i)
      series.worsening.push_back(sign * statistics::difference(pairs.now[i], pairs.before[i]));
    out_.quality.push_back(std::move(series));
  }

  std::string of_all(std::size_t count) const {
    return fmt::format("{} of {} trials", count, before_.size());
  }

  std::string prefix_;
  const std::string& arm_;
  const Side &baseline_, &now_;
  TrialsBySeed before_, after_;
  Compared& out_;
  std::string
      baseline_failure_;  // why the baseline has fewer trials than it should; empty: it has all
  bool all_same_ = false;
  std::size_t same_ = 0, pairs_ = 0;  // trials
  std::string digest_;
  std::size_t judged_ = 0;  // metrics that say whether other bits are worse
};

}  // namespace

Compared compare(const std::string& experiment, const Records& baseline, const Records& now,
                 const Margins& margins) {
  Compared compared;
  const Side before{baseline}, after{now};
  for (const store::StoredArm& arm : before.plan.arms) {
    const std::string prefix = experiment + '/' + arm.name + '/';
    if (after.has(arm.name)) {
      ArmComparison(prefix, arm.name, before, after, compared).compare(margins);
    } else {
      compared.findings.push_back({prefix + "plan", Kind::exact, Verdict::no_data,
                                   "the baseline has this arm, tonight's plan has not"});
    }
  }
  for (const store::StoredArm& arm : after.plan.arms)
    if (!before.has(arm.name))
      compared.findings.push_back({experiment + '/' + arm.name + "/plan", Kind::exact,
                                   Verdict::changed,
                                   "a new arm; it is compared from the next pin on"});
  return compared;
}

std::map<std::string, std::vector<double>> judged_values(
    const std::string& experiment, const Records& records,
    const std::map<std::string, std::optional<double>>& margins) {
  const store::StoredPlan plan = store::stored_plan(records.plan);
  std::map<std::string, std::vector<double>> values;
  for (const TrialRecord& trial : records.trials) {
    if (trial.outcome != "completed") continue;
    for (const auto& [metric, margin] : margins) {
      const auto found = trial.metrics.find(metric);
      if (!has_direction(planned_metric(plan, trial.arm, metric)) || found == trial.metrics.end() ||
          !std::isfinite(found->second))
        continue;
      values[experiment + '/' + trial.arm + '/' + metric].push_back(found->second);
    }
  }
  return values;
}

}  // namespace ablate::nightly
