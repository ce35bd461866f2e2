// Declared parameters: one row each of name, default, range and description, and how rows are
// written.

#pragma once

#include <string_view>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate {

enum class Kind { number, integer, toggle, choice, text, list, section };

/// One declared parameter: a row that drives parsing, refusal, the published schema, `describe` and
/// the record. Make one with the functions below; they fill in what belongs to its kind.
struct Param {
  std::string_view name;
  Kind kind = Kind::number;
  Json default_value;  // null: the parameter is required, or absent when `optional`
  double minimum = 0;  // accepted range of a number or an integer: [minimum, maximum]
  double maximum = 0;  // the same; of a list: its largest length
  std::vector<std::string_view> choices;  // accepted values of a choice
  std::vector<Param>
      fields;  // of a section, and of a list's members (one without a name: plain values)
  std::string_view description;  // with its unit
  bool optional = false;
};

/// A real number in [minimum, maximum]. A null default makes it required, here and below.
Param number(std::string_view name, Json default_value, double minimum, double maximum,
             std::string_view description);

/// A whole number in [minimum, maximum].
Param integer(std::string_view name, Json default_value, double minimum, double maximum,
              std::string_view description);

/// True or false.
Param toggle(std::string_view name, Json default_value, std::string_view description);

/// One of `choices`.
Param choice(std::string_view name, Json default_value, std::vector<std::string_view> choices,
             std::string_view description);

/// Any string.
Param text(std::string_view name, Json default_value, std::string_view description);

/// At most `maximum` members: objects of `fields`, or plain values where there is a single field
/// without a name.
Param list(std::string_view name, Json default_value, std::vector<Param> fields, double maximum,
           std::string_view description);

/// An object of `fields`; each field has its own default.
Param section(std::string_view name, std::vector<Param> fields, std::string_view description);

/// The parameter, which may now be left out: Params::has tells whether it was given.
Param optional(Param param);

}  // namespace ablate
