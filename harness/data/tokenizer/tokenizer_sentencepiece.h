// Encoding with a trained SentencePiece model.

#pragma once

#include <memory>
#include <string>

#include "harness/data/tokenizer/tokenizer.h"

namespace ablate::data {

/// The tokenizer of a serialized model. Every byte has an id, so that any text can be encoded.
/// Throws DamagedFile where `model` is not a model that train_sentencepiece() made.
std::unique_ptr<Tokenizer> sentencepiece_tokenizer(const std::string& model);

}  // namespace ablate::data
