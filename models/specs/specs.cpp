// The specs of all backbones, for planning.

#include "models/specs/specs.h"

#include <vector>

#include "models/specs/backbones.inc"

namespace ablate::models {

#define ABLATE_DECLARE(name, network) BackboneSpec name##_spec();
ABLATE_BACKBONES(ABLATE_DECLARE)
#undef ABLATE_DECLARE

std::span<const BackboneSpec> backbone_specs() {
#define ABLATE_CALL(name, network) name##_spec(),
  static const std::vector<BackboneSpec> specs = {ABLATE_BACKBONES(ABLATE_CALL)};
#undef ABLATE_CALL
  return specs;
}

}  // namespace ablate::models
