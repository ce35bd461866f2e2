// The flags --set and --arm, which change an experiment, and --only and --drop, which select trials
// of it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/plan/file/faults.h"
#include "harness/plan/file/merge.h"

namespace ablate::plan {

/// Trials by the name of their arm and their seed.
using TrialPlaces = std::set<std::pair<std::string, std::int64_t>>;

/// What the command line changes about an experiment.
struct Overrides {
  std::vector<std::string> set;   // "path=value", where value is JSON or a bare word
  std::vector<std::string> only;  // "arm=NAME", "seed=1..3", comma-separated
  std::vector<std::string> drop;  // names of arms, or of all arms that one entry makes
  std::vector<std::string> arms;  // "NAME:path=value,path=value": arms to add
  TrialPlaces held;               // stay in the plan whatever `only` and `drop` say
  std::size_t workers = 0;        // that the time is estimated for; 0: one per core
};

/// The assignments of "--set path=value". Adds a fault for each text that does not have this form.
std::vector<Assignment> parse_set(const std::vector<std::string>& set, Faults& faults);

/// The entries of "arms" that "--arm NAME:path=value,..." adds, as values; paths are empty. Adds a
/// fault for each text that does not have this form.
std::vector<Assignment> parse_arms(const std::vector<std::string>& arms, Faults& faults);

/// Refuses flags whose path does not exist in an experiment file or is swept by an arm. Returns a
/// warning for each arm that a flag does not reach because the arm sets the path itself.
std::vector<std::string> check_set(const std::vector<Assignment>& flags, const Json& merged,
                                   Faults& faults);

/// The trials that "--only" and "--drop" select. Names are patterns, see matches(); one without
/// brackets stands for all arms of an entry.
struct Selection {
  std::vector<std::string> arms;                             // canonical names; empty: all arms
  std::vector<std::pair<std::int64_t, std::int64_t>> seeds;  // [from, to]; empty: all seeds
  std::vector<std::string> dropped;                          // canonical names

  /// Whether the arm is selected.
  bool has_arm(std::string_view name) const;

  /// Whether the seed is in a range.
  bool has_seed(std::int64_t seed) const;
};

/// The selection of all flags. Parts of "--only", "arm=NAME" and "seed=FROM..TO", are separated by
/// commas outside brackets. Adds a fault for every other part.
Selection parse_selection(const Overrides& overrides, Faults& faults);

/// Whether a pattern names the arm: matches its name, or the part of it before brackets.
bool names_arm(std::string_view pattern, std::string_view name);

/// Whether `name` matches `pattern`, in which '*' stands for any characters and '?' for any one.
bool matches(std::string_view pattern, std::string_view name);

/// Whether two dotted paths are equal or one is a parent of the other.
bool overlap(std::string_view a, std::string_view b);

}  // namespace ablate::plan
