// Texts of bytes, and files of the forms that probes read, of words that a seed draws.

#pragma once

#include <map>
#include <string>

#include "harness/data/corpus/corpus_write.h"

namespace ablate::bench {

/// 400 training and 100 held-out texts of 12 words, a token a byte.
data::CorpusContent byte_texts();

/// By name: pairs.jsonl (minimal pairs), rated.jsonl, timed.jsonl, blanks.jsonl (infilling) and
/// tagged.conll, 200 lines or sentences each.
std::map<std::string, std::string> probe_files();

}  // namespace ablate::bench
