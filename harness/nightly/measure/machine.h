// What the machine is, as far as speed and bits depend on it.

#pragma once

#include <string>

#include "harness/base/json/json.h"

namespace ablate::nightly {

/// {"processor", "microcode", "cache", "cores", "memory_gib", "kernel", "system", "flags"}. Nothing in it is
/// measured: a calibrated clock frequency would make several machines of one.
Json describe_machine();

/// A short name for a description, of 12 hexadecimal digits; equal descriptions have equal names.
std::string fingerprint_of(const Json& machine);

}  // namespace ablate::nightly
