// Gathers the members of every family.

#include "harness/plan/describe/families.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/data/prepare.h"
#include "harness/data/text_corpus.h"
#include "harness/plan/file/sections.h"
#include "harness/plan/rows/on_the_way.h"
#include "harness/plan/rows/phase_params.h"
#include "harness/plan/rows/train_params.h"

namespace ablate::plan {
namespace {

constexpr std::string_view kTrain = "train", kPhases = "phases";

template <class Spec>
Entry entry_of(const Spec& spec, const ObjectiveSpec* objective = nullptr) {
  return {std::string(spec.name), std::string(spec.summary),
          Member{spec.params, spec.version, objective}};
}

Entry entry_of(const data::CorpusKind& kind) {
  return {std::string(kind.name), std::string(kind.summary), Member{kind.params(), std::nullopt}};
}

Entry entry_of(const LayerKind& kind) {
  return {std::string(kind.name), std::string(kind.summary),
          Member{{}, std::nullopt, nullptr, kind.source}};
}

Entry entry_of(const HeadSpec& spec) {
  return {std::string(spec.name), std::string(spec.summary),
          Member{spec.params, std::nullopt, nullptr, spec.source}};
}

template <class Kind>
std::vector<Entry> entries_of(std::span<const Kind> kinds) {
  std::vector<Entry> entries;
  entries.reserve(kinds.size());
  for (const Kind& kind : kinds) entries.push_back(entry_of(kind));
  return entries;
}

std::vector<Entry> settings_of(std::span<const Param> params) {
  std::vector<Entry> settings;
  for (const Param& param : params)
    settings.push_back({std::string(param.name), std::string(param.description), &param});
  return settings;
}

std::vector<Entry> train_settings() {
  std::vector<Entry> settings = settings_of(train_params());
  settings.push_back({"start",
                      "weights of a trained trial to start from: {checkpoint} or {trial, results}",
                      Setting()});
  return settings;
}

std::vector<Entry> phase_settings() {
  std::vector<Entry> settings = settings_of(phase_params());
  settings.push_back(
      {"corpus",
       "\"main\", \"former\" or a section; a section without a kind changes the experiment's",
       Setting()});
  settings.push_back(
      {"mixture", "[{corpus, share}]: texts of several corpora, each drawn with this probability",
       Setting()});
  settings.push_back({"objective", "a section; default: the arm's own", Setting()});
  return settings;
}

/// The fields of a text corpus's tokenizer.
std::vector<Entry> tokenizer_settings() {
  for (const Param& param : data::text_params())
    if (param.name == "tokenizer") return settings_of(param.fields);
  return {};
}

std::vector<Entry> sweep_settings() {
  return {
      {"name", "name of the arm; names of points start with it: hide[rate=0.3]", Setting()},
      {"label",
       "what reports call the arm, instead of its name: \"{rate} hidden\" for a swept rate",
       Setting()},
      {"set", "settings of every point: {\"objective.rate\": 0.3}, or sections", Setting()},
      {"grid", "every combination of the candidates: {\"objective.rate\": [0.15, 0.3]}", Setting()},
      {"zip", "lists of equal length, combined element by element", Setting()},
      {"list", "the points one by one: [{\"objective.rate\": 0.15}, ...]", Setting()},
      {"linspace", "candidates {\"linspace\": [from, to, count]}, evenly spaced", Setting()},
      {"logspace", "candidates {\"logspace\": [from, to, count]}, in equal ratios", Setting()},
      {"range", "candidates {\"range\": [from, to, step]}", Setting()}};
}

std::vector<Entry> seeds_settings() {
  return {{"seeds",
           fmt::format("a number, 8 for the seeds 1 to 8, or a list: every arm is trained with "
                       "each; default: {}",
                       kDefaultSeeds),
           Setting()}};
}

std::vector<Entry> tuning_settings() {
  std::vector<Entry> settings = settings_of(tuning_params());
  settings.insert(
      settings.begin(),
      {"learning_rate",
       "the learning rates that every arm tries: [1e-3, 1e-2], or a formula as in a sweep",
       Setting()});
  return settings;
}

std::vector<Entry> entries_of(const std::map<std::string, MeasuredMetric>& by_name) {
  std::vector<Entry> metrics;
  metrics.reserve(by_name.size());
  for (const auto& [name, measured] : by_name)
    metrics.push_back({name, measured.metric.description, measured});
  return metrics;
}

/// All families; the metrics are given.
Families families_with(const Catalog& catalog,
                       const std::map<std::string, MeasuredMetric>& metrics) {
  std::vector<Entry> objectives, backbones, probes, corpora;
  for (const ObjectiveSpec& spec : catalog.objectives) objectives.push_back(entry_of(spec, &spec));
  for (const BackboneSpec& spec : catalog.backbones) backbones.push_back(entry_of(spec));
  for (const ProbeSpec& spec : catalog.probes) probes.push_back(entry_of(spec));
  for (const data::CorpusKind& kind : data::corpus_kinds()) corpora.push_back(entry_of(kind));
  return {{"objectives", std::move(objectives)},
          {"backbones", std::move(backbones)},
          {"mixers", entries_of(catalog.mixers)},
          {"feed_forwards", entries_of(catalog.feed_forwards)},
          {"prediction_heads", entries_of(catalog.heads)},
          {"probes", std::move(probes)},
          {"at", settings_of(at_param().fields)},
          {"metrics", entries_of(metrics)},
          {"corpora", std::move(corpora)},
          {kTrain, train_settings()},
          {kPhases, phase_settings()},
          {"tokenizer", tokenizer_settings()},
          {"sweep", sweep_settings()},
          {"seeds", seeds_settings()},
          {"match", settings_of(match_params())},
          {"analysis", settings_of(analysis_params())},
          {"tuning", tuning_settings()},
          {"limits", settings_of(limits_params())},
          {"launcher", settings_of(launcher_params())}};
}

}  // namespace

std::span<const std::string_view> described_families() {
  static constexpr std::string_view kFamilies[] = {
      "objectives", "backbones", "mixers",  "feed_forwards", "prediction_heads",
      "probes",     "at",        "metrics", "corpora",       "tokenizer",
      kTrain,       kPhases,     "sweep",   "seeds",         "match",
      "analysis",   "tuning",    "limits",  "launcher"};
  return kFamilies;
}

Families families_of(const Catalog& catalog) {
  return families_with(catalog, measured_metrics(catalog));
}

Families families_without_metrics(const Catalog& catalog) { return families_with(catalog, {}); }

Families families_of(const Catalog& catalog, const Json& plan) {
  return families_with(catalog, planned_metrics(plan));
}

bool is_required(const Param& param) {
  return param.default_value.is_null() && !param.optional && param.kind != Kind::section;
}

bool has_fields(const Param& param) {
  if (param.kind == Kind::section) return true;
  return param.kind == Kind::list && !param.fields.empty() && !param.fields.front().name.empty();
}

std::span<const std::string_view> choices_of(const Param& param) {
  const bool of_values = param.kind == Kind::list && !param.fields.empty() && !has_fields(param);
  return of_values ? param.fields.front().choices : param.choices;
}

std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (!line.empty()) lines.push_back(line);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return lines;
}

}  // namespace ablate::plan
