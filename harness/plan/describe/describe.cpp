// Turns the families into JSON.

#include "harness/plan/describe/describe.h"

#include "harness/store/plan/stored_bound.h"

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
    case Kind::member:
      return "member";
    case Kind::section:
      break;
  }
  return "section";
}

std::string_view name_of(Generation generation) {
  static constexpr std::string_view kNames[] = {"none", "ancestral", "unmasking", "blocks"};
  return kNames[static_cast<int>(generation)];
}

Json rows_of(std::span<const Param> params);

Json row_of(const Param& param) {
  Json row = {{"name", param.name},
              {"kind", name_of(param.kind)},
              {"meaning", param.description},
              {"required", is_required(param)}};
  if (!param.default_value.is_null()) row.emplace("default", param.default_value);
  if (param.kind == Kind::number || param.kind == Kind::integer)
    row.emplace("range", Json{param.minimum, param.maximum});
  if (!choices_of(param).empty()) row.emplace("choices", choices_of(param));
  if (param.kind == Kind::list) row.emplace("most", param.maximum);
  if (has_fields(param)) row.emplace("params", rows_of(param.fields));
  return row;
}

Json rows_of(std::span<const Param> params) {
  Json rows = Json::array();
  for (const Param& param : params) rows.push_back(row_of(param));
  return rows;
}

Json yardsticks_of(const ObjectiveSpec& spec, const Params& defaults) {
  Json settings = Json::object();
  for (const CommonSetting& setting : common_settings_of(spec, defaults))
    settings.emplace(setting.name, setting.params);
  return settings;
}

Json json_of(const Entry& entry, const Member& member) {
  Json json = {
      {"name", entry.name}, {"summary", entry.summary}, {"params", rows_of(member.params)}};
  if (member.version) json.emplace("semantics", *member.version);
  if (!member.source.empty()) json.emplace("source", member.source);
  if (const ObjectiveSpec* const spec = member.objective) {
    const Params defaults(spec->params, Json::object());
    json.update({{"picture", spec->picture},
                 {"source", spec->source},
                 {"differs", lines_in(spec->differs)},
                 {"generation", name_of(generation_of(*spec, defaults))},
                 {"yardsticks", yardsticks_of(*spec, defaults)}});
  }
  return json;
}

Json json_of(const Entry& entry, const MeasuredMetric& measured) {
  const Metric& metric = measured.metric;
  Json json = {{"name", entry.name},
               {"unit", metric.unit},
               {"better", name_of(metric.better)},
               {"comparable_across", name_of(metric.comparable_across)},
               {"meaning", metric.description},
               {"objectives", measured.objectives}};
  if (!metric.label.empty()) json.emplace("label", metric.label);
  if (!metric.bounds.empty()) json.emplace("bounds", store::bounds_json(metric.bounds));
  if (!measured.probe.empty()) json.emplace("probe", measured.probe);
  return json;
}

Json json_of(const Entry& entry, Setting setting) {
  if (setting != nullptr) return row_of(*setting);
  return {{"name", entry.name}, {"kind", "value"}, {"meaning", entry.summary}, {"required", false}};
}

Json json_of(const Entry& entry) {
  return std::visit([&](const auto& details) { return json_of(entry, details); }, entry.details);
}

Json json_of(const std::vector<Entry>& family) {
  Json entries = Json::array();
  for (const Entry& entry : family) entries.push_back(json_of(entry));
  return entries;
}

Json json_of(const std::vector<OwnedSetting>& settings) {
  Json rows = Json::array();
  for (const OwnedSetting& each : settings) {
    rows.push_back(json_of(each.setting));
    rows.back().emplace("of", each.owner);
  }
  return rows;
}

}  // namespace

Json describe(const Families& families, const std::string& name, FieldWords words) {
  if (!name.empty()) {
    const Named named = find_named(families, name, words);
    if (named.family != nullptr) return json_of(*named.family);
    return named.entry != nullptr ? json_of(*named.entry) : json_of(named.settings);
  }
  Json all = Json::object();
  for (const auto& [family, entries] : families) all.emplace(family, json_of(entries));
  return all;
}

}  // namespace ablate::plan
