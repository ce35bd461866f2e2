#include "harness/probes/cloze/orders_spec.h"

namespace ablate::probes {

double tokens_of_orders(const ProbedArm& arm) {
  const std::size_t orders = cloze_orders_of(arm.objective, arm.params).size();
  if (orders < 2) return 0;
  return static_cast<double>(orders * kDocumentsDevelopment) * static_cast<double>(arm.context);
}

}  // namespace ablate::probes
