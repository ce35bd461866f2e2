// The configuration of a trial, in memory that trials share.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "harness/base/json/json.h"

namespace ablate::plan {

/// An object of sections, converted from and to JSON. Copies share all of them but "seed", so that
/// 100,000 trials of an experiment hold the sections of its arms and a seed each.
class TrialConfig {
 public:
  TrialConfig();  // no sections

  /// Takes the sections of an object. Throws Json::exception if it is none.
  TrialConfig(Json object);

  /// A section. Throws Json::exception if there is none of that name.
  const Json& at(std::string_view name) const;

  /// A section for writing, which copies made before do not share; null if there was none of that
  /// name. Valid until this object changes or is copied.
  Json& operator[](std::string_view name);

  /// The object without "seed".
  Json without_seed() const;

  /// Whether the two are copies that share their sections: then they differ in "seed" at most.
  bool shares_with(const TrialConfig& other) const { return sections_ == other.sections_; }

  /// Sets `json` to the object of all sections.
  friend void to_json(Json& json, const TrialConfig& config);

 private:
  using Sections = std::map<std::string, Json, std::less<>>;

  std::shared_ptr<Sections> sections_;  // written to by its only owner
  Json seed_;                           // null: there is none
};

/// Reads what to_json() wrote. Throws Json::exception if it is no object.
void from_json(const Json& json, TrialConfig& config);

}  // namespace ablate::plan
