// Puts together the catalogue of this build: all objectives, backbones and probes, and the machine.

#include "experiments/catalog.h"

#include "harness/probes/specs.h"
#include "models/kernels/simd/simd.h"
#include "models/specs/bfloat16_spec.h"
#include "models/specs/head_specs.h"
#include "models/specs/layer_specs.h"
#include "models/specs/specs.h"
#include "objectives/registry.h"

namespace ablate {
namespace {

Machine machine() {
  return {models::bfloat16_refusal(), std::string(name_of(models::kernels::instruction_set()))};
}

}  // namespace

const Catalog& catalog() {
  static const Catalog all{objectives::objective_specs(),
                           models::backbone_specs(),
                           probes::probe_specs(),
                           models::head_specs(),
                           "transformer",
                           machine(),
                           models::mixer_kinds(),
                           models::feed_forward_kinds()};
  return all;
}

}  // namespace ablate
