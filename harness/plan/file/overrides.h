// The flags --set and --only, which change an experiment or select trials of it.

#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plan/file/faults.h"
#include "harness/plan/file/merge.h"

namespace ablate::plan {

/// What the command line changes about an experiment.
struct Overrides {
  std::vector<std::string> set;   // "path=value", where value is JSON or a bare word
  std::vector<std::string> only;  // "arm=NAME", "seed=1..3", comma-separated
};

/// The assignments of "--set path=value". Adds a fault for each text that does not have this form.
std::vector<Assignment> parse_set(const std::vector<std::string>& set, Faults& faults);

/// Refuses flags whose path does not exist in an experiment file or is swept by an arm. Returns a
/// warning for each arm that a flag does not reach because the arm sets the path itself.
std::vector<std::string> check_set(const std::vector<Assignment>& flags, const Json& merged,
                                   Faults& faults);

/// The trials that "--only" selects.
struct Selection {
  std::vector<std::string> arms;  // patterns for canonical names, see matches(); empty: all arms
  std::vector<std::pair<std::int64_t, std::int64_t>> seeds;  // [from, to]; empty: all seeds

  bool has_arm(std::string_view name) const;  // whether a pattern matches the arm's name
  bool has_seed(std::int64_t seed) const;     // whether the seed is in a range
};

/// The selection of all "--only" flags. Their parts, "arm=NAME" and "seed=FROM..TO", are separated
/// by commas outside brackets. Adds a fault for every other part.
Selection parse_only(const std::vector<std::string>& only, Faults& faults);

/// Whether `name` matches `pattern`, in which '*' stands for any characters and '?' for any one.
bool matches(std::string_view pattern, std::string_view name);

/// Whether two dotted paths are equal or one is a parent of the other.
bool overlap(std::string_view a, std::string_view b);

}  // namespace ablate::plan
