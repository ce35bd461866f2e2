// Gives every dotted path its schema, and every way to sweep over it.

#include "harness/plan/describe/schemas/arm_schema.h"

#include <algorithm>
#include <map>

#include "harness/plan/describe/schemas/param_schema.h"
#include "harness/plan/describe/schemas/section_schemas.h"
#include "harness/plan/file/candidates.h"
#include "harness/plan/read/arm_entry.h"

namespace ablate::plan {
namespace {

/// The different schemas of each dotted path.
using Alternatives = std::map<std::string, std::vector<Json>>;

/// Adds the paths of an object's properties and, below them, of their own.
void add_paths(const Json& schema, const std::string& parent, Alternatives& paths) {
  const auto properties = schema.find("properties");
  if (properties == schema.end()) return;
  for (const auto& [key, property] : properties->items()) {
    const std::string path = parent + "." + key;
    std::vector<Json>& known = paths[path];
    if (std::find(known.begin(), known.end(), property) == known.end()) known.push_back(property);
    add_paths(property, path, paths);
  }
}

void add_paths(const TaggedSection& section, Alternatives& paths) {
  const std::string name(section.name);
  add_paths(partial({{"properties", {{section.tag, tag_schema(section)}}}}), name, paths);
  for (const std::string_view member : section.members)
    add_paths(partial(schema_of(section.rows(member))), name, paths);
}

Json reference(const std::string& definition) { return {{"$ref", "#/definitions/" + definition}}; }

/// The value of a path, by reference to the definition "settings".
Json value_at(const std::string& path) { return reference("settings/properties/" + path); }

/// Settings with a description: `also` and what "settings" accepts.
Json settings(Json also) {
  also["allOf"] = Json::array({reference("settings")});
  return also;
}

/// For each path, {key: schema} of what `schema_of_path` makes of its value's schema.
template <class Make>
Json by_path(const Json& settings_schema, const char* description, const Make& schema_of_path) {
  Json properties = Json::object();
  for (const auto& [path, value] : settings_schema.at("properties").items())
    properties[path] = schema_of_path(value_at(path));
  return {{"type", "object"},
          {"description", description},
          {"properties", std::move(properties)},
          {"additionalProperties", false}};
}

/// Candidates that are values of one path. The first and the last value of a formula are candidates
/// themselves, but a range may end before its last.
Json grid_values(const Json& value) {
  const Json ends = {{"items", {value, value}}}, start = {{"items", Json::array({value})}};
  return {{"allOf", Json::array({reference("candidates")})},
          {"items", value},
          {"properties", {{"linspace", ends}, {"logspace", ends}, {"range", start}}}};
}

Json zip_values(const Json& value) {
  return {{"type", "array"}, {"minItems", 1}, {"items", value}};
}

}  // namespace

Json settings_schema(const Catalog& catalog) {
  Alternatives paths;
  add_paths(train_schema(), "train", paths);
  add_paths(model_section(catalog), paths);
  add_paths(objective_section(catalog), paths);
  Json properties = Json::object();
  for (const char* section : {"model", "train", "objective"})
    properties[section] = reference(section);
  for (const auto& [path, schemas] : paths)
    properties[path] = schemas.size() == 1 ? schemas.front() : Json{{"anyOf", schemas}};
  return {
      {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

Json candidates_schema() {
  const auto made_by = [](const char* name, const char* description, Json end, Json last) {
    return Json{{"type", "object"},
                {"description", description},
                {"properties",
                 {{name,
                   {{"type", "array"},
                    {"items", {end, end, std::move(last)}},
                    {"minItems", 3},
                    {"maxItems", 3}}}}},
                {"required", {name}},
                {"additionalProperties", false}};
  };
  const Json number = {{"type", "number"}};
  const Json positive = {{"type", "number"}, {"exclusiveMinimum", 0}};
  const Json count = {{"type", "integer"}, {"minimum", 2}, {"maximum", kMaxCandidates}};
  return {{"if", {{"type", "array"}}},
          {"then", {{"minItems", 1}, {"description", "the candidates, one by one"}}},
          {"else",
           {{"oneOf",
             {made_by("linspace", "[from, to, count], evenly spaced", number, count),
              made_by("logspace", "[from, to, count], in equal ratios", positive, count),
              made_by("range", "[from, to, step]", number,
                      {{"type", "number"}, {"not", {{"const", 0}}}})}}}}};
}

Json arm_schema(const Json& settings_schema) {
  return {
      {"type", "object"},
      {"properties",
       {{"name",
         {{"type", "string"},
          {"pattern", kNamePattern},
          {"description", "name of the arm; names of points of its sweep start with it"}}},
        {"label",
         {{"type", "string"},
          {"pattern", "^[^\\u0000-\\u001f\\u007f]+$"},
          {"maxLength", kMaxLabel},
          {"description",
           "what reports call the arm; {rate} stands for the value of the swept setting rate"}}},
        {"set",
         settings({{"description", "settings of every point, by dotted path or as sections"}})},
        {"grid", by_path(settings_schema, "every combination of the candidates", grid_values)},
        {"zip", by_path(settings_schema, "lists of equal length, combined element by element",
                        zip_values)},
        {"list",
         {{"type", "array"},
          {"minItems", 1},
          {"items",
           settings({{"description", "one point: settings by dotted path"}, {"minProperties", 1}})},
          {"description", "the points, one by one"}}}}},
      {"required", {"name"}},
      {"additionalProperties", false}};
}

}  // namespace ablate::plan
