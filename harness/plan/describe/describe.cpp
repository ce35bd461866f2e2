// Turns the rows of every family into JSON.

#include "harness/plan/describe/describe.h"

#include <fmt/core.h>

#include <algorithm>

#include "harness/base/error.h"
#include "harness/base/names.h"
#include "harness/data/prepare.h"
#include "harness/plan/file/sections.h"
#include "harness/plan/read/read_phases.h"
#include "harness/plan/rows/train_params.h"

namespace ablate::plan {
namespace {

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::number:
      return "number";
    case Kind::integer:
      return "integer";
    case Kind::toggle:
      return "true or false";
    case Kind::choice:
      return "choice";
    case Kind::text:
      return "text";
    case Kind::list:
      return "list";
    case Kind::section:
      break;
  }
  return "section";
}

/// Whether a list's members are objects with fields, not plain values.
bool has_named(std::span<const Param> fields) {
  return !fields.empty() && !fields.front().name.empty();
}

Json rows_of(std::span<const Param> params) {
  Json rows = Json::array();
  for (const Param& param : params) {
    Json row = {
        {"name", param.name}, {"kind", name_of(param.kind)}, {"meaning", param.description}};
    if (!param.default_value.is_null()) row["default"] = param.default_value;
    const bool required =
        param.default_value.is_null() && !param.optional && param.kind != Kind::section;
    row["required"] = required;
    if (param.kind == Kind::number || param.kind == Kind::integer)
      row["range"] = {param.minimum, param.maximum};
    if (param.kind == Kind::choice) row["choices"] = param.choices;
    if (param.kind == Kind::section) row["params"] = rows_of(param.fields);
    if (param.kind == Kind::list) row["most"] = param.maximum;
    if (param.kind == Kind::list && has_named(param.fields)) row["params"] = rows_of(param.fields);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// The row of a setting that is not declared as a parameter.
Json value_row(const char* name, const char* description) {
  return {{"name", name}, {"kind", "value"}, {"meaning", description}, {"required", false}};
}

Json lines_of(std::string_view text) {
  Json lines = Json::array();
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (!line.empty()) lines.push_back(line);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return lines;
}

Json objective_json(const ObjectiveSpec& spec) {
  Json common_settings = Json::object();
  for (const CommonSetting& common_setting : spec.common_settings)
    common_settings[std::string(common_setting.name)] = common_setting.params;
  static constexpr const char* kGenerations[] = {"none", "ancestral", "unmasking"};
  return {{"name", spec.name},
          {"summary", spec.summary},
          {"picture", spec.picture},
          {"source", spec.source},
          {"differs", lines_of(spec.differs)},
          {"params", rows_of(spec.params)},
          {"generation", kGenerations[static_cast<int>(spec.generation)]},
          {"yardsticks", std::move(common_settings)},
          {"semantics", spec.version}};
}

Params defaults_of(const ObjectiveSpec& objective) {
  return Params(objective.params, Json::object());
}

/// The metrics of a probe for an objective; if it measures phases, for two phases with these names.
std::vector<Metric> metrics_for(const ProbeSpec& probe, const ObjectiveSpec& objective,
                                bool language) {
  const Params params = defaults_of(objective);
  std::vector<Metric> metrics = probe.metrics({objective, params, Offer(), language});
  if (probe.phase_metrics == nullptr) return metrics;
  const std::vector<Metric> further =
      probe.phase_metrics({{"FIRST", &objective, params}, {"LAST", &objective, params}}, language);
  metrics.insert(metrics.end(), further.begin(), further.end());
  return metrics;
}

/// All metrics that any probe yields for any objective, on the built-in language or on text.
Json metrics_json(const Catalog& catalog) {
  Json by_name = Json::object();
  for (const ProbeSpec& probe : catalog.probes)
    for (const ObjectiveSpec& objective : catalog.objectives)
      for (const bool language : {true, false})
        for (const Metric& metric : metrics_for(probe, objective, language)) {
          Json& entry = by_name[std::string(metric.name)];
          if (entry.is_null())
            entry = {{"name", metric.name},
                     {"probe", probe.name},
                     {"unit", metric.unit},
                     {"better", name_of(metric.better)},
                     {"comparable_across", name_of(metric.comparable_across)},
                     {"meaning", metric.description},
                     {"objectives", Json::array()}};
          Json& objectives = entry["objectives"];
          if (std::find(objectives.begin(), objectives.end(), objective.name) == objectives.end())
            objectives.push_back(objective.name);
        }
  Json metrics = Json::array();
  for (auto& [name, metric] : by_name.items()) metrics.push_back(std::move(metric));
  return metrics;
}

Json all(const Catalog& catalog) {
  Json families = Json::object();
  for (const std::string_view family : described_families())
    families[std::string(family)] = Json::array();
  for (const ObjectiveSpec& spec : catalog.objectives)
    families["objectives"].push_back(objective_json(spec));
  for (const BackboneSpec& spec : catalog.backbones)
    families["backbones"].push_back({{"name", spec.name},
                                     {"summary", spec.summary},
                                     {"params", rows_of(spec.params)},
                                     {"semantics", spec.version}});
  for (const ProbeSpec& spec : catalog.probes)
    families["probes"].push_back({{"name", spec.name},
                                  {"summary", spec.summary},
                                  {"params", rows_of(spec.params)},
                                  {"semantics", spec.version}});
  const TaggedSection corpora = corpus_section();
  for (const std::string_view kind : corpora.members)
    families["corpora"].push_back({{"name", kind},
                                   {"summary", data::corpus_summary(kind)},
                                   {"params", rows_of(corpora.rows(kind))}});
  families["metrics"] = metrics_json(catalog);
  families["train"] = rows_of(train_params());
  families["train"].push_back(value_row(
      "start", "weights of a trained trial to start from: {checkpoint} or {trial, results}"));
  families["phases"] = rows_of(phase_params());
  families["phases"].push_back(value_row(
      "corpus",
      "\"main\", \"former\" or a section; a section without a kind changes the experiment's"));
  families["phases"].push_back(value_row(
      "mixture", "[{corpus, share}]: texts of several corpora, each drawn with this probability"));
  families["phases"].push_back(value_row("objective", "a section; default: the arm's own"));
  return families;
}

}  // namespace

std::span<const std::string_view> described_families() {
  static constexpr std::string_view kFamilies[] = {"objectives", "backbones", "probes", "metrics",
                                                   "corpora",    "train",     "phases"};
  return kFamilies;
}

Json describe(const Catalog& catalog, const std::string& name) {
  Json families = all(catalog);
  if (name.empty()) return families;
  if (families.contains(name)) return families[name];
  const auto all_families = described_families();
  std::vector<std::string> names(all_families.begin(), all_families.end());
  for (const auto& [family, members] : families.items())
    for (const Json& member : members) {
      if (family == "train" || family == "phases") continue;  // settings, not members
      if (member["name"] == name) return member;
      names.push_back(member["name"].get<std::string>());
    }
  const std::vector<std::string_view> views(names.begin(), names.end());
  reject("nothing is named '{}'; {}", name.substr(0, 80), suggestion(name, views));
}

}  // namespace ablate::plan
