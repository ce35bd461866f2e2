// Whether the processor supports bfloat16 products. Used by planning and by the builders.

#pragma once

#include <string>

namespace ablate::models {

/// Why this processor cannot train in bfloat16; empty if it can.
std::string bfloat16_refusal();

}  // namespace ablate::models
