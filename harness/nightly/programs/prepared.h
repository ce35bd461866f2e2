// What a night's programs can do, found out before anything is trained or timed; and whether all that a
// suite names is among it.

#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "harness/nightly/programs/programs.h"
#include "harness/nightly/programs/suite.h"

namespace ablate::nightly {

/// What a program says of a suite.
struct Prepared {
  std::map<std::string, Json> plans;           // by experiment; absent where it refuses
  std::map<std::string, std::string> refused;  // by experiment, in words
  std::map<std::string, std::string> golden;   // golden_digests()
  std::set<std::string> benchmarks;            // that the suite's filter matches
  std::string no_benchmarks;                   // why they are not known; empty where they are
};

/// Asks a program. `logs` receives what it says.
Prepared prepare(const Programs& programs, const Suite& suite, const std::filesystem::path& logs);

/// Throws std::invalid_argument with all names of the suite that nothing has, each with its line and
/// what was meant: a metric that no arm has in either plan, or that has no better direction; a filter
/// that matches no benchmark of either program; a series in quarantine that neither tonight nor the
/// last night (`last`) has; a retired one that tonight still has.
void check_names(const Suite& suite, const Prepared& now, const Prepared& baseline,
                 const std::set<std::string>& last);

}  // namespace ablate::nightly
