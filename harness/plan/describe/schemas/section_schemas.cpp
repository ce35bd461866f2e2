// Turns the rows of each section into a JSON Schema.

#include "harness/plan/describe/schemas/section_schemas.h"

#include <fmt/core.h>

#include "harness/plan/describe/schemas/param_schema.h"
#include "harness/plan/read/read_phases.h"
#include "harness/plan/rows/train_params.h"
#include "harness/plan/trial/start.h"

namespace ablate::plan {
namespace {

/// The corpus of a phase: a keyword or a section.
Json phase_corpus_schema(const char* description) {
  return {{"description", description},
          {"if", {{"type", "string"}}},
          {"then", {{"enum", {"main", "former"}}}},
          {"else", tagged_schema(corpus_section(), false)}};
}

}  // namespace

Json partial(Json schema) {
  schema.erase("required");
  for (auto& [key, property] : schema["properties"].items()) {
    if (property.contains("properties")) property = partial(std::move(property));
    if (property.contains("type")) property["type"] = {property["type"], "null"};
    if (property.contains("enum")) property["enum"].push_back(nullptr);
    if (property.contains("anyOf")) property["anyOf"].push_back({{"type", "null"}});
  }
  return schema;
}

Json tag_schema(const TaggedSection& section) {
  Json schema =
      Json{{"enum", section.members}, {"description", fmt::format("which {}", section.noun)}};
  if (!section.default_value.empty()) schema["default"] = section.default_value;
  return schema;
}

Json tagged_schema(const TaggedSection& section, bool complete) {
  const std::string tag(section.tag);
  Json keys = Json::object();
  Json rules = Json::array();
  for (const std::string_view member : section.members) {
    Json rows = schema_of(section.rows(member));
    if (!complete) rows = partial(std::move(rows));
    for (const Param& param : section.common) rows["properties"][std::string(param.name)] = true;
    rows["properties"][tag] = Json{{"const", member}};
    for (const auto& [key, value] : rows["properties"].items()) keys[key] = true;
    if (const std::string_view summary = section.summary(member); !summary.empty())
      rows["description"] = summary;
    Json is_member = {{"properties", {{tag, {{"const", member}}}}}, {"required", {tag}}};
    if (complete && member == section.default_value) is_member.erase("required");
    rules.push_back({{"if", std::move(is_member)}, {"then", std::move(rows)}});
  }
  keys[tag] = tag_schema(section);
  const Json common = schema_of(section.common);
  keys.update(common.at("properties"));
  Json schema = {{"type", "object"},
                 {"description", section.description},
                 {"properties", std::move(keys)},
                 {"additionalProperties", false},
                 {"allOf", std::move(rules)}};
  if (complete && section.default_value.empty()) schema["required"] = {tag};
  return schema;
}

Json phases_schema() {
  Json phase = schema_of(phase_params());
  phase["required"] = {"name", "budget"};
  phase["properties"]["name"]["pattern"] = fmt::format("^{}$", kPhaseName);
  phase["properties"]["budget"]["minProperties"] = 1;
  phase["properties"]["budget"]["maxProperties"] = 1;
  phase["properties"]["objective"] = {{"$ref", "#/definitions/objective"}};
  phase["properties"]["corpus"] = phase_corpus_schema(
      "\"main\" (the experiment's corpus, the default), \"former\" (the previous phase's), or a "
      "section; a section without a kind changes the experiment's corpus");
  phase["properties"]["mixture"] = {
      {"type", "array"},
      {"minItems", 1},
      {"description",
       "texts of several corpora, each drawn with probability share; shares sum to 1"},
      {"items",
       {{"type", "object"},
        {"properties",
         {{"corpus", phase_corpus_schema("a corpus, given as for a phase")},
          {"share", {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 1}}}}},
        {"required", {"corpus", "share"}},
        {"additionalProperties", false}}}};
  phase["not"] = {{"required", {"corpus", "mixture"}}};
  return {{"type", {"array", "null"}},
          {"minItems", 1},
          {"items", std::move(phase)},
          {"description",
           "consecutive stretches of training; a phase takes the settings that it does not give "
           "from the arm"}};
}

Json train_schema() {
  Json schema = schema_of(train_params());
  schema["properties"]["start"] = schema_of(start_params());
  schema["properties"]["start"]["description"] =
      "initial weights: the final weights of a trained trial, by file or by id and results folder";
  schema = partial(std::move(schema));
  schema["properties"]["phases"] = {{"$ref", "#/definitions/phases"}};
  Json& budget = schema["properties"]["budget"];
  budget["minProperties"] = 1;
  budget["maxProperties"] = 1;
  schema["description"] = "how every arm is trained, unless the arm sets something else";
  return schema;
}

}  // namespace ablate::plan
