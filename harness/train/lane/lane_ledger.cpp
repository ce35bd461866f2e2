#include "harness/train/lane/lane_ledger.h"

namespace ablate::train {
namespace {

/// What one phase has used, and the realised rates of its objective.
Json phase_ledger(const PhaseUsage& spent, std::int64_t rows) {
  const TrainingPhase& given = spent.phase;
  const Usage& usage = spent.usage;
  const double trunk = usage.trunk_flops(given.cost);
  const double head = usage.head_flops(given.cost);
  const auto texts_read = static_cast<double>(usage.steps * rows);
  return {{"steps", usage.steps},
          {"text_tokens", usage.text_tokens},
          {"targets", usage.targets},
          {"epochs", given.texts > 0 ? texts_read / static_cast<double>(given.texts) : 0.0},
          {"flops", trunk + head},
          {"trunk_flops", trunk},
          {"head_flops", head},
          {"objective", given.objective},
          {"intended", to_json(given.intended)},
          {"realised", spent.realised.json()}};
}

}  // namespace

Json ledger_of(const TrainingLane& lane, const std::vector<PhaseUsage>& spent, std::int64_t rows) {
  const ParameterCount& parameters = lane.trial->parameters;
  Usage all = spent[0].usage;
  Realised realised = spent[0].realised;
  Json sums = phase_ledger(spent[0], rows), phases = Json::array();
  for (std::size_t i = 0; i < spent.size(); ++i) {
    phases.push_back(phase_ledger(spent[i], rows));
    phases.back()["phase"] = spent[i].phase.name;
    if (i == 0) continue;
    all += spent[i].usage;
    realised += spent[i].realised;
    for (const char* key : {"flops", "trunk_flops", "head_flops"})
      sums[key] = sums[key].get<double>() + phases.back()[key].get<double>();
  }
  Json ledger = {{"parameters", parameters.total},
                 {"parameters_without_embeddings", parameters.total - parameters.embeddings},
                 {"parameters_at_inference", parameters.at_inference},
                 {"steps", all.steps},
                 {"clipped_steps", all.clipped},
                 {"steps_without_target", all.unscored},
                 {"text_tokens", all.text_tokens},
                 {"positions", all.positions},
                 {"source_positions", all.sources},
                 {"targets", all.targets},
                 {"target_weight", all.target_weight},
                 {"flops", sums["flops"]},
                 {"trunk_flops", sums["trunk_flops"]},
                 {"head_flops", sums["head_flops"]},
                 {"seconds", all.seconds},
                 {"tokens_per_second",
                  all.seconds > 0 ? static_cast<double>(all.text_tokens) / all.seconds : 0},
                 {"objective", lane.trial->config.at("objective")},
                 {"realised", realised.json()}};
  if (parameters.idle > 0) ledger["active_parameters"] = parameters.active();
  if (lane.trial->state_bytes > 0) ledger["decoding_state_bytes"] = lane.trial->state_bytes;
  if (lane.phases[0].name.empty()) {
    ledger["epochs"] = sums["epochs"];
    ledger["intended"] = to_json(lane.phases[0].intended);
  } else {
    ledger["phases"] = std::move(phases);  // each with its own epochs and intentions
  }
  return ledger;
}

}  // namespace ablate::train
