#include "harness/plan/describe/find_named.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "harness/base/error.h"
#include "harness/base/names.h"
#include "harness/plan/file/shipped.h"

namespace ablate::plan {
namespace {

/// Keys of experiment files whose family has another name.
const std::map<std::string_view, std::string_view>& families_by_key() {
  static const std::map<std::string_view, std::string_view> keys = {
      {"arm", "sweep"},       {"arms", "sweep"},           {"backbone", "backbones"},
      {"corpus", "corpora"},  {"metric", "metrics"},       {"mixer", "mixers"},
      {"model", "backbones"}, {"objective", "objectives"}, {"probe", "probes"}};
  return keys;
}

std::string_view family_of(std::string_view key) {
  const auto found = families_by_key().find(key);
  return found == families_by_key().end() ? key : found->second;
}

/// The letters and digits of a name, in lower case.
std::string letters_of(std::string_view name) {
  std::string letters;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letters;
}

/// The word of the field that a name is, or null.
const FieldWord* word_of(FieldWords words, std::string_view name) {
  const std::string letters = letters_of(name);
  for (const FieldWord& word : words)
    if (letters_of(word.word) == letters) return &word;
  return nullptr;
}

/// The member of a family that a word stands for; else the word.
std::string_view full_name(FieldWords words, std::string_view name) {
  const FieldWord* const word = word_of(words, name);
  return word == nullptr || word->name.empty() ? name : word->name;
}

/// A dotted path without its first name, which it returns.
std::string_view take_first(std::string_view& path) {
  const std::string_view first = path.substr(0, path.find('.'));
  path.remove_prefix(std::min(path.size(), first.size() + 1));
  return first;
}

/// Adds the setting at a dotted path below a parameter.
void add_setting(const Param& param, std::string_view path, const std::string& owner,
                 std::vector<OwnedSetting>& found) {
  if (path.empty())
    return found.push_back(
        {owner, {std::string(param.name), std::string(param.description), &param}});
  if (!has_fields(param)) return;
  const std::string_view name = take_first(path);
  for (const Param& field : param.fields)
    if (field.name == name)
      add_setting(field, path, fmt::format("{}.{}", owner, param.name), found);
}

/// Adds the settings at a dotted path below an entry. `owner`: of a setting.
void add_settings_of(const Entry& entry, std::string_view path, std::string_view owner,
                     std::vector<OwnedSetting>& found) {
  const std::string_view name = take_first(path);
  if (const auto* const member = std::get_if<Member>(&entry.details)) {
    for (const Param& param : member->params)
      if (param.name == name) add_setting(param, path, entry.name, found);
  } else if (const auto* const setting = std::get_if<Setting>(&entry.details)) {
    if (entry.name != name) return;
    if (*setting != nullptr)
      add_setting(**setting, path, std::string(owner), found);
    else if (path.empty())
      found.push_back({std::string(owner), entry});
  }
}

/// What stands at a dotted path below a family: one of its members, a setting of a member, or the
/// settings of this name of all of them.
Named find_below(std::string_view family, const std::vector<Entry>& entries, std::string_view path,
                 FieldWords words) {
  std::string_view rest = path;
  const std::string_view member = full_name(words, take_first(rest));
  Named named;
  for (const Entry& entry : entries) {
    const bool is_it = entry.name == member && std::holds_alternative<Member>(entry.details);
    if (is_it && rest.empty()) return {.entry = &entry};
    add_settings_of(entry, is_it ? rest : path, family, named.settings);
  }
  return named;
}

/// Whether what a family's members have can be set: objectives set the heads' parameters for them.
bool is_set_by_files(std::string_view family) { return family != "prediction_heads"; }

/// The settings of this name of everything that has one.
std::vector<OwnedSetting> settings_named(const Families& families, std::string_view name) {
  std::vector<OwnedSetting> found;
  for (const auto& [family, entries] : families) {
    if (!is_set_by_files(family)) continue;
    for (const Entry& entry : entries) add_settings_of(entry, name, family, found);
  }
  return found;
}

/// Of members of one name, the first as the families are printed: an objective before the head that it
/// asks for.
const Entry* entry_named(const Families& families, std::string_view name) {
  for (const std::string_view family : described_families())
    for (const Entry& entry : families.at(family))
      if (!std::holds_alternative<Setting>(entry.details) && entry.name == name) return &entry;
  return nullptr;
}

/// What a dotted path stands for; nothing is set where it stands for nothing.
Named find_path(const Families& families, std::string_view path, FieldWords words) {
  std::string_view rest = path;
  const std::string_view first = take_first(rest);
  if (const auto family = families.find(family_of(first)); family != families.end())
    return find_below(family->first, family->second, rest, words);
  Named named;
  if (const Entry* const entry = entry_named(families, full_name(words, first)))
    add_settings_of(*entry, rest, entry->name, named.settings);
  return named;
}

/// By the name of a setting, what has one of this name: members, and families of settings.
using Owners = std::map<std::string_view, std::vector<std::string_view>>;

Owners owners_of_settings(const Families& families) {
  Owners owners;
  for (const auto& [family, entries] : families) {
    if (!is_set_by_files(family)) continue;
    for (const Entry& entry : entries)
      if (const auto* const member = std::get_if<Member>(&entry.details))
        for (const Param& param : member->params) owners[param.name].push_back(entry.name);
      else if (std::holds_alternative<Setting>(entry.details))
        owners[entry.name].push_back(family);
  }
  return owners;
}

/// The setting that a name is most likely meant for: one that it is a part of ("spm"), a part of it
/// ("fim_rate"), or a misspelling in at most a third of its letters. Empty where there is none.
std::string_view closest_setting(const Owners& owners, const std::string& name) {
  std::vector<std::string_view> names;
  for (const auto& [setting, by] : owners) {
    if (is_run_of_words(name, setting)) return setting;
    names.push_back(setting);
  }
  const std::string_view near = closest_match(name, names);
  const bool close = is_run_of_words(near, name) || 3 * edit_distance(near, name) <= name.size();
  return close ? near : "";
}

[[noreturn]] void refuse(const Families& families, const std::string& name) {
  std::vector<std::string_view> names;
  for (const auto& [family, entries] : families) {
    names.push_back(family);
    for (const Entry& entry : entries)
      if (!std::holds_alternative<Setting>(entry.details)) names.push_back(entry.name);
  }
  for (const auto& [key, family] : families_by_key())
    if (key.size() > 4) names.push_back(key);  // short words are close to anything
  const std::string given = name.substr(0, 80);
  if (shipped_file(name))
    reject("'{0}' is an experiment that comes with the program; `ablate plan {0}` describes it",
           given);
  const Owners owners = owners_of_settings(families);
  const std::string_view near = closest_match(name, names);
  if (!near.empty()) reject("nothing is named '{}'; did you mean '{}'?", given, near);
  if (const std::string_view setting = closest_setting(owners, name); !setting.empty())
    reject("nothing is named '{}'; did you mean the setting '{}' of {}?", given, setting,
           fmt::join(owners.at(setting), ", "));
  if (given.find('.') != given.npos)
    reject(
        "nothing is named '{}'; `ablate describe` lists all names, and with --results DIR also the "
        "metrics of an experiment's own settings",
        given);
  reject("nothing is named '{}'; `ablate describe` lists all names", given);
}

/// What a name stands for as it is written here; nothing is set where it stands for nothing.
Named find_exactly(const Families& families, const std::string& name, FieldWords words) {
  if (const auto family = families.find(family_of(name)); family != families.end())
    return {.family_name = family->first, .family = &family->second};
  if (const Entry* const entry = entry_named(families, name)) return {.entry = entry};
  Named named = find_path(families, name, words);
  if (named.entry == nullptr && named.settings.empty())
    named.settings = settings_named(families, name);
  return named;
}

bool is_found(const Named& named) {
  return named.family != nullptr || named.entry != nullptr || !named.settings.empty();
}

/// The name of a family, a member or a setting that has these letters; empty if none has.
std::string name_with_letters(const Families& families, const std::string& letters) {
  for (const auto& [family, entries] : families) {
    if (letters_of(family) == letters) return std::string(family);
    for (const Entry& entry : entries)
      if (letters_of(entry.name) == letters) return entry.name;
  }
  for (const auto& [setting, owners] : owners_of_settings(families))
    if (letters_of(setting) == letters) return std::string(setting);
  return "";
}

}  // namespace

Named find_named(const Families& families, const std::string& name, FieldWords words) {
  Named named = find_exactly(families, name, words);
  if (is_found(named)) return named;
  const FieldWord* const word = word_of(words, name);
  if (word != nullptr && word->name.empty())
    reject("{} is not offered: {}", word->word, word->note);
  const std::string meant =
      word != nullptr ? std::string(word->name) : name_with_letters(families, letters_of(name));
  named = find_exactly(families, meant, words);
  if (!is_found(named)) refuse(families, name);
  named.word = word;
  return named;
}

}  // namespace ablate::plan
