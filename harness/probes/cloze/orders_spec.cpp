#include "harness/probes/cloze/orders_spec.h"

namespace ablate::probes {

double tokens_of_orders(const ProbedArm& arm) {
  if (arm.objective.cloze_orders == nullptr) return 0;
  const std::size_t orders = arm.objective.cloze_orders(arm.params).size();
  if (orders < 2) return 0;
  return static_cast<double>(orders * kDocumentsDevelopment) * static_cast<double>(arm.context);
}

}  // namespace ablate::probes
