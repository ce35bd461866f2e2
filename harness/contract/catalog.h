// Everything that experiment files and objectives can name. The programs in experiments/ put the catalogue
// together and pass it down; harness/ itself names no objective, backbone or probe.

#pragma once

#include <span>
#include <string>

#include "harness/contract/backbone.h"
#include "harness/contract/objective.h"
#include "harness/contract/probe.h"

namespace ablate {

/// What trains the models, and what it can do.
struct Machine {
  std::string bfloat16_refusal;  // why it cannot compute products in bfloat16; empty if it can
  std::string instructions;      // of the processor's kernels, such as "avx512_bf16" or "avx2"
  std::string trainer = "this machine's processor";  // or a device, in a sentence
};

/// The objectives, backbones and probes of a program, and the machine that it runs on.
struct Catalog {
  std::span<const ObjectiveSpec> objectives;
  std::span<const BackboneSpec> backbones;
  std::span<const ProbeSpec> probes;
  std::span<const HeadSpec> heads;

  /// The backbone of an experiment file that names none. Empty: the file must name one, unless
  /// there is only one.
  std::string_view default_backbone = {};

  Machine machine = {};

  // What backbones that are made of layers can have in their blocks.
  std::span<const LayerKind> mixers = {};
  std::span<const LayerKind> feed_forwards = {};

  // Each returns the member with that name. Throws std::invalid_argument with the closest name and
  // the list of all names if there is none.
  const ObjectiveSpec& objective(std::string_view name) const;
  const BackboneSpec& backbone(std::string_view name) const;
  const ProbeSpec& probe(std::string_view name) const;
};

}  // namespace ablate
