// Faults of the machine, and how to tell them from other exceptions.

#pragma once

#include <exception>
#include <stdexcept>
#include <string>

namespace ablate {

/// A system call that failed: a fault of the machine, not an outcome of what it was doing. The same
/// command can succeed later.
class MachineFault : public std::runtime_error {
 public:
  /// `error`: the value of errno.
  MachineFault(const std::string& message, int error) : runtime_error(message), error_(error) {}

  /// The value of errno.
  int error() const { return error_; }

 private:
  int error_;
};

/// Whether an exception is a fault of the machine: a MachineFault, or an error of std::filesystem.
bool is_machine_fault(const std::exception& error);

/// Whether it says that the disk, or the user's share of it, is full.
bool is_no_space(const std::exception& error);

/// Whether it says that the disk is full or fails, and not that a name is wrong.
bool is_disk_fault(const std::exception& error);

/// From now on a write beyond the limit of a file's size (ulimit -f) fails as one to a full disk does,
/// where the system would end the process. For the main() of a program.
void let_large_files_fail();

/// The message of an exception. One that only names itself, for want of memory or threads, is put in
/// words, with what can be done.
std::string explained(const std::exception& error);

}  // namespace ablate
