#include "harness/probes/tagging/entities.h"

#include <algorithm>

namespace ablate::probes {

std::vector<Entity> entities_of(std::span<const std::string> tags) {
  std::vector<Entity> entities;
  bool inside = false;
  for (std::size_t i = 0; i < tags.size(); ++i) {
    const std::string& tag = tags[i];
    const bool begins = tag.starts_with("B-"), continues = tag.starts_with("I-");
    if (!begins && !continues) {
      inside = false;
      continue;
    }
    const std::string type = tag.substr(2);
    if (inside && continues && entities.back().type == type)
      entities.back().last = i + 1;
    else
      entities.push_back({i, i + 1, type});
    inside = true;
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
