// JSON written by people: comments are allowed, and the position of every key and value is kept, so
// that error messages can point at them.
//
// Refused here: duplicate keys, trailing commas, NaN and infinities, numbers out of range, bytes
// that are not UTF-8, and what exceeds the limits of JsonSource. A byte order mark is accepted.
//
// Pointers are JSON pointers without escapes: "/arms/0/set/objective.rate".

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate {

/// A range of a text: offset and length in bytes.
struct Stretch {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// One fault of a text: where it is, what it is, and what to do about it.
struct SourceFault {
  Stretch where;
  std::string message;
  std::string hint;
};

/// A parsed text with the positions of its keys and values. It refuses texts of more than
/// kMaxBytes, nested deeper than kMaxLevels, or with more than kMaxValues values.
class JsonSource {
 public:
  static constexpr std::size_t kMaxBytes = 1u << 20;
  static constexpr std::size_t kMaxLevels = 64;
  static constexpr std::size_t kMaxValues = 20'000;

  /// Parses `text`; `name` is what error messages call it. Faults of the text do not throw: see
  /// faults().
  JsonSource(std::string name, std::string text);

  const std::string& name() const { return name_; }

  /// The value; null where there are faults.
  const Json& value() const { return value_; }

  /// What is wrong with the text; empty where nothing is.
  const std::vector<SourceFault>& faults() const { return faults_; }

  /// Where the value of a pointer is; nothing where there is none.
  std::optional<Stretch> value_at(std::string_view pointer) const;

  /// Where its key is; an element of an array has none, so there it is the value's place.
  std::optional<Stretch> key_at(std::string_view pointer) const;

  /// The keys of an object in the order of the text, which Json does not keep; empty where there is
  /// no such value.
  std::vector<std::string> keys(std::string_view pointer) const;

  /// "name:line:column: error: message", then the line, then the range underlined and the hint
  /// after it. Lines and columns count from 1, columns in characters.
  std::string explain(Stretch where, std::string_view message, std::string_view hint) const;

  /// A value of the text. Nodes are in the order of their first characters.
  struct Node {
    std::string key;  // empty in an array and for the root
    Stretch key_at;
    Stretch value_at;
    std::size_t next = 0;  // index of the first node that is not inside this one
    bool is_array = false;
  };

 private:
  const Node* find(std::string_view pointer) const;

  std::string name_;
  std::string text_;
  Json value_;
  std::vector<Node> nodes_;
  std::vector<SourceFault> faults_;
};

}  // namespace ablate
