#include "harness/nightly/judge/results.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <set>

#include "harness/contract/metric.h"

namespace ablate::nightly {
namespace {

using store::Records;
using store::TrialRecord;

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// The metrics that a clock measured, which no two runs give alike, by the plan of an arm.
std::set<std::string> timed_metrics(const Records& records, const std::string& arm) {
  std::set<std::string> timed;
  const Json& metrics = records.plan.at("metrics");
  if (!metrics.contains(arm)) return timed;
  for (const Json& each : metrics.at(arm))
    if (is_timed(each.value("unit", std::string()))) timed.insert(each.at("name"));
  return timed;
}

/// The same bits in curves, and in all metrics but those named in `timed`.
bool same_bits(TrialRecord a, TrialRecord b, const std::set<std::string>& timed) {
  for (const std::string& name : timed) {
    a.metrics.erase(name);
    b.metrics.erase(name);
  }
  const auto same_point = [](const store::CurvePoint& x, const store::CurvePoint& y) {
    return x.step == y.step && same_bits(x.loss, y.loss) &&
           same_bits(x.gradient_norm, y.gradient_norm);
  };
  const auto same_metric = [](const auto& x, const auto& y) {
    return x.first == y.first && same_bits(x.second, y.second);
  };
  return a.outcome == b.outcome &&
         std::equal(a.curve.begin(), a.curve.end(), b.curve.begin(), b.curve.end(), same_point) &&
         std::equal(a.metrics.begin(), a.metrics.end(), b.metrics.begin(), b.metrics.end(),
                    same_metric);
}

// What the plan says of an arm, and its trials' ids by seed.
Json facts_of(const Records& records, const std::string& arm) {
  Json facts = Json::object();
  for (const Json& row : records.plan.at("ledger"))
    if (row.at("arm") == arm) facts = row;
  for (const TrialRecord& trial : records.trials)
    if (trial.arm == arm) facts["trials"][fmt::format("seed {}", trial.seed)] = trial.id;
  return facts;
}

// The first facts that differ, "flops: 12 before, 13 now"; empty where none does.
std::string differing(const Json& before, const Json& now) {
  std::vector<std::string> words;
  const Json flat_before = before.flatten(), flat_now = now.flatten();
  std::set<std::string> keys;
  for (const auto& [key, value] : flat_before.items()) keys.insert(key);
  for (const auto& [key, value] : flat_now.items()) keys.insert(key);
  const auto text_at = [](const Json& flat, const std::string& key) {
    return flat.contains(key) ? ascii_text(flat.at(key)) : "nothing";
  };
  for (const std::string& key : keys) {
    if (text_at(flat_before, key) == text_at(flat_now, key)) continue;
    if (words.size() == 3) {
      words.emplace_back("and more");
      break;
    }
    words.push_back(fmt::format("{}: {} before, {} now", key.substr(1), text_at(flat_before, key),
                                text_at(flat_now, key)));
  }
  return fmt::format("{}", fmt::join(words, "; "));
}

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

// "lower", "higher" or "none": which values of a metric are better.
std::string better(const Records& records, const std::string& arm, const std::string& metric) {
  const Json& metrics = records.plan.at("metrics");
  if (!metrics.contains(arm)) return "none";
  for (const Json& each : metrics.at(arm))
    if (each.at("name") == metric) return each.at("better");
  return "none";
}

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
  void add(const std::string& what, Kind kind, Verdict verdict, std::string reason) {
    out_.findings.push_back({prefix_ + what, kind, verdict, std::move(reason)});
  }

  void compare_facts() {
    const std::string words = differing(facts_of(baseline_, arm_), facts_of(now_, arm_));
    if (words.empty()) return add("plan", Kind::exact, Verdict::pass, "the same plan");
    add("plan", Kind::exact, Verdict::regression,
        words + "; if that is wanted, pin a new baseline");
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
    const std::set<std::string> timed = timed_metrics(now_, arm_);
    for (const auto& [seed, trial] : before_) {
      const auto found = after_.find(seed);
      if (found == after_.end()) continue;
      ++pairs;
      same += same_bits(*trial, *found->second, timed);
    }
    all_same_ = same == pairs && pairs == before_.size();
    if (all_same_)
      return add("bits", Kind::exact, Verdict::pass,
                 fmt::format("the same bits in all {} trials", pairs));
    add("bits", Kind::exact, Verdict::changed,
        fmt::format("other bits in {} of {} trials; the metrics tell whether they are worse",
                    pairs - same, pairs));
  }

  void compare_metric(const std::string& metric, const std::optional<double>& margin,
                      const std::map<std::string, double>& all_held) {
    const std::string direction = better(now_, arm_, metric);
    if (direction != "lower" && direction != "higher") return;
    if (all_same_) return add(metric, Kind::quality, Verdict::pass, "the same bits");
    QualitySeries series{prefix_ + metric, {}, 0};
    std::size_t lost = 0, missing = 0;
    bool same = true;
    for (const auto& [seed, trial] : before_) {
      const auto found = after_.find(seed);
      const auto old_value = trial->metrics.find(metric);
      if (found == after_.end() || old_value == trial->metrics.end() ||
          !std::isfinite(old_value->second))
        continue;
      const auto new_value = found->second->metrics.find(metric);
      if (new_value == found->second->metrics.end()) {
        missing += found->second->outcome == "completed";  // else compare_outcomes() tells
        continue;
      }
      lost += !std::isfinite(new_value->second);
      same = same && same_bits(old_value->second, new_value->second);
      const double rise = new_value->second - old_value->second;
      if (std::isfinite(rise)) series.worsening.push_back(direction == "lower" ? rise : -rise);
    }
    const auto of_all = [&](std::size_t count) {
      return fmt::format("{} of {} trials", count, before_.size());
    };
    if (lost > 0)
      return add(metric, Kind::quality, Verdict::regression,
                 "is no finite number in " + of_all(lost) + ", and was before");
    if (missing > 0)
      return add(metric, Kind::quality, Verdict::no_data,
                 "was not measured in " + of_all(missing) + ", and was before");
    if (same && !series.worsening.empty())
      return add(metric, Kind::quality, Verdict::pass, "the same values");
    const auto held = all_held.find(series.series);
    if (held != all_held.end()) series.held = held->second;
    series.margin = margin.value_or(series.held);
    if (series.margin == 0)
      return add(
          metric, Kind::quality, Verdict::no_data,
          "has other values and no margin; state one in the suite, or find the smallest that "
          "the seeds can hold: ablate gate calibrate");
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
      const std::string direction = better(records, trial.arm, metric);
      const auto found = trial.metrics.find(metric);
      if (direction == "none" || found == trial.metrics.end() || !std::isfinite(found->second))
        continue;
      values[experiment + '/' + trial.arm + '/' + metric].push_back(found->second);
    }
  }
  return values;
}

}  // namespace ablate::nightly
