// A limit of the system for what runs while it lives.

#pragma once

#include <sys/resource.h>

#include "harness/base/posix/machine_fault.h"

namespace ablate {

/// While it lives, this process and its children have a limit, as setrlimit(2) knows them. A file that
/// this process writes beyond RLIMIT_FSIZE fails with EFBIG.
class Limit {
 public:
  Limit(int resource, rlim_t bytes) : resource_(resource) {
    let_large_files_fail();
    ::getrlimit(resource_, &before_);
    const rlimit small = {bytes, before_.rlim_max};
    ::setrlimit(resource_, &small);
  }
  ~Limit() { ::setrlimit(resource_, &before_); }
  Limit(const Limit&) = delete;
  Limit& operator=(const Limit&) = delete;

 private:
  int resource_;
  rlimit before_{};
};

}  // namespace ablate
