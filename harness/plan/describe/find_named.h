// Finds what a word stands for among everything that `ablate describe` knows.

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plan/describe/families.h"

namespace ablate::plan {

/// Short names that members go by, such as "mlm", and the names of those members.
using ShortNames = std::map<std::string_view, std::string_view>;

/// A setting and what has it: a member, or a family of settings.
struct OwnedSetting {
  std::string owner;
  Entry setting;
};

/// What a word stands for: a family; if that is null, an entry; if that is null too, settings.
struct Named {
  std::string_view family_name;
  const std::vector<Entry>* family = nullptr;
  const Entry* entry = nullptr;
  std::vector<OwnedSetting> settings;
};

/// What a word stands for: the name of a family or of a member, the key of an experiment file that
/// a family stands under ("model"), a short name, a dotted path as of --set ("train.batch"), or the
/// name of a setting. Throws std::invalid_argument for any other, with the closest name where one
/// is close.
Named find_named(const Families& families, const std::string& name, const ShortNames& short_names);

}  // namespace ablate::plan
