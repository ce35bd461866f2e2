#include "harness/base/posix/machine_fault.h"

#include <fmt/core.h>
#include <signal.h>

#include <cerrno>
#include <filesystem>
#include <new>
#include <optional>
#include <system_error>

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

void let_large_files_fail() { ::signal(SIGXFSZ, SIG_IGN); }

std::string explained(const std::exception& error) {
  constexpr const char* kAdvice =
      "; raise the limit (ulimit -v, or the memory of the job), or let less be done at a time "
      "(--workers, --lanes)";
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr)
    return fmt::format("there is not enough memory ({}){}", error.what(), kAdvice);
  const auto* const refused = dynamic_cast<const std::system_error*>(&error);
  if (refused != nullptr && refused->code() == std::errc::resource_unavailable_try_again)
    return fmt::format("the system refuses a thread or a process ({}){}", error.what(), kAdvice);
  return error.what();
}

bool is_disk_fault(const std::exception& error) {
  return is_no_space(error) || error_of(error) == EIO;
}

}  // namespace ablate
