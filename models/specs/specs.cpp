// The backbones, to those who plan, in alphabetical order. To add one: write models/NAME_spec.cpp,
// which defines NAME_spec(), and its builder, and add it to both lists (the other one:
// models/registry.cpp).

#include "models/specs/specs.h"

#define ABLATE_BACKBONES(X) \
  X(decoder)                \
  X(encoder)                \
  X(encoder_decoder)        \
  X(prefix_decoder)         \
  X(transformer)

namespace ablate::models {

#define ABLATE_DECLARE(name) BackboneSpec name##_spec();
ABLATE_BACKBONES(ABLATE_DECLARE)
#undef ABLATE_DECLARE

std::span<const BackboneSpec> backbone_specs() {
#define ABLATE_CALL(name) name##_spec(),
  static const std::vector<BackboneSpec> specs = {ABLATE_BACKBONES(ABLATE_CALL)};
#undef ABLATE_CALL
  return specs;
}

}  // namespace ablate::models
