#include "harness/data/tokenizer/tokenizer_sentencepiece.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <array>

#include "harness/base/error.h"
#include "harness/data/tokenizer/tokenizer_lines.h"

namespace ablate::data {
namespace {

using Processor = sentencepiece::SentencePieceProcessor;

/// The byte of a piece such as "<0x0A>".
char byte_of(const std::string& piece) {
  return static_cast<char>(std::stoi(piece.substr(3, 2), nullptr, 16));
}

/// A piece as the text that it stands for: SentencePiece writes a space as U+2581.
std::string spelled(const std::string& piece) {
  std::string text;
  for (std::size_t at = 0; at < piece.size();) {
    const bool space = piece.compare(at, kSpaceSign.size(), kSpaceSign) == 0;
    text += space ? ' ' : piece[at];
    at += space ? kSpaceSign.size() : 1;
  }
  return text;
}

/// SentencePiece's ids, numbered from 0 without its control and unknown ids, and the text of each.
struct Ids {
  std::vector<std::string> pieces;
  std::vector<Token> token;      // by SentencePiece's id; -1 for control and unknown ids
  std::array<Token, 256> bytes;  // the id of each single byte

  explicit Ids(const Processor& model) {
    bytes.fill(-1);
    for (int id = 0; id < model.GetPieceSize(); ++id) {
      token.push_back(-1);
      if (model.IsUnknown(id) || model.IsControl(id) || model.IsUnused(id)) continue;
      token.back() = special_count + static_cast<Token>(pieces.size());
      const std::string& piece = model.IdToPiece(id);
      if (model.IsByte(id)) bytes[static_cast<unsigned char>(byte_of(piece))] = token.back();
      pieces.push_back(model.IsByte(id) ? std::string(1, byte_of(piece)) : spelled(piece));
    }
    if (std::count(bytes.begin(), bytes.end(), -1) > 0)
      damaged("tokenizer: the model has no pieces for single bytes");
  }
};

class SentencePiece : public Tokenizer {
 public:
  SentencePiece(std::unique_ptr<Processor> model, Ids ids)
      : Tokenizer(ids.pieces), model_(std::move(model)), ids_(std::move(ids)) {}

  /// Encodes line by line: the model was trained on lines, so no piece contains a newline.
  void encode(std::string_view text, std::vector<Token>& ids) const override {
    std::vector<int> scratch;
    for_each_line(text, [&](std::string_view line, bool newline) {
      encode_line(line, scratch, ids);
      if (newline) ids.push_back(ids_.bytes['\n']);
    });
  }

 private:
  void encode_line(std::string_view line, std::vector<int>& scratch,
                   std::vector<Token>& ids) const {
    const auto status = model_->Encode(line, &scratch);
    const std::size_t before = ids.size();
    std::size_t at = 0;
    bool exact = status.ok();
    for (std::size_t i = 0; exact && i < scratch.size(); ++i) {
      const Token token = ids_.token[static_cast<std::size_t>(scratch[i])];
      if (token >= 0) {
        const std::string& piece = pieces()[static_cast<std::size_t>(token - special_count)];
        exact = line.compare(at, piece.size(), piece) == 0;
        at += piece.size();
        ids.push_back(token);
      }
      exact = exact && token >= 0;
    }
    if (exact && at == line.size()) return;
    // The line contains a reserved character, which the model would change.
    ids.resize(before);
    for (const char c : line) ids.push_back(ids_.bytes[static_cast<unsigned char>(c)]);
  }

  std::unique_ptr<Processor> model_;
  Ids ids_;
};

}  // namespace

std::unique_ptr<Tokenizer> sentencepiece_tokenizer(const std::string& model) {
  auto processor = std::make_unique<Processor>();
  const auto status = processor->LoadFromSerializedProto(model);
  if (!status.ok()) damaged("tokenizer: is not a SentencePiece model: {}", status.ToString());
  Ids ids(*processor);
  return std::make_unique<SentencePiece>(std::move(processor), std::move(ids));
}

}  // namespace ablate::data
