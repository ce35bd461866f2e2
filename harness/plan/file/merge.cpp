// Merges and assigns settings as JSON.

#include "harness/plan/file/merge.h"

#include <algorithm>
#include <charconv>

namespace ablate::plan {
namespace {

constexpr std::string_view kAt = "/at";  // of a probe, whose settings are merged alone

}  // namespace

std::string_view tag_of_section(std::string_view section) {
  if (section == "corpus") return "kind";
  if (section == "model") return "backbone";
  if (section == "objective" || section == "probes") return "type";
  return "";
}

void merge(Json& target, const Json& patch, const std::string& pointer) {
  if (!patch.is_object()) {
    target = patch;
    return;
  }
  if (!target.is_object()) target = Json::object();
  const std::string tag(pointer.empty() ? "" : tag_of_section(pointer.substr(1)));
  const bool other_tag = !tag.empty() && pointer != "/model" && patch.contains(tag) &&
                         target.contains(tag) && patch[tag] != target[tag];
  const bool one_of = pointer == "/train/budget" || pointer == kAt;  // has a single setting
  if (other_tag || (one_of && !patch.empty())) target = Json::object();
  for (const auto& [key, value] : patch.items())
    if (value.is_null())
      target.erase(key);
    else
      merge(target[key], value, pointer + "/" + key);
}

std::string pointer_of(std::string_view path) {
  std::string pointer = "/" + std::string(path);
  std::replace(pointer.begin(), pointer.end(), '.', '/');
  return pointer;
}

namespace {

/// The entry with this name in a list of probes; it is added if there is none.
Json& probe_named(Json& probes, const std::string& name) {
  if (!probes.is_array()) probes = Json::array();
  for (Json& probe : probes) {
    if (probe_name(probe) != name) continue;
    if (probe.is_string()) probe = {{"type", name}};
    return probe;
  }
  return probes.emplace_back(Json{{"type", name}});
}

/// The value nested under a dotted path: 3 for "train.batch" gives {"train": {"batch": 3}}.
Json nested(std::string_view path, Json value) {
  while (!path.empty()) {
    const std::size_t dot = path.rfind('.');
    Json outer = Json::object();
    outer[std::string(dot == path.npos ? path : path.substr(dot + 1))] = std::move(value);
    value = std::move(outer);
    path = dot == path.npos ? std::string_view() : path.substr(0, dot);
  }
  return value;
}

}  // namespace

std::string probe_name(const Json& entry) {
  if (entry.is_string()) return entry.get<std::string>();
  if (!entry.is_object()) return {};
  for (const char* key : {"name", "type"})
    if (const auto found = entry.find(key); found != entry.end())
      return found->is_string() ? found->get<std::string>() : std::string();
  return {};
}

std::optional<ProbePath> probe_path(std::string_view path) {
  constexpr std::string_view kStart = "probes.";
  if (path.substr(0, kStart.size()) != kStart) return std::nullopt;
  path.remove_prefix(kStart.size());
  const std::size_t dot = path.find('.');
  return ProbePath{std::string(path.substr(0, dot)),
                   std::string(dot == path.npos ? std::string_view() : path.substr(dot + 1))};
}

void assign(Json& settings, std::vector<Assignment> assignments) {
  const auto order = [](const Assignment& assignment) -> long {  // a section, its tag, its settings
    const auto dots = std::count(assignment.path.begin(), assignment.path.end(), '.');
    const std::size_t dot = assignment.path.find('.');
    const std::string_view section = std::string_view(assignment.path).substr(0, dot);
    if (dots == 1 && assignment.path.substr(dot + 1) == tag_of_section(section)) return 1;
    return dots == 0 ? 0 : dots + 1;
  };
  std::stable_sort(assignments.begin(), assignments.end(),
                   [&](const Assignment& a, const Assignment& b) { return order(a) < order(b); });
  for (const Assignment& assignment : assignments) {
    if (const auto probe = probe_path(assignment.path))
      merge(probe_named(settings["probes"], probe->name), nested(probe->rest, assignment.value));
    else
      merge(settings, nested(assignment.path, assignment.value));
  }
}

const Json* find_pointer(const Json& value, std::string_view pointer) {
  const Json* at = &value;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::string_view piece = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(piece.size());
    if (at->is_object()) {
      const auto found = at->find(piece);
      if (found == at->end()) return nullptr;
      at = &*found;
    } else if (at->is_array()) {
      std::size_t index = 0;
      const auto read = std::from_chars(piece.data(), piece.data() + piece.size(), index);
      if (read.ec != std::errc() || read.ptr != piece.data() + piece.size() || index >= at->size())
        return nullptr;
      at = &(*at)[index];
    } else {
      return nullptr;
    }
  }
  return at;
}

}  // namespace ablate::plan
