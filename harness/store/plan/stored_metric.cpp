#include "harness/store/plan/stored_metric.h"

#include <utility>

#include "harness/store/plan/stored_bound.h"

namespace ablate::store {
namespace {

std::optional<std::vector<Bound>> bounds_in(const Json& metric) {
  const auto found = metric.find("bounds");
  if (found == metric.end()) return std::nullopt;
  return stored_bounds(*found);
}

std::optional<MetricIndex> index_in(const Json& metric) {
  const auto found = metric.find("index");
  if (found == metric.end() || !found->is_object()) return std::nullopt;
  const auto value = found->find("value");
  if (value == found->end() || !value->is_number_integer()) return std::nullopt;
  MetricIndex index{.value = value->get<std::int64_t>(),
                    .name = text_at(*found, "name"),
                    .label = text_at(*found, "label"),
                    .description = text_at(*found, "meaning")};
  if (index.name.empty()) return std::nullopt;
  if (index.label.empty()) index.label = index.name;
  return index;
}

}  // namespace

std::string text_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

StoredMetric stored_metric(const Json& json) {
  std::string name = text_at(json, "name"), label = text_at(json, "label");
  if (label.empty()) label = name;
  const auto task = json.find("task");
  return {.name = std::move(name),
          .label = std::move(label),
          .unit = text_at(json, "unit"),
          .better = better_from(text_at(json, "better")),
          .comparable_across = comparable_from(text_at(json, "comparable_across")),
          .description = text_at(json, "meaning"),
          .caveat = text_at(json, "caveat"),
          .subject = text_at(json, "subject"),
          .bounds = bounds_in(json),
          .index = index_in(json),
          .task = task != json.end() && task->is_boolean() && task->get<bool>()};
}

}  // namespace ablate::store
