// What the held-out probe measures: the loss with its optimum and floor, at the arm's own setting
// and at every common setting of its objective.

#include <fmt/core.h>

#include <algorithm>

#include "harness/probes/held_out/yardsticks_spec.h"
#include "harness/probes/label_words.h"
#include "harness/probes/members.h"

namespace ablate::probes {
namespace {

constexpr auto kNats = "nats/target";
constexpr auto kFraction = "fraction";
constexpr auto kAuc =
    "area under the ROC curve: how often the head gives a target of the second class higher odds "
    "of "
    "it than one of the first; a half is chance, whichever class is the rarer one";

/// Adds loss, optimum, excess and floor. `at`: "" or a suffix such as "_at_15"; `label`, `where`:
/// what follows the quantity in each label, and each description.
void add_losses(std::vector<Metric>& metrics, const std::string& at, const std::string& label,
                const std::string& where, Comparable across, Comparable excess_across, bool floor,
                bool optimum) {
  const bool untrained = at.empty();  // so measured at the arm's own setting alone
  const std::string loss = "held-out loss" + label;
  const auto add = [&](const char* name, std::string of, Better better, Comparable comparable,
                       const char* description) -> Metric& {
    return added(metrics, {fmt::format("held_out.{}{}", name, at), std::move(of), kNats, better,
                           comparable, description + where});
  };
  add("loss", loss, Better::lower, across, "mean cost of a scored target of held-out text")
      .read_against({only_if(optimum, Bound::ceiling("optimum" + at)),
                     only_if(floor, Bound::no_context("context_free" + at)),
                     only_if(untrained, Bound::untrained("untrained_loss"))});
  if (floor)
    add("context_free", loss + ", no context", Better::neither, across,
        "loss of the best predictor that sees only the target's own position: the floor");
  if (!optimum) return;
  add("optimum", loss + ", optimum", Better::neither, across,
      "loss of the exact predictor of the language on the same examples: the lowest expected loss "
      "of any model");
  add("excess", "held-out loss above the optimum" + label, Better::lower, excess_across,
      "loss minus optimum, on the same examples; it is small if the objective leaves little to "
      "learn, so read it with share_learned")
      .read_against({only_if(floor, Bound::no_context("context_free" + at).minus("optimum" + at)),
                     only_if(untrained, Bound::untrained("untrained_loss").minus("optimum"))});
}

/// Whether a sample of a network makes the labels: what is known of them beforehand is no floor.
bool samples_labels(const std::vector<HeadNeed>& heads) {
  return std::ranges::any_of(heads, [](const HeadNeed& head) { return head.traits.fills; });
}

/// The label of a quantity of a head other than the first, such as "held-out loss 2 tokens ahead",
/// "held-out generator loss" or "held-out pair loss".
std::string head_label(const HeadNeed& need, std::string_view quantity) {
  if (need.traits.fills) return fmt::format("held-out generator {}", quantity);
  if (need.traits.ahead > 0) return fmt::format("held-out {} {}", quantity, need.which());
  return "held-out " + as_words(need.metric(quantity));
}

/// Adds the metrics of a head other than the first, at the arm's own setting or, where it is given,
/// at a yardstick.
void add_further(std::vector<Metric>& list, const HeadNeed& need, bool optimum,
                 const Yardstick* at = nullptr) {
  const Comparable across =
      at == nullptr || at->own ? Comparable::same_objective : Comparable::same_family;
  const auto of = [&](const char* quantity) {
    return head_label(need, quantity) + (at == nullptr ? "" : at->label);
  };
  const auto key = [&](const char* what) {
    return need.metric(what) + (at == nullptr ? "" : "_" + at->name);
  };
  const auto add = [&](const char* what, std::string label, std::string_view unit, Better better,
                       const char* description) -> Metric& {
    Metric& metric = added(
        list,
        {fmt::format("held_out.{}", key(what)), std::move(label), unit, better, across,
         fmt::format("{} ({}){}", description, need.which(), at == nullptr ? "" : at->where)});
    return need.traits.ahead > 1 ? metric.indexed_by(need.traits.ahead) : metric;
  };
  const bool own = at == nullptr, classes = need.traits.classes > 0;
  const bool one_label = need.traits.labels == 1;
  optimum = optimum && !need.traits.couples_rows && need.traits.known_optimum;
  const Bound untrained = Bound::untrained(key("untrained_loss"));
  add("loss", of("loss"), kNats, Better::lower, "mean cost of a scored target")
      .read_against({only_if(optimum, Bound::ceiling(key("optimum"))), only_if(own, untrained)});
  if (one_label)
    add("accuracy", of("accuracy"), kFraction, Better::higher,
        "fraction of scored targets that the head predicts correctly")
        .read_against({only_if(classes, Bound::majority(key("majority"))),
                       only_if(own, Bound::untrained(key("untrained_accuracy")))});
  if (classes)
    add("majority", of("accuracy") + ", majority class", kFraction, Better::neither,
        "accuracy of always predicting the most frequent class");
  if (need.traits.classes == 2)
    add("auc", of("AUC"), kFraction, Better::higher, kAuc).read_against({Bound::chance(0.5)});
  if (own) {
    add("untrained_loss", of("loss") + ", untrained model", kNats, Better::neither,
        "loss of the initial weights, on the first texts");
    if (one_label)
      add("untrained_accuracy", of("accuracy") + ", untrained model", kFraction, Better::neither,
          "accuracy of the same");
  }
  if (!optimum) return;
  add("optimum", of("loss") + ", optimum", kNats, Better::neither,
      "loss of the exact predictor on the same examples");
  add("excess", of("loss above the optimum"), kNats, Better::lower,
      "loss minus optimum, on the same examples")
      .read_against({only_if(own, untrained.minus(key("optimum")))});
}

std::vector<Metric> metrics(const Params&, const ProbedArm& arm) {
  const ObjectiveSpec& objective = arm.objective;
  const Params& params = arm.params;
  const bool language = arm.language;
  const Params read = held_out_params(objective, params);
  const bool optimum = language && has_optimum(objective, read);
  const bool floor = !samples_labels(arm.further_heads());
  std::vector<Metric> list;
  add_losses(list, "", "", ", at the arm's own setting", Comparable::same_objective,
             Comparable::all_arms, floor, optimum);
  if (!floor)
    list.front().caveat =
        "the labels are made from samples of the arm's own generator, and a better generator makes "
        "them harder to tell";
  added(list, {"held_out.accuracy", "held-out accuracy", kFraction, Better::higher,
               Comparable::same_objective,
               "fraction of scored targets that the model gives the highest probability"})
      .read_against({Bound::untrained("untrained_accuracy")});
  if (arm.first_head().traits.classes == 2)
    added(list, {"held_out.auc", "held-out AUC", kFraction, Better::higher,
                 Comparable::same_objective, kAuc})
        .read_against({Bound::chance(0.5)});
  list.push_back({"held_out.untrained_loss", "held-out loss, untrained model", kNats,
                  Better::neither, Comparable::same_objective,
                  "loss of the model with its initial weights, on the first 64 of the texts"});
  list.push_back({"held_out.untrained_accuracy", "held-out accuracy, untrained model", kFraction,
                  Better::neither, Comparable::same_objective, "accuracy of the same: the floor"});
  if (optimum) {
    list.push_back(
        {"held_out.excess_error", "held-out loss above the optimum, standard error", kNats,
         Better::neither, Comparable::all_arms,
         "Monte-Carlo standard error of the excess over held-out texts; an excess further "
         "than three of it below 0 is a leak"});
    added(
        list,
        {"held_out.share_learned", "share learned", kFraction, Better::higher, Comparable::all_arms,
         "(context_free - loss) / (context_free - optimum): 0 knows no context, 1 is exact"})
        .read_against({Bound::floor(0.0)});
  }
  if (language && objective.forecasts != nullptr && !arm.loss.plain())
    list.push_back({"held_out.minimiser_excess",
                    "held-out excess of what the training loss asks for", kNats, Better::neither,
                    Comparable::all_arms,
                    "loss, minus the optimum, of the prediction that minimises the shaped training "
                    "loss (train.loss) given what the exact predictor knows, on the same examples; "
                    "a model with less is not at the minimum of the loss that it was trained by"});
  if (optimum) add_caveats(list, 0, objective, read);
  if (arm.text() && is_text_likelihood(objective, params))
    added(list, {"held_out.bits_per_byte", "held-out bits per byte", "bits/byte", Better::lower,
                 Comparable::all_arms,
                 "cost of held-out text per UTF-8 byte of its scored tokens; comparable across "
                 "vocabularies"})
        .read_against({only_if(floor, Bound::no_context("context_free").per_byte("loss"))});
  for (const HeadNeed& need : arm.further_heads()) add_further(list, need, language);
  for (const Yardstick& yardstick : yardsticks(objective, params)) {
    if (yardstick.of_heads) {
      for (const HeadNeed& need : arm.further_heads())
        add_further(list, need, language, &yardstick);
      continue;
    }
    const std::size_t first = list.size();
    const Comparable across = yardstick.own ? Comparable::same_objective : Comparable::same_family;
    add_losses(list, fmt::format("_{}", yardstick.name), yardstick.label, yardstick.where, across,
               yardstick.own ? Comparable::all_arms : across, floor,
               language && has_optimum(objective, yardstick.params));
    if (language) add_caveats(list, first, objective, yardstick.params);
  }
  return list;
}

std::string refusal(const Params&, const ProbedArm&) { return {}; }

/// The texts under the objective and its common settings; few of them by the initial weights.
double tokens(const Params& params, const ProbedArm& arm) {
  const auto settings = static_cast<double>(1 + yardsticks(arm.objective, arm.params).size());
  return settings * static_cast<double>(params.integer("texts") * arm.context);
}

}  // namespace

ProbeSpec held_out_spec() {
  return {
      .name = "held_out",
      .summary = "loss on held-out text, with its optimum and its context-free floor",
      .subject = "Held-out text",
      .params = {integer(
          "texts", 400, 1, 1e6,
          "number of held-out texts to score, drawn by the trial's seed; all if there are fewer")},
      .metrics = metrics,
      .refusal = refusal,
      .tokens = tokens,
      .reads_held_out = true,
      .version = 7};
}

}  // namespace ablate::probes
