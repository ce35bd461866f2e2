// How settings are laid over settings: files that extend files, arms over defaults, flags over
// both.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/json/json.h"

namespace ablate::plan {

/// The key that says which rows a section has ("type" of "objective"); empty where none does.
std::string_view tag_of_section(std::string_view section);

/// Lays `patch` over `target` by RFC 7396 (objects merge, null removes, all else replaces), with
/// one addition: a setting that replaces a way of saying something removes what belonged to the
/// former one. So another tag drops the former type's parameters, and another budget the former
/// budget. `pointer`: where in an experiment file the target is.
void merge(Json& target, const Json& patch, const std::string& pointer = "");

/// A value that is given for a dotted path, and where: a pointer into the file, or a flag.
struct Assignment {
  std::string path;
  Json value;
  std::string pointer;  // of the value; empty where a flag gave it
  std::string flag;     // such as "--set objective.rate=0.5"
};

/// "probes.generation.samples" as {"generation", "samples"}: a probe of the list is named by its
/// type. Nothing for other paths.
struct ProbePath {
  std::string type;
  std::string rest;  // empty: the probe as a whole
};
std::optional<ProbePath> probe_path(std::string_view path);

/// Makes all the assignments, those that choose a tag first, so that none of them drops another. A
/// probe that a path names and the list lacks is added to it.
void assign(Json& settings, std::vector<Assignment> assignments);

/// "objective.rate" as "/objective/rate".
std::string pointer_of(std::string_view path);

/// The value at a pointer without escapes; null where there is none.
const Json* find_pointer(const Json& value, std::string_view pointer);

}  // namespace ablate::plan
