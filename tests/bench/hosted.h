// An objective on a backbone, with texts of the built-in language: what the planner would pair,
// without the planner.

#pragma once

#include <memory>
#include <string>

#include "harness/data/batches/batches.h"
#include "harness/data/language/language.h"
#include "harness/train/network/network.h"
#include "models/registry.h"
#include "models/specs/specs.h"
#include "objectives/registry.h"

namespace ablate::bench {

/// The default language and a corpus of it, drawn once.
struct World {
  Params dials{data::language_params(), Json::object()};
  data::Language language{dials};
  data::CorpusContent content = data::draw_corpus(language, dials);
  data::Part held_out{.tokens = content.held_out.tokens, .marks = content.held_out.marks};
};

const World& world();

inline constexpr std::int64_t kHostedRows = 32, kHostedContext = 64, kHostedDepth = 5,
                              kHostedWidth = 64;

/// The objective with its defaults and as many sentinels as it needs, for texts of that length.
Objective with_defaults(const ObjectiveSpec& spec, Token ordinary, std::int64_t length);

/// Why a backbone does not host an objective; empty if it does. Draws nothing.
std::string hosting_refusal(const ObjectiveSpec& spec, const BackboneSpec& backbone);

/// A pair that fits, in batches of 32 texts of 64 tokens.
struct Hosted {
  Hosted(const ObjectiveSpec& spec, const BackboneSpec& backbone,
         data::Packing packing = data::Packing::isolated);

  /// A bank of 5 blocks of width 64 with initial weights.
  std::unique_ptr<train::Network> network(std::int64_t lanes = 1, bool bfloat16 = false) const;

  const BackboneSpec& backbone;
  Vocabulary vocabulary;
  Objective objective;  // its needs are adapted to the backbone
  data::Batches batches;
};

}  // namespace ablate::bench
