// Plans and trials as JSON and back: what `plan --json` prints, and what a results folder keeps.

#include "harness/base/error.h"
#include "harness/plan/plan.h"

namespace ablate {
namespace {

Json to_json(const Vocabulary& vocabulary) {
  return {{"ordinary", {vocabulary.first_ordinary(), vocabulary.end_ordinary()}},
          {"mask", static_cast<Token>(mask_token)},
          {"sentinels", {vocabulary.end_ordinary(), vocabulary.size()}}};
}

Vocabulary vocabulary_from_json(const Json& json) {
  const auto end = json.at("ordinary").at(1).get<Token>();
  return {.ordinary = end - special_count,
          .sentinels = json.at("sentinels").at(1).get<Token>() - end};
}

Plan::Arm arm_from_json(const Json& json) {
  return {json.at("name"), json.at("baseline"), json.at("objective"), json.at("config")};
}

template <class Made, class Read>
Made read_all(const Json& list, Read read) {
  Made made;
  for (const Json& each : list) made.push_back(read(each));
  return made;
}

}  // namespace

Json to_json(const Trial& trial) {
  Json json = {{"id", trial.id},
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
  return json;
}

Trial trial_from_json(const Json& json) {
  Trial trial;
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
  trial.shape = {json.value("positions", context),  // absent from older records
                 json.value("source_positions", std::int64_t{0})};
  for (const Json& phase : json.value("phases", Json::array()))
    trial.phases.push_back(
        {phase.at("steps"), {phase.at("positions"), phase.at("source_positions")}});
  return trial;
}

Json to_json(const Plan& plan) {
  Json arms = Json::array();
  for (const Plan::Arm& arm : plan.arms)
    arms.push_back({{"name", arm.name},
                    {"baseline", arm.baseline},
                    {"objective", arm.objective},
                    {"config", arm.config}});
  Json trials = Json::array();
  for (const Trial& trial : plan.trials) trials.push_back(to_json(trial));
  return {{"experiment", plan.name},
          {"question", plan.question},
          {"vocabulary", to_json(plan.vocabulary)},
          {"arms", std::move(arms)},
          {"trials", std::move(trials)},
          {"banks", plan.banks},
          {"corpus", plan.corpus.string()},
          {"analysis", plan.analysis},
          {"metrics", plan.metrics},
          {"ledger", plan.ledger},
          {"match", plan.match},
          {"precision", plan.precision},
          {"power", plan.power},
          {"warnings", plan.warnings},
          {"estimate_seconds", plan.estimate_seconds},
          {"resolved", plan.resolved}};
}

Plan plan_from_json(const Json& json) {
  try {
    Plan plan;
    plan.name = json.at("experiment");
    plan.question = json.at("question");
    plan.vocabulary = vocabulary_from_json(json.at("vocabulary"));
    plan.arms = read_all<std::vector<Plan::Arm>>(json.at("arms"), arm_from_json);
    plan.trials = read_all<std::vector<Trial>>(json.at("trials"), trial_from_json);
    plan.banks = json.at("banks").get<std::vector<Bank>>();
    plan.corpus = json.at("corpus").get<std::string>();
    plan.analysis = json.at("analysis");
    plan.metrics = json.at("metrics");
    plan.ledger = json.at("ledger");
    plan.match = json.at("match");
    plan.precision = json.at("precision");
    plan.power = json.at("power");
    plan.warnings = json.at("warnings").get<std::vector<std::string>>();
    plan.estimate_seconds = json.at("estimate_seconds");
    plan.resolved = json.at("resolved");
    return plan;
  } catch (const Json::exception& error) {
    throw DamagedFile(join("a stored plan is not one: ", error.what()));
  }
}

}  // namespace ablate
