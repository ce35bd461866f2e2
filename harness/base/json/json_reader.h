// The parser of JsonSource. It receives nlohmann's events and walks over the same tokens in the
// text, because the events carry no positions.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json/json_source.h"

namespace ablate {

/// Walks over the tokens of a text, skipping comments, blanks, commas and colons.
class TokenWalk {
 public:
  /// Starts before the first token. Requires: `text` outlives the walk.
  explicit TokenWalk(std::string_view text) : text_(text) {}

  /// The next token; the walk then continues after it.
  Stretch next();

  /// The offset of the next token. `comma` receives the offset of the last comma before it, where
  /// there is one.
  std::size_t peek(std::size_t* comma = nullptr) const;

  /// The token that starts at `first`.
  Stretch token_at(std::size_t first) const;

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

/// Receives nlohmann's events (its SAX interface: false stops the parser) and builds the value, its
/// nodes and its faults from them.
class JsonReader {
 public:
  /// Requires: `text`, the one that nlohmann parses, outlives the reader.
  explicit JsonReader(std::string_view text) : text_(text), walk_(text) {}

  // The events of scalar values. Each returns false where there are too many values.
  bool null() { return scalar(nullptr); }
  bool boolean(bool value) { return scalar(value); }                             // true or false
  bool number_integer(std::int64_t value) { return scalar(value); }              // below 0
  bool number_unsigned(std::uint64_t value) { return scalar(value); }            // from 0 on
  bool number_float(double value, const std::string&) { return scalar(value); }  // any other
  bool string(std::string& value) { return scalar(std::move(value)); }           // unescaped
  bool binary(Json::binary_t&) { return false; }                                 // never in text

  bool start_object(std::size_t) {
    return open(Json::object());
  }  // false: nested too deep, or too many values
  bool start_array(std::size_t) {
    return open(Json::array());
  }                                      // false: nested too deep, or too many values
  bool end_object() { return close(); }  // always true
  bool end_array() { return close(); }   // always true

  /// The event of an object's key. A duplicate adds a fault; returns false once there are 20
  /// faults.
  bool key(std::string& name);

  /// The event of a syntax error at `position`: adds a fault and returns false.
  bool parse_error(std::size_t position, const std::string& last, const Json::exception& error);

  Json result;                          // the value
  std::vector<JsonSource::Node> nodes;  // in the order of the text
  std::vector<SourceFault> faults;      // empty where the text is accepted

 private:
  struct Level {
    Json* value;
    std::size_t node;
  };

  /// Inserts a value at the current position; null where kMaxValues is exceeded.
  Json* place(Json made);

  /// Inserts a scalar; returns false where there are too many values.
  bool scalar(Json made) { return place(std::move(made)) != nullptr; }

  /// Inserts an object or array and enters it; returns false where it is nested too
  /// deep or there are too many values.
  bool open(Json made);

  /// Leaves the current object or array.
  bool close();

  std::string_view text_;
  TokenWalk walk_;
  std::vector<Level> levels_;
  std::string key_;
  Stretch key_at_;
};

}  // namespace ablate
