// The words that stand for labels in a prompt, tokenised: the part of the probe prompting that the plan
// runs. Without LibTorch.

#pragma once

#include "harness/contract/probe.h"
#include "harness/data/tokenizer/tokenizer.h"
#include "harness/probes/prompting/few_shot.h"

namespace ablate::probes {

/// A prompt's share of tokens for each demonstration below which there is no room for a text.
inline constexpr std::int64_t kFewestPerText = 8;

/// The numbers of demonstrations in the settings that fit into `room` tokens, ascending.
std::vector<std::int64_t> shots_that_fit(const Params& params, std::int64_t room);

/// The format of the settings for these labels: the verbaliser of a label is the text given for it,
/// or the label itself. Throws std::invalid_argument where a verbaliser is of no label, has no
/// tokens, or is that of two labels, or where nothing would stand between the texts of a pair.
PromptFormat prompt_format(const Params& settings, const std::vector<std::string>& labels,
                           const data::Tokenizer& tokenizer);

/// The format of the built-in language, which has no texts: its first words stand for the topics.
PromptFormat language_format(std::int64_t topics);

/// What prepare_prompting() stores, {"verbalisers", "before", "after", "between"}, as a format.
PromptFormat format_of(const Json& stored);

/// Writes the labelled corpus to the cache as prepare_labelled() does, and adds the format, "prompt".
Json prepare_prompting(const Params& settings, const Preparation& preparation);

}  // namespace ablate::probes
