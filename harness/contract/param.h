// Declared parameters: the rows that drive parsing, refusal, the published schema, `describe` and
// the record.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate {

enum class Kind { number, integer, toggle, choice, text, list, section };

/// One declared parameter. Make one with the functions below; they fill in what belongs to the
/// kind.
struct Param {
  std::string_view name;
  Kind kind = Kind::number;
  Json default_value;                     // the default; null: required, or absent when `optional`
  double minimum = 0;                     // accepted range of a number or integer: [least, most];
  double maximum = 0;                     //   of a list: its length
  std::vector<std::string_view> choices;  // of a choice
  std::vector<Param> fields;     // of a section, and of a list's members (one: plain values)
  std::string_view description;  // with its unit
  bool optional = false;
};

Param number(std::string_view name, Json default_value, double minimum, double maximum,
             std::string_view description);
Param integer(std::string_view name, Json default_value, double minimum, double maximum,
              std::string_view description);
Param toggle(std::string_view name, Json default_value, std::string_view description);
Param choice(std::string_view name, Json default_value, std::vector<std::string_view> choices,
             std::string_view description);
Param text(std::string_view name, Json default_value, std::string_view description);
Param list(std::string_view name, Json default_value, std::vector<Param> fields, double maximum,
           std::string_view description);
Param section(std::string_view name, std::vector<Param> fields, std::string_view description);
Param optional(Param param);

/// One thing wrong with given values: where (a JSON pointer below the values that were given), and
/// a message of the form "what was given; what is accepted; what to do".
struct Refusal {
  std::string pointer;
  std::string message;
  bool about_key = false;  // the fault is in the last key of the pointer, not in its value
};

/// `given` with every default filled in, in canonical number form (an integer-valued `number` is
/// stored as a double, so that 1 and 1.0 make the same trial). Whatever is wrong is added to
/// `refusals`: unknown keys with the nearest name, values of another kind or out of range, missing
/// required ones.
Json resolve(std::span<const Param> declared, const Json& given, std::vector<Refusal>& refusals);

/// Values that are complete, known and in range by construction.
class Params {
 public:
  Params() = default;

  /// Throws std::invalid_argument with the first refusal.
  Params(std::span<const Param> declared, const Json& given);

  double number(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  bool toggle(std::string_view name) const;
  const std::string& text(std::string_view name) const;  // of a text or a choice
  const Json& list(std::string_view name) const;
  const Json& section(std::string_view name) const;
  bool has(std::string_view name) const;  // false for an optional parameter that was not given

  const Json& json() const { return values_; }

 private:
  const Json& at(std::string_view name) const;  // std::logic_error for an undeclared one
  Json values_ = Json::object();
};

/// The rows as a JSON Schema (draft 7) object that accepts exactly what `resolve` does.
Json schema_of(std::span<const Param> declared);

}  // namespace ablate
