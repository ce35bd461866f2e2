#include "harness/plan/describe/find_named.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "harness/base/error.h"
#include "harness/base/names.h"

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

std::string_view full_name(const ShortNames& short_names, std::string_view name) {
  const auto found = short_names.find(name);
  return found == short_names.end() ? name : found->second;
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
                 const ShortNames& short_names) {
  std::string_view rest = path;
  const std::string_view member = full_name(short_names, take_first(rest));
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
Named find_path(const Families& families, std::string_view path, const ShortNames& short_names) {
  std::string_view rest = path;
  const std::string_view first = take_first(rest);
  if (const auto family = families.find(family_of(first)); family != families.end())
    return find_below(family->first, family->second, rest, short_names);
  Named named;
  if (const Entry* const entry = entry_named(families, full_name(short_names, first)))
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
  const Owners owners = owners_of_settings(families);
  const std::string_view near = closest_match(name, names);
  if (!near.empty()) reject("nothing is named '{}'; did you mean '{}'?", given, near);
  if (const std::string_view setting = closest_setting(owners, name); !setting.empty())
    reject("nothing is named '{}'; did you mean the setting '{}' of {}?", given, setting,
           fmt::join(owners.at(setting), ", "));
  if (given.find('.') != given.npos)
    reject(
        "nothing is named '{}'; `ablate describe` lists what there is, and with --results DIR also "
        "the metrics of an experiment's own settings",
        given);
  reject("nothing is named '{}'; `ablate describe` lists what there is", given);
}

}  // namespace

Named find_named(const Families& families, const std::string& name, const ShortNames& short_names) {
  if (const auto family = families.find(family_of(name)); family != families.end())
    return {.family_name = family->first, .family = &family->second};
  if (const Entry* const entry = entry_named(families, full_name(short_names, name)))
    return {.entry = entry};
  Named named = find_path(families, name, short_names);
  if (named.entry == nullptr && named.settings.empty())
    named.settings = settings_named(families, name);
  if (named.entry == nullptr && named.settings.empty()) refuse(families, name);
  return named;
}

}  // namespace ablate::plan
