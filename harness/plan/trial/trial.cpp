// Converts trials to JSON and back.

#include "harness/plan/trial/trial.h"

namespace ablate::plan {

void to_json(Json& json, const Trial& trial) {
  json = {{"id", trial.id},
          {"arm", trial.arm},
          {"seed", trial.seed},
          {"config", trial.config},
          {"probes", trial.probes},
          {"parameters", trial.parameters.total},
          {"embeddings", trial.parameters.embeddings},
          {"parameters_at_inference", trial.parameters.at_inference},
          {"flops", trial.flops},
          {"steps", trial.steps},
          {"text_tokens", trial.text_tokens},
          {"positions", trial.shape.time},
          {"source_positions", trial.shape.source_time}};
  for (const PhaseSize& phase : trial.phases)
    json["phases"].push_back({{"steps", phase.steps},
                              {"positions", phase.shape.time},
                              {"source_positions", phase.shape.source_time}});
}

void from_json(const Json& json, Trial& trial) {
  trial.id = json.at("id");
  trial.arm = json.at("arm");
  trial.seed = json.at("seed");
  trial.config = json.at("config");
  trial.probes = json.at("probes");
  trial.parameters = {json.at("parameters"), json.at("embeddings"),
                      json.at("parameters_at_inference")};
  trial.flops = json.at("flops");
  trial.steps = json.at("steps");
  trial.text_tokens = json.at("text_tokens");
  const std::int64_t context =
      trial.config.value(Json::json_pointer("/model/context"), std::int64_t{0});
  trial.shape = {json.value("positions", context),  // absent in older records
                 json.value("source_positions", std::int64_t{0})};
  for (const Json& phase : json.value("phases", Json::array()))
    trial.phases.push_back(
        {phase.at("steps"), {phase.at("positions"), phase.at("source_positions")}});
}

}  // namespace ablate::plan
