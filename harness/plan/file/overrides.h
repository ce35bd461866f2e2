// The flags that change an experiment, or choose from it.

#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plan/file/faults.h"
#include "harness/plan/file/merge.h"

namespace ablate::plan {

/// What the command line changes about an experiment file; part of the record.
struct Overrides {
  std::vector<std::string> set;   // "path=value", the value JSON or a bare word
  std::vector<std::string> only;  // "arm=NAME", "seed=1..3", comma-separated
};

/// A "--set path=value"; the value is JSON, or a bare word. Faults are added where it is neither.
std::vector<Assignment> parse_set(const std::vector<std::string>& set, Faults& faults);

/// Refuses flags whose paths an experiment file does not have or that an arm sweeps, and says which
/// arms a flag does not reach because they set the path themselves.
std::vector<std::string> check_set(const std::vector<Assignment>& flags, const Json& merged,
                                   Faults& faults);

/// Which trials "--only" chooses: every arm (seed) where none is named.
struct Selection {
  std::vector<std::string> arms;  // canonical names; '*' and '?' stand for any letters and any one
  std::vector<std::pair<std::int64_t, std::int64_t>> seeds;  // from, to

  bool has_arm(std::string_view name) const;
  bool has_seed(std::int64_t seed) const;
};

/// Parts are separated by commas outside brackets; those of the same kind add up.
Selection parse_only(const std::vector<std::string>& only, Faults& faults);

/// Whether `name` is what `pattern` describes; only '*' and '?' are special.
bool matches(std::string_view pattern, std::string_view name);

/// Whether one of two dotted paths is the other, or encloses it.
bool overlap(std::string_view a, std::string_view b);

}  // namespace ablate::plan
