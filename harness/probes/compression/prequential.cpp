#include "harness/probes/compression/prequential.h"

#include <cmath>

namespace ablate::probes {

std::optional<PrequentialCode> prequential_code(const TrainingCourse& course,
                                                std::int64_t vocabulary) {
  if (course.points.empty() || !(course.text_tokens > 0) || !(course.epochs > 0)) return {};
  const double steps = static_cast<double>(course.points.back().step);
  const double first_pass = steps / std::max(1.0, course.epochs);
  PrequentialCode code;
  double nats = 0;   // per scored token, times text tokens
  double known = 0;  // text tokens of points that have a loss
  for (const TrainingPoint& point : course.points) {
    if (static_cast<double>(point.step) > first_pass) break;
    const double read = point.text_tokens - code.tokens;
    nats += point.loss.value_or(0) * read;
    known += point.loss ? read : 0;
    code.tokens = point.text_tokens;
    code.steps = point.step;
  }
  if (!(known > 0) || !std::isfinite(nats)) return {};
  const double scored = course.scored_tokens / course.text_tokens;
  code.bits_per_token = scored * nats / known / std::log(2.0) +
                        (1 - scored) * std::log2(static_cast<double>(vocabulary));
  return code;
}

}  // namespace ablate::probes
