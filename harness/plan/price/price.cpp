// Prices the phases of an arm from formulas and from sampled batches.

#include "harness/plan/price/price.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/base/error.h"
#include "harness/contract/realised.h"
#include "harness/data/batches/batches.h"
#include "harness/data/batches/texts.h"
#include "harness/plan/prepare/text_counter.h"
#include "harness/plan/price/idle.h"
#include "harness/plan/price/memory.h"
#include "harness/plan/price/steps.h"
#include "harness/plan/rows/train_params.h"

namespace ablate::plan {
namespace {

// Gives the number of targets at a masking rate of 15 % within .5 %.
constexpr std::int64_t kSampledTokens = std::int64_t{1} << 18;

constexpr std::uint64_t kSampleSeed = 1;

/// What sampled batches show.
struct Sampled {
  StepRates rates;
  Realised realised;
  std::vector<std::string> idle;  // how often there was nothing to do, a sentence each
  double unscored_steps = 0;      // fraction of the steps of a trial that score no target
};

Sampled sample(const PreparedPhase& phase, data::BatchSettings settings,
               std::int64_t sampled_tokens) {
  const std::int64_t batch = settings.rows;
  settings.rows = std::clamp<std::int64_t>(sampled_tokens / settings.context, 1,
                                           std::min<std::int64_t>(batch, 32));
  settings.seed = kSampleSeed;
  const std::int64_t drawn_tokens = settings.rows * settings.context;
  settings.steps = std::clamp<std::int64_t>(sampled_tokens / drawn_tokens, 1, 4096);
  std::vector<data::BatchMember> members;
  for (const PreparedMember& member : phase.members)
    members.push_back({member.corpus.training(), member.fraction});
  const data::Batches batches(members, phase.objective, settings);
  Sampled sampled;
  StepRates& rates = sampled.rates;
  rates.texts = batches.texts();
  rates.shape = settings.shape;
  IdleCounter idle(phase.objective);
  for (std::int64_t step = 0; step < settings.steps; ++step) {
    const data::SampledBatch drawn = batches.step(step);
    rates.positions += static_cast<double>(drawn.batch.rows * drawn.batch.time);
    rates.sources += static_cast<double>(drawn.batch.rows * drawn.batch.source.time);
    rates.targets += static_cast<double>(data::scored_tokens(drawn.batch));
    for (const data::PlacedExample& placed : drawn.examples)
      sampled.realised.add(placed.text, placed.example);
    idle.add(drawn);
  }
  sampled.idle = idle.sentences();
  sampled.unscored_steps =
      idle.unscored_steps(static_cast<double>(batch) / static_cast<double>(settings.rows));
  const double per_step =
      static_cast<double>(batch) / static_cast<double>(settings.steps * settings.rows);
  rates.positions *= per_step;
  rates.sources *= per_step;
  rates.targets *= per_step;
  return sampled;
}

/// The intended values that are upper bounds and that the sampled texts stay clearly below.
std::vector<std::string> shortfalls_of(const std::vector<Intended>& intended,
                                       const Realised& realised) {
  std::vector<std::string> found;
  for (const Intended& each : intended) {
    const Ratio* const did = realised.find(each.name);
    if (!each.at_most || did == nullptr) continue;
    if (did->value() < each.value - each.tolerance - 5 * did->error(each.value))
      found.push_back(
          fmt::format("{} is {:.3g} in sampled texts, not {:.3g}: what does not fit is left out",
                      each.name, did->value(), each.value));
  }
  return found;
}

/// Training FLOPs of a step, without its heads.
double trunk_flops(const StepRates& rates, const FlopCount& flops) {
  return rates.positions * flops.trunk_per_token + rates.sources * flops.source_per_token;
}

/// The positions of the longest row in any of the phase's corpora.
RowShape shape_of(const PreparedPhase& phase) {
  RowShape shape;
  for (const PreparedMember& member : phase.members)
    shape = data::maximum(
        shape, data::row_shape(member.corpus, phase.objective, phase.packing, phase.context));
  return shape;
}

/// The corpora of a phase as text: fractions, with the first digits of each hash.
std::string corpora_of(const PreparedPhase& phase, const data::Corpus& main) {
  std::string text;
  for (const PreparedMember& member : phase.members) {
    const std::string& hash = member.corpus.hash();
    text += fmt::format("{}{:g} % {}", text.empty() ? "" : ", ",
                        std::round(1000 * member.fraction) / 10,
                        hash == main.hash() ? "main" : hash.substr(0, 8));
  }
  return text;
}

PhasePrice price_phase(const ResolvedModel& model, const Prepared& prepared,
                       const PreparedPhase& phase, std::int64_t sampled_tokens,
                       TextCounter& counter) {
  const std::int64_t context = phase.context;
  const std::int64_t batch = phase.train.integer("batch");
  if (const std::int64_t micro = micro_batch_of(phase.train); micro > 0 && batch % micro != 0)
    reject("train.micro_batch = {} does not divide train.batch = {}; choose a divisor", micro,
           batch);
  else if (micro > 0 && micro < batch && phase.objective.needs.couples_rows())
    reject(
        "train.micro_batch = {} splits the rows of a step, but their losses depend on each other; "
        "leave it out, or lower train.batch",
        micro);
  if (!loss_of(phase.train).plain() &&
      std::ranges::all_of(phase.objective.needs.heads,
                          [](const HeadNeed& head) { return head.traits.own_loss; }))
    reject(
        "train.loss shapes the cross-entropy of tokens, and {} trains no head by it; leave it out, "
        "or "
        "choose another objective",
        phase.spec->name);
  data::BatchSettings settings{phase.packing, batch, context};
  settings.shape = shape_of(phase);
  PhasePrice price{.name = phase.name, .corpora = corpora_of(phase, prepared.corpus)};
  const Sampled sampled = sample(phase, settings, sampled_tokens);
  const std::vector<Intended>& intended = phase.objective.intended;
  if (const std::string wrong = deviation(intended, sampled.realised); !wrong.empty())
    reject("{}; a trial would fail because of this after its training", wrong);
  price.rates = sampled.rates;
  price.rates.text_tokens = static_cast<double>(batch) * counter.raw_tokens(phase);
  price.shortfalls = shortfalls_of(intended, sampled.realised);
  const FlopCount flops =
      flops_of_phase(*model.backbone, model.params,
                     {model.vocabulary, phase.objective.needs, settings.shape}, context);
  const StepCost step{
      .tokens = price.rates.text_tokens,
      .positions = static_cast<double>(batch * context),
      .targets = price.rates.targets,
      .flops = trunk_flops(price.rates, flops) + price.rates.targets * flops.head_per_target};
  price.steps = steps_of(phase.budget, step);
  price.shortfalls.insert(price.shortfalls.end(), sampled.idle.begin(), sampled.idle.end());
  if (std::string none = unscored_sentence(sampled.unscored_steps, price.steps); !none.empty())
    price.shortfalls.push_back(std::move(none));
  const auto steps = static_cast<double>(price.steps);
  price.text_tokens = steps * step.tokens;
  price.text_positions = steps * step.positions;
  price.targets = steps * price.rates.targets;
  price.epochs = steps * static_cast<double>(batch) / static_cast<double>(price.rates.texts);
  price.trunk_flops = steps * trunk_flops(price.rates, flops);
  price.head_flops = price.targets * flops.head_per_target;
  return price;
}

/// Adds a phase to the price of all phases. Rates are summed over steps; sum_of() divides them
/// later.
void add(Price& sum, const PhasePrice& phase) {
  const auto steps = static_cast<double>(phase.steps);
  sum.rates.text_tokens += steps * phase.rates.text_tokens;
  sum.rates.positions += steps * phase.rates.positions;
  sum.rates.sources += steps * phase.rates.sources;
  sum.rates.targets += steps * phase.rates.targets;
  sum.rates.texts += phase.rates.texts;
  sum.rates.shape = data::maximum(sum.rates.shape, phase.rates.shape);
  sum.steps += phase.steps;
  sum.text_tokens += phase.text_tokens;
  sum.text_positions += phase.text_positions;
  sum.targets += phase.targets;
  sum.trunk_flops += phase.trunk_flops;
  sum.head_flops += phase.head_flops;
}

/// Passes over the corpus that is read most often, added up over the phases that read it.
double max_passes(const std::vector<PreparedPhase>& phases, const std::vector<PhasePrice>& prices,
                  TextCounter& counter) {
  std::map<std::string, double> passes;  // by corpus
  double maximum = 0;
  for (std::size_t i = 0; i < phases.size(); ++i)
    for (const PreparedMember& member : phases[i].members) {
      const PreparedPhase& phase = phases[i];
      const double read = member.fraction * static_cast<double>(prices[i].steps) *
                          static_cast<double>(phase.train.integer("batch"));
      maximum =
          std::max(maximum, passes[member.corpus.hash()] += read / counter.of(phase, member).texts);
    }
  return maximum;
}

/// Whether the number of steps depends on the sampled examples. If it does, the size of the sample
/// must not depend on the other arms, so that a trial has the same steps in every experiment.
bool counts_examples(const PreparedPhase& phase) {
  return phase.budget.unit == "targets" || phase.budget.unit == "flops";
}

Price sum_of(std::vector<PhasePrice> phases) {
  Price sum;
  if (phases.size() == 1) {
    static_cast<PhasePrice&>(sum) = phases[0];
  } else {
    for (const PhasePrice& phase : phases) add(sum, phase);
    const auto steps = static_cast<double>(sum.steps);
    for (double* rate :
         {&sum.rates.text_tokens, &sum.rates.positions, &sum.rates.sources, &sum.rates.targets})
      *rate /= steps;
  }
  sum.phases = std::move(phases);
  return sum;
}

/// The price of the arm at `index`. Samples batches with about `sampled_tokens` tokens in all.
/// Throws std::invalid_argument if the corpus is too short or an example does not fit in a row.
Price price_arm(const Experiment& experiment, const Prepared& prepared, std::size_t index,
                std::int64_t sampled_tokens, TextCounter& counter) {
  const ResolvedArm& arm = experiment.arms[index];
  const ResolvedModel& model = prepared.models[index];
  std::vector<PhasePrice> phases;
  for (const PreparedPhase& phase : prepared.phases[index])
    phases.push_back(price_phase(
        model, prepared, phase, counts_examples(phase) ? kSampledTokens : sampled_tokens, counter));
  Price price = sum_of(phases);
  price.max_passes = max_passes(prepared.phases[index], phases, counter);
  if (phases.size() > 1)
    price.epochs = price.max_passes;  // passes over different corpora cannot be added up
  const ResolvedPhase& own = prepared.own[index];
  // The arm's own objective is measured even if no phase trains it.
  if (arm.has_phases())
    price.rates.shape =
        data::maximum(price.rates.shape,
                      data::row_shape(prepared.corpus, own.objective, own.packing, own.context));
  price.needs = own.objective.needs;
  const Hosting hosting = {model.vocabulary, price.needs, price.rates.shape};
  price.parameters = model.backbone->parameters(model.params, hosting);
  if (model.backbone->state != nullptr && price.needs.alignment == Alignment::continuation)
    price.state_bytes = 4 * model.backbone->state(model.params, hosting);
  if (model.backbone->memory != nullptr) {
    const bool bfloat16 = arm.train.at("precision") == "bfloat16";
    const MemoryCount count = model.backbone->memory(model.params, hosting, bfloat16);
    const std::int64_t batch = own.train.integer("batch"), micro = micro_batch_of(own.train);
    const double at_once = micro > 0 ? static_cast<double>(micro) / static_cast<double>(batch) : 1;
    price.memory = lane_memory(price, at_once, model.vocabulary.size(), count, bfloat16);
  }
  price.seconds = budget_of(arm.train).seconds();
  return price;
}

}  // namespace

double Price::measuring_flops() const {
  double flops = 0;
  for (const auto& [probe, own] : flops_by_probe) flops += own;
  return flops;
}

std::vector<Price> price_arms(const Experiment& experiment, const Prepared& prepared,
                              Faults& faults) {
  std::vector<Price> prices;
  const auto arms = static_cast<std::int64_t>(experiment.arms.size());
  const std::int64_t sampled = std::max<std::int64_t>(kSampledTokens / (1 + arms / 16), 4096);
  TextCounter counter;
  for (std::size_t i = 0; i < experiment.arms.size(); ++i) {
    try {
      prices.push_back(price_arm(experiment, prepared, i, sampled, counter));
    } catch (const std::invalid_argument& error) {
      const ResolvedArm& arm = experiment.arms[i];
      faults.add(experiment.sources->value_at(arm.entry + "/name"),
                 fmt::format("arm '{}': {}", arm.name, error.what()));
    }
  }
  return prices;
}

Json ledger_row(const std::string& arm, const Price& price) {
  Json row = {{"arm", arm},
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
              {"head_flops", price.head_flops},
              {"gpu_bytes_a_lane", std::round(price.memory.bytes)},
              {"gpu_bytes_of_logits", std::round(price.memory.logits)}};
  if (price.state_bytes > 0) row["decoding_state_bytes"] = price.state_bytes;
  if (price.parameters.idle > 0) row["active_parameters"] = price.parameters.active();
  for (const PhasePrice& phase : price.phases)
    if (!phase.name.empty())
      row["phases"].push_back({{"phase", phase.name},
                               {"corpora", phase.corpora},
                               {"steps", phase.steps},
                               {"text_tokens", std::round(phase.text_tokens)},
                               {"targets", std::round(phase.targets)},
                               {"epochs", phase.epochs},
                               {"flops", phase.flops()}});
  return row;
}

}  // namespace ablate::plan
