#include "harness/store/plan/stored_metric.h"

#include <utility>

namespace ablate::store {

std::string text_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

StoredMetric stored_metric(const Json& json) {
  std::string name = text_at(json, "name"), label = text_at(json, "label");
  if (label.empty()) label = name;
  return {.name = std::move(name),
          .label = std::move(label),
          .unit = text_at(json, "unit"),
          .better = better_from(text_at(json, "better")),
          .comparable_across = comparable_from(text_at(json, "comparable_across")),
          .description = text_at(json, "meaning"),
          .caveat = text_at(json, "caveat")};
}

}  // namespace ablate::store
