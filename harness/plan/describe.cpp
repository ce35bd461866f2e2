#include "harness/plan/describe.h"

#include <algorithm>

#include "harness/base/error.h"
#include "harness/base/names.h"
#include "harness/data/prepare.h"
#include "harness/plan/read_phases.h"
#include "harness/plan/sections.h"
#include "harness/plan/train_params.h"

namespace ablate {
namespace {

constexpr std::string_view kFamilies[] = {"objectives", "backbones", "probes", "metrics",
                                          "corpora",    "train",     "phases"};

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

/// Whether a list's members are made of fields; else they are plain values.
bool has_named(std::span<const Param> fields) {
  return !fields.empty() && !fields.front().name.empty();
}

Json rows_of(std::span<const Param> params) {
  Json rows = Json::array();
  for (const Param& param : params) {
    Json row = {{"name", param.name}, {"kind", name_of(param.kind)}, {"meaning", param.meaning}};
    if (!param.fallback.is_null()) row["default"] = param.fallback;
    const bool required =
        param.fallback.is_null() && !param.optional && param.kind != Kind::section;
    row["required"] = required;
    if (param.kind == Kind::number || param.kind == Kind::integer)
      row["range"] = {param.least, param.most};
    if (param.kind == Kind::choice) row["choices"] = param.choices;
    if (param.kind == Kind::section) row["params"] = rows_of(param.fields);
    if (param.kind == Kind::list) row["most"] = param.most;
    if (param.kind == Kind::list && has_named(param.fields)) row["params"] = rows_of(param.fields);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// A row of what no parameter's rows say.
Json value_row(const char* name, const char* meaning) {
  return {{"name", name}, {"kind", "value"}, {"meaning", meaning}, {"required", false}};
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
  Json yardsticks = Json::object();
  for (const Yardstick& yardstick : spec.yardsticks)
    yardsticks[std::string(yardstick.name)] = yardstick.params;
  static constexpr const char* kGenerations[] = {"none", "ancestral", "unmasking"};
  return {{"name", spec.name},
          {"summary", spec.summary},
          {"picture", spec.picture},
          {"source", spec.source},
          {"differs", lines_of(spec.differs)},
          {"params", rows_of(spec.params)},
          {"generation", kGenerations[static_cast<int>(spec.generation)]},
          {"yardsticks", std::move(yardsticks)},
          {"semantics", spec.semantics}};
}

Params defaults_of(const ObjectiveSpec& objective) {
  return Params(objective.params, Json::object());
}

/// What a probe yields for an objective; of one that asks about phases, for two of these names.
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

/// Every metric that some probe yields for some objective, on the language or on text.
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
                     {"meaning", metric.meaning},
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
  for (const std::string_view family : kFamilies) families[std::string(family)] = Json::array();
  for (const ObjectiveSpec& spec : catalog.objectives)
    families["objectives"].push_back(objective_json(spec));
  for (const BackboneSpec& spec : catalog.backbones)
    families["backbones"].push_back({{"name", spec.name},
                                     {"summary", spec.summary},
                                     {"params", rows_of(spec.params)},
                                     {"semantics", spec.semantics}});
  for (const ProbeSpec& spec : catalog.probes)
    families["probes"].push_back({{"name", spec.name},
                                  {"summary", spec.summary},
                                  {"params", rows_of(spec.params)},
                                  {"semantics", spec.semantics}});
  const TaggedSection corpora = corpus_section();
  for (const std::string_view kind : corpora.members)
    families["corpora"].push_back({{"name", kind},
                                   {"summary", corpus_summary(kind)},
                                   {"params", rows_of(corpora.rows(kind))}});
  families["metrics"] = metrics_json(catalog);
  families["train"] = rows_of(train_params());
  families["train"].push_back(value_row(
      "start", "weights to start from: {checkpoint}, or {trial, results}; a trained trial's"));
  families["phases"] = rows_of(phase_params());
  families["phases"].push_back(value_row(
      "corpus", "\"main\", \"former\" or a section; one without a kind changes the experiment's"));
  families["phases"].push_back(
      value_row("mixture", "[{corpus, share}]: texts of several corpora, drawn by their shares"));
  families["phases"].push_back(value_row("objective", "a section; else the arm's own"));
  return families;
}

std::string setting(const Json& row, const std::string& indent) {
  std::string text = join(indent, row["name"].get<std::string>());
  text.resize(std::max<std::size_t>(text.size() + 1, 24), ' ');
  if (row["kind"] == "section") {
    text += row["meaning"].get<std::string>() + "\n";
    for (const Json& field : row["params"]) text += setting(field, indent + "  ");
    return text;
  }
  if (row.contains("default"))
    text += canonical(row["default"]);
  else
    text += row["required"] ? "required" : "optional";
  text.resize(std::max<std::size_t>(text.size() + 2, 38), ' ');
  if (row.contains("range"))
    text += join("[", row["range"][0].get<double>(), ", ", row["range"][1].get<double>(), "]  ");
  if (row.contains("choices"))
    for (const Json& choice : row["choices"])
      text += (choice == row["choices"][0] ? "" : "|") + choice.get<std::string>();
  if (row.contains("choices")) text += "  ";
  if (row.contains("most")) text += join("at most ", row["most"].get<double>(), "  ");
  text += row["meaning"].get<std::string>() + "\n";
  if (row["kind"] == "list" && row.contains("params"))
    for (const Json& field : row["params"]) text += setting(field, indent + "  ");
  return text;
}

std::string metric_text(const Json& metric) {
  return join("  ", metric["name"].get<std::string>(), " [", metric["unit"].get<std::string>(),
              "; better: ", metric["better"].get<std::string>(), "; comparable across ",
              metric["comparable_across"].get<std::string>(), "]\n      ",
              metric["meaning"].get<std::string>(), "\n");
}

/// Words in lines of at most kLineWidth columns; the first one has `first` columns taken, the
/// others are indented by as many.
std::string wrapped(std::string_view words, std::size_t first) {
  constexpr std::size_t kLineWidth = 100;
  std::string text;
  std::size_t column = first;
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    const bool begins = column == first;
    if (!begins && column + 1 + word.size() > kLineWidth) {
      text += "\n" + std::string(first, ' ');
      column = first;
    } else if (!begins) {
      text += ' ';
      ++column;
    }
    text += word;
    column += word.size();
  }
  return text;
}

std::string member_text(const Json& member) {
  if (member.contains("unit")) return metric_text(member);
  std::string text =
      join(member["name"].get<std::string>(), ": ", member["summary"].get<std::string>(), "\n");
  if (member.contains("picture")) text += "\n" + member["picture"].get<std::string>() + "\n";
  if (member.contains("source")) text += "\nSource: " + member["source"].get<std::string>() + "\n";
  if (member.contains("differs"))
    for (const Json& line : member["differs"])
      text += "Differs: " + wrapped(line.get_ref<const std::string&>(), 9) + "\n";
  if (!member["params"].empty()) text += "\nSettings: name, default, accepted, meaning\n";
  for (const Json& row : member["params"]) text += setting(row, "  ");
  return text;
}

/// A family's members, a name and what it is.
std::string family_text(std::string_view family, const Json& families) {
  const Json& members = families[std::string(family)];
  std::size_t widest = 0;
  for (const Json& member : members)
    widest = std::max(widest, member["name"].get_ref<const std::string&>().size());
  std::string text = join(family, "\n");
  for (const Json& member : members) {
    std::string name = "  " + member["name"].get<std::string>();
    name.resize(widest + 4, ' ');
    text +=
        name + wrapped(member.value("summary", member.value("meaning", "")), name.size()) + "\n";
  }
  return text;
}

}  // namespace

Json describe(const Catalog& catalog, const std::string& name) {
  Json families = all(catalog);
  if (name.empty()) return families;
  if (families.contains(name)) return families[name];
  std::vector<std::string> names(std::begin(kFamilies), std::end(kFamilies));
  for (const auto& [family, members] : families.items())
    for (const Json& member : members) {
      if (family == "train" || family == "phases") continue;  // settings, not members
      if (member["name"] == name) return member;
      names.push_back(member["name"].get<std::string>());
    }
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::string_view near = nearest(name, views);
  reject("nothing is named '", name.substr(0, 80), "'; ",
         near.empty() ? join("there are: ", listed(views)) : join("did you mean '", near, "'?"));
}

std::string description(const Catalog& catalog, const std::string& name) {
  const Json found = describe(catalog, name);
  if (name == "train" || name == "phases") {
    std::string text = join(name == "train" ? "train: how every arm is trained"
                                            : "phases: stretches of training one after the other, "
                                              "a list under train",
                            "\n\nSettings: name, default, accepted, meaning\n");
    for (const Json& row : found) text += setting(row, "  ");
    return text;
  }
  if (found.contains("name")) return member_text(found);
  if (found.is_array()) {
    std::string text;
    for (const Json& member : found)
      text += (text.empty() || member.contains("unit") ? "" : "\n") + member_text(member);
    return text;
  }
  std::string text;
  for (const std::string_view family : kFamilies) text += family_text(family, found);
  return text + "\n`ablate describe NAME` tells more of one.\n";
}

}  // namespace ablate
