#include "harness/probes/tagging/entities.h"

#include <algorithm>
#include <optional>

namespace ablate::probes {

namespace {

/// Whether a tag is an I of the type whose entity is open.
bool continues(const std::string& tag, const std::optional<std::string>& open) {
  return open && tag.starts_with("I-") && tag.substr(2) == *open;
}

/// The type whose entity is open after a tag.
std::optional<std::string> open_after(const std::string& tag,
                                      const std::optional<std::string>& open) {
  if (tag.starts_with("B-")) return tag.substr(2);
  return continues(tag, open) ? open : std::nullopt;
}

}  // namespace

std::vector<Entity> entities_of(std::span<const std::string> tags) {
  std::vector<Entity> entities;
  std::optional<std::string> open;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    if (continues(tags[i], open)) entities.back().last = i + 1;
    open = open_after(tags[i], open);
    if (tags[i].starts_with("B-")) entities.push_back({i, i + 1, *open});
  }
  return entities;
}

void add_entities(std::span<const std::string> named, std::span<const std::string> labelled,
                  EntityCounts& counts) {
  const std::vector<Entity> found = entities_of(named), there = entities_of(labelled);
  counts.named += static_cast<double>(found.size());
  counts.labelled += static_cast<double>(there.size());
  for (const Entity& entity : found)
    if (std::find(there.begin(), there.end(), entity) != there.end()) ++counts.right;
}

}  // namespace ablate::probes
