#include "harness/store/index/values/metric_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <set>
#include <stdexcept>

namespace ablate::store {
namespace {

const std::string* kept_name(std::string_view name) {
  static std::mutex turn;
  static std::set<std::string, std::less<>> kept;
  const std::lock_guard lock(turn);
  const auto found = kept.find(name);
  return &*(found != kept.end() ? found : kept.emplace(name).first);
}

constexpr auto kEntryName = [](const MetricValues::Entry& entry) -> std::string_view {
  return entry.first.text();
};

}  // namespace

MetricName::MetricName(std::string_view name) : text_(kept_name(name)) {}

MetricValues::MetricValues(std::initializer_list<std::pair<std::string_view, double>> entries) {
  for (const auto& [name, value] : entries) (*this)[name] = value;
}

double& MetricValues::operator[](std::string_view name) {
  auto place = std::ranges::lower_bound(entries_, name, {}, kEntryName);
  if (place == entries_.end() || kEntryName(*place) != name)
    place = entries_.emplace(place, MetricName(name), 0.0);
  return place->second;
}

double MetricValues::at(std::string_view name) const {
  const auto found = find(name);
  if (found == end()) throw std::out_of_range(fmt::format("no metric '{}'", name));
  return found->second;
}

std::vector<MetricValues::Entry>::const_iterator MetricValues::find(std::string_view name) const {
  const auto place = std::ranges::lower_bound(entries_, name, {}, kEntryName);
  return place != entries_.end() && kEntryName(*place) == name ? place : entries_.end();
}

void MetricValues::erase(std::string_view name) {
  if (const auto found = find(name); found != end()) entries_.erase(found);
}

}  // namespace ablate::store
