// How rows of parameters are written: one function a kind.

#include "harness/contract/param.h"

namespace ablate {

Param number(std::string_view name, Json fallback, double least, double most,
             std::string_view meaning) {
  Param param{.name = name, .kind = Kind::number, .fallback = std::move(fallback)};
  param.least = least;
  param.most = most;
  param.meaning = meaning;
  return param;
}

Param integer(std::string_view name, Json fallback, double least, double most,
              std::string_view meaning) {
  Param param = number(name, std::move(fallback), least, most, meaning);
  param.kind = Kind::integer;
  return param;
}

Param toggle(std::string_view name, Json fallback, std::string_view meaning) {
  Param param{.name = name, .kind = Kind::toggle, .fallback = std::move(fallback)};
  param.meaning = meaning;
  return param;
}

Param choice(std::string_view name, Json fallback, std::vector<std::string_view> choices,
             std::string_view meaning) {
  Param param{.name = name, .kind = Kind::choice, .fallback = std::move(fallback)};
  param.choices = std::move(choices);
  param.meaning = meaning;
  return param;
}

Param text(std::string_view name, Json fallback, std::string_view meaning) {
  Param param{.name = name, .kind = Kind::text, .fallback = std::move(fallback)};
  param.meaning = meaning;
  return param;
}

Param list(std::string_view name, Json fallback, std::vector<Param> fields, double most,
           std::string_view meaning) {
  Param param{.name = name, .kind = Kind::list, .fallback = std::move(fallback)};
  param.fields = std::move(fields);
  param.most = most;
  param.meaning = meaning;
  return param;
}

Param section(std::string_view name, std::vector<Param> fields, std::string_view meaning) {
  Param param{.name = name, .kind = Kind::section};
  param.fields = std::move(fields);
  param.meaning = meaning;
  return param;
}

Param optional(Param param) {
  param.optional = true;
  return param;
}

}  // namespace ablate
