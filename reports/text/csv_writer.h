// Writes CSV by RFC 4180.

#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/statistics/one_sample/summary.h"

namespace ablate::reports {

/// A table as CSV, field by field.
class Csv {
 public:
  /// Begins with a line of names.
  explicit Csv(std::initializer_list<std::string_view> names);
  explicit Csv(const std::vector<std::string>& names);

  /// Adds a raw text to the line; quoted where needed, and never a formula.
  Csv& text(std::string_view raw);
  Csv& number(std::int64_t value);
  /// Adds the shortest text that reads back as the same number; empty where there is none.
  Csv& number(const std::optional<double>& value);
  /// Adds both ends; two empty fields where there is none.
  Csv& interval(const std::optional<statistics::Interval>& ends);

  /// Takes memory for this many lines like those that are there: a text that grows by doubling takes
  /// three times its length for a moment.
  void expect(std::size_t lines);

  /// Ends the line.
  void end();

  std::string str() const& { return bytes_; }
  std::string str() && { return std::move(bytes_); }

 private:
  Csv& put(const std::string& field);

  std::string bytes_;
  bool begins_ = true;
};

}  // namespace ablate::reports
