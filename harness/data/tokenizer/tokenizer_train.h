// Training SentencePiece, in a process of its own: its trainer ends the process on some texts.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ablate::data {

/// Trains a SentencePiece model on documents and returns it, serialized. `kind` is "unigram" or
/// "bpe"; the model has `vocabulary` pieces. The same input gives the same model: one thread, no
/// sampling (of more than 64 MiB, every n-th document is read, so that about that much remains).
/// Throws std::invalid_argument with the remedy where the text is too small for the vocabulary or
/// has too many characters for it, std::runtime_error where no process can be started.
/// Source: Kudo & Richardson 2018, arXiv:1808.06226.
std::string train_sentencepiece(const std::string& kind, std::int64_t vocabulary,
                                std::span<const std::string_view> documents);

}  // namespace ablate::data
