// Entities in sequences of BIO tags, and how many of them are found. Without LibTorch.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ablate::probes {

/// A run of words that is one entity.
struct Entity {
  std::size_t first = 0, last = 0;  // its first word, and one past its last
  std::string type;                 // such as "person"

  bool operator==(const Entity&) const = default;
};

/// The entities of a sentence by its tags: "O", "B-TYPE" (begins), "I-TYPE" (continues). An I tag
/// that continues no entity of its type begins one, as in the scorer of CoNLL 2003.
std::vector<Entity> entities_of(std::span<const std::string> tags);

/// Counts of entities over sentences.
struct EntityCounts {
  double right = 0;  // found with their exact borders and type
  double named = 0;  // by the model
  double labelled = 0;

  /// The harmonic mean of precision and recall, in [0, 1]; 0 where nothing is right.
  double f1() const { return right > 0 ? 2 * right / (named + labelled) : 0; }
};

/// Adds the entities of one sentence.
void add_entities(std::span<const std::string> named, std::span<const std::string> labelled,
                  EntityCounts& counts);

}  // namespace ablate::probes
