// Turns the rows of every section into a JSON Schema.

#include "harness/plan/describe/schema.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/plan/describe/metrics.h"
#include "harness/plan/describe/schemas/arm_schema.h"
#include "harness/plan/describe/schemas/param_schema.h"
#include "harness/plan/describe/schemas/section_schemas.h"
#include "harness/plan/read/read_phases.h"

namespace ablate::plan {
namespace {

Json seeds_schema() {
  return {{"description", "number of seeds, or a list of them; every arm is trained with each"},
          {"default", kDefaultSeeds},
          {"oneOf",
           {{{"type", "integer"}, {"minimum", 1}, {"maximum", kMaxSeeds}},
            {{"type", "array"},
             {"minItems", 1},
             {"maxItems", kMaxSeeds},
             {"uniqueItems", true},
             {"items", {{"type", "integer"}, {"minimum", 0}, {"maximum", kLargestSeed}}}}}}};
}

Json probes_schema(const TaggedSection& section) {
  Json probe = tagged_schema(section, true);
  probe["properties"]["at"]["minProperties"] = 1;
  probe["properties"]["at"]["maxProperties"] = 1;
  return {{"type", "array"},
          {"description", section.description},
          {"items",
           {{"if", {{"type", "string"}}},
            {"then", {{"enum", section.members}}},
            {"else", std::move(probe)}}}};
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

/// The pattern of a metric's name in which names stand for those of phases.
std::string phase_metric_pattern(const std::string& name) {
  const std::string escaped = replaced(name, ".", "[.]");
  const std::string first = replaced(escaped, kFirstPhase, kPhaseName);
  return fmt::format("^{}$", replaced(first, kLastPhase, kPhaseName));
}

/// The pattern of the metric of a task's difficulty, which the dials of an experiment set; empty of other
/// metrics.
std::string difficulty_pattern(const std::string& name) {
  const std::size_t number = name.find_last_not_of("0123456789") + 1;
  if (!name.starts_with("answers.") || number == name.size()) return {};
  return fmt::format("^{}[0-9]+$", replaced(name.substr(0, number), ".", "[.]"));
}

/// Whether the probe may be listed several times, under names that its metrics begin with.
bool may_have_a_name(const Catalog& catalog, std::string_view probe) {
  const std::vector<Param>& params = catalog.probe(probe).params;
  return std::any_of(params.begin(), params.end(),
                     [](const Param& param) { return param.name == "name"; });
}

/// The name of a metric: one of the catalogue's or, where it contains names of phases, a difficulty, or
/// begins with that of a probe of the experiment, a pattern.
Json metric_schema(const Catalog& catalog) {
  Json names = Json::array();
  std::set<std::string> patterns, after_names;
  for (const auto& [name, measured] : measured_metrics(catalog)) {
    if (may_have_a_name(catalog, measured.probe))
      after_names.insert(name.substr(name.find('.') + 1));
    const std::string pattern = phase_metric_pattern(name);
    if (const std::string of_difficulty = difficulty_pattern(name); !of_difficulty.empty())
      patterns.insert(of_difficulty);
    else if (pattern.find(kPhaseName) == pattern.npos)
      names.push_back(name);
    else
      patterns.insert(pattern);
  }
  Json alternatives = Json::array({{{"enum", std::move(names)}}});
  for (const std::string& pattern : patterns)
    alternatives.push_back({{"type", "string"}, {"pattern", pattern}});
  if (!after_names.empty())
    alternatives.push_back(
        {{"type", "string"},
         {"pattern", fmt::format("^[a-z0-9_]{{1,40}}[.]({})$", fmt::join(after_names, "|"))}});
  return {{"anyOf", std::move(alternatives)}};
}

Json analysis_schema(const Catalog& catalog) {
  Json schema = schema_of(analysis_params());
  schema["properties"]["primary"].update(metric_schema(catalog));
  return schema;
}

Json tuning_schema() {
  Json schema = partial(schema_of(tuning_params()));
  schema["properties"]["learning_rate"] = {
      {"allOf", Json::array({Json{{"$ref", "#/definitions/candidates"}}})},
      {"description", "the learning rates that every arm tries, as a list or a formula"}};
  schema["type"] = {"object", "null"};
  schema["description"] =
      "choose each arm's learning rate, from the same candidates, before the trials of the result";
  return schema;
}

Json properties(const Catalog& catalog) {
  const auto described = [](Json schema, const char* description) {
    schema = partial(std::move(schema));
    schema["description"] = description;
    return schema;
  };
  return {
      {"$schema", {{"type", "string"}}},
      {"name",
       {{"type", "string"}, {"pattern", kNamePattern}, {"description", "name of the experiment"}}},
      {"question",
       {{"type", "string"}, {"description", "the sentence that the experiment answers"}}},
      {"extends",
       {{"type", "array"},
        {"items", {{"type", "string"}, {"minLength", 1}, {"pattern", "^[^/]"}}},
        {"description",
         "files that this one extends; later files override earlier ones, and this file overrides "
         "them all; paths are relative to this file, or \"ablate:\" and the path of a shipped "
         "file"}}},
      {"corpus", tagged_schema(corpus_section(), false)},
      {"model", {{"$ref", "#/definitions/model"}}},
      {"train", {{"$ref", "#/definitions/train"}}},
      {"objective", {{"$ref", "#/definitions/objective"}}},
      {"arms",
       {{"type", "array"},
        {"minItems", 1},
        {"items", {{"$ref", "#/definitions/arm"}}},
        {"description", "what is compared"}}},
      {"baseline",
       {{"type", "string"}, {"description", "the arm that all others are compared with"}}},
      {"seeds", seeds_schema()},
      {"match", described(schema_of(match_params()),
                          "counts in which all arms must agree, and how closely")},
      {"probes", probes_schema(probe_section(catalog))},
      {"analysis",
       described(analysis_schema(catalog), "how arms are compared; chosen before the run")},
      {"tuning", tuning_schema()},
      {"limits", described(schema_of(limits_params()), "limits that guard against mistakes")},
      {"launcher",
       described(schema_of(launcher_params()), "how a cluster's scheduler runs the experiment")}};
}

/// What other parts of the schema refer to.
Json definitions(const Catalog& catalog) {
  Json settings = settings_schema(catalog);
  Json arm = arm_schema(settings);
  return {{"model", tagged_schema(model_section(catalog), false)},
          {"objective", tagged_schema(objective_section(catalog), false)},
          {"train", train_schema()},
          {"phases", phases_schema()},
          {"settings", std::move(settings)},
          {"candidates", candidates_schema()},
          {"arm", std::move(arm)}};
}

}  // namespace

Json experiment_schema(const Catalog& catalog) {
  const TaggedSection model = model_section(catalog);
  // A file with arms that extends no other must be complete. A file that others extend need not be.
  const Json is_complete = {{"required", {"arms"}}, {"not", {{"required", {"extends"}}}}};
  Json must_have = {
      {"required", {"name", "corpus", "train"}},
      {"properties",
       {{"corpus", {{"required", {"kind"}}}},
        {"tuning", {{"if", {{"type", "object"}}}, {"then", {{"required", {"learning_rate"}}}}}},
        {"train", {{"anyOf", {{{"required", {"budget"}}}, {{"required", {"phases"}}}}}}}}}};
  if (!model.default_value.empty()) {
    const Json unnamed = {{"not", {{"required", {model.tag}}}}};
    must_have["properties"]["model"] = {
        {"if", unnamed}, {"then", partial(schema_of(model.rows(model.default_value)))}};
  }
  return {{"$schema", "http://json-schema.org/draft-07/schema#"},
          {"title", "An experiment of ablate"},
          {"allowComments", true},
          {"allowTrailingCommas", false},
          {"type", "object"},
          {"properties", properties(catalog)},
          {"additionalProperties", false},
          {"if", is_complete},
          {"then", must_have},
          {"definitions", definitions(catalog)}};
}

}  // namespace ablate::plan
