// The law that every fuzz target holds: an input is accepted, or refused in a documented way.

#pragma once

#include <fmt/core.h>

#include <cstdlib>
#include <exception>
#include <typeinfo>

#include "harness/base/error.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/plan/file/faults.h"

namespace ablate::fuzz {

/// Whether an exception is one that our functions document. What the standard library, the JSON
/// library and the system throw by themselves (out of range, bad allocation, a mistyped value) must
/// not get out, although some of these types have the same bases.
inline bool is_documented(const std::exception& error) {
  const std::type_info& type = typeid(error);
  return type == typeid(std::invalid_argument) || type == typeid(std::runtime_error) ||
         type == typeid(DamagedFile) || type == typeid(MachineFault) ||
         type == typeid(plan::ExperimentRefused);
}

/// Reads an input by `work`. Where that throws anything but a documented exception, the program
/// aborts, as for any other crash.
template <class Work>
void accept_or_refuse(Work work) {
  try {
    work();
  } catch (const std::exception& error) {
    if (is_documented(error)) return;
    fmt::print(stderr, "not a documented exception: {}: {}\n", typeid(error).name(), error.what());
    std::abort();
  }
}

}  // namespace ablate::fuzz
