// Takes the ids out of probes, and puts them in again.

#include "harness/plan/trial/trial_probes.h"

#include <fmt/core.h>

namespace ablate::plan {
namespace {

constexpr const char* kPoints = "at";  // on the way

/// Calls `visit` with what has an id: each probe, then the points of each on the way.
template <class SomeJson, class Visit>
void each_measurement(SomeJson& probes, const Visit& visit) {
  for (auto& probe : probes) visit(probe);
  for (auto& probe : probes)
    if (const auto points = probe.find(kPoints); points != probe.end())
      for (auto& point : *points) visit(point);
}

}  // namespace

TrialProbes::TrialProbes() : TrialProbes(Json::array()) {}

TrialProbes::TrialProbes(Json probes) {
  probes.get_ref<Json::array_t&>();
  each_measurement(probes, [&](Json& made) {
    auto& members = made.get_ref<Json::object_t&>();
    const auto id = members.find("id");
    ids_.push_back(id == members.end() ? "" : id->second.get<std::string>());
    if (id != members.end()) members.erase(id);
  });
  settings_ = std::make_shared<const Json>(std::move(probes));
}

std::vector<std::string> TrialProbes::ids_on_the_way() const {
  return {ids_.begin() + static_cast<std::ptrdiff_t>(size()), ids_.end()};
}

TrialProbes TrialProbes::with_ids(std::vector<std::string> ids) const {
  if (ids.size() != ids_.size())
    throw Json::out_of_range::create(
        401, fmt::format("{} ids of {} measurements", ids.size(), ids_.size()), nullptr);
  return {settings_, std::move(ids)};
}

void to_json(Json& json, const TrialProbes& probes) {
  json = probes.settings();
  auto id = probes.ids().begin();
  each_measurement(json, [&](Json& made) {
    if (!id->empty()) made["id"] = *id;
    ++id;
  });
}

void from_json(const Json& json, TrialProbes& probes) { probes = TrialProbes(json); }

}  // namespace ablate::plan
