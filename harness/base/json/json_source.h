// JSON that people write: with comments, and with the place of every key and value, so that
// whatever is refused later can be pointed at.
//
// Refused here: duplicate keys, trailing commas, NaN and infinities, numbers out of range, more
// than 64 levels or 100 000 values, bytes that are not UTF-8, texts of more than 1 MiB. A byte
// order mark is accepted.
//
// Pointers are JSON pointers without escapes: "/arms/0/set/objective.rate".

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate {

/// A stretch of a text, in bytes.
struct Stretch {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// One thing wrong with a text: where, what, and what to do about it.
struct SourceFault {
  Stretch where;
  std::string message;
  std::string hint;
};

class JsonSource {
 public:
  static constexpr std::size_t kMaxBytes = 1u << 20;
  static constexpr std::size_t kMaxLevels = 64;
  static constexpr std::size_t kMaxValues = 20'000;

  /// Parses `text`; `name` is what error messages call it.
  JsonSource(std::string name, std::string text);

  const std::string& name() const { return name_; }

  /// The value; null where there are faults.
  const Json& value() const { return value_; }
  const std::vector<SourceFault>& faults() const { return faults_; }

  /// Where the value of a pointer stands, or its key; nothing where there is none.
  std::optional<Stretch> value_at(std::string_view pointer) const;
  std::optional<Stretch> key_at(std::string_view pointer) const;

  /// The keys of an object as they follow each other in the text, which Json forgets.
  std::vector<std::string> keys(std::string_view pointer) const;

  /// "name:line:column: error: message", the line, and the stretch underlined with the hint beside
  /// it. Lines and columns count from 1, columns in characters.
  std::string explain(Stretch where, std::string_view message, std::string_view hint) const;

  /// A value of the text, in the order of their first characters.
  struct Node {
    std::string key;  // empty in an array and for the whole
    Stretch key_at;
    Stretch value_at;
    std::size_t next = 0;  // the node after all those inside this one
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
