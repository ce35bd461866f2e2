// Given values checked against their declared parameters, and read.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/param.h"

namespace ablate {

/// One thing wrong with given values: where (a JSON pointer below the values that were given), and
/// a message of the form "what was given; what is accepted; what to do".
struct Refusal {
  std::string pointer;
  std::string message;
  bool about_key = false;  // the fault is in the last key of the pointer, not in its value
};

/// `given` with every default filled in, in canonical number form (an integer-valued `number` is
/// stored as a double, so that 1 and 1.0 make the same trial). Whatever is wrong is added to
/// `refusals`: unknown keys with the closest name, values of another kind or out of range, missing
/// required ones.
Json resolve(std::span<const Param> declared, const Json& given, std::vector<Refusal>& refusals);

/// Values that are complete, known and in range by construction. Reading a parameter that was not
/// declared, or one of another kind, is our bug: std::logic_error, or the JSON library's exception.
class Params {
 public:
  /// No values at all.
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

  /// All values, as they are hashed and recorded.
  const Json& json() const { return values_; }

 private:
  const Json& at(std::string_view name) const;  // std::logic_error for an undeclared one
  Json values_ = Json::object();
};

}  // namespace ablate
