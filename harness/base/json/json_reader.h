// The parser behind JsonSource: takes nlohmann's events and walks over the same tokens in the text,
// because the events do not tell positions.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json/json_source.h"

namespace ablate {

/// Walks over the tokens of a text, skipping comments, blanks, commas and colons.
class TokenWalk {
 public:
  explicit TokenWalk(std::string_view text) : text_(text) {}

  /// The next token; the walk then continues after it.
  Stretch next();

  /// Where the next token starts. `comma` becomes the position of the last comma before it, if
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
  explicit JsonReader(std::string_view text) : text_(text), walk_(text) {}

  bool null() { return scalar(nullptr); }
  bool boolean(bool value) { return scalar(value); }
  bool number_integer(std::int64_t value) { return scalar(value); }
  bool number_unsigned(std::uint64_t value) { return scalar(value); }
  bool number_float(double value, const std::string&) { return scalar(value); }
  bool string(std::string& value) { return scalar(std::move(value)); }
  bool binary(Json::binary_t&) { return false; }  // no JSON text holds any
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(std::string& name);
  bool parse_error(std::size_t position, const std::string& last, const Json::exception& error);

  Json result;
  std::vector<JsonSource::Node> nodes;
  std::vector<SourceFault> faults;

 private:
  struct Level {
    Json* value;
    std::size_t node;
  };

  /// Inserts a value at the current position; null where kMaxValues is exceeded.
  Json* place(Json made);
  bool scalar(Json made) { return place(std::move(made)) != nullptr; }
  bool open(Json made);
  bool close();

  std::string_view text_;
  TokenWalk walk_;
  std::vector<Level> levels_;
  std::string key_;
  Stretch key_at_;
};

}  // namespace ablate
