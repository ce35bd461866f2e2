// Declared parameters: each is one row with a name, a default, a range and a description.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate {

/// The kinds of values.
enum class Kind { number, integer, toggle, choice, text, list, section, member };

struct Param;

/// One that a value of Kind::member can name.
struct FamilyMember {
  std::string_view name;
  std::span<const Param> params;
};

/// A family whose members have parameters of their own, such as the objectives.
struct Family {
  std::string_view noun;  // what a member is, and its definition in the schema
  std::vector<FamilyMember> (*members)() = nullptr;
};

/// One declared parameter. Parsing, error messages, the published schema, `describe` and the record
/// are all driven by this row. Use the functions below to make one.
struct Param {
  std::string_view name;
  Kind kind = Kind::number;
  Json default_value;  // null: the parameter is required, or absent if `optional`
  double minimum = 0;  // accepted range of a number or an integer: [minimum, maximum]
  double maximum = 0;  // of a list: its maximum length
  std::vector<std::string_view> choices;  // accepted values of a choice
  std::vector<Param> fields;              // of a section or of a list's members; see list()
  std::string_view description;           // including the unit
  Family family = {};                     // of a member
  bool optional = false;
  Json absent_as;  // of an optional parameter: the value that says what leaving it out says, and is
                   // left out; null: there is none
};

/// A real number in [minimum, maximum]. A null default makes it required, here and below.
Param number(std::string_view name, Json default_value, double minimum, double maximum,
             std::string_view description);

/// An integer in [minimum, maximum].
Param integer(std::string_view name, Json default_value, double minimum, double maximum,
              std::string_view description);

/// True or false.
Param toggle(std::string_view name, Json default_value, std::string_view description);

/// One of `choices`.
Param choice(std::string_view name, Json default_value, std::vector<std::string_view> choices,
             std::string_view description);

/// Any string.
Param text(std::string_view name, Json default_value, std::string_view description);

/// A list of at most `maximum` members. Its members are objects of `fields`, or plain values if
/// `fields` is a single field without a name.
Param list(std::string_view name, Json default_value, std::vector<Param> fields, double maximum,
           std::string_view description);

/// An object of `fields`; each field has its own default.
Param section(std::string_view name, std::vector<Param> fields, std::string_view description);

/// An object whose "type" names a member of a family, with that member's parameters beside it.
Param member(std::string_view name, Json default_value, Family family,
             std::string_view description);

/// The same parameter, but it may be left out: Params::has() tells whether it was given. A value of
/// `absent_as` counts as left out.
Param optional(Param param, Json absent_as = nullptr);

}  // namespace ablate
