#include "harness/store/journal/measurement_ids.h"

namespace ablate::store {

std::vector<std::string> measurement_ids(const Json& probes) {
  std::vector<std::string> ids;
  for (const Json& probe : probes) ids.push_back(probe.at("id").get<std::string>());
  for (std::string& id : ids_on_the_way(probes)) ids.push_back(std::move(id));
  return ids;
}

std::vector<std::string> ids_on_the_way(const Json& probes) {
  std::vector<std::string> ids;
  for (const Json& probe : probes) {
    const Json points = probe.value("at", Json::array());
    for (const Json& point : points) ids.push_back(point.at("id").get<std::string>());
  }
  return ids;
}

}  // namespace ablate::store
