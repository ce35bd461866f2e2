// States what the planned comparisons can show.

#include "harness/plan/seeds/power.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "harness/base/number_text.h"
#include "harness/data/tasks/task_text.h"
#include "harness/plan/price/primary.h"
#include "harness/plan/seeds/trends.h"
#include "harness/statistics/families/corrections.h"
#include "harness/statistics/paired/sign_flip.h"
#include "harness/statistics/power.h"

namespace ablate::plan {
namespace {

double family_alpha(const store::DeclaredAnalysis& analysis, std::int64_t comparisons) {
  return analysis.correction == statistics::Correction::holm
             ? analysis.alpha / static_cast<double>(comparisons)
             : analysis.alpha;
}

/// How often a corpus is read that is read more than once.
std::string often(double passes) {
  if (passes < 1.05)  // two digits would be 1 epoch
    return fmt::format("{} % of its texts twice", significant(100 * (passes - 1), 2));
  return fmt::format("{} epochs", significant(passes, 2));
}

/// The arms that read a corpus more than once: "'a' (1.5 epochs)", or "every arm (0.06 % of its
/// texts twice)" if they all read it alike. Empty if there is none.
std::string rereading(const Experiment& experiment, const std::vector<Price>& prices) {
  std::vector<std::string> arms, counts;
  for (std::size_t i = 0; i < prices.size(); ++i) {
    if (!(prices[i].max_passes > 1)) continue;
    counts.push_back(often(prices[i].max_passes));
    arms.push_back(fmt::format("'{}' ({})", experiment.arms[i].name, counts.back()));
  }
  if (arms.size() < 2 || arms.size() < prices.size() ||
      std::count(counts.begin(), counts.end(), counts.front()) < std::ssize(counts))
    return fmt::format("{}", fmt::join(arms, ", "));
  return fmt::format("every arm ({})", counts.front());
}

/// "'a' (90 %)": the arms whose phases spend less than train.budget, and how much of it.
std::string unspent_budgets(const Experiment& experiment) {
  std::vector<std::string> arms;
  for (const ResolvedArm& arm : experiment.arms)
    if (arm.unspent > 0)
      arms.push_back(fmt::format("'{}' ({} %)", arm.name, significant(100 * (1 - arm.unspent), 3)));
  return fmt::format("{}", fmt::join(arms, ", "));
}

/// The arms that train on documents of a task which are cut apart, so that answers stand without what
/// tells them: "'a' (isolated packing)" or "'a' (a context of 32)". Empty if there is none.
std::string cut_documents(const Experiment& experiment) {
  if (experiment.corpus_kind != "task" || !experiment.corpus.is_object()) return {};
  const std::int64_t longest = data::TaskText{experiment.corpus}.longest();
  std::vector<std::string> arms;
  for (const ResolvedArm& arm : experiment.arms)
    if (const std::string packing = arm.train.value("packing", "isolated"); packing != "padded")
      arms.push_back(fmt::format("'{}' ({} packing)", arm.name, packing));
    else if (arm.context() < longest)
      arms.push_back(fmt::format("'{}' (a context of {})", arm.name, arm.context()));
  if (arms.empty()) return {};
  return fmt::format(
      "{}: documents of up to {} tokens are cut apart, which separates answers from the text that "
      "they follow from: set train.packing to \"padded\" and model.context to {} or more",
      fmt::join(arms, ", "), longest, longest);
}

}  // namespace

std::int64_t count_comparisons(const Experiment& experiment, const MetricsByArm& metrics) {
  const std::vector<bool> compared = compared_by(experiment, metrics, experiment.analysis.primary);
  return std::count(compared.begin(), compared.end(), true) + count_trends(experiment);
}

std::string power_sentence(const Experiment& experiment, std::int64_t comparisons) {
  const auto seeds = static_cast<std::int64_t>(experiment.seeds.size());
  if (comparisons == 0)
    return "The experiment compares no arm with its baseline: the seeds only give intervals.";
  const store::DeclaredAnalysis& analysis = experiment.analysis;
  const bool corrected = comparisons > 1 && analysis.correction == statistics::Correction::holm;
  const double alpha = analysis.alpha;
  const double needed = family_alpha(analysis, comparisons);
  const std::string setting = fmt::format(
      "{}{} and {}{} at alpha {:g}{}", seeds, seeds == 1 ? " seed" : " seeds", comparisons,
      comparisons == 1 ? " comparison" : " comparisons", alpha, corrected ? " under Holm" : "");
  if (statistics::minimum_sign_flip_p(seeds) >= needed)  // a report asks for p below alpha
    return fmt::format(
        "With {}, no difference can be significant: the smallest p of the sign-flip test is {}, "
        "and it must be below {}. Take {} seeds or more, or read only the intervals.",
        setting, significant(statistics::minimum_sign_flip_p(seeds), 2), significant(needed, 2),
        statistics::fewest_for_sign_flip(needed));
  const auto effect =
      statistics::minimum_detectable_effect(seeds, alpha, corrected ? comparisons : 1);
  const std::string finds = effect ? fmt::format(
                                         "finds, with power .8, differences of {} standard "
                                         "deviations of the paired difference or more",
                                         significant(*effect, 3))
                                   : "finds no difference with power .8, however large it is";
  return fmt::format("With {}, the sign-flip test can reach significance and {}.", setting, finds);
}

std::vector<std::string> warnings_of(const Experiment& experiment, const MetricsByArm& metrics,
                                     const std::vector<Price>& prices) {
  std::vector<std::string> warnings = experiment.warnings;
  const std::string& primary = experiment.analysis.primary;
  const std::vector<bool> compared = compared_by(experiment, metrics, primary);
  std::string apart;
  for (std::size_t i = 0; i < experiment.arms.size(); ++i) {
    const std::string& name = experiment.arms[i].name;
    if (i != experiment.baseline && !compared[i])
      apart += (apart.empty() ? "'" : ", '") + name + "'";
  }
  if (!apart.empty() && !primary.empty()) {
    const std::vector<std::string> better = metrics_that_compare_all(experiment, metrics);
    warnings.push_back(fmt::format(
        "the primary metric {} is not comparable between the baseline and {}: no difference is "
        "tested there{}{}",
        primary, apart, better.empty() ? "" : "; all arms are compared by ",
        fmt::join(better, ", ")));
  }
  if (const std::string repeated = rereading(experiment, prices); !repeated.empty())
    warnings.push_back(fmt::format("a corpus is read more than once by {}", repeated));
  if (std::string cut = cut_documents(experiment); !cut.empty()) warnings.push_back(std::move(cut));
  if (const std::string arms = unspent_budgets(experiment); !arms.empty())
    warnings.push_back(
        fmt::format("the phases spend less than train.budget in {}: give them shares "
                    "that sum to 1, or amounts that sum to it",
                    arms));
  const auto seeds = static_cast<std::int64_t>(experiment.seeds.size());
  const std::int64_t comparisons = count_comparisons(experiment, metrics);
  if (comparisons > 0 &&
      statistics::minimum_sign_flip_p(seeds) >= family_alpha(experiment.analysis, comparisons))
    warnings.push_back(power_sentence(experiment, comparisons));
  if (comparisons > 0 && !experiment.analysis.smallest_effect)
    warnings.push_back(
        "no smallest effect of interest is stated: a difference of any size may be called better "
        "or worse, and none equivalent; state one as analysis.smallest_effect");
  for (std::size_t i = 0; i < prices.size(); ++i)
    for (const PhasePrice& phase : prices[i].phases)
      for (const std::string& shortfall : phase.shortfalls)
        warnings.push_back(fmt::format("arm '{}': {}", experiment.arms[i].name, shortfall));
  if (seeds < 5)
    warnings.push_back(
        fmt::format("fewer than 5 seeds: with {}, intervals are wide and often wrong", seeds));
  const auto timed = [](const Price& price) { return price.seconds > 0; };
  if (std::any_of(prices.begin(), prices.end(), timed))
    warnings.push_back(
        "a budget in seconds is not deterministic: the same trial takes another number of steps on "
        "another machine");
  std::string started;
  for (const ResolvedArm& arm : experiment.arms)
    if (arm.start) started += fmt::format("{}{}'", started.empty() ? "'" : ", '", arm.name);
  if (!started.empty())
    warnings.push_back(
        fmt::format("training starts from trained weights in {}: seeds of these arms differ only "
                    "in data order and noise, they share no initial weights with arms that start "
                    "from random weights, and the cost of the trained weights is in no ledger",
                    started));
  if (experiment.probes.empty())
    warnings.push_back("no probes: nothing is measured on the trained models");
  return warnings;
}

}  // namespace ablate::plan
