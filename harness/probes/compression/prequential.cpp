#include "harness/probes/compression/prequential.h"

#include <cmath>

namespace ablate::probes {

std::optional<PrequentialCode> prequential_code(const TrainingCourse& course,
                                                std::int64_t vocabulary) {
  if (course.points.empty() || !(course.text_tokens > 0) || !(course.epochs > 0)) return {};
  const double steps = static_cast<double>(course.points.back().step);
  const double first_pass = steps / std::max(1.0, course.epochs);
  PrequentialCode code;
  double nats = 0;  // per scored token, times text tokens
  for (const TrainingPoint& point : course.points) {
    if (static_cast<double>(point.step) > first_pass) break;
    nats += point.loss * (point.text_tokens - code.tokens);
    code.tokens = point.text_tokens;
    code.steps = point.step;
  }
  if (!(code.tokens > 0) || !std::isfinite(nats)) return {};
  const double scored = course.scored_tokens / course.text_tokens;
  code.bits_per_token = scored * nats / code.tokens / std::log(2.0) +
                        (1 - scored) * std::log2(static_cast<double>(vocabulary));
  return code;
}

}  // namespace ablate::probes
