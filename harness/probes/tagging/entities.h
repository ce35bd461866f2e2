// Entities in sequences of IOB2 tags, and how many of them are found. Without LibTorch.

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

/// The entities of a sentence by its tags: "O", "B-TYPE" (begins), "I-TYPE" (continues). Strict IOB2:
/// only a B tag opens an entity. An I tag that continues no entity of its type belongs to none, and
/// ends the one before it. Source: Tjong Kim Sang and Veenstra 1999, arXiv:cs/9907006, section 2.1.
/// Differs from conlleval, the scorer of CoNLL 2003, for which such a tag opens an entity.
std::vector<Entity> entities_of(std::span<const std::string> tags);

/// Counts of entities over sentences.
struct EntityCounts {
  double right = 0;  // found with their exact borders and type
  double named = 0;  // by the model
  double labelled = 0;

  /// The harmonic mean of precision and recall, in [0, 1]; 0 where nothing is right.
  double f1() const { return right > 0 ? 2 * right / (named + labelled) : 0; }
};

/// Adds the entities of one sentence. `named` may be shorter than `labelled`: words that the model did
/// not read are named as no entity, so that entities among them are missed.
void add_entities(std::span<const std::string> named, std::span<const std::string> labelled,
                  EntityCounts& counts);

}  // namespace ablate::probes
