#include "harness/data/prepare.h"

#include <array>
#include <cstdlib>
#include <functional>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/names.h"
#include "harness/base/sha256.h"
#include "harness/data/corpus/corpus.h"
#include "harness/data/language/language.h"
#include "harness/data/text_corpus.h"

namespace ablate::data {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 2> kKinds = {"language", "text"};

/// The corpus that an identity led to before, where it is still there and whole; else nothing.
fs::path found(const fs::path& cache, const fs::path& entry) {
  try {
    const std::string hash = read_file(entry, 64);
    const bool sound =
        hash.size() == 64 && hash.find_first_not_of("0123456789abcdef") == std::string::npos;
    const fs::path file = cache / (hash + ".corpus");
    if (sound && Corpus::open(file).hash() == hash) return file;
  } catch (const std::runtime_error&) {  // absent or damaged: made anew
  }
  return {};
}

/// A small file per identity says which corpus it led to, so that what is there is not made again.
fs::path made_or_found(const Json& identity, const fs::path& cache,
                       const std::function<CorpusContent()>& make) {
  const fs::path entry = cache / "made" / sha256(canonical(identity));
  const fs::path there = found(cache, entry);
  if (!there.empty()) return there;
  const fs::path file = write_corpus(cache, make());
  fs::create_directories(entry.parent_path());
  write_file(entry, file.stem().string());
  return file;
}

fs::path prepare_language(const Params& params, const fs::path& cache) {
  const Json identity = {
      {"kind", "language"}, {"semantics", kLanguageVersion}, {"params", params.json()}};
  return made_or_found(identity, cache, [&] {
    CorpusContent content = draw_corpus(Language(params), params);
    content.about.update(identity);
    return content;
  });
}

fs::path prepare_text(const Params& params, const fs::path& base, const fs::path& cache,
                      const Json& tokenizer) {
  const TextCorpus text(params, base, tokenizer);
  return made_or_found(text.identity(), cache, [&] { return text.content(cache); });
}

/// An absolute path from the environment, as the XDG specification asks; else nothing.
fs::path from_environment(const char* name) {
  const char* value = std::getenv(name);
  const fs::path path = value ? value : "";
  return path.is_absolute() ? path : fs::path();
}

}  // namespace

std::span<const std::string_view> corpus_kinds() { return kKinds; }

std::span<const Param> corpus_params(std::string_view kind) {
  if (kind == "language") return language_params();
  if (kind == "text") return text_params();
  const std::string_view near = closest_match(kind, kKinds);
  reject("corpus.kind = '", kind, "' is not known; ",
         near.empty() ? std::string() : join("the nearest is '", near, "'; "),
         "accepted: ", listed(kKinds));
}

std::string_view corpus_summary(std::string_view kind) {
  return kind == "language" ? "the built-in hidden Markov language, whose optimum is known exactly"
                            : "files and folders of your own: plain text or JSON Lines";
}

namespace {

/// `tokenizer`: what a corpus says of the one that made it, to be used again; null: the section's.
fs::path prepared(const Json& section, const fs::path& base, const fs::path& cache,
                  const Json& tokenizer) {
  if (!section.is_object() || !section.contains("kind") || !section["kind"].is_string())
    reject("corpus: 'kind' is missing; accepted: ", listed(kKinds));
  const std::string kind = section["kind"];
  Json settings = section;
  settings.erase("kind");
  const Params params(corpus_params(kind), settings);
  try {
    return kind == "language" ? prepare_language(params, cache)
                              : prepare_text(params, base, cache, tokenizer);
  } catch (const fs::filesystem_error& error) {
    fail("corpus: ", error.path1().string(), ": ", error.code().message());
  }
}

}  // namespace

fs::path prepare_corpus(const Json& section, const fs::path& base, const fs::path& cache) {
  return prepared(section, base, cache, nullptr);
}

fs::path prepare_corpus_like(const Corpus& other, const Json& section, const fs::path& base,
                             const fs::path& cache) {
  const std::string kind = other.about().at("kind");
  if (section.value("kind", Json()) != kind)
    reject("it is of kind ", canonical(section.value("kind", Json())),
           " and the experiment's of \"", kind,
           "\"; all corpora of an experiment share one vocabulary: give one of that kind");
  Json tokenizer = other.about().value("tokenizer", Json());
  if (tokenizer.is_object() && tokenizer.value("kind", "") == "bytes")
    tokenizer = nullptr;  // it is what a section without one has, and nothing is trained
  const fs::path file = prepared(section, base, cache, tokenizer);
  const Token ordinary = Corpus::open(file).ordinary();
  if (ordinary != other.ordinary())
    reject("its vocabulary is ", ordinary, " and the experiment's is ", other.ordinary(),
           "; all corpora of an experiment share one vocabulary: set \"vocabulary\" to ",
           other.ordinary());
  return file;
}

fs::path cache_folder() {
  const char* own = std::getenv("ABLATE_CACHE");
  if (own && *own) return own;
  const fs::path xdg = from_environment("XDG_CACHE_HOME");
  if (!xdg.empty()) return xdg / "ablate";
  const fs::path home = from_environment("HOME");
  if (home.empty()) reject("no folder is known for the cache; set ABLATE_CACHE to one");
  return home / ".cache" / "ablate";
}

}  // namespace ablate::data
