// Makes rows of parameters: one function for each kind.

#include "harness/contract/param.h"

namespace ablate {

Param number(std::string_view name, Json default_value, double minimum, double maximum,
             std::string_view description) {
  Param param{.name = name, .kind = Kind::number, .default_value = std::move(default_value)};
  param.minimum = minimum;
  param.maximum = maximum;
  param.description = description;
  return param;
}

Param integer(std::string_view name, Json default_value, double minimum, double maximum,
              std::string_view description) {
  Param param = number(name, std::move(default_value), minimum, maximum, description);
  param.kind = Kind::integer;
  return param;
}

Param toggle(std::string_view name, Json default_value, std::string_view description) {
  Param param{.name = name, .kind = Kind::toggle, .default_value = std::move(default_value)};
  param.description = description;
  return param;
}

Param choice(std::string_view name, Json default_value, std::vector<std::string_view> choices,
             std::string_view description) {
  Param param{.name = name, .kind = Kind::choice, .default_value = std::move(default_value)};
  param.choices = std::move(choices);
  param.description = description;
  return param;
}

Param text(std::string_view name, Json default_value, std::string_view description) {
  Param param{.name = name, .kind = Kind::text, .default_value = std::move(default_value)};
  param.description = description;
  return param;
}

Param list(std::string_view name, Json default_value, std::vector<Param> fields, double maximum,
           std::string_view description) {
  Param param{.name = name, .kind = Kind::list, .default_value = std::move(default_value)};
  param.fields = std::move(fields);
  param.maximum = maximum;
  param.description = description;
  return param;
}

Param section(std::string_view name, std::vector<Param> fields, std::string_view description) {
  Param param{.name = name, .kind = Kind::section};
  param.fields = std::move(fields);
  param.description = description;
  return param;
}

Param member(std::string_view name, Json default_value, Family family,
             std::string_view description) {
  Param param{.name = name, .kind = Kind::member, .default_value = std::move(default_value)};
  param.family = family;
  param.description = description;
  return param;
}

Param optional(Param param, Json absent_as) {
  param.optional = true;
  param.absent_as = std::move(absent_as);
  return param;
}

}  // namespace ablate
