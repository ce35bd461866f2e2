// Runs an experiment look by look, until its question is decided.

#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "harness/statistics/sequential/looks.h"

namespace ablate::run {

/// What the records say after a look.
struct LookResult {
  bool decided = false;  // whether more seeds can change no verdict
  std::string verdicts;  // of every arm, for a person
};

/// What running look by look needs of the program that does it. Looks are counted from 1.
struct LookStage {
  std::function<int(std::size_t look)> run;  // runs what is left of the look; returns the exit code
  std::function<LookResult()> judge;         // from the journals alone
  std::function<void(const std::string& note)> note;
};

/// Goes on from look `first` until the question is decided or no look is left, and returns the exit
/// code of the last run. A run that ends with another code than ok or some_failed stops at its look,
/// and the same command goes on there: what was decided depends on the journals alone.
int run_looks(const statistics::Looks& looks, std::size_t first, const LookStage& stage);

}  // namespace ablate::run
