// Converts plans to JSON and back.

#include "harness/plan/trial/plan_json.h"

#include <fmt/core.h>

#include <ostream>

#include "harness/base/error.h"
#include "harness/plan/trial/trial_setup.h"

namespace ablate::plan {

void to_json(Json& json, const Plan::Arm& arm) {
  json = {{"name", arm.name},
          {"baseline", arm.baseline},
          {"objective", arm.objective},
          {"config", arm.config}};
  if (!arm.label.empty()) json["label"] = arm.label;
  if (!arm.of.empty()) json["of"] = arm.of;
}

void from_json(const Json& json, Plan::Arm& arm) {
  json.at("name").get_to(arm.name);
  json.at("baseline").get_to(arm.baseline);
  json.at("objective").get_to(arm.objective);
  json.at("config").get_to(arm.config);
  arm.label = json.value("label", "");
  arm.of = json.value("of", "");
}

void to_json(Json& json, const Measuring& measuring) {
  json = {{"share", measuring.fraction}, {"by_probe", measuring.by_probe}};
}

void from_json(const Json& json, Measuring& measuring) {
  json.at("share").get_to(measuring.fraction);
  json.at("by_probe").get_to(measuring.by_probe);
}

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

/// Calls `field(key, value)` for each part of a plan that converts to JSON by itself, in both
/// directions. The trials are left out, because they are written one by one.
template <class SomePlan, class Field>
void for_each_plan_field(SomePlan& plan, Field field) {
  field("experiment", plan.name);
  field("question", plan.question);
  field("arms", plan.arms);
  field("banks", plan.banks);
  field("analysis", plan.analysis);
  field("metrics", plan.metrics);
  field("ledger", plan.ledger);
  field("match", plan.match);
  field("precision", plan.precision);
  field("power", plan.power);
  field("warnings", plan.warnings);
  field("estimate_seconds", plan.estimate_seconds);
  field("resolved", plan.resolved);
}

Json without_trials(const Plan& plan) {
  Json json = {{"vocabulary", to_json(plan.vocabulary)},
               {"corpus", plan.corpus.string()},
               {"corpora", plan.corpora}};
  if (!plan.probe_files.empty()) json["probe_files"] = plan.probe_files;
  if (!plan.part_of.is_null()) json["part_of"] = plan.part_of;
  if (!plan.tuning.is_null()) json["tuning"] = plan.tuning;
  if (plan.measuring) json["measuring"] = *plan.measuring;
  if (plan.looks) json["sequential"] = *plan.looks;
  for_each_plan_field(plan, [&](const char* key, const auto& value) { json.emplace(key, value); });
  return json;
}

/// Reads a part that not every plan has.
template <class Part>
void read_if_kept(const Json& json, const char* key, std::optional<Part>& part) {
  if (const auto found = json.find(key); found != json.end() && !found->is_null())
    part = found->get<Part>();
}

/// The text of a value within others, whose lines are indented by `indent`.
std::string indented_text(const Json& value, const std::string& indent) {
  std::string text;
  for (const char c : ascii_text(value, 2)) {
    text += c;
    if (c == '\n') text += indent;
  }
  return text;
}

/// Writes the trials, one a line.
void write_trials(std::ostream& out, const std::vector<Trial>& trials) {
  Setups setups;
  const char* separator = "[\n    ";
  for (const Trial& trial : trials) {
    out << separator << ascii_text(setups.add(trial));
    separator = ",\n    ";
  }
  out << (trials.empty() ? "[]" : "\n  ]");
}

}  // namespace

Json to_json(const Plan& plan) {
  Json json = without_trials(plan);
  Setups setups;
  Json& trials = json["trials"] = Json::array();
  for (const Trial& trial : plan.trials) trials.push_back(setups.add(trial));
  json["setups"] = setups.by_name();
  return json;
}

void write_json(std::ostream& out, const Plan& plan) {
  Json fields = without_trials(plan);
  Setups setups;
  for (const Trial& trial : plan.trials) setups.add(trial);
  fields["setups"] = setups.by_name();
  fields["trials"] = nullptr;  // only their place among the fields
  const std::string indent(2, ' ');
  const char* separator = "{\n";
  for (const auto& [key, value] : fields.items()) {
    out << separator << indent << Json(key) << ": ";
    if (key == "trials")
      write_trials(out, plan.trials);
    else
      out << indented_text(value, indent);
    separator = ",\n";
  }
  out << "\n}";
}

Plan plan_from_json(const Json& json) {
  try {
    Plan plan;
    for_each_plan_field(plan, [&](const char* key, auto& value) { json.at(key).get_to(value); });
    plan.trials = trials_in(json);
    plan.vocabulary = vocabulary_from_json(json.at("vocabulary"));
    plan.corpus = json.at("corpus").get<std::string>();
    plan.probe_files = json.value("probe_files", std::vector<std::string>());
    plan.part_of = json.value("part_of", Json());
    plan.tuning = json.value("tuning", Json());
    read_if_kept(json, "measuring", plan.measuring);
    read_if_kept(json, "sequential", plan.looks);
    plan.corpora = json.value("corpora", Json::array());  // plans of earlier versions have none
    return plan;
  } catch (const Json::exception& error) {
    damaged("the stored plan is damaged: {}", error.what());
  }
}

}  // namespace ablate::plan
