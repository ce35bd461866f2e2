// Texts in which some tokens were replaced by others: drawn uniformly, or by a small masked language model
// that is trained with the backbone.
//
// Source: Clark et al. 2020, "ELECTRA", arXiv:2003.10555, section 2; the uniform generator is in its code.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "harness/contract/objective.h"
#include "objectives/common/rearrange/token_channel.h"

namespace ablate::objectives {

/// The declared parameters of how tokens are replaced.
std::vector<Param> replacing_params();

/// Whether a learned generator draws the replacements.
bool has_learned_generator(const Params& params);

/// The generator's head, which follows the backbone's; none where it is not learned.
std::vector<HeadNeed> generator_heads(const Params& params);

/// Refuses settings of a learned generator where it is uniform: those of replacing_params(), and
/// `further` ones of `objective`. Throws std::invalid_argument.
void check_generator(const Params& params, std::string_view objective,
                     std::span<const std::string_view> further);

/// What becomes of tokens: a learned generator is shown masks, and a uniform one replaces them.
TokenChannel replacing_channel(const Params& params, const Context& context);

/// The text with replacements as inputs, or with masks that the step fills by samples of the generator;
/// and what is hidden. Every token that is not special is hidden with the channel's rate.
Example with_replacements(const TokenChannel& channel, const Text& text, Rng rng);

/// Adds the labels of a learned generator, the second head: the tokens that are hidden.
void add_generator_labels(const Text& text, Example& example);

/// The best loss of a learned generator: that of masked language modelling with masks alone.
std::vector<Loss> generator_optimum(const TokenChannel& channel, const Chain& language,
                                    const Text& text, const Example& example);

/// What all other tokens shown say of a token, by what it may be: P(what is shown) and the token is
/// any, that which is shown, that of the text; up to a factor.
struct ShownPlace {
  double any = 0, as_shown = 0, of_text = 0;
};

/// One for each token of a text, given the inputs that a uniform generator made of it; zeros for special
/// tokens. A document's end is never replaced.
std::vector<ShownPlace> shown_places(const TokenChannel& channel, const Chain& language,
                                     const Text& text, std::span<const Token> inputs);

}  // namespace ablate::objectives
