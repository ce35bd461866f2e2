#include "tests/harness/plan/small_catalog.h"
#include "models/specs/head_specs.h"

namespace ablate::plan::testing_support {
namespace {

/// Masks each token with probability `rate` and scores it in place.
std::vector<Example> hide(const Text& text, Rng rng, double rate) {
  std::vector<Example> examples(1);
  Example& example = examples.front();
  for (std::size_t i = 0; i < text.tokens.size(); ++i) {
    const bool hidden = rng.probability(rate) && !text.is_special(i);
    example.inputs.push_back(hidden ? static_cast<Token>(mask_token) : text.tokens[i]);
    example.targets.push_back(text.tokens[i]);
    example.weights.push_back(hidden ? 1.0f : 0.0f);
    if (hidden) example.hidden.push_back({static_cast<std::int32_t>(i), HiddenAs::mask});
  }
  return examples;
}

/// A probe that is refused on the built-in language.
ProbeSpec text_probe() {
  return {.name = "words",
          .summary = "only on text",
          .metrics = [](const Params&, const ProbedArm&) { return std::vector<Metric>(); },
          .refusal =
              [](const Params&, const ProbedArm& arm) {
                return arm.language ? std::string("the language has no words; leave it out")
                                    : std::string();
              }};
}

}  // namespace

ObjectiveSpec plain_objective() {
  return {.name = "plain",
          .summary = "every token",
          .picture = "a b -> a b",
          .source = "none",
          .build =
              [](const Params&, const Context&) {
                Objective objective;
                objective.transform = [](const Text& text, Rng) {
                  std::vector<Example> examples(1);
                  examples[0].targets.assign(text.tokens.begin(), text.tokens.end());
                  examples[0].weights.assign(text.tokens.size(), 1.0f);
                  return examples;
                };
                return objective;
              },
          .optimum_kind = [](const Params&) { return OptimumKind::none; }};
}

ObjectiveSpec hide_objective() {
  return {.name = "hide",
          .summary = "some tokens",
          .picture = "a b -> a ? -> b",
          .source = "none",
          .params = {number("rate", 0.15, 0.01, 0.99, "fraction hidden"),
                     integer("sentinels", 0, 0, 100, "that it needs"),
                     choice("order", "mixed", {"mixed", "sorted"}, "of what is hidden")},
          .build =
              [](const Params& params, const Context& context) {
                if (params.integer("sentinels") > context.text_length)
                  reject("sentinels = {} is more than the text has tokens",
                         params.integer("sentinels"));
                Objective objective;
                objective.needs.attention = Attention::bidirectional;
                objective.needs.alignment = Alignment::in_place;
                objective.needs.sentinels = params.integer("sentinels");
                const double rate = params.number("rate");
                objective.intended = {{"corruption", rate, 0.01}};
                objective.transform = [rate](const Text& text, Rng rng) {
                  return hide(text, rng, rate);
                };
                return objective;
              },
          .optimum_kind = [](const Params&) { return OptimumKind::none; },
          .common_settings =
              [](const Params&) {
                return std::vector<CommonSetting>{{"at_15", {{"rate", 0.15}}}};
              }};
}

BackboneSpec box_backbone(std::string_view name, Offer offer) {
  return {
      .name = name,
      .summary = "width times vocabulary",
      .params = {integer("width", 8, 1, 1024, "units"),
                 integer("context", 16, 2, 4096, "positions")},
      .offer = offer,
      .parameters =
          [](const Params& model, const Hosting& hosting) {
            const std::int64_t table = model.integer("width") * hosting.vocabulary.size();
            return ParameterCount{2 * table, table, 2 * table};
          },
      .flops =
          [](const Params& model, const Hosting& hosting) {
            const auto width = static_cast<double>(model.integer("width"));
            return FlopCount{6 * width, 6 * width * static_cast<double>(hosting.vocabulary.size())};
          },
      .refusal =
          [](const Params& model) {
            return model.integer("width") == 13 ? std::string("a width of 13 is unlucky")
                                                : std::string();
          }};
}

ProbeSpec loss_probe() {
  return {.name = "loss",
          .summary = "the loss",
          .params = {integer("texts", 10, 1, 1000, "texts that are scored")},
          .metrics =
              [](const Params&, const ProbedArm& arm) {
                std::vector<Metric> metrics = {
                    {"loss.own", "loss own", "nats", Better::lower, Comparable::same_objective,
                     "under its own objective"},
                    {"loss.excess", "loss excess", "nats", Better::lower, Comparable::all_arms,
                     "over the optimum"}};
                if (!common_settings_of(arm.objective, arm.params).empty())
                  metrics.push_back({"loss.at_15", "loss at 15 %", "nats", Better::lower,
                                     Comparable::same_family, "at 15 %"});
                return metrics;
              },
          .refusal = [](const Params&, const ProbedArm&) { return std::string(); }};
}

const Catalog& small_catalog() {
  static const std::vector<ObjectiveSpec> objectives = {hide_objective(), plain_objective()};
  static const std::vector<BackboneSpec> backbones = {
      box_backbone("box", {}), box_backbone("pipe", {.bidirectional = false})};
  static const std::vector<ProbeSpec> probes = {loss_probe(), text_probe()};
  static const Catalog catalog{objectives, backbones, probes, models::head_specs(), "box"};
  return catalog;
}

Json small_experiment() {
  return Json::parse(R"({
    "name": "small",
    "question": "Which hides better?",
    "corpus": {"kind": "language", "topics": 2, "states": 4, "vocabulary": 8,
               "tokens": 4000, "held_out_tokens": 1000},
    "model": {"width": 8, "context": 16},
    "train": {"budget": {"tokens": 1600}, "batch": 4},
    "arms": [
      {"name": "plain", "set": {"objective": {"type": "plain"}}},
      {"name": "hide", "set": {"objective": {"type": "hide"}}, "grid": {"objective.rate": [0.15, 0.3]}}
    ],
    "baseline": "hide[rate=0.15]",
    "seeds": 6,
    "match": {"on": []},
    "probes": ["loss"],
    "analysis": {"primary": "loss.excess"}
  })");
}

Plan plan_of(const PlanFolder& folder, const Json& experiment, const Overrides& overrides) {
  return make_plan(small_catalog(), folder.write("experiment.json", experiment.dump(2)), overrides);
}

std::string refusal_of(const PlanFolder& folder, const std::string& text,
                       const Overrides& overrides) {
  try {
    make_plan(small_catalog(), folder.write("experiment.json", text), overrides);
    return "";
  } catch (const ExperimentRefused& refused) {
    std::string what = refused.what();
    const std::string prefix = folder.path().string() + "/";
    for (std::size_t at = what.find(prefix); at != what.npos; at = what.find(prefix, at))
      what.erase(at, prefix.size());
    return what;
  }
}

std::string refusal_of(const PlanFolder& folder, const Json& experiment,
                       const Overrides& overrides) {
  return refusal_of(folder, experiment.dump(2), overrides);
}

}  // namespace ablate::plan::testing_support
