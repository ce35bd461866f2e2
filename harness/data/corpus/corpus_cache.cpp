// A cache of corpora. A small file for each identity names its corpus.

#include "harness/data/corpus/corpus_cache.h"

#include "harness/base/files.h"
#include "harness/base/sha256.h"
#include "harness/data/corpus/cache_fault.h"
#include "harness/data/corpus/corpus.h"

namespace ablate::data {
namespace {

namespace fs = std::filesystem;

/// The corpus that an entry names; an empty path where it no longer exists, is damaged, or is not
/// `whole`.
fs::path found(const fs::path& cache, const fs::path& entry,
               const std::function<bool(const Json&)>& whole) {
  try {
    const std::string hash = read_file(entry, 64);
    const bool sound =
        hash.size() == 64 && hash.find_first_not_of("0123456789abcdef") == std::string::npos;
    fs::path file = cache / (hash + ".corpus");
    if (!sound) return {};
    const Corpus corpus = Corpus::open(file);
    if (corpus.hash() == hash && whole(corpus.about())) return file;
  } catch (const std::runtime_error&) {  // absent or damaged: made again
  }
  return {};
}

}  // namespace

fs::path made_or_found(const Json& identity, const fs::path& cache,
                       const std::function<CorpusContent()>& make,
                       const std::function<bool(const Json&)>& whole) {
  const fs::path entry = cache / "made" / sha256(canonical(identity));
  fs::path there = found(cache, entry, whole);
  if (!there.empty()) return there;
  fs::path file = write_corpus(cache, make());
  writing_to_cache(cache, [&] {
    fs::create_directories(entry.parent_path());
    write_file(entry, file.stem().string());
  });
  return file;
}

}  // namespace ablate::data
