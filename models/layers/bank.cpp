// The state that all layers of a bank share, chosen by device and precision.

#include "models/layers/bank.h"

#include "harness/base/error.h"
#include "models/operations/device/device_operations.h"
#include "models/operations/fused/fused_operations.h"
#include "models/operations/plain_operations.h"
#include "models/specs/bfloat16_spec.h"

namespace ablate::models {
namespace {

const train::NetworkSettings& checked(const train::NetworkSettings& settings) {
  if (settings.lanes < 1) reject("lanes = {} is too few; give 1 or more", settings.lanes);
  if (settings.bfloat16 && settings.device == "cpu")
    if (const std::string reason = bfloat16_refusal(); !reason.empty())
      reject("precision: {}", reason);
  return settings;
}

}  // namespace

Bank::Bank(const train::NetworkSettings& settings)
    : lanes(checked(settings).lanes),
      device(settings.device),
      type(settings.bfloat16 ? at::kBFloat16 : at::kFloat),
      operations(!settings.fused   ? plain_operations(!device.is_cpu())
                 : device.is_cpu() ? fused_operations()
                                   : device_operations()),
      parameters(lanes, device, settings.bfloat16 && !device.is_cpu()) {}

}  // namespace ablate::models
