// The values of a trial's metrics, as small as hundreds of thousands of trials need them.

#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ablate::store {

/// The name of a metric. Each is kept once, however many trials have it.
class MetricName {
 public:
  explicit MetricName(std::string_view name);

  operator const std::string&() const { return *text_; }  // NOLINT(google-explicit-constructor)
  operator std::string_view() const { return *text_; }    // NOLINT(google-explicit-constructor)
  const std::string& text() const { return *text_; }

  friend bool operator==(MetricName a, MetricName b) { return a.text_ == b.text_; }

 private:
  const std::string* text_;  // lives as long as the process
};

/// Values by the names of metrics, ascending. May be NaN or infinite.
class MetricValues {
 public:
  using Entry = std::pair<MetricName, double>;

  MetricValues() = default;
  MetricValues(std::initializer_list<std::pair<std::string_view, double>> entries);

  /// The value of a metric, which is 0 where there was none.
  double& operator[](std::string_view name);

  /// Throws std::out_of_range where there is none.
  double at(std::string_view name) const;

  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  std::vector<Entry>::const_iterator find(std::string_view name) const;
  bool contains(std::string_view name) const { return find(name) != end(); }
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  void erase(std::string_view name);
  void clear() { entries_.clear(); }

  bool operator==(const MetricValues&) const = default;

 private:
  std::vector<Entry> entries_;
};

}  // namespace ablate::store
