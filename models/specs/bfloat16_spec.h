// Whether this machine's processor computes products of bfloat16, asked by planning too.

#pragma once

#include <string>

namespace ablate::models {

/// Why bfloat16 cannot be had on this processor; empty where it can.
std::string bfloat16_refusal();

}  // namespace ablate::models
