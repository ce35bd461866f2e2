// The sections of an experiment file: which rows each has. Read by the reader, the schema and the
// command line, so that the three cannot disagree.

#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/catalog.h"

namespace ablate::plan {

/// A section whose rows depend on its tag: "objective" on its "type".
struct TaggedSection {
  std::string_view name;
  std::string_view tag;
  std::string_view noun;           // what the tag names
  std::string_view default_value;  // where no tag is given; empty: it must be
  std::vector<std::string_view> members;
  std::function<std::span<const Param>(std::string_view)> rows;  // of a member
  std::function<std::string_view(std::string_view)> summary;     // of a member, one line
  std::string_view description;

  bool has(std::string_view member) const;
};

TaggedSection corpus_section();
TaggedSection model_section(const Catalog& catalog);
TaggedSection objective_section(const Catalog& catalog);
TaggedSection probe_section(const Catalog& catalog);

/// {tag, every parameter} of a given section. Whatever is wrong is added to `refusals`.
Json resolve(const TaggedSection& section, const Json& given, std::vector<Refusal>& refusals);

/// The parameters of a resolved section, its tag apart.
Params params_of(const TaggedSection& section, const Json& resolved);

/// Rows of the sections whose rows are fixed; train_params() has those of "train".
std::span<const Param> match_params();
std::span<const Param> analysis_params();
std::span<const Param> limits_params();

/// Most seeds, and the largest one.
constexpr std::int64_t kMaxSeeds = 10'000;
constexpr std::int64_t kLargestSeed = std::int64_t{1} << 53;

/// What names of experiments and arms look like: ^[a-z0-9][a-z0-9._-]{0,63}$
constexpr std::string_view kNamePattern = "^[a-z0-9][a-z0-9._-]{0,63}$";
bool is_name(std::string_view text);

}  // namespace ablate::plan
