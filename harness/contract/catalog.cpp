// Finds members of the catalogue by name.

#include "harness/contract/catalog.h"

#include "harness/base/find_named.h"

namespace ablate {

const ObjectiveSpec& Catalog::objective(std::string_view name) const {
  return find_named(objectives, "objective", name);
}

const BackboneSpec& Catalog::backbone(std::string_view name) const {
  return find_named(backbones, "backbone", name);
}

const ProbeSpec& Catalog::probe(std::string_view name) const {
  return find_named(probes, "probe", name);
}

}  // namespace ablate
