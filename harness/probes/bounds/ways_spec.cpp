#include "harness/probes/bounds/ways_spec.h"

namespace ablate::probes {

BoundWays bound_ways(const ObjectiveSpec& objective, const Params& params) {
  const ClozeFormat format = cloze_format_of(objective, params);
  const bool asked = format == ClozeFormat::left || is_told_length(format);
  return {.own = is_text_likelihood(objective, params),
          .chain = asked,
          .orders = format == ClozeFormat::told_length &&
                    generation_of(objective, params) == Generation::unmasking,
          .given = format == ClozeFormat::none && predicts_in_place(objective, params)
                       ? ClozeFormat::told_length
                       : format};
}

}  // namespace ablate::probes
