// The JSON type of the project, and its canonical form.

#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace ablate {

using Json = nlohmann::json;  // objects are ordered by key, bytewise

/// The canonical text of a value, from which ids are hashed: keys sorted bytewise, no white space,
/// integers as integers, other numbers in their shortest round-trip form. Invalid UTF-8 is
/// replaced, so that the message of a crashed worker can always be stored.
inline std::string canonical(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The text of a value in ASCII, so that nothing in it can control a terminal. `indent`: spaces a
/// level; -1 for a single line. Invalid UTF-8 is replaced.
inline std::string ascii_text(const Json& value, int indent = -1) {
  return value.dump(indent, ' ', true, Json::error_handler_t::replace);
}

}  // namespace ablate
