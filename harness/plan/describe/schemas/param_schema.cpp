// The JSON Schema of declared parameters.

#include "harness/plan/describe/schemas/param_schema.h"

namespace ablate::plan {
namespace {

Json schema_of_one(const Param& param) {
  Json schema = Json::object();
  switch (param.kind) {
    case Kind::number:
    case Kind::integer:
      schema = {{"type", param.kind == Kind::number ? "number" : "integer"},
                {"minimum", param.minimum},
                {"maximum", param.maximum}};
      break;
    case Kind::toggle:
      schema["type"] = "boolean";
      break;
    case Kind::choice:
      schema["enum"] = param.choices;
      break;
    case Kind::text:
      schema["type"] = "string";
      break;
    case Kind::list: {
      const bool plain = param.fields.size() == 1 && param.fields.front().name.empty();
      schema = {{"type", "array"},
                {"maxItems", static_cast<std::int64_t>(param.maximum)},
                {"items", plain ? schema_of_one(param.fields.front()) : schema_of(param.fields)}};
      break;
    }
    case Kind::section:
      schema = schema_of(param.fields);
      break;
    case Kind::member:
      schema["$ref"] = "#/definitions/" + std::string(param.family.noun);
      return schema;  // draft 7 reads nothing beside a reference
  }
  if (!param.description.empty()) schema["description"] = param.description;
  if (!param.default_value.is_null()) schema["default"] = param.default_value;
  return schema;
}

}  // namespace

Json schema_of(std::span<const Param> declared) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const Param& param : declared) {
    properties[std::string(param.name)] = schema_of_one(param);
    if (param.default_value.is_null() && !param.optional && param.kind != Kind::section)
      required.push_back(param.name);
  }
  Json schema = {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
  if (!required.empty()) schema["required"] = required;
  return schema;
}

}  // namespace ablate::plan
