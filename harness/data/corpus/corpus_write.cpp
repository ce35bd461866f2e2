// Writes a corpus under the hash of its content.

#include "harness/data/corpus/corpus_write.h"

#include <array>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/sha256.h"
#include "harness/data/corpus/cache_fault.h"
#include "harness/data/corpus/corpus.h"
#include "harness/data/corpus/corpus_format.h"

namespace ablate::data {
namespace {

template <class T>
std::string_view bytes_of_all(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

Json header_of_part(const CorpusContent::PartContent& part) {
  return {{"tokens", part.tokens.size()},
          {"marks", part.marks.size()},
          {"documents", part.documents},
          {"bytes", part.bytes}};
}

/// The header without the hash, which is computed from it.
Json header_of(const CorpusContent& content) {
  return {{"about", content.about},
          {"ordinary", content.ordinary},
          {"training", header_of_part(content.training)},
          {"held_out", header_of_part(content.held_out)},
          {"pieces", content.pieces.size()}};
}

/// The sizes of all pieces, then their bytes.
std::string pieces_of(const CorpusContent& content) {
  std::string pieces;
  for (const std::string& piece : content.pieces) {
    const auto size = static_cast<std::uint32_t>(piece.size());
    pieces.append(reinterpret_cast<const char*>(&size), sizeof size);
  }
  for (const std::string& piece : content.pieces) pieces += piece;
  return pieces;
}

/// What follows the header. These are views: the tokens of a large text are never copied.
using Payload = std::array<std::string_view, 5>;

Payload payload_of(const CorpusContent& content, std::string_view pieces) {
  return {bytes_of_all(content.training.tokens), bytes_of_all(content.held_out.tokens),
          bytes_of_all(content.training.marks), bytes_of_all(content.held_out.marks), pieces};
}

std::string content_hash(Json header, const Payload& payload) {
  header["about"].erase("provenance");
  Sha256 hash;
  hash.add(canonical(header));
  hash.add(std::string_view("\0", 1));
  for (const std::string_view part : payload) hash.add(part);
  return hash.hex();
}

void check_part(const CorpusContent& content, const CorpusContent::PartContent& part) {
  const Vocabulary vocabulary{.ordinary = content.ordinary};
  if (!part.marks.empty() && part.marks.size() != part.tokens.size())
    reject("corpus: {} tokens and {} marks; give one mark per token, or none", part.tokens.size(),
           part.marks.size());
  for (const Token token : part.tokens)
    if (token < 0 || token >= vocabulary.end_ordinary())
      reject("corpus: token {} is outside [0, {})", token, vocabulary.end_ordinary());
}

void check(const CorpusContent& content) {
  if (!content.about.is_object()) reject("corpus: 'about' is not an object");
  if (content.ordinary < 0 || content.ordinary > kMaxOrdinary)
    reject("corpus: {} ordinary ids; at most 2^24 are accepted", content.ordinary);
  if (!content.pieces.empty() &&
      content.pieces.size() != static_cast<std::size_t>(content.ordinary))
    reject("corpus: {} pieces for {} ordinary ids; give one piece per id, or none",
           content.pieces.size(), content.ordinary);
  check_part(content, content.training);
  check_part(content, content.held_out);
}

/// The header as it is stored: its size, itself, zeros.
std::string stored_header(const Json& header) {
  std::string stored = canonical(header);
  const std::uint64_t size = stored.size();
  stored.insert(0, reinterpret_cast<const char*>(&size), sizeof size);
  const std::size_t prefix = kCorpusMagic.size() + kDigestSize;
  stored.resize(padded_to_8(prefix + stored.size()) - prefix, '\0');
  return stored;
}

void write_parts(const std::filesystem::path& path, std::string_view header,
                 const Payload& payload) {
  Sha256 hash;
  hash.add(header);
  for (const std::string_view part : payload) hash.add(part);
  const std::string digest = hash.hex();
  std::vector<std::string_view> parts = {kCorpusMagic, digest, header};
  parts.insert(parts.end(), payload.begin(), payload.end());
  write_file(path, parts);
}

}  // namespace

std::filesystem::path write_corpus(const std::filesystem::path& folder,
                                   const CorpusContent& content) {
  check(content);
  const std::string pieces = pieces_of(content);
  const Payload payload = payload_of(content, pieces);
  Json header = header_of(content);
  header["hash"] = content_hash(header, payload);
  std::filesystem::path path = folder / (header["hash"].get<std::string>() + ".corpus");
  if (std::filesystem::exists(path)) {
    try {
      Corpus::open(path);
      return path;
    } catch (const DamagedFile&) {  // overwritten below
    }
  }
  writing_to_cache(folder, [&] {
    std::filesystem::create_directories(folder);
    write_parts(path, stored_header(header), payload);
  });
  return path;
}

}  // namespace ablate::data
