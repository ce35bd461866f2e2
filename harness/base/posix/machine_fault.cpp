#include "harness/base/posix/machine_fault.h"

#include <cerrno>
#include <filesystem>
#include <optional>

namespace ablate {
namespace {

/// The value of errno that an exception tells of; nothing where it is no fault of the machine.
std::optional<int> error_of(const std::exception& error) {
  if (const auto* fault = dynamic_cast<const MachineFault*>(&error)) return fault->error();
  const auto* fault = dynamic_cast<const std::filesystem::filesystem_error*>(&error);
  return fault == nullptr ? std::nullopt : std::optional(fault->code().value());
}

}  // namespace

bool is_machine_fault(const std::exception& error) { return error_of(error).has_value(); }

bool is_no_space(const std::exception& error) {
  const std::optional<int> number = error_of(error);
  return number == ENOSPC || number == EDQUOT || number == EFBIG;
}

bool is_disk_fault(const std::exception& error) {
  return is_no_space(error) || error_of(error) == EIO;
}

}  // namespace ablate
