// Merges settings: files over the files that they extend, arms over defaults, flags over both.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate::plan {

/// The key that decides which parameters a section has, such as "type" for "objective"; empty if
/// there is no such key.
std::string_view tag_of_section(std::string_view section);

/// Merges `patch` into `target` by RFC 7396: objects are merged, null removes a key, everything
/// else replaces the value. There are two additions: a new tag removes the parameters of the
/// previous type, except of a model, whose sizes stay for the arm to choose from; and a new budget,
/// or a new "at" of a probe, removes the previous one. `pointer`: where `target` is in an experiment
/// file, or in the entry of a probe.
void merge(Json& target, const Json& patch, const std::string& pointer = "");

/// A value for a dotted path, and where it was given: in a file or by a flag.
struct Assignment {
  std::string path;
  Json value;
  std::string pointer;  // JSON pointer to the value in the file; empty if a flag gave it
  std::string flag;     // such as "--set objective.rate=0.5"
};

/// The name of a probe in the list: its "name", or else its type. `entry`: "TYPE" or {"type", ...}.
/// Empty where it is neither.
std::string probe_name(const Json& entry);

/// A path into the list of probes.
struct ProbePath {
  std::string name;  // as probe_name() says
  std::string rest;  // path of a setting of the probe; empty: the probe itself
};

/// "probes.generation.samples" as {"generation", "samples"}; nothing for other paths.
std::optional<ProbePath> probe_path(std::string_view path);

/// Makes all assignments. Those that set a tag come first, so that none of them removes what
/// another one has set. A probe that a path names is added to the list if it is not there.
void assign(Json& settings, std::vector<Assignment> assignments);

/// The dotted path as a JSON pointer: "objective.rate" as "/objective/rate".
std::string pointer_of(std::string_view path);

/// The value at a JSON pointer without escapes; null if there is none.
const Json* find_pointer(const Json& value, std::string_view pointer);

}  // namespace ablate::plan
