// Loads files depth first and finds where each value was given.

#include "harness/plan/file/sources.h"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

#include "harness/base/files.h"
#include "harness/plan/file/shipped.h"

namespace ablate::plan {
namespace {

namespace fs = std::filesystem;

bool is_inside(const fs::path& path, const fs::path& root) {
  return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
}

/// The rest of `pointer` after the parent `start`; nothing if `start` is not a parent of it.
std::optional<std::string_view> rest_of(std::string_view pointer, std::string_view start) {
  if (pointer.substr(0, start.size()) != start) return std::nullopt;
  const std::string_view rest = pointer.substr(start.size());
  if (!rest.empty() && rest.front() != '/') return std::nullopt;
  return rest;
}

/// The pointer without its last component.
std::string parent_of(const std::string& pointer) { return pointer.substr(0, pointer.rfind('/')); }

/// The index of a probe in the list, by its name; the size of the list if it is not there.
std::size_t index_of(const Json& probes, const std::string& name) {
  std::size_t i = 0;
  while (i < probes.size() && (!probes[i].is_object() || probe_name(probes[i]) != name)) ++i;
  return i;
}

/// Refuses the name of a base that is not inside `root`.
void refuse_outside(const Place& place, std::string_view text, const fs::path& root,
                    Faults& faults) {
  if (text.starts_with(kShippedPrefix))
    return faults.add(
        place, fmt::format("\"{}\" leaves the shipped experiments, {}", text, root.string()));
  faults.add(
      place, fmt::format("\"{}\" leaves the project, {}", text, root.string()),
      fmt::format("extended files must be inside the nearest folder that has .git or .ablate "
                  "(an empty file marks a project), or else inside the folder of the "
                  "experiment file; a shipped file is named like \"{}base/small.json\"",
                  kShippedPrefix));
}

}  // namespace

fs::path project_root(const fs::path& folder) {
  std::error_code error;
  for (fs::path at = folder;; at = at.parent_path()) {
    for (const char* mark : {".git", ".ablate"})
      if (fs::exists(at / mark, error)) return at;
    if (!at.has_relative_path()) return folder;
  }
}

Sources::Sources(const fs::path& file, Faults& faults) : name_(file.string()) {
  std::error_code error;
  folder_ =
      fs::weakly_canonical(file.has_parent_path() ? file.parent_path() : fs::path("."), error);
  const fs::file_type type = fs::status(file, error).type();
  if (type == fs::file_type::fifo || type == fs::file_type::character ||
      type == fs::file_type::socket) {
    faults.add({.flag = name_}, "this is a pipe or a device, not an experiment file",
               "its paths start at its folder: write it to a file, and name that");
    return;
  }
  load({fs::weakly_canonical(file, error), project_root(folder_), name_}, {.flag = name_}, faults);
  for (const auto& each : files_) merge(merged_, each->source.value());
}

void Sources::load(const Named& named, const Place& mention, Faults& faults) {
  const fs::path& path = named.path;
  const auto same = [&](const std::unique_ptr<File>& file) { return file->path == path; };
  if (std::any_of(files_.begin(), files_.end(), same)) return;
  if (const auto loop = std::find(open_.begin(), open_.end(), path); loop != open_.end()) {
    std::string chain;
    for (auto each = loop; each != open_.end(); ++each) chain += each->filename().string() + " -> ";
    return faults.add(mention,
                      fmt::format("a file extends itself: {}{}", chain, path.filename().string()),
                      "remove one of these \"extends\"");
  }
  if (opened_ >= kMaxFiles)
    return faults.add(mention, fmt::format("more than {} files are extended", kMaxFiles),
                      "merge some of them");
  std::error_code unknown;
  if (fs::is_directory(path, unknown))
    return faults.add(mention,
                      fmt::format("{} is a folder, not an experiment file",
                                  mention.source == nullptr ? "this" : named.name),
                      "name a file in it");
  std::string text;
  try {
    text = read_file(path, JsonSource::kMaxBytes);
  } catch (const std::runtime_error& error) {
    const std::string_view what = error.what();
    const std::size_t cut = what.find(": ");
    return faults.add(mention, mention.source == nullptr
                                   ? std::string(what.substr(cut + 2))
                                   : fmt::format("{}{}", named.name, what.substr(cut)));
  }
  auto file = std::make_unique<File>(
      File{path, named.root, JsonSource(named.name, std::move(text)), opened_++, {}});
  for (const SourceFault& fault : file->source.faults())
    faults.add({&file->source, fault.where, "", file->rank}, fault.message, fault.hint);
  if (file->source.faults().empty() && !file->source.value().is_object())
    faults.add({&file->source, {}, "", file->rank}, "an experiment file must be one JSON object");
  open_.push_back(path);
  const Json& value = file->source.value();
  if (const auto bases = value.find("extends"); value.is_object() && bases != value.end()) {
    if (!bases->is_array())
      faults.add({&file->source, *file->source.value_at("/extends"), "", file->rank},
                 "\"extends\" is not a list", "give a list of paths, relative to this file");
    for (std::size_t i = 0; bases->is_array() && i < bases->size(); ++i)
      load_base(*file, i, faults);
  }
  open_.pop_back();
  files_.push_back(std::move(file));
}

void Sources::load_base(File& file, std::size_t index, Faults& faults) {
  const Json& given = file.source.value()["extends"][index];
  const Place place{&file.source, *file.source.value_at(fmt::format("/extends/{}", index)), "",
                    file.rank};
  if (!given.is_string())
    return faults.add(place, fmt::format("{} is not a path", canonical(given).substr(0, 60)),
                      "give a path as a string, relative to this file");
  const std::string& text = given.get_ref<const std::string&>();
  const bool shipped = text.starts_with(kShippedPrefix);
  const fs::path path = shipped ? text.substr(kShippedPrefix.size()) : text;
  if (path.empty() || text.find('\0') != text.npos || path.is_absolute())
    return faults.add(
        place, "an extended file must be named by a path relative to this file",
        fmt::format("or by \"{}\" and a path below the shipped experiments", kShippedPrefix));
  Named base{.root = file.root,
             .name = (fs::path(file.source.name()).parent_path() / path).lexically_normal()};
  fs::path from = file.path.parent_path();
  try {
    if (shipped) {
      base.root = from = shipped_experiments();
      base.name = (from / path).lexically_normal();
    }
  } catch (const std::invalid_argument& error) {
    return faults.add(place, error.what());
  }
  std::error_code error;
  base.path = fs::weakly_canonical(from / path, error);
  if (error || !is_inside(base.path, base.root))
    return refuse_outside(place, text, base.root, faults);
  file.bases.push_back(base.path);
  load(base, place, faults);
}

void Sources::add_arms(const std::vector<Assignment>& arms) {
  for (const Assignment& arm : arms) {
    Json& entries = merged_["arms"];
    if (entries.is_null()) entries = Json::array();
    if (!entries.is_array()) return;  // refused where the arms are read
    flags_.push_back({fmt::format("arms.{}", entries.size()), arm.value, "", arm.flag});
    entries.push_back(arm.value);
  }
}

void Sources::apply(const std::vector<Assignment>& flags) {
  const Json* const listed = find_pointer(merged_, "/probes");
  const std::size_t before = listed == nullptr ? 0 : listed->size();
  assign(merged_, flags);
  for (Assignment flag : flags) {
    if (const auto probe = probe_path(flag.path)) {
      const Json& probes = merged_["probes"];
      const std::size_t index = index_of(probes, probe->name);
      const bool added = index >= before;  // then its type was given by the flag too
      flag.path =
          fmt::format("probes.{}{}", index, added || probe->rest.empty() ? "" : "." + probe->rest);
      if (added && index < probes.size()) flag.value = probes[index];
    }
    flags_.push_back(std::move(flag));
  }
}

const Assignment* Sources::flag_of(const std::string& pointer) const {
  for (auto flag = flags_.rbegin(); flag != flags_.rend(); ++flag)
    if (const auto rest = rest_of(pointer, pointer_of(flag->path)))
      if (find_pointer(flag->value, *rest) != nullptr) return &*flag;
  return nullptr;
}

const Sources::File* Sources::giver(const std::string& pointer) const {
  for (auto file = files_.rbegin(); file != files_.rend(); ++file)
    if ((*file)->source.value_at(pointer)) return file->get();
  return nullptr;
}

Place Sources::addition_to(const std::string& pointer) const {
  return value_at(files_.back()->source.value_at(pointer) ? pointer : "");
}

Place Sources::find(const std::string& pointer, bool key) const {
  for (std::string at = pointer;; at = parent_of(at)) {
    if (const Assignment* const flag = flag_of(at)) return {.flag = flag->flag, .rank = kMaxFiles};
    const File* const file = at.empty() ? files_.back().get() : giver(at);
    if (file != nullptr) {
      const bool exact = at == pointer;
      Stretch where = *(key || !exact ? file->source.key_at(at) : file->source.value_at(at));
      if (at.empty()) where.count = 1;  // stands for the file: its first bracket
      return {&file->source, where, "", file->rank};
    }
  }
}

std::int64_t Sources::order_of(const std::string& pointer) const {
  if (flag_of(pointer) != nullptr) return kMaxFiles;
  for (std::size_t i = files_.size(); i-- > 0;)
    if (files_[i]->source.value_at(pointer)) return static_cast<std::int64_t>(i);
  return -1;
}

std::vector<std::string> Sources::keys(const std::string& pointer) const {
  std::vector<std::string> keys;
  if (flag_of(pointer) != nullptr) {
    const Json* const given = find_pointer(merged_, pointer);
    if (given != nullptr && given->is_object())
      for (const auto& [key, value] : given->items()) keys.push_back(key);
    return keys;
  }
  const File* const file = giver(pointer);
  return file == nullptr ? keys : file->source.keys(pointer);
}

fs::path Sources::folder_of(const std::string& pointer) const {
  if (flag_of(pointer) != nullptr) return fs::current_path();
  const File* const file = giver(pointer);
  return file == nullptr ? folder_ : file->path.parent_path();
}

Json Sources::with_places(Json section, const std::string& pointer) const {
  for (auto& [key, value] : section.items()) {
    const std::string below = pointer + "/" + key;
    if (value.is_object()) value = with_places(value, below);
    if (key != "paths") continue;
    const fs::path folder = folder_of(below);
    for (Json& path : value) path = (folder / path.get<std::string>()).lexically_normal().string();
  }
  return section;
}

}  // namespace ablate::plan
