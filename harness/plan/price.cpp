#include "harness/plan/price.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/data/batches.h"
#include "harness/data/prepare.h"
#include "harness/data/texts.h"

namespace ablate {
namespace {

constexpr double kMostSteps = 1e12;
constexpr std::int64_t kSampledTokens = std::int64_t{1}
                                        << 18;  // .5 % error of a masking rate of 15 %
constexpr std::uint64_t kSampleSeed = 1;

StepRates count_rates(const Corpus& corpus, const Objective& objective, BatchSettings settings,
                      std::int64_t sampled_tokens) {
  const std::int64_t batch = settings.rows;
  settings.rows = std::clamp<std::int64_t>(sampled_tokens / settings.context, 1,
                                           std::min<std::int64_t>(batch, 32));
  settings.seed = kSampleSeed;
  const std::int64_t drawn_tokens = settings.rows * settings.context;
  settings.steps = std::clamp<std::int64_t>(sampled_tokens / drawn_tokens, 1, 4096);
  const Batches batches(corpus.training(), objective, settings);
  StepRates rates;
  rates.texts = batches.texts();
  rates.shape = settings.shape;
  for (std::int64_t step = 0; step < settings.steps; ++step) {
    const Drawn drawn = batches.step(step);
    rates.text_tokens += static_cast<double>(drawn.text_tokens);
    rates.positions += static_cast<double>(drawn.batch.rows * drawn.batch.time);
    rates.sources += static_cast<double>(drawn.batch.rows * drawn.batch.source.time);
    rates.targets += static_cast<double>(scored_tokens(drawn.batch));
  }
  const double per_step =
      static_cast<double>(batch) / static_cast<double>(settings.steps * settings.rows);
  rates.text_tokens *= per_step;
  rates.positions *= per_step;
  rates.sources *= per_step;
  rates.targets *= per_step;
  return rates;
}

/// Floating-point operations of a step, without its heads.
double trunk_flops(const StepRates& rates, const FlopCount& flops) {
  return rates.positions * flops.trunk_per_token + rates.sources * flops.source_per_token;
}

/// Steps that spend a budget, rounded up: nobody gets less than was asked for.
std::int64_t steps_of(const Json& train, const StepRates& rates, const FlopCount& flops,
                      double nominal_tokens) {
  const auto budget = train["budget"].begin();
  const std::string& unit = budget.key();
  const double amount = budget.value().get<double>();
  if (unit == "seconds") return 0;
  double per_step = 1;
  if (unit == "tokens") per_step = nominal_tokens;
  if (unit == "targets") per_step = rates.targets;
  if (unit == "flops") per_step = trunk_flops(rates, flops) + rates.targets * flops.head_per_target;
  if (per_step <= 0)
    reject("a step has no ", unit, ", so a budget in ", unit, " never ends; give another budget");
  const double steps = std::ceil(amount / per_step);
  if (steps > kMostSteps)
    reject("the budget is ", steps, " steps; at most ", kMostSteps, " are accepted");
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(steps));
}

}  // namespace

Packing packing_of(const Json& train) {
  const std::string packing = train["packing"];
  if (packing == "joined") return Packing::joined;
  return packing == "padded" ? Packing::padded : Packing::isolated;
}

Price price_arm(const Catalog& catalog, const Experiment& experiment, const Prepared& prepared,
                std::size_t index, std::int64_t sampled_tokens) {
  const ResolvedArm& arm = experiment.arms[index];
  const BackboneSpec& backbone = catalog.backbone(arm.model["backbone"].get<std::string>());
  const Params model = params_of(model_section(catalog), arm.model);
  const std::int64_t context = model.integer("context");
  const std::int64_t batch = arm.train["batch"];
  Price price;
  const Objective& objective = prepared.objectives[index];
  BatchSettings settings{packing_of(arm.train), batch, context};
  settings.shape = row_shape(prepared.corpus, objective, settings.packing, context);
  price.rates = count_rates(prepared.corpus, objective, settings, sampled_tokens);
  const Hosting hosting{prepared.vocabulary, objective.needs, settings.shape};
  price.needs = objective.needs;
  price.parameters = backbone.parameters(model, hosting);
  const FlopCount flops = backbone.flops(model, hosting);
  price.steps = steps_of(arm.train, price.rates, flops, static_cast<double>(batch * context));
  price.seconds = arm.train["budget"].value("seconds", 0.0);
  const auto steps = static_cast<double>(price.steps);
  price.text_tokens = steps * price.rates.text_tokens;
  price.targets = steps * price.rates.targets;
  price.epochs = steps * static_cast<double>(batch) / static_cast<double>(price.rates.texts);
  price.trunk_flops = steps * trunk_flops(price.rates, flops);
  price.head_flops = price.targets * flops.head_per_target;
  return price;
}

std::vector<Price> price_arms(const Catalog& catalog, const Experiment& experiment,
                              const Prepared& prepared, Faults& faults) {
  std::vector<Price> prices;
  const auto arms = static_cast<std::int64_t>(experiment.arms.size());
  const std::int64_t sampled = std::max<std::int64_t>(kSampledTokens / (1 + arms / 16), 4096);
  for (std::size_t i = 0; i < experiment.arms.size(); ++i) {
    try {
      prices.push_back(price_arm(catalog, experiment, prepared, i, sampled));
    } catch (const std::invalid_argument& error) {
      const ResolvedArm& arm = experiment.arms[i];
      faults.add(experiment.sources->value_at(arm.entry + "/name"),
                 join("arm '", arm.name, "': ", error.what()));
    }
  }
  return prices;
}

Json ledger_row(const std::string& arm, const Price& price) {
  return {{"arm", arm},
          {"parameters", price.parameters.total},
          {"embeddings", price.parameters.embeddings},
          {"parameters_at_inference", price.parameters.at_inference},
          {"steps", price.steps},
          {"seconds", price.seconds},
          {"text_tokens", std::round(price.text_tokens)},
          {"targets", std::round(price.targets)},
          {"epochs", price.epochs},
          {"flops", price.flops()},
          {"trunk_flops", price.trunk_flops},
          {"head_flops", price.head_flops}};
}

}  // namespace ablate
