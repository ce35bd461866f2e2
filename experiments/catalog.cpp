#include "experiments/catalog.h"

#include "harness/probes/specs.h"
#include "models/bfloat16_spec.h"
#include "models/kernels/simd.h"
#include "models/specs.h"
#include "objectives/registry.h"

namespace ablate {
namespace {

Machine machine() { return {bfloat16_refusal(), std::string(name_of(kernels::level()))}; }

}  // namespace

const Catalog& catalog() {
  static const Catalog all{objectives(), backbone_specs(), probe_specs(), "transformer", machine()};
  return all;
}

}  // namespace ablate
