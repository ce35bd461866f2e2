// Finds what a word stands for among everything that `ablate describe` knows.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/plan/describe/families.h"

namespace ablate::plan {

/// A word that the field has for something, such as "BERT".
struct FieldWord {
  std::string_view word;
  std::string_view name;  // what find_named() knows it by; empty: it is not offered
  std::string_view note;  // with which settings it is that, or what is nearest; may be empty
};
using FieldWords = std::span<const FieldWord>;

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
  const FieldWord* word = nullptr;  // by which it was found, if it was
};

/// What a word stands for: the name of a family or of a member, the key of an experiment file that
/// a family stands under ("model"), a dotted path as of --set ("train.batch"), the name of a setting,
/// or a word of the field, of which letters and digits alone count, in either case ("Masked LM", "bert").
/// Throws std::invalid_argument for any other, with the closest name where one is close, and for a word
/// of what is not offered, with what is nearest.
Named find_named(const Families& families, const std::string& name, FieldWords words);

}  // namespace ablate::plan
