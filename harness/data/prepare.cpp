// The kinds of corpus, and making a corpus from a section.

#include "harness/data/prepare.h"

#include <fmt/ranges.h>

#include <cstdlib>
#include <vector>

#include "harness/base/error.h"
#include "harness/base/names.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/data/corpus/corpus.h"
#include "harness/data/language/language.h"
#include "harness/data/tasks/task_text.h"
#include "harness/data/text_corpus.h"

namespace ablate::data {
namespace {

namespace fs = std::filesystem;

// To add a kind of corpus, add its row here, in alphabetical order, and write what the row names.
constexpr CorpusKind kKinds[] = {
    {"language", "the built-in hidden Markov language, whose optimum is known exactly",
     language_params, nullptr, prepare_language},
    {"task", "documents with marked answers, such as associative recall, copying or star graphs",
     task_params, check_task, prepare_task},
    {"text", "files and folders of your own: plain text or JSON Lines", text_params, check_text,
     prepare_text},
};

std::vector<std::string_view> names() {
  std::vector<std::string_view> all;
  for (const CorpusKind& kind : kKinds) all.push_back(kind.name);
  return all;
}

/// The row of a kind. Throws std::invalid_argument where there is no such kind.
const CorpusKind& kind_named(std::string_view name) {
  for (const CorpusKind& kind : kKinds)
    if (kind.name == name) return kind;
  reject("corpus.kind = '{}' is not known; {}accepted: {}", name, the_closest(name, names()),
         fmt::join(names(), ", "));
}

/// An absolute path from the environment; empty where it is not set, or relative (as the XDG
/// specification asks).
fs::path from_environment(const char* name) {
  const char* value = std::getenv(name);
  const fs::path path = value ? value : "";
  return path.is_absolute() ? path : fs::path();
}

/// Calls `work` with the kind of a section and its settings.
template <class Work>
auto with_kind(const Json& section, Work work) {
  if (!section.is_object() || !section.contains("kind") || !section["kind"].is_string())
    reject("corpus: 'kind' is missing; accepted: {}", fmt::join(names(), ", "));
  const CorpusKind& kind = kind_named(section["kind"].get<std::string>());
  Json settings = section;
  settings.erase("kind");
  try {
    return work(kind, Params(kind.params(), settings));
  } catch (const fs::filesystem_error& error) {
    throw MachineFault(
        fmt::format("corpus: {}: {}", error.path1().string(), error.code().message()),
        error.code().value());
  }
}

/// `tokenizer`: as CorpusRequest.
fs::path prepared(const Json& section, const fs::path& base, const fs::path& cache,
                  const Json& tokenizer, const Warn& warn) {
  return with_kind(section, [&](const CorpusKind& kind, const Params& params) {
    return kind.prepare({params, base, cache, tokenizer, warn});
  });
}

}  // namespace

std::span<const CorpusKind> corpus_kinds() { return kKinds; }

std::span<const Param> corpus_params(std::string_view kind) { return kind_named(kind).params(); }

std::string_view corpus_summary(std::string_view kind) { return kind_named(kind).summary; }

void check_corpus(const Json& section, const fs::path& base) {
  with_kind(section, [&](const CorpusKind& kind, const Params& params) {
    if (kind.check != nullptr) kind.check(params, base);
  });
}

fs::path prepare_corpus(const Json& section, const fs::path& base, const fs::path& cache,
                        const Warn& warn) {
  return prepared(section, base, cache, nullptr, warn);
}

fs::path prepare_corpus_like(const Corpus& other, const Json& section, const fs::path& base,
                             const fs::path& cache, const Warn& warn) {
  const std::string kind = other.about().at("kind");
  if (section.value("kind", Json()) != kind)
    reject(
        "it is of kind {} and the experiment's of \"{}\"; all corpora of an experiment share one "
        "vocabulary: give one of that kind",
        canonical(section.value("kind", Json())), kind);
  Json tokenizer = other.about().value("tokenizer", Json());
  if (tokenizer.is_object() && tokenizer.value("kind", "") == "bytes")
    tokenizer = nullptr;  // the default of a section, and nothing is trained
  fs::path file = prepared(section, base, cache, tokenizer, warn);
  const Token ordinary = Corpus::open(file).ordinary();
  if (ordinary != other.ordinary())
    reject(
        "its vocabulary is {} and the experiment's is {}; all corpora of an experiment share one "
        "vocabulary: set \"vocabulary\" to {}",
        ordinary, other.ordinary(), other.ordinary());
  return file;
}

fs::path cache_folder() {
  const char* own = std::getenv("ABLATE_CACHE");
  if (own && *own) return own;
  const fs::path xdg = from_environment("XDG_CACHE_HOME");
  if (!xdg.empty()) return xdg / "ablate";
  const fs::path home = from_environment("HOME");
  if (home.empty()) reject("the cache has no folder; set ABLATE_CACHE to one");
  return home / ".cache" / "ablate";
}

}  // namespace ablate::data
