// The JSON type of the project, and its canonical form.

#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

// Compiled once, in json.cpp, and not again in every source that uses JSON: that was a quarter of
// the time of a build.
extern template class nlohmann::basic_json<>;
extern template class nlohmann::detail::serializer<nlohmann::json>;
extern template class nlohmann::detail::lexer<
    nlohmann::json, nlohmann::detail::iterator_input_adapter<const char*>>;
extern template class nlohmann::detail::lexer<
    nlohmann::json, nlohmann::detail::iterator_input_adapter<std::string::const_iterator>>;
extern template class nlohmann::detail::parser<
    nlohmann::json, nlohmann::detail::iterator_input_adapter<const char*>>;
extern template class nlohmann::detail::parser<
    nlohmann::json, nlohmann::detail::iterator_input_adapter<std::string::const_iterator>>;

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

/// A stored integer. Throws Json::type_error where the value is another number or no number:
/// get<std::int64_t>() would make 2 of 2.5, and its result for 1e300 is undefined.
inline std::int64_t integer_in(const Json& value) {
  const bool negative = value.is_number_integer() && !value.is_number_unsigned();
  const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() <= INT64_MAX;
  if (!negative && !fits)
    throw Json::type_error::create(
        302, "type must be an integer of 64 bits, but is " + ascii_text(value), &value);
  return value.get<std::int64_t>();
}

/// The stored integer under `name`; `absent` where there is none. Throws as integer_in(value).
inline std::int64_t integer_in(const Json& object, const char* name, std::int64_t absent) {
  const auto found = object.find(name);
  return found == object.end() ? absent : integer_in(*found);
}

}  // namespace ablate
