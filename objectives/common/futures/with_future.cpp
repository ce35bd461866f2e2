// Causal language modelling with a second head, which says what stands ahead of a state, order aside.

#include "objectives/common/futures/with_future.h"

#include <numeric>

#include "objectives/common/optimum/left_to_right.h"

namespace ablate::objectives {
namespace {

/// A place is scored where its window ends before the text is cut, whatever is in it. So a model need not know where
/// that is.
std::vector<Example> transform(const FutureTarget& target, const Text& text) {
  std::vector<Example> examples = {left_to_right(text)};
  const std::size_t window = target.first + target.window;
  const auto room = text.room > 0 ? static_cast<std::size_t>(text.room) : text.tokens.size();
  for (const Future& future : futures_of(text.tokens, window))
    if (future.ahead.size() > target.first && future.at + window <= room)
      add_shares(target.shares(future.ahead.subspan(target.first)), future.at, target.window,
                 examples.front());
  return examples;
}

/// The labels of one place that are scored.
struct PlaceLabels {
  std::size_t at = 0;
  std::vector<std::size_t> tokens = {};  // as indices of a FutureTable
  std::vector<double> weights = {};
};

std::vector<PlaceLabels> by_place(const Chain& language, const Example& example) {
  std::vector<PlaceLabels> places;
  for (const Label& label : example.labels) {
    if (!(label.weight > 0)) continue;
    const auto at = static_cast<std::size_t>(label.at);
    if (places.empty() || places.back().at != at) places.push_back({at});
    places.back().tokens.push_back(future_index(language, label.target));
    places.back().weights.push_back(label.weight);
  }
  return places;
}

std::vector<Loss> label_optima(const FutureTarget& target, const Chain& language, const Text& text,
                               const Example& example) {
  const auto size = static_cast<std::size_t>(language.composite_states());
  const FutureTable table = target.table(language, target.window);
  const std::vector<PlaceLabels> places = by_place(language, example);
  std::vector<Loss> losses(1);
  for (const Segment& segment : segments(text.tokens)) {
    const std::vector<double> states = states_before(language, text.tokens, segment);
    for (const PlaceLabels& place : places) {
      if (place.at < segment.first || place.at >= segment.first + segment.count) continue;
      const std::vector<double> fractions =
          table.given(std::span(states).subspan((place.at - segment.first) * size, size));
      losses.front() += {target.cost(place.tokens, place.weights, fractions),
                         std::accumulate(place.weights.begin(), place.weights.end(), 0.0)};
    }
  }
  return losses;
}

}  // namespace

Objective causal_with_heads(Needs needs, MakeExamples make) {
  return {.needs = std::move(needs),
          .transform = [make = std::move(make)](const Text& text, Rng) { return make(text); },
          .optimum = left_to_right_optimum,
          .context_free = left_to_right_floor,
          .cloze = continuation,
          .cloze_stop = continuation_stop};
}

ObjectiveSpec causal_with_heads(ObjectiveSpec spec) {
  spec.optimum_kind = [](const Params&) { return OptimumKind::exact; };
  spec.generation = [](const Params&) { return Generation::ancestral; };
  spec.cloze_format = [](const Params&) { return ClozeFormat::left; };
  spec.text_likelihood = [](const Params&) { return true; };
  return spec;
}

HeadNeed head_of(std::string_view of, const Params& params) {
  return {.kind = "future_window",
          .params = {{"of", of}, {"window", params.integer("window")}},
          .coefficient = params.number("coefficient")};
}

Objective with_future(FutureTarget target, const Params& params, const Context& context) {
  target.window = static_cast<std::size_t>(params.integer("window"));
  const auto whole = static_cast<std::int64_t>(target.first + target.window);
  if (whole >= context.text_length)
    reject(
        "a window of {} tokens has no room in texts of {}, of which the first token is not "
        "predicted; give a window of {} or less, or a longer context",
        whole, context.text_length,
        context.text_length - 1 - static_cast<std::int64_t>(target.first));
  Needs needs{.reads = false};
  needs.heads.push_back(head_of(target.of, params));
  Objective objective = causal_with_heads(
      std::move(needs), [target](const Text& text) { return transform(target, text); });
  if (target.table)
    objective.label_optima = [target](const Chain& language, const Text& text,
                                      const Example& example) {
      return label_optima(target, language, text, example);
    };
  return objective;
}

std::vector<Param> future_params(std::int64_t window, std::string_view what, double coefficient) {
  return {integer("window", window, 2, 64, what),
          number("coefficient", coefficient, 0, 10,
                 "weight of the second head's mean loss in the sum; the first head has 1")};
}

}  // namespace ablate::objectives
