// What a lane has spent, by every way of counting: of each phase, and of all of them.

#include "harness/train/lane/lane.h"

namespace ablate::train {

/// What one phase has spent, and the realised rates of its objective.
Json Lane::ledger_of(std::size_t phase) const {
  const Account& account = accounts_[phase];
  const TrainingPhase& given = given_.phases[phase];
  const double trunk = account.spent.trunk_flops(given.cost);
  const double head = account.spent.head_flops(given.cost);
  const auto texts_read = static_cast<double>(account.spent.steps * drawn_.batch.rows);
  return {{"steps", account.spent.steps},
          {"text_tokens", account.spent.text_tokens},
          {"targets", account.spent.targets},
          {"epochs", given.texts > 0 ? texts_read / static_cast<double>(given.texts) : 0.0},
          {"flops", trunk + head},
          {"trunk_flops", trunk},
          {"head_flops", head},
          {"objective", account.phase.objective},
          {"intended", to_json(given.intended)},
          {"realised", account.realised.json()}};
}

Json Lane::ledger() const {
  const ParameterCount& parameters = given_.trial->parameters;
  const Usage all = spent();
  Realised realised = accounts_[0].realised;
  Json sums = ledger_of(0), phases = Json::array();
  for (std::size_t i = 0; i < accounts_.size(); ++i) {
    phases.push_back(ledger_of(i));
    phases.back()["phase"] = accounts_[i].phase.name;
    if (i == 0) continue;
    realised += accounts_[i].realised;
    for (const char* key : {"flops", "trunk_flops", "head_flops"})
      sums[key] = sums[key].get<double>() + phases.back()[key].get<double>();
  }
  Json ledger = {{"parameters", parameters.total},
                 {"parameters_without_embeddings", parameters.total - parameters.embeddings},
                 {"parameters_at_inference", parameters.at_inference},
                 {"steps", all.steps},
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
                 {"objective", given_.trial->config.at("objective")},
                 {"realised", realised.json()}};
  if (accounts_[0].phase.name.empty()) {
    ledger["epochs"] = sums["epochs"];
    ledger["intended"] = to_json(given_.phases[0].intended);
  } else {
    ledger["phases"] = std::move(phases);  // each with its own epochs and intentions
  }
  return ledger;
}

}  // namespace ablate::train
