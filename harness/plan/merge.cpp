#include "harness/plan/merge.h"

#include <algorithm>
#include <charconv>

namespace ablate {

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
  const bool other_tag =
      !tag.empty() && patch.contains(tag) && target.contains(tag) && patch[tag] != target[tag];
  if (other_tag || (pointer == "/train/budget" && !patch.empty())) target = Json::object();
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

void assign(Json& settings, std::vector<Assignment> assignments) {
  const auto order = [](const Assignment& assignment) -> long {  // a whole, its tag, its parts
    const auto dots = std::count(assignment.path.begin(), assignment.path.end(), '.');
    const std::size_t dot = assignment.path.find('.');
    const std::string_view section = std::string_view(assignment.path).substr(0, dot);
    if (dots == 1 && assignment.path.substr(dot + 1) == tag_of_section(section)) return 1;
    return dots == 0 ? 0 : dots + 1;
  };
  std::stable_sort(assignments.begin(), assignments.end(),
                   [&](const Assignment& a, const Assignment& b) { return order(a) < order(b); });
  for (const Assignment& assignment : assignments) {
    Json patch = assignment.value;
    std::string_view rest = assignment.path;
    while (!rest.empty()) {
      const std::size_t dot = rest.rfind('.');
      const std::string key(dot == rest.npos ? rest : rest.substr(dot + 1));
      Json outer = Json::object();
      outer[key] = std::move(patch);
      patch = std::move(outer);
      rest = dot == rest.npos ? std::string_view() : rest.substr(0, dot);
    }
    merge(settings, patch);
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

}  // namespace ablate
