#include "experiments/catalog.h"

#include "harness/probes/specs.h"
#include "models/specs.h"
#include "objectives/registry.h"

namespace ablate {

const Catalog& catalog() {
  static const Catalog all{objectives(), backbone_specs(), probe_specs(), "transformer"};
  return all;
}

}  // namespace ablate
