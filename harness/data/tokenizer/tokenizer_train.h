// Trains SentencePiece in a child process, because its trainer aborts the process for some texts.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ablate::data {

/// Trains a SentencePiece model with `vocabulary` pieces on documents and returns it, serialized.
/// `kind`: "unigram" or "bpe". The same input gives the same model: training uses one thread and no
/// random sampling. Of more than 64 MiB of text every n-th document is read, so that about 64 MiB
/// remain. Throws std::invalid_argument, with the remedy, where the text is too small for the
/// vocabulary or has too many characters for it, std::runtime_error where no process can be
/// started. Source: Kudo & Richardson 2018, arXiv:1808.06226.
std::string train_sentencepiece(const std::string& kind, std::int64_t vocabulary,
                                std::span<const std::string_view> documents);

}  // namespace ablate::data
