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

/// The tokens that each text, or pair of texts, of a prompt may take where `demonstrations` and a
/// question share `room` tokens, a begin token among them; at most 0 where there is no room for any
/// text.
std::int64_t shown_tokens(const PromptFormat& format, std::int64_t demonstrations,
                          std::int64_t room);

/// Why a number of demonstrations cannot be shown: they leave no room for texts in `room` tokens, or
/// there are not as many of the `training` documents. Empty where it can.
std::string no_demonstrations(const PromptFormat& format, std::int64_t demonstrations,
                              std::int64_t room, std::int64_t training);

/// The tokens that a prompt with a verbaliser may take in a model of this context.
std::int64_t room_of(const Params& params, std::int64_t context);

/// Those of the metrics that are of so many demonstrations, by name.
std::vector<std::string> names_of_shots(const std::vector<Metric>& metrics, std::int64_t shots);

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
