// Everything that experiment files can name, in the families that `ablate describe` prints, made
// from the rows that also check the files.

#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "harness/contract/catalog.h"
#include "harness/plan/describe/metrics.h"

namespace ablate::plan {

/// What is known of an objective, a backbone, a layer, a head, a probe or a kind of corpus.
struct Member {
  std::span<const Param> params;
  std::optional<int> version;                // none for a layer, a head and a kind of corpus
  const ObjectiveSpec* objective = nullptr;  // null if it is not an objective
  std::string_view source = {};              // of a layer or a head: the paper that defines it
};

/// A setting of "train" or of a phase. Null: it is not declared as a parameter, because what it
/// accepts depends on a tag.
using Setting = const Param*;

/// A member of a family.
struct Entry {
  std::string name;
  std::string summary;  // one line
  std::variant<Member, MeasuredMetric, Setting> details;
};

/// The families by name.
using Families = std::map<std::string_view, std::vector<Entry>>;

/// The names of the families, in the order in which they are printed.
std::span<const std::string_view> described_families();

/// All families. They refer to the catalogue.
Families families_of(const Catalog& catalog);

/// The same without metrics, which take most of the time.
Families families_without_metrics(const Catalog& catalog);

/// The same with the metrics of a frozen plan, planned_metrics(), in place of those that probes have by
/// default. They refer to the plan, too.
Families families_of(const Catalog& catalog, const Json& plan);

/// Whether a value must be given.
bool is_required(const Param& param);

/// Whether the parameter is an object with fields, or a list of such objects.
bool has_fields(const Param& param);

/// The values that a choice, or each member of a list of choices, accepts; empty for any other.
std::span<const std::string_view> choices_of(const Param& param);

/// The lines of a text that are not empty.
std::vector<std::string_view> lines_in(std::string_view text);

}  // namespace ablate::plan
