#include "harness/base/names.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

namespace ablate {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> cost((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return cost[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = a[i - 1] == b[j - 1] ? 0 : 1;
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + change});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  return cost.back();
}

namespace {

constexpr std::size_t kLongestMisspelling = 100;  // beyond it a comparison is not worth its time

}  // namespace

bool is_run_of_words(std::string_view part, std::string_view whole) {
  return !part.empty() && part.size() < whole.size() &&
         fmt::format("_{}_", whole).find(fmt::format("_{}_", part)) != std::string::npos;
}

std::string_view closest_match(std::string_view given, std::span<const std::string_view> names) {
  std::string_view best;
  if (given.size() > kLongestMisspelling) return best;
  for (const std::string_view name : names)
    if (is_run_of_words(name, given) && name.size() > best.size()) best = name;
  if (!best.empty()) return best;
  for (const std::string_view name : names)  // the first setting of several: "mlm[rate=0.15]"
    if (name.starts_with(fmt::format("{}[", given))) return name;
  std::size_t minimum = std::max<std::size_t>(2, given.size() / 3) + 1;
  for (const std::string_view name : names) {
    const std::size_t distance = edit_distance(given, name);
    if (distance < minimum && distance < name.size()) {
      minimum = distance;
      best = name;
    }
  }
  return best;
}

std::vector<std::string_view> closest_names(std::string_view given,
                                            std::span<const std::string_view> names,
                                            std::size_t count) {
  given = given.substr(0, kLongestMisspelling);
  std::vector<std::pair<std::size_t, std::string_view>> by_distance;
  for (const std::string_view name : names)
    by_distance.emplace_back(is_run_of_words(name, given) ? 0 : edit_distance(given, name), name);
  std::stable_sort(by_distance.begin(), by_distance.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string_view> closest;
  for (std::size_t i = 0; i < std::min(count, by_distance.size()); ++i)
    closest.push_back(by_distance[i].second);
  return closest;
}

bool is_safe_folder_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 &&
         std::all_of(name.begin(), name.end(),
                     [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_'; });
}

std::string suggestion(std::string_view given, std::span<const std::string_view> names,
                       std::string_view list, char quote) {
  const std::string_view near = closest_match(given, names);
  return near.empty() ? fmt::format("{}: {}", list, fmt::join(names, ", "))
                      : fmt::format("did you mean {}{}{}?", quote, near, quote);
}

std::string did_you_mean(std::string_view given, std::span<const std::string_view> names) {
  const std::string_view near = closest_match(given, names);
  return near.empty() ? ";" : fmt::format("; did you mean '{}'?", near);
}

std::string the_closest(std::string_view given, std::span<const std::string_view> names) {
  const std::string_view near = closest_match(given, names);
  return near.empty() ? "" : fmt::format("the closest is '{}'; ", near);
}

}  // namespace ablate
