// Converts plans to JSON and back.

#include "harness/plan/plan_json.h"

#include <fmt/core.h>

#include "harness/base/error.h"

namespace ablate::plan {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Plan::Arm, name, baseline, objective, config)

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

}  // namespace

Json to_json(const Plan& plan) {
  return {{"experiment", plan.name},
          {"question", plan.question},
          {"vocabulary", to_json(plan.vocabulary)},
          {"arms", plan.arms},
          {"trials", plan.trials},
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
    plan.arms = json.at("arms").get<std::vector<Plan::Arm>>();
    plan.trials = json.at("trials").get<std::vector<Trial>>();
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
    damaged("the stored plan is damaged: {}", error.what());
  }
}

}  // namespace ablate::plan
