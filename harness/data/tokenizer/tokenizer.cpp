#include "harness/data/tokenizer/tokenizer.h"

#include <fmt/core.h>

#include <functional>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/sha256.h"
#include "harness/data/corpus/cache_fault.h"
#include "harness/data/tokenizer/tokenizer_sentencepiece.h"
#include "harness/data/tokenizer/tokenizer_train.h"
#include "harness/data/tokenizer/tokenizer_words.h"

namespace ablate::data {
namespace {

namespace fs = std::filesystem;

/// Raised, together with kTextVersion, when a change trains another model on the same text.
constexpr int kTokenizerVersion = 1;
constexpr std::size_t kDigits = 64;  // of a SHA-256
constexpr std::string_view kWords = "words";

std::vector<std::string> all_bytes() {
  std::vector<std::string> pieces;
  pieces.reserve(256);
  for (int byte = 0; byte < 256; ++byte) pieces.emplace_back(1, static_cast<char>(byte));
  return pieces;
}

class ByteTokenizer : public Tokenizer {
 public:
  ByteTokenizer() : Tokenizer(all_bytes()) {}

  void encode(std::string_view text, std::vector<Token>& ids) const override {
    for (const char c : text) ids.push_back(special_count + static_cast<unsigned char>(c));
  }
};

fs::path model_path(const fs::path& cache, const std::string& key) {
  return cache / "tokenizers" / (key + ".model");
}

std::string key_of(const std::string& kind, std::int64_t vocabulary,
                   std::span<const std::string_view> training) {
  Sha256 hash;
  hash.add(fmt::format("sentencepiece {} {} {}\n", kTokenizerVersion, kind, vocabulary));
  for (const std::string_view document : training) {
    hash.add(fmt::format("{}\n", document.size()));
    hash.add(document);
  }
  return hash.hex();
}

/// A stored model: its SHA-256, then its bytes.
std::string read_model(const fs::path& path) {
  const std::string stored = read_file(path);
  if (stored.size() < kDigits ||
      sha256(std::string_view(stored).substr(kDigits)) != stored.substr(0, kDigits))
    damaged("{}: its checksum differs; plan again to train it again", path.string());
  return stored.substr(kDigits);
}

constexpr std::int64_t kMostPatchCodes = 1 << 20;  // as corpus.picture.values

std::unique_ptr<Tokenizer> of_model(const std::string& kind, const std::string& model) {
  return kind == kWords ? words_tokenizer(model) : sentencepiece_tokenizer(model);
}

/// The tokenizer that a corpus's about() describes, without ids of patches.
std::unique_ptr<Tokenizer> stored_tokenizer(const Json& tokenizer, const fs::path& cache) {
  if (tokenizer.at("kind") == "bytes") return byte_tokenizer();
  const std::string key = tokenizer.value("model", "");
  if (key.size() != kDigits || key.find_first_not_of("0123456789abcdef") != std::string::npos)
    damaged("corpus: names no tokenizer model");
  return of_model(tokenizer.at("kind"), read_model(model_path(cache, key)));
}

/// The tokenizer whose model the cache has under a key; if it has none, made and kept there.
std::unique_ptr<Tokenizer> kept_or_made(const fs::path& cache, const std::string& key,
                                        const std::string& kind,
                                        const std::function<std::string()>& make) {
  const fs::path path = model_path(cache, key);
  if (fs::exists(path)) {
    try {
      return of_model(kind, read_model(path));
    } catch (const DamagedFile&) {  // made again below
    }
  }
  const std::string model = make();
  writing_to_cache(cache, [&] {
    fs::create_directories(path.parent_path());
    write_file(path, sha256(model) + model);
  });
  return of_model(kind, model);
}

}  // namespace

std::string Tokenizer::decode(std::span<const Token> ids) const {
  std::string text;
  for (const Token id : ids) {
    const auto index = static_cast<std::size_t>(id - special_count);
    if (id >= special_count && index < pieces_.size()) text += pieces_[index];
  }
  return text;
}

std::unique_ptr<Tokenizer> byte_tokenizer() { return std::make_unique<ByteTokenizer>(); }

std::unique_ptr<Tokenizer> make_tokenizer(const Json& section,
                                          std::span<const std::string_view> training,
                                          const fs::path& cache, Json& about) {
  const std::string kind = section.at("kind");
  about = {{"kind", kind}, {"vocabulary", 256}};
  if (kind == "bytes") return byte_tokenizer();
  const auto vocabulary = section.at("vocabulary").get<std::int64_t>();
  const std::string key = key_of(kind, vocabulary, training);
  about = {{"kind", kind}, {"vocabulary", vocabulary}, {"model", key}};
  auto tokenizer = kept_or_made(cache, key, kind, [&] {
    return kind == kWords ? count_words(vocabulary, training)
                          : train_sentencepiece(kind, vocabulary, training);
  });
  about["vocabulary"] = tokenizer->pieces().size();
  return tokenizer;
}

std::unique_ptr<Tokenizer> tokenizer_of(const Json& about, const fs::path& cache) {
  const Json described = about.value("tokenizer", Json::object());
  if (described.value("kind", "").empty())
    reject("this corpus was made without a tokenizer; give tokens instead of text");
  auto tokenizer = stored_tokenizer(described, cache);
  const auto patches = described.value("patches", std::int64_t{0});
  if (patches < 0 || patches > kMostPatchCodes)
    damaged("corpus: its tokenizer has {} ids of patches", patches);
  tokenizer->reserve_patches(patches);
  return tokenizer;
}

bool has_tokenizer(const Json& about, const fs::path& cache) {
  try {
    tokenizer_of(about, cache);
    return true;
  } catch (const std::runtime_error&) {  // its model is absent or damaged
    return false;
  }
}

}  // namespace ablate::data
