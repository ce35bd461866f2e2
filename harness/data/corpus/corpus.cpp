// Reads a corpus: maps its file and checks it completely.

#include "harness/data/corpus/corpus.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "harness/base/error.h"
#include "harness/base/json/parse.h"
#include "harness/base/mapped_file.h"
#include "harness/base/sha256.h"
#include "harness/base/utf8.h"
#include "harness/data/corpus/corpus_format.h"

namespace ablate::data {
namespace {

constexpr std::uint64_t kMaxTokens = std::uint64_t{1} << 40;

/// Text for a reader: control characters of ASCII and bytes that are not UTF-8 appear as <0x0A>.
std::string printable(std::string_view bytes) {
  std::string text;
  while (!bytes.empty()) {
    const std::size_t length = utf8_length(bytes);  // 0: of no character
    const std::string_view character = bytes.substr(0, std::max<std::size_t>(length, 1));
    const auto first = static_cast<unsigned char>(character.front());
    if (length == 0 || first < 0x20 || first == 0x7F)
      text += fmt::format("<0x{:02X}>", first);
    else
      text += character;
    bytes.remove_prefix(character.size());
  }
  return text;
}

/// How many ids are patches of pictures, as a corpus's about() says.
std::int64_t patch_values(const Json& about) {
  static const Json nothing = Json::object();
  const auto within = [](const Json& json, const char* key) -> const Json& {
    const auto found = json.find(key);
    return found == json.end() ? nothing : *found;
  };
  return about.value("kind", "") == "language"
             ? integer_in(within(within(about, "params"), "picture"), "values", 0)
             : integer_in(within(about, "tokenizer"), "patches", 0);
}

}  // namespace

struct Corpus::Mapped {
  explicit Mapped(const std::filesystem::path& path) : file(path) {
    try {
      read(file.bytes());
    } catch (const std::exception& error) {
      damaged("{}: is not an intact corpus ({}); delete it and run again to rebuild it",
              path.string(), error.what());
    }
  }

  void read(std::string_view bytes) {
    if (bytes.size() < kCorpusHeaderAt) fail("it has {} bytes", bytes.size());
    if (!bytes.starts_with(kCorpusMagic)) fail("it does not start with '{}'", kCorpusMagic);
    const std::string_view digest = bytes.substr(kCorpusMagic.size(), kDigestSize);
    if (sha256(bytes.substr(kCorpusMagic.size() + kDigestSize)) != digest)
      fail("its checksum differs");
    std::uint64_t size = 0;
    std::memcpy(&size, bytes.data() + kCorpusMagic.size() + kDigestSize, sizeof size);
    if (size > bytes.size() - kCorpusHeaderAt) fail("its header is cut off");
    read_header(parse_stored(bytes.substr(kCorpusHeaderAt, size), "its header"));
    rest = bytes.substr(std::min(bytes.size(), padded_to_8(kCorpusHeaderAt + size)));
    for (Part* part : {&training, &held_out}) part->tokens = take_tokens(part->tokens.size());
    for (Part* part : {&training, &held_out})
      part->marks = take_array<std::uint8_t>(part->marks.size());
    read_pieces();
    if (!rest.empty()) fail("it has {} bytes too many", rest.size());
  }

  void read_header(const Json& header) {
    about = header.at("about");
    hash = header.at("hash").get<std::string>();
    ordinary = header.at("ordinary").get<Token>();
    if (ordinary < 0 || ordinary > kMaxOrdinary) fail("its vocabulary has {} ids", ordinary);
    const std::int64_t values = patch_values(about);
    if (values < 0 || values > ordinary) fail("it has {} patches among {} ids", values, ordinary);
    patches = static_cast<Token>(values);
    const std::string kind = about.value("kind", "");
    words = kind == "language" || kind == "task";
    pieces.resize(count_in(header, "pieces", file.bytes().size() / sizeof(std::uint32_t)));
    if (!pieces.empty() && pieces.size() != static_cast<std::size_t>(ordinary))
      fail("it has {} pieces for {} ids", pieces.size(), ordinary);
    read_part(header.at("training"), training);
    read_part(header.at("held_out"), held_out);
  }

  /// Sizes alone; where the entries stand is known once both parts' sizes are.
  static void read_part(const Json& header, Part& part) {
    const auto tokens = count_in(header, "tokens", kMaxTokens);
    const auto marks = count_in(header, "marks", kMaxTokens);
    if (marks != 0 && marks != tokens) fail("it has {} marks for {} tokens", marks, tokens);
    part.tokens = {static_cast<const Token*>(nullptr), tokens};
    part.marks = {static_cast<const std::uint8_t*>(nullptr), marks};
    part.documents = integer_in(header.at("documents"));
    part.bytes = integer_in(header.at("bytes"));
  }

  static std::size_t count_in(const Json& header, const char* name, std::uint64_t maximum) {
    const auto count = static_cast<std::uint64_t>(integer_in(header.at(name)));
    if (count > maximum) fail("its header says {} {}", count, name);
    return count;
  }

  template <class T>
  std::span<const T> take_array(std::size_t count) {
    if (count > rest.size() / sizeof(T)) fail("it is cut off");
    const std::span<const T> values(reinterpret_cast<const T*>(rest.data()), count);
    rest.remove_prefix(count * sizeof(T));
    return values;
  }

  std::span<const Token> take_tokens(std::size_t count) {
    const auto tokens = take_array<Token>(count);
    const auto end = static_cast<std::uint32_t>(special_count + ordinary);
    std::uint32_t maximum = 0;
    for (const Token token : tokens) maximum = std::max(maximum, static_cast<std::uint32_t>(token));
    if (maximum >= end) fail("it holds a token outside [0, {})", end);
    return tokens;
  }

  void read_pieces() {
    std::vector<std::uint32_t> sizes(pieces.size());
    if (sizes.size() * sizeof(std::uint32_t) > rest.size()) fail("it is cut off");
    if (!sizes.empty())
      std::memcpy(sizes.data(), rest.data(), sizes.size() * sizeof(std::uint32_t));
    rest.remove_prefix(sizes.size() * sizeof(std::uint32_t));
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] > rest.size()) fail("it is cut off");
      pieces[i] = rest.substr(0, sizes[i]);
      rest.remove_prefix(sizes[i]);
    }
  }

  MappedFile file;
  std::string_view rest;  // of the file, unread
  Part training, held_out;
  std::vector<std::string_view> pieces;
  Token ordinary = 0, patches = 0;
  bool words = false;
  std::string hash;
  Json about;
};

Corpus Corpus::open(const std::filesystem::path& file) {
  Corpus corpus;
  corpus.mapped_ = std::make_shared<const Mapped>(file);
  return corpus;
}

const Part& Corpus::training() const { return mapped_->training; }
const Part& Corpus::held_out() const { return mapped_->held_out; }
Token Corpus::ordinary() const { return mapped_->ordinary; }

Token Corpus::patches() const { return mapped_->patches; }

const std::string& Corpus::hash() const { return mapped_->hash; }
const Json& Corpus::about() const { return mapped_->about; }

std::int64_t Corpus::bytes_of(Token token) const { return std::ssize(text_of(token)); }

std::string_view Corpus::text_of(Token token) const {
  if (has_words()) return {};
  const std::int64_t index = std::int64_t{token} - special_count;
  const auto& pieces = mapped_->pieces;
  if (index < 0 || index >= std::ssize(pieces)) return {};
  return pieces[static_cast<std::size_t>(index)];
}

std::string Corpus::text_of(std::span<const Token> tokens) const {
  if (has_words()) return spelled(tokens);
  std::string text;
  for (const Token token : tokens) text += text_of(token);
  return text;
}

std::string Corpus::spelled(Token token) const {
  if (token < special_count) {
    const std::string_view name = special_name(token);
    return name.empty() ? fmt::format("<{}>", token) : std::string(name);
  }
  const auto index = static_cast<std::size_t>(token - special_count);
  if (token - special_count >= mapped_->ordinary) return fmt::format("<sentinel {}>", token);
  const Token first_patch = special_count + mapped_->ordinary - patches();
  if (token >= first_patch) return fmt::format("<patch {}>", token - first_patch);
  if (index >= mapped_->pieces.size()) return fmt::format("w{}", index);
  return printable(mapped_->pieces[index]);
}

std::string Corpus::spelled(std::span<const Token> tokens) const {
  const char* const between = has_words() ? " " : "";
  std::string text, bytes;  // several tokens may be one character
  for (const Token token : tokens) {
    if (const std::string_view piece = text_of(token); !piece.empty()) {
      bytes += piece;
      continue;
    }
    text += printable(std::exchange(bytes, {}));
    text += (text.empty() ? "" : between) + spelled(token);
  }
  return text + printable(bytes);
}

bool Corpus::has_words() const { return mapped_->words; }

}  // namespace ablate::data
