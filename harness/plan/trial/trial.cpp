// Converts trials to JSON and back.

#include "harness/plan/trial/trial.h"

namespace ablate::plan {
namespace {

/// Calls `field(key, value)` for each part of a trial that every version stores.
template <class SomeTrial, class Field>
void for_each_trial_field(SomeTrial& trial, Field field) {
  field("id", trial.id);
  field("arm", trial.arm);
  field("seed", trial.seed);
  field("config", trial.config);
  field("probes", trial.probes);
  field("parameters", trial.parameters.total);
  field("embeddings", trial.parameters.embeddings);
  field("parameters_at_inference", trial.parameters.at_inference);
  field("flops", trial.flops);
  field("steps", trial.steps);
  field("text_tokens", trial.text_tokens);
}

template <class Value>
void read(const Json& json, Value& value) {
  if constexpr (std::is_same_v<Value, std::int64_t>)
    value = integer_in(json);
  else
    json.get_to(value);
}

}  // namespace

void to_json(Json& json, const Trial& trial) {
  json = {{"positions", trial.shape.time},
          {"source_positions", trial.shape.source_time},
          {"measuring_flops", trial.measuring_flops}};
  for_each_trial_field(trial,
                       [&](const char* key, const auto& value) { json.emplace(key, value); });
  if (trial.state_bytes > 0) json["decoding_state_bytes"] = trial.state_bytes;
  if (trial.parameters.idle > 0) json["active_parameters"] = trial.parameters.active();
  for (const PhaseSize& phase : trial.phases)
    json["phases"].push_back({{"steps", phase.steps},
                              {"positions", phase.shape.time},
                              {"source_positions", phase.shape.source_time}});
}

void from_json(const Json& json, Trial& trial) {
  for_each_trial_field(trial, [&](const char* key, auto& value) { read(json.at(key), value); });
  const std::int64_t context =
      json.at("config").value(Json::json_pointer("/model/context"), std::int64_t{0});
  trial.shape = {integer_in(json, "positions", context),  // absent in older records
                 integer_in(json, "source_positions", 0)};
  trial.measuring_flops = json.value("measuring_flops", 0.0);  // absent in older records
  trial.state_bytes = integer_in(json, "decoding_state_bytes", 0);
  const std::int64_t used = trial.parameters.at_inference;
  trial.parameters.idle = used - integer_in(json, "active_parameters", used);
  for (const Json& phase : json.value("phases", Json::array()))
    trial.phases.push_back(
        {integer_in(phase.at("steps")),
         {integer_in(phase.at("positions")), integer_in(phase.at("source_positions"))}});
}

}  // namespace ablate::plan
