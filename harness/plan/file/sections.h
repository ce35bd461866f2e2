// The sections of an experiment file and the rows of each. The reader, the schema and the command
// line all use them, so that the three cannot disagree.

#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/catalog.h"

namespace ablate::plan {

/// A section whose rows depend on its tag, as those of "objective" depend on its "type".
struct TaggedSection {
  std::string_view name;
  std::string_view tag;                   // the key
  std::string_view noun;                  // what the tag names
  std::string_view default_value;         // of the tag; empty: it is required
  std::vector<std::string_view> members;  // accepted values of the tag
  std::function<std::span<const Param>(std::string_view)> rows;  // of a member
  std::function<std::string_view(std::string_view)> summary;     // of a member, one line
  std::string_view description;
  std::vector<Param> common = {};  // rows of every member, in addition to its own

  bool has(std::string_view member) const;  // whether the tag may have this value
};

TaggedSection corpus_section();                           // "corpus", by its kind
TaggedSection model_section(const Catalog& catalog);      // "model", by its backbone
TaggedSection objective_section(const Catalog& catalog);  // "objective", by its type
TaggedSection probe_section(const Catalog& catalog);      // one of "probes", by its type

/// `given` with every default filled in: {tag, every parameter}. Adds every error to `refusals`.
Json resolve(const TaggedSection& section, const Json& given, std::vector<Refusal>& refusals);

/// The parameters of a resolved section, without its tag and the rows that all members have.
Params params_of(const TaggedSection& section, const Json& resolved);

// Rows of the sections without a tag; for "train", see train_params().
std::span<const Param> match_params();     // of "match"
std::span<const Param> analysis_params();  // of "analysis"
std::span<const Param> tuning_params();    // of "tuning", without its "learning_rate"
std::span<const Param> limits_params();    // of "limits"
std::span<const Param> launcher_params();  // of "launcher"

/// The seeds of a file that names none: the fewest with which a sign-flip test of one comparison
/// can be significant at .05.
constexpr std::int64_t kDefaultSeeds = 6;
constexpr std::int64_t kMaxTrials = 100'000;                  // maximum of limits.trials
constexpr std::int64_t kMaxSeeds = 10'000;                    // maximum number of seeds
constexpr std::int64_t kLargestSeed = std::int64_t{1} << 53;  // maximum value of a seed

/// The pattern that names of experiments and arms must match.
constexpr std::string_view kNamePattern = "^[a-z0-9][a-z0-9._-]{0,63}$";

/// Whether `text` matches kNamePattern.
bool is_name(std::string_view text);

/// kNamePattern in words, with a name that is like `given`, where one is: a hint for who gave one
/// that does not match.
std::string name_rule(std::string_view given = "");

}  // namespace ablate::plan
