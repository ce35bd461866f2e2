// Common helpers for tests of objectives: building an objective, and texts for it.

#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "harness/contract/objective.h"
#include "objectives/registry.h"

namespace ablate::objectives {

/// The spec of an objective. Throws std::invalid_argument for an unknown name.
inline const ObjectiveSpec& spec_of(std::string_view name) {
  for (const ObjectiveSpec& spec : objective_specs())
    if (spec.name == name) return spec;
  reject("no objective is named {}", name);
}

/// Builds an objective with a vocabulary of 8 sentinels, or more if it needs more.
inline Objective objective_of(std::string_view name, const Json& given, Token ordinary,
                              std::int64_t text_length) {
  const ObjectiveSpec& spec = spec_of(name);
  const Params params(spec.params, given);
  Context context{{.ordinary = ordinary}, text_length};
  const auto needed = spec.build(params, context).needs.sentinels;
  context.vocabulary.sentinels = std::max<Token>(8, static_cast<Token>(needed));
  return spec.build(params, context);
}

/// A text of `length` words, with an end and a begin token wherever `i % 40 == 20`.
inline std::vector<Token> text_of(std::size_t length, Token ordinary = 100) {
  std::vector<Token> text(length);
  for (std::size_t i = 0; i < length; ++i)
    text[i] = i % 40 == 20   ? end_token
              : i % 40 == 21 ? begin_token
                             : special_count + static_cast<Token>(i * 7) % ordinary;
  return text;
}

}  // namespace ablate::objectives
