#include "harness/plan/read/read_probes.h"

#include <fmt/core.h>

#include <set>

#include "harness/plan/read/refusals.h"

namespace ablate::plan {
namespace {

/// What messages call a probe: as --set names it, or by its place in the list.
std::string probe_label(const Json& probe, std::size_t index) {
  const std::string name = probe.is_object() ? probe_name(probe) : "";
  return name.empty() ? fmt::format("probes[{}]", index) : fmt::format("probes.{}", name);
}

/// When a probe measures on the way; never, after adding a fault, where its points are refused.
/// `place`: of its "at" in the files.
OnTheWay read_points(const ProbeSpec& spec, const Json& probe, const Place& place, Faults& faults) {
  if (!probe.contains("at")) return {};
  try {
    if (spec.phase_metrics == nullptr) return on_the_way_of(probe.at("at"));
    faults.add(
        place,
        fmt::format("probe '{}' compares the ends of phases, so it cannot measure on the way",
                    spec.name),
        "leave out \"at\"");
  } catch (const std::invalid_argument& error) {
    faults.add(place, fmt::format("probe '{}': {}", probe_name(probe), error.what()));
  }
  return {};
}

}  // namespace

std::vector<PlannedProbe> read_probes(const Catalog& catalog, const Sources& sources,
                                      Faults& faults) {
  const TaggedSection tagged = probe_section(catalog);
  std::vector<PlannedProbe> probes;
  const Json given = sources.merged().value("probes", Json::array());
  if (!given.is_array()) {
    faults.add(sources.value_at("/probes"),
               "probes must be a list of names or objects with a \"type\"");
    return probes;
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < given.size() && !faults.full(); ++i) {
    const Json probe = given[i].is_string() ? Json{{"type", given[i]}} : given[i];
    std::vector<Refusal> refusals;
    Json resolved = resolve(tagged, probe, refusals);
    const std::string entry = fmt::format("/probes/{}", i);
    if (!add_refusals(refusals, probe_label(probe, i), sources, entry, faults)) continue;
    const ProbeSpec& spec = catalog.probe(resolved.at("type").get<std::string>());
    if (const std::string name = probe_name(resolved); !names.insert(name).second)
      faults.add(
          sources.value_at(entry), fmt::format("probe '{}' is listed twice", name),
          "a probe's metrics are named after it: list it once, or give it a \"name\" where it "
          "accepts one");
    Params params = params_of(tagged, resolved);
    OnTheWay points = read_points(spec, resolved, sources.value_at(entry + "/at"), faults);
    resolved.erase("at");
    probes.push_back({&spec, std::move(params), std::move(resolved), entry, std::move(points)});
  }
  return probes;
}

}  // namespace ablate::plan
