// Measures how often a model finds the right completion the likeliest: by probability, left to right
// in the arm's own format, and for arms that fill masks also by pseudo-log-likelihood.

#include <algorithm>
#include <numeric>
#include <optional>

#include "harness/base/error.h"
#include "harness/probes/cloze/costs.h"
#include "harness/probes/cloze/questions.h"
#include "harness/probes/measuring.h"
#include "harness/probes/minimal_pairs/choice_scores.h"
#include "harness/probes/minimal_pairs/choices.h"

namespace ablate::probes {
namespace {

/// What is hidden while a token is scored.
enum class Pseudo { word_left_to_right, original, whole_word };

/// Calls `take(first, count)` with each piece of a completion that is hidden together: a token, or
/// the tokens of a word.
template <class Take>
void each_hidden(const Completion& one, Pseudo variant, const Take& take) {
  const std::size_t end = one.document.size() - 1;
  for (std::size_t first = one.first; first < end;) {
    std::size_t last = first + 1;
    if (variant != Pseudo::original)
      while (last < end && (one.marks[last] & word_mark) == 0) ++last;
    take(first, last - first);
    first = last;
  }
}

/// The pseudo-log-likelihood of each completion, negated, in nats.
std::vector<double> pseudo_costs(const Subject& subject, const Choices& choices, Pseudo variant) {
  std::vector<std::vector<Example>> questions;
  for (const Completion& one : choices.completions) {
    std::vector<Example>& asked = questions.emplace_back();
    each_hidden(one, variant, [&](std::size_t first, std::size_t count) {
      std::vector<Example> examples = subject.phase.objective.cloze(
          {one.document.first(first), one.document.subspan(first, count),
           one.document.subspan(first + count)});
      if (variant == Pseudo::whole_word) {  // the first of them hides all tokens: score them all
        examples.resize(1);
        std::fill_n(examples[0].weights.begin() + static_cast<std::ptrdiff_t>(first), count, 1.0f);
      }
      std::move(examples.begin(), examples.end(), std::back_inserter(asked));
    });
  }
  return example_costs(subject, std::move(questions));
}

/// The costs divided by what each completion has of something.
template <class Of>
std::vector<double> per(std::vector<double> costs, const Choices& choices, const Of& of) {
  for (std::size_t i = 0; i < costs.size(); ++i) costs[i] /= of(choices.completions[i]);
  return costs;
}

double mean_credit(const Choices& choices, std::span<const double> costs) {
  return group_mean(choices.items, credits_of(choices.items, costs)).mean;
}

/// 1 for each item whose completions have equally many tokens.
std::vector<std::uint8_t> equal_lengths(const Choices& choices) {
  std::vector<std::uint8_t> equal;
  for (const ChoiceItem& item : choices.items) {
    const auto own = std::span(choices.completions).subspan(item.first, item.count);
    equal.push_back(std::all_of(own.begin(), own.end(), [&](const Completion& one) {
      return one.tokens().size() == own[0].tokens().size();
    }));
  }
  return equal;
}

void add_chain(const Choices& choices, const std::vector<double>& costs, const std::string& of,
               Measurement& measurement) {
  auto& metrics = measurement.metrics;
  const std::vector<double> credits = credits_of(choices.items, costs);
  const GroupMean all = group_mean(choices.items, credits);
  metrics[of + "accuracy"] = all.mean;
  metrics[of + "item_error"] = all.error;
  metrics[of + "accuracy_per_token"] = mean_credit(
      choices, per(costs, choices,
                   [](const auto& one) { return static_cast<double>(one.tokens().size()); }));
  metrics[of + "accuracy_per_character"] = mean_credit(
      choices, per(costs, choices, [](const auto& one) { return std::max(1.0, one.characters); }));
  const std::vector<std::uint8_t> equal = equal_lengths(choices);
  const auto count = static_cast<double>(std::count(equal.begin(), equal.end(), 1));
  metrics[of + "equal_length"] = count / static_cast<double>(equal.size());
  if (count > 0)
    metrics[of + "accuracy_equal_length"] = group_mean(choices.items, credits, equal).mean;
  measurement.items[of + "accuracy"] = credits;
}

/// The accuracy of the items that `of_item` puts into class `index`; nothing where there are none.
template <class OfItem>
std::optional<GroupMean> part_mean(const Choices& choices, std::span<const double> credits,
                                   std::size_t index, const OfItem& of_item) {
  std::vector<std::uint8_t> included;
  for (const ChoiceItem& item : choices.items) included.push_back(of_item(item) == index);
  if (std::count(included.begin(), included.end(), 1) == 0) return std::nullopt;
  return group_mean(choices.items, credits, included);
}

void add_parts(const Choices& choices, std::span<const double> credits, const Json& reported,
               const std::string& of, Measurement& measurement) {
  for (std::size_t field = 0; field < choices.fields.size(); ++field) {
    const auto mean =
        part_mean(choices, credits, field, [](const auto& item) { return item.field; });
    if (mean &&
        std::find(reported.begin(), reported.end(), Json(choices.fields[field])) != reported.end())
      measurement.metrics[of + "accuracy_" + choices.fields[field]] = mean->mean;
  }
  Json groups = Json::object();
  for (std::size_t group = 0; group < choices.groups.size(); ++group)
    if (const auto mean =
            part_mean(choices, credits, group, [](const auto& item) { return item.group; }))
      groups[choices.groups[group]] = {{"accuracy", mean->mean}, {"item_error", mean->error}};
  measurement.details["groups"] = std::move(groups);
}

double chance_of(const Choices& choices) {
  std::vector<double> credits;
  for (const ChoiceItem& item : choices.items)
    credits.push_back(1 / static_cast<double>(item.count));
  return group_mean(choices.items, credits).mean;
}

}  // namespace

Measurement measure_minimal_pairs(const Subject& subject, const plan::ResolvedProbe& probe,
                                  const ProgressSink& progress) {
  const ClozeFormat format = cloze_format_of(subject.objective(), subject.phase.params);
  if (format == ClozeFormat::none)
    return {.details = {{"format", "none: the objective has no format for such a question"}}};
  const data::Corpus corpus = choice_corpus(subject, probe);
  const Choices choices = choices_of(corpus, subject.phase.context);
  const std::string of = subject_of(probe.params, "minimal_pairs") + ".";

  Measurement measurement{
      .details = {{"items", choices.items.size()}, {"too_long", choices.too_long}}};
  auto& metrics = measurement.metrics;
  const std::vector<double> costs = chain_costs(subject, choices);
  add_chain(choices, costs, of, measurement);
  add_parts(choices, credits_of(choices.items, costs), probe.params.list("fields"), of,
            measurement);
  metrics[of + "chance"] = chance_of(choices);
  progress(0.3);
  const std::unique_ptr<train::Network> initial = subject.untrained();
  metrics[of + "untrained"] = mean_credit(choices, chain_costs(subject.with(*initial), choices));
  progress(0.5);
  if (format != ClozeFormat::told_length) return measurement;
  const auto add_pseudo = [&](const char* name, Pseudo variant) {
    metrics[of + name] = mean_credit(choices, pseudo_costs(subject, choices, variant));
  };
  add_pseudo("pseudo_accuracy", Pseudo::word_left_to_right);
  progress(0.7);
  add_pseudo("pseudo_accuracy_original", Pseudo::original);
  progress(0.9);
  add_pseudo("pseudo_accuracy_whole_word", Pseudo::whole_word);
  return measurement;
}

}  // namespace ablate::probes
