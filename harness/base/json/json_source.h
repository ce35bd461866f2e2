// JSON written by people. Comments are allowed, and the position of every key and value is kept, so
// that error messages can point at them.
//
// Refused: duplicate keys, trailing commas, NaN and infinities, numbers out of range, bytes that
// are not UTF-8, and texts beyond the limits of JsonSource. A byte order mark is accepted.
//
// Pointers are JSON pointers without escapes: "/arms/0/set/objective.rate".

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json/json.h"
#include "harness/base/json/parse.h"

namespace ablate {

/// A range of a text: offset and length in bytes.
struct Stretch {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// One fault of a text: its place, what is wrong, and what to do.
struct SourceFault {
  Stretch where;
  std::string message;
  std::string hint;
};

/// A parsed text with the positions of its keys and values. It refuses texts of more than
/// kMaxBytes, nested deeper than kMaxLevels, or with more than kMaxValues values.
class JsonSource {
 public:
  static constexpr std::size_t kMaxBytes = 1u << 20;         // of the text
  static constexpr std::size_t kMaxLevels = kMaxJsonLevels;  // of nested objects and arrays
  static constexpr std::size_t kMaxValues = 20'000;          // objects and arrays included

  /// Parses `text`. `name` stands for the text in error messages. Does not throw for faults of the
  /// text: see faults().
  JsonSource(std::string name, std::string text);

  /// The name of the text in error messages.
  const std::string& name() const { return name_; }

  /// The text as it was given, without a byte order mark.
  const std::string& text() const { return text_; }

  /// The parsed value; null where there are faults.
  const Json& value() const { return value_; }

  /// The faults of the text; empty where it is accepted.
  const std::vector<SourceFault>& faults() const { return faults_; }

  /// The range of the value that `pointer` names; empty where there is none.
  std::optional<Stretch> value_at(std::string_view pointer) const;

  /// The range of its key, or of the value itself for an element of an array, which has no key.
  std::optional<Stretch> key_at(std::string_view pointer) const;

  /// The keys of the object that `pointer` names, in the order of the text, which Json does not
  /// keep; empty where there is no such object.
  std::vector<std::string> keys(std::string_view pointer) const;

  /// Formats an error: "name:line:column: error: message", the line, and the underlined range
  /// followed by the hint. Lines and columns count from 1; columns are in characters.
  std::string explain(Stretch where, std::string_view message, std::string_view hint) const;

  /// A value of the text. Nodes are in the order of their first characters.
  struct Node {
    std::string key;       // empty in an array and for the root
    Stretch key_at;        // the range of the key
    Stretch value_at;      // the range of the value
    std::size_t next = 0;  // index of the first node that is not inside this one
    bool is_array = false;
  };

 private:
  /// The node that `pointer` names; null where there is none.
  const Node* find(std::string_view pointer) const;

  std::string name_;
  std::string text_;
  Json value_;
  std::vector<Node> nodes_;
  std::vector<SourceFault> faults_;
};

}  // namespace ablate
