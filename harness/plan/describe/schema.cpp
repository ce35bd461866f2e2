// Turns the rows of every section into a JSON Schema.

#include "harness/plan/describe/schema.h"

#include <fmt/core.h>

#include "harness/contract/param_schema.h"
#include "harness/plan/file/candidates.h"
#include "harness/plan/file/sections.h"
#include "harness/plan/read/read_phases.h"
#include "harness/plan/rows/train_params.h"
#include "harness/plan/trial/start.h"

namespace ablate::plan {
namespace {

/// The schema of a part that is merged over another: nothing is required, and null removes a
/// setting.
Json partial(Json schema) {
  schema.erase("required");
  for (auto& [key, property] : schema["properties"].items()) {
    if (property.contains("properties")) property = partial(std::move(property));
    if (property.contains("type")) property["type"] = {property["type"], "null"};
    if (property.contains("enum")) property["enum"].push_back(nullptr);
  }
  return schema;
}

/// A section by its tag: for each member, "if the tag has this value, then these rows". Without a
/// tag, which may be given in the defaults or in an extended file, the keys of all members are
/// accepted. `complete`: the section is not merged over another one.
Json tagged(const TaggedSection& section, bool complete) {
  const std::string tag(section.tag);
  Json named =
      Json{{"enum", section.members}, {"description", fmt::format("which {}", section.noun)}};
  if (!section.default_value.empty()) named["default"] = section.default_value;
  Json keys = Json::object();
  Json rules = Json::array();
  for (const std::string_view member : section.members) {
    Json rows = schema_of(section.rows(member));
    if (!complete) rows = partial(std::move(rows));
    rows["properties"][tag] = Json{{"const", member}};
    for (const auto& [key, value] : rows["properties"].items()) keys[key] = true;
    if (const std::string_view summary = section.summary(member); !summary.empty())
      rows["description"] = summary;
    Json is_member = {{"properties", {{tag, {{"const", member}}}}}, {"required", {tag}}};
    if (complete && member == section.default_value) is_member.erase("required");
    rules.push_back({{"if", std::move(is_member)}, {"then", std::move(rows)}});
  }
  keys[tag] = std::move(named);
  Json schema = {{"type", "object"},
                 {"description", section.description},
                 {"properties", std::move(keys)},
                 {"additionalProperties", false},
                 {"allOf", std::move(rules)}};
  if (complete && section.default_value.empty()) schema["required"] = {tag};
  return schema;
}

/// The corpus of a phase: a keyword or a section.
Json phase_corpus_schema(const char* description) {
  return {{"description", description},
          {"if", {{"type", "string"}}},
          {"then", {{"enum", {"main", "former"}}}},
          {"else", tagged(corpus_section(), false)}};
}

Json phases_schema() {
  Json phase = schema_of(phase_params());
  phase["required"] = {"name", "budget"};
  phase["properties"]["budget"]["minProperties"] = 1;
  phase["properties"]["budget"]["maxProperties"] = 1;
  phase["properties"]["objective"] = {{"$ref", "#/definitions/objective"}};
  phase["properties"]["corpus"] = phase_corpus_schema(
      "\"main\" (the experiment's, the default), \"former\" (that of the previous phase), or a "
      "section; a section without a kind changes the experiment's");
  phase["properties"]["mixture"] = {
      {"type", "array"},
      {"minItems", 1},
      {"description",
       "texts of several corpora, each drawn with probability share; shares sum to 1"},
      {"items",
       {{"type", "object"},
        {"properties",
         {{"corpus", phase_corpus_schema("as a phase's corpus")},
          {"share", {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 1}}}}},
        {"required", {"corpus", "share"}},
        {"additionalProperties", false}}}};
  phase["not"] = {{"required", {"corpus", "mixture"}}};
  return {{"type", "array"},
          {"minItems", 1},
          {"items", std::move(phase)},
          {"description",
           "consecutive stretches of training; settings that one does not give are the arm's"}};
}

Json train_schema() {
  Json schema = partial(schema_of(train_params()));
  schema["properties"]["phases"] = phases_schema();
  schema["properties"]["start"] = schema_of(start_params());
  schema["properties"]["start"]["description"] =
      "initial weights: the final weights of a trained trial, by file or by id and results folder";
  Json& budget = schema["properties"]["budget"];
  budget["minProperties"] = 1;
  budget["maxProperties"] = 1;
  schema["description"] = "how every arm is trained, unless the arm sets something else";
  return schema;
}

Json candidates_schema() {
  const auto made_by = [](const char* name, const char* description, Json last) {
    return Json{{"type", "object"},
                {"description", description},
                {"properties",
                 {{name,
                   {{"type", "array"},
                    {"items", {{{"type", "number"}}, {{"type", "number"}}, std::move(last)}},
                    {"minItems", 3},
                    {"maxItems", 3}}}}},
                {"required", {name}},
                {"additionalProperties", false}};
  };
  const Json count = {{"type", "integer"}, {"minimum", 2}, {"maximum", kMaxCandidates}};
  return {{"oneOf",
           {{{"type", "array"}, {"minItems", 1}, {"description", "the candidates, one by one"}},
            made_by("linspace", "[from, to, count], evenly spaced", count),
            made_by("logspace", "[from, to, count], in equal ratios", count),
            made_by("range", "[from, to, step]", {{"type", "number"}, {"not", {{"const", 0}}}})}}};
}

/// An object {dotted path: value}. Sections are checked completely, paths by their first component.
Json paths_schema(Json values, const char* description) {
  return {{"type", "object"},
          {"description", description},
          {"propertyNames", {{"pattern", "^(model|train|objective)([.][^.]+)*$"}}},
          {"additionalProperties", std::move(values)}};
}

Json arm_schema() {
  Json set = paths_schema(true, "settings of every point, by dotted path or as sections");
  set["properties"] = {{"objective", {{"$ref", "#/definitions/objective"}}},
                       {"model", {{"$ref", "#/definitions/model"}}},
                       {"train", {{"$ref", "#/definitions/train"}}}};
  Json row = paths_schema(true, "one point: settings by dotted path");
  row["minProperties"] = 1;
  return {{"type", "object"},
          {"properties",
           {{"name",
             {{"type", "string"},
              {"pattern", kNamePattern},
              {"description", "name of the arm; names of points of its sweep start with it"}}},
            {"set", std::move(set)},
            {"grid", paths_schema(candidates_schema(), "every combination of the candidates")},
            {"zip", paths_schema({{"type", "array"}, {"minItems", 1}},
                                 "lists of equal length, combined element by element")},
            {"list",
             {{"type", "array"},
              {"minItems", 1},
              {"items", std::move(row)},
              {"description", "the points, one by one"}}}}},
          {"required", {"name"}},
          {"additionalProperties", false}};
}

Json seeds_schema() {
  return {{"description", "number of seeds, or a list of them: every arm is trained with each"},
          {"default", 1},
          {"oneOf",
           {{{"type", "integer"}, {"minimum", 1}, {"maximum", kMaxSeeds}},
            {{"type", "array"},
             {"minItems", 1},
             {"maxItems", kMaxSeeds},
             {"uniqueItems", true},
             {"items", {{"type", "integer"}, {"minimum", 0}, {"maximum", kLargestSeed}}}}}}};
}

Json probes_schema(const TaggedSection& section) {
  return {{"type", "array"},
          {"description", section.description},
          {"items",
           {{"if", {{"type", "string"}}},
            {"then", {{"enum", section.members}}},
            {"else", tagged(section, true)}}}};
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
         "files that this one is merged over, in order: a later one overrides an earlier one; "
         "paths are relative to this file"}}},
      {"corpus", tagged(corpus_section(), false)},
      {"model", {{"$ref", "#/definitions/model"}}},
      {"train", {{"$ref", "#/definitions/train"}}},
      {"objective", {{"$ref", "#/definitions/objective"}}},
      {"arms",
       {{"type", "array"},
        {"minItems", 1},
        {"items", arm_schema()},
        {"description", "what is compared"}}},
      {"baseline",
       {{"type", "string"}, {"description", "the arm that all others are compared with"}}},
      {"seeds", seeds_schema()},
      {"match", described(schema_of(match_params()),
                          "counts in which all arms must agree, and how closely")},
      {"tuning",
       {{"type", "object"},
        {"maxProperties", 0},
        {"description", "not supported yet: only {} is accepted"}}},
      {"probes", probes_schema(probe_section(catalog))},
      {"analysis",
       described(schema_of(analysis_params()), "how arms are compared; chosen before the run")},
      {"limits", described(schema_of(limits_params()), "limits that guard against mistakes")}};
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
          {"definitions",
           {{"model", tagged(model, false)},
            {"objective", tagged(objective_section(catalog), false)},
            {"train", train_schema()}}}};
}

}  // namespace ablate::plan
