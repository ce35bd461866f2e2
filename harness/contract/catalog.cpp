// Finds members of the catalogue by name.

#include "harness/contract/catalog.h"

#include <fmt/ranges.h>

#include "harness/base/names.h"

namespace ablate {
namespace {

template <class Spec>
const Spec& find(std::span<const Spec> specs, std::string_view family, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Spec& spec : specs) {
    if (spec.name == name) return spec;
    names.push_back(spec.name);
  }
  reject("no {} is named '{}'; {}there are: {}", family, name, the_closest(name, names),
         fmt::join(names, ", "));
}

}  // namespace

const ObjectiveSpec& Catalog::objective(std::string_view name) const {
  return find(objectives, "objective", name);
}

const BackboneSpec& Catalog::backbone(std::string_view name) const {
  return find(backbones, "backbone", name);
}

const ProbeSpec& Catalog::probe(std::string_view name) const { return find(probes, "probe", name); }

}  // namespace ablate
