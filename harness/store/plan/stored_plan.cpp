#include "harness/store/plan/stored_plan.h"

#include <algorithm>

#include "harness/base/error.h"

namespace ablate::store {
namespace {

/// A part of an object; null where it is absent. Throws Json::exception where `object` is none.
Section part(const Json& object, const char* key) {
  static const Json absent;
  const Json::object_t& members = object.get_ref<const Json::object_t&>();
  const auto found = members.find(key);
  return found == members.end() ? &absent : &found->second;
}

/// The same of a part that is an object itself, where it is there.
Section object_in(const Json& object, const char* key) {
  static const Json empty = Json::object();
  return object.contains(key) ? part(object, key) : &empty;
}

/// The texts in a list; all else in it is left out.
std::vector<std::string> texts_in(const Json& list) {
  std::vector<std::string> texts;
  for (const Json& text : list)
    if (text.is_string()) texts.push_back(text.get<std::string>());
  return texts;
}

std::vector<std::int64_t> seeds_in(const Json& list) {
  return list.is_null() ? std::vector<std::int64_t>() : list.get<std::vector<std::int64_t>>();
}

StoredArm stored_arm(const Json& json) {
  StoredArm arm{.name = json.at("name"),
                .label = text_at(json, "label"),
                .of = text_at(json, "of"),
                .objective = text_at(json, "objective"),
                .material = text_at(json, "material"),
                .baseline = json.value("baseline", false),
                .config = object_in(json, "config")};
  if (!json.contains("objective")) arm.objective = text_at(*part(*arm.config, "objective"), "type");
  return arm;
}

/// The ids of the measurements of probes, at the end of training and then on the way, as plans of older versions have them.
std::vector<std::string> measurement_ids(const Json& probes) {
  std::vector<std::string> ids;
  for (const Json& probe : probes) ids.push_back(probe.at("id"));
  for (const Json& probe : probes) {
    const Json points = probe.value("at", Json::array());
    for (const Json& point : points) ids.push_back(point.at("id"));
  }
  return ids;
}

/// How many measurements probes ask for.
std::size_t measurements_of(const Json& probes) {
  std::size_t count = probes.size();
  for (const Json& probe : probes) count += probe.value("at", Json::array()).size();
  return count;
}

/// `setups`: what trials have in common, by name. In plans of older versions each has everything itself.
StoredTrial stored_trial(const Json& json, const Json& setups) {
  const auto name = json.find("setup");
  const bool shares = name != json.end();
  const Json& setup = shares ? setups.at(name->get_ref<const std::string&>()) : json;
  StoredTrial trial{.id = json.at("id"),
                    .arm = json.at("arm"),
                    .seed = integer_in(json.at("seed")),
                    .steps = integer_in(setup, "steps", 0),
                    .config = part(setup, "config"),
                    .probes = part(setup, "probes"),
                    .measurements = {}};
  if (shares) {
    json.at("measurements").get_to(trial.measurements);
    if (trial.measurements.size() != measurements_of(*trial.probes))
      damaged("the stored plan is damaged: trial {} has {} ids of {} measurements", trial.id,
              trial.measurements.size(), measurements_of(*trial.probes));
  } else if (!trial.probes->is_null())
    trial.measurements = measurement_ids(*trial.probes);
  return trial;
}

StoredLedger stored_ledger(const Json& json) {
  StoredLedger ledger{.arm = text_at(json, "arm"), .amounts = json};
  ledger.amounts.erase("arm");
  return ledger;
}

std::optional<double> tokens_of(const Json& corpus, const char* which) {
  const Json tokens = corpus.value(Json::json_pointer(which), Json());
  return tokens.is_number() ? std::optional(tokens.get<double>()) : std::nullopt;
}

StoredCorpus stored_corpus(const Json& json) {
  return {.name = text_at(json, "name"),
          .hash = text_at(json, "hash"),
          .training_tokens = tokens_of(json, "/training/tokens"),
          .held_out_tokens = tokens_of(json, "/held_out/tokens")};
}

CompleteExperiment complete_experiment(const Json& section) {
  CompleteExperiment complete{.arms = {},
                              .seeds = section.at("seeds").get<std::vector<std::int64_t>>(),
                              .warnings = section.at("warnings").get<std::vector<std::string>>(),
                              .match = &section.at("match"),
                              .power = &section.at("power")};
  for (const Json& arm : section.at("arms"))
    complete.arms.push_back({.name = arm.at("name"), .config = &arm.at("config")});
  complete.match->get_ref<const Json::array_t&>();
  complete.power->get_ref<const std::string&>();
  return complete;
}

/// In a plan of several results folders the section is a list, which describes no one experiment.
StoredExperiment stored_experiment(const Json& section) {
  if (section.is_array()) return {};
  return {.seeds = seeds_in(*part(section, "seeds")),
          .baseline = part(section, "baseline"),
          .match = part(section, "match"),
          .corpus = part(section, "corpus")};
}

StoredFolder stored_folder(const Json& json) {
  return {.name = json.at("name"),
          .experiment = json.at("experiment"),
          .question = json.at("question"),
          .text = json.at("text"),
          .trials = integer_in(json.at("trials"))};
}

template <class Entry>
Entry read_as(const Json& json) {
  return json.get<Entry>();
}

/// Reads the entries of a list that are objects.
template <class Entry>
std::vector<Entry> each(const Json& list, Entry (*read)(const Json&)) {
  std::vector<Entry> entries;
  for (const Json& json : list)
    if (json.is_object()) entries.push_back(read(json));
  return entries;
}

}  // namespace

Json StoredTrial::complete_config() const {
  if (!config->is_object()) return *config;
  Json complete = *config;
  complete.emplace("seed", seed);
  return complete;
}

const std::vector<StoredMetric>& StoredPlan::metrics_of(const std::string& arm) const {
  static const std::vector<StoredMetric> none;
  const auto found = metrics.find(arm);
  return found == metrics.end() ? none : found->second;
}

std::string StoredPlan::baseline() const {
  const auto found = std::ranges::find(arms, true, &StoredArm::baseline);
  return found == arms.end() ? "" : found->name;
}

std::set<std::int64_t> StoredPlan::seeds_with_trials() const {
  std::set<std::int64_t> seeds;
  for (const StoredTrial& trial : trials) seeds.insert(trial.seed);
  return seeds;
}

Json StoredPlan::tuning_section() const {
  return tuning->is_object() ? tuning->value("section", Json()) : Json();
}

Json StoredPlan::seeds_of_looks() const { return looks ? Json(looks->seeds) : Json(); }

std::vector<std::string> StoredPlan::other_warnings() const {
  std::vector<std::string> others = warnings;
  std::erase(others, power);
  return others;
}

StoredPlan stored_plan(const Json& document) {
  StoredPlan plan{.experiment = document.value("experiment", ""),
                  .question = text_at(document, "question"),
                  .arms = {},
                  .analysis = object_in(document, "analysis")->get<DeclaredAnalysis>(),
                  .ledger = each(*part(document, "ledger"), stored_ledger),
                  .match = each(*part(document, "match"), read_as<MatchedCount>),
                  .corpora = each(*part(document, "corpora"), stored_corpus),
                  .power = text_at(document, "power"),
                  .warnings = texts_in(*part(document, "warnings")),
                  .sha256 = text_at(document, "sha256"),
                  .resolved = stored_experiment(*object_in(document, "resolved")),
                  .folders = each(*part(document, "stores"), stored_folder),
                  .tuning = part(document, "tuning"),
                  .vocabulary = part(document, "vocabulary")};
  for (const Json& arm : document.at("arms")) plan.arms.push_back(stored_arm(arm));
  const Json& setups = *object_in(document, "setups");
  const Json& trials = *part(document, "trials");
  plan.trials.reserve(trials.size());
  for (const Json& trial : trials) plan.trials.push_back(stored_trial(trial, setups));
  for (const auto& [arm, rows] : object_in(document, "metrics")->items())
    plan.metrics[arm] = each(rows, stored_metric);
  if (const Section looks = part(document, "sequential"); !looks->is_null())
    plan.looks = looks->get<PlannedLooks>();
  if (text_at(*plan.tuning, "stage") == "result") plan.tuned = stored_tuning(*plan.tuning);
  if (document.contains("part_of")) plan.part_of = complete_experiment(*part(document, "part_of"));
  return plan;
}

std::vector<StoredProbe> probes_of(const StoredTrial& trial) {
  std::vector<StoredProbe> probes;
  for (const Json& json : *trial.probes) {
    StoredProbe probe{
        .name = text_at(json, "name"), .type = text_at(json, "type"), .settings = json};
    probe.named = !probe.name.empty();
    if (!probe.named) probe.name = probe.type;
    for (const char* added : {"id", "at"}) probe.settings.erase(added);
    probes.push_back(std::move(probe));
  }
  return probes;
}

}  // namespace ablate::store
