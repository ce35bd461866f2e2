// A sweep of any size as files: its experiment, and results as workers would have left them.

#pragma once

#include "tests/harness/store/fake_results.h"

namespace ablate::bench {

/// A temporary folder with a cache of its own, so that what a former run left changes nothing.
class SweepFolder {
 public:
  SweepFolder();

  /// An experiment of `arms` masking rates with `seeds` seeds each, on the built-in language.
  std::filesystem::path experiment(int arms, int seeds) const;

  /// Results of that experiment, every trial completed: the plan is the real one, each journal is
  /// written by the workers' own writer and has what theirs have (100 points of a curve, a ledger,
  /// a measurement of every planned probe with every planned metric); the numbers are made up.
  std::filesystem::path results(int arms, int seeds) const;

  std::filesystem::path path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

}  // namespace ablate::bench
