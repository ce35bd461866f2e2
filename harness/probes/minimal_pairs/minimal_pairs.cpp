// Measures how often a model finds the right completion the likeliest: by probability, left to right
// in the arm's own format, and for arms that fill masks also by pseudo-log-likelihood.

#include <algorithm>
#include <numeric>

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
  const DifferentCompletions different = different_completions(choices);
  std::vector<std::vector<Example>> questions;
  for (const std::size_t i : different.completions) {
    const Completion& one = choices.completions[i];
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
  return different.spread(example_costs(subject, std::move(questions)));
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

/// Adds what the costs of all completions choose, as `name` and others after it: by sum, per token,
/// per character, and by sum among the items that no length favours.
void add_accuracies(const Choices& choices, const std::vector<double>& costs,
                    const std::string& name, Measurement& measurement) {
  auto& metrics = measurement.metrics;
  const std::vector<double> credits = credits_of(choices.items, costs);
  metrics[name] = group_mean(choices.items, credits).mean;
  metrics[name + "_per_token"] = mean_credit(choices, per(costs, choices, [](const auto& one) {
                                               return static_cast<double>(one.tokens().size());
                                             }));
  metrics[name + "_per_character"] = mean_credit(
      choices, per(costs, choices, [](const auto& one) { return std::max(1.0, one.characters); }));
  measurement.items[name] = credits;
  const std::vector<std::uint8_t> equal = equal_lengths(choices);
  if (std::count(equal.begin(), equal.end(), 1) == 0) return;
  metrics[name + "_equal_length"] = group_mean(choices.items, credits, equal).mean;
  for (std::size_t i = 0; i < equal.size(); ++i)
    if (equal[i] != 0) measurement.items[name + "_equal_length"].push_back(credits[i]);
}

/// Adds how certain the accuracies after `of` are, and of how many items the headline is.
void add_errors(const Choices& choices, const std::vector<double>& costs, const std::string& of,
                Measurement& measurement) {
  auto& metrics = measurement.metrics;
  const std::vector<double> credits = credits_of(choices.items, costs);
  const std::vector<std::uint8_t> equal = equal_lengths(choices);
  metrics[of + "item_error"] = group_mean(choices.items, credits).error;
  if (std::count(equal.begin(), equal.end(), 1) > 0)
    metrics[of + "item_error_equal_length"] = group_mean(choices.items, credits, equal).error;
  else
    measurement.details["absent"][of + "accuracy_equal_length"] =
        "no item has completions of equally many tokens";
}

/// Adds the accuracy of the model with its initial weights, after `of`.
void add_floor(const Choices& choices, const std::vector<double>& costs, const std::string& of,
               Measurement& measurement) {
  const std::vector<double> credits = credits_of(choices.items, costs);
  const std::vector<std::uint8_t> equal = equal_lengths(choices);
  measurement.metrics[of + "untrained"] = group_mean(choices.items, credits).mean;
  if (std::count(equal.begin(), equal.end(), 1) > 0)
    measurement.metrics[of + "untrained_equal_length"] =
        group_mean(choices.items, credits, equal).mean;
}

/// The accuracy of the items of each part that has any: of the names, that which `of_item` gives an
/// item's index in. [{"name", "items", "accuracy", "item_error"}].
template <class OfItem>
Json parts_of(const Choices& choices, std::span<const double> credits,
              const std::vector<std::string>& names, const OfItem& of_item) {
  Json parts = Json::array();
  for (std::size_t index = 0; index < names.size(); ++index) {
    std::vector<std::uint8_t> included;
    for (const ChoiceItem& item : choices.items) included.push_back(of_item(item) == index);
    const auto count = std::count(included.begin(), included.end(), 1);
    if (count == 0) continue;
    const GroupMean mean = group_mean(choices.items, credits, included);
    parts.push_back({{"name", names[index]},
                     {"items", count},
                     {"accuracy", mean.mean},
                     {"item_error", mean.error}});
  }
  return parts;
}

/// Adds the accuracy by field and by group to the details, and that of the `reported` fields to the
/// metrics, after `of`.
void add_parts(const Choices& choices, std::span<const double> credits, const Json& reported,
               const std::string& of, Measurement& measurement) {
  Json fields =
      parts_of(choices, credits, choices.fields, [](const auto& item) { return item.field; });
  for (const Json& field : fields)
    if (std::find(reported.begin(), reported.end(), field.at("name")) != reported.end())
      measurement.metrics[of + "accuracy_" + field.at("name").get<std::string>()] =
          field.at("accuracy");
  measurement.details["parts"][of + "accuracy"] = {
      {"field", std::move(fields)},
      {"group",
       parts_of(choices, credits, choices.groups, [](const auto& item) { return item.group; })}};
}

/// Adds what the costs of all completions choose, after `of`: accuracies, errors and parts.
void add_all(const Choices& choices, const std::vector<double>& costs, const Json& fields,
             const std::string& of, Measurement& measurement) {
  add_accuracies(choices, costs, of + "accuracy", measurement);
  add_errors(choices, costs, of, measurement);
  add_parts(choices, credits_of(choices.items, costs), fields, of, measurement);
}

double fraction_of_equal_length(const Choices& choices) {
  const std::vector<std::uint8_t> equal = equal_lengths(choices);
  return static_cast<double>(std::count(equal.begin(), equal.end(), 1)) /
         static_cast<double>(equal.size());
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
    return no_measurement(subject_of(probe.params, "minimal_pairs"), kNoFormat);
  const data::Corpus corpus = choice_corpus(subject, probe);
  const Choices choices = choices_of(corpus, subject.phase.context);
  const std::string of = subject_of(probe.params, "minimal_pairs") + ".";

  Measurement measurement{
      .details = {{"choices", choices.items.size()}, {"too_long", choices.too_long}}};
  auto& metrics = measurement.metrics;
  metrics[of + "chance"] = chance_of(choices);
  metrics[of + "equal_length"] = fraction_of_equal_length(choices);
  const std::unique_ptr<train::Network> initial = subject.untrained();
  const Json& fields = probe.params.list("fields");
  add_all(choices, chain_costs(subject, choices), fields, of, measurement);
  progress(0.3);
  add_floor(choices, chain_costs(subject.with(*initial), choices), of, measurement);
  progress(0.5);
  if (format != ClozeFormat::told_length) return measurement;
  const auto pseudo = [&](const Subject& asked, Pseudo variant) {
    return pseudo_costs(asked, choices, variant);
  };
  const std::string pseudo_of = of + "pseudo_";
  add_all(choices, pseudo(subject, Pseudo::word_left_to_right), fields, pseudo_of, measurement);
  progress(0.62);
  add_floor(choices, pseudo(subject.with(*initial), Pseudo::word_left_to_right), pseudo_of,
            measurement);
  progress(0.75);
  metrics[pseudo_of + "accuracy_original"] =
      mean_credit(choices, pseudo(subject, Pseudo::original));
  progress(0.87);
  metrics[pseudo_of + "accuracy_whole_word"] =
      mean_credit(choices, pseudo(subject, Pseudo::whole_word));
  return measurement;
}

}  // namespace ablate::probes
