// Checks given values against their declared parameters, and reads them.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/param.h"

namespace ablate {

/// One error in given values. The message has the form "what was given; what is accepted; what to
/// do".
struct Refusal {
  std::string pointer;  // JSON pointer to it, relative to the given values
  std::string message;
  bool about_key = false;  // the error is in the last key of the pointer, not in its value
};

/// `given` with every default filled in and numbers in canonical form: the value of a `number` is
/// always stored as a double, so that 1 and 1.0 make the same trial. Adds every error to
/// `refusals`: unknown keys (with the closest name), values of another kind or out of range, and
/// missing required values.
Json resolve(std::span<const Param> declared, const Json& given, std::vector<Refusal>& refusals);

/// Values that are known, complete and in range by construction. The readers throw std::logic_error
/// for a parameter that was not declared, and the JSON library's exception for one of another kind:
/// both are bugs of the caller.
class Params {
 public:
  /// No values at all.
  Params() = default;

  /// `given`, resolved by the rows `declared`. Throws std::invalid_argument with the first error.
  Params(std::span<const Param> declared, const Json& given);

  double number(std::string_view name) const;            // a number, or an integer as a double
  std::int64_t integer(std::string_view name) const;     // the value of an integer
  bool toggle(std::string_view name) const;              // the value of a toggle
  const std::string& text(std::string_view name) const;  // the value of a text or a choice
  const Json& list(std::string_view name) const;         // a JSON array
  const Json& section(std::string_view name) const;      // a JSON object
  bool has(std::string_view name) const;  // false for an optional parameter that was not given

  /// All values as a JSON object, in the form that is hashed and recorded.
  const Json& json() const { return values_; }

 private:
  const Json& at(std::string_view name) const;  // throws std::logic_error if it is not declared
  Json values_ = Json::object();
};

}  // namespace ablate
