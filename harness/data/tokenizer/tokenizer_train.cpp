#include "harness/data/tokenizer/tokenizer_train.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sentencepiece_trainer.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <vector>

#include "harness/base/error.h"
#include "harness/base/posix/pipe.h"
#include "harness/base/posix/spawn.h"
#include "harness/data/tokenizer/tokenizer_lines.h"

namespace ablate::data {
namespace {

constexpr std::size_t kMaxTrainingBytes = std::size_t{64} << 20;
constexpr std::string_view kDone = "done:", kRefused = "refused:";

class Lines : public sentencepiece::SentenceIterator {
 public:
  explicit Lines(std::vector<std::string> lines) : lines_(std::move(lines)) {}
  bool done() const override { return next_ >= lines_.size(); }
  void Next() override { lines_[next_++] = std::string(); }  // the trainer has a copy
  const std::string& value() const override { return lines_[next_]; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  std::vector<std::string> lines_;
  std::size_t next_ = 0;
};

/// The lines without SentencePiece's reserved characters, which would make it skip the line.
std::vector<std::string> lines_of(std::span<const std::string_view> documents) {
  std::size_t bytes = 0;
  for (const std::string_view document : documents) bytes += document.size();
  const std::size_t every = bytes / kMaxTrainingBytes + 1;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < documents.size(); i += every)
    for_each_line(documents[i], [&](std::string_view line, bool) {
      std::string kept(line);
      for (const std::string_view sign : {kSpaceSign, kReservedSign})
        for (std::size_t at; (at = kept.find(sign)) != std::string::npos;)
          kept.replace(at, sign.size(), " ");
      if (!kept.empty()) lines.push_back(std::move(kept));
    });
  return lines;
}

std::string trained(const std::string& kind, std::int64_t vocabulary,
                    std::vector<std::string> given) {
  Lines lines(std::move(given));
  std::string model;
  const auto status = sentencepiece::SentencePieceTrainer::Train(
      {{"model_type", kind},
       {"vocab_size", std::to_string(vocabulary + 1)},  // its unknown piece, which is never used
       {"byte_fallback", "true"},
       {"normalization_rule_name", "identity"},
       {"add_dummy_prefix", "false"},
       {"remove_extra_whitespaces", "false"},
       {"max_sentence_length", std::to_string(2 * kLongestLine)},
       {"num_threads", "1"},  // so that sums have a fixed order
       {"bos_id", "-1"},
       {"eos_id", "-1"},
       {"pad_id", "-1"},
       {"minloglevel", "3"}},
      &lines, &model);
  return status.ok() ? std::string(kDone) + model : std::string(kRefused) + status.ToString();
}

/// The result of `work` in a child process; empty where the process was aborted.
std::string in_child(const std::function<std::string()>& work) {
  Pipe pipe = open_pipe("tokenizer");
  ChildProcess child("tokenizer", [&] {
    const Descriptor nowhere = open_file("/dev/null", O_WRONLY, "could not be opened");
    ::dup2(nowhere.get(), STDOUT_FILENO);
    ::dup2(nowhere.get(), STDERR_FILENO);
    write_all(pipe.writer, work(), "tokenizer");
    return 0;
  });
  pipe.writer.close();
  const std::string result = read_to_end(pipe.reader);
  const int status = child.wait();
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? result : std::string();
}

/// The number after `words` in a message of SentencePiece's, minus its unknown piece; -1 where
/// there is none.
std::int64_t number_after(const std::string& message, std::string_view words) {
  const std::size_t at = message.find(words);
  if (at == std::string::npos) return -1;
  return std::strtoll(message.c_str() + at + words.size(), nullptr, 10) - 1;
}

[[noreturn]] void explain(const std::string& kind, std::int64_t vocabulary,
                          const std::string& message) {
  const std::string given = fmt::format("corpus.tokenizer: {} with {} pieces ", kind, vocabulary);
  const std::int64_t maximum = number_after(message, "Please set it to a value <= ");
  if (maximum > 256)
    reject("{}is more than the training text has; give vocabulary <= {}, or more text", given,
           maximum);
  const std::int64_t minimum =
      number_after(message, fmt::format("required_chars. {} vs ", vocabulary + 1));
  if (minimum > 256)
    reject(
        "{}is less than one for each byte and common character of the training text; give "
        "vocabulary >= {}, or kind = \"bytes\"",
        given, minimum);
  reject(
      "{}cannot be trained on this text{}; give more text, another vocabulary, or kind = \"bytes\"",
      given, message.empty() ? "" : " (" + message + ")");
}

}  // namespace

std::string train_sentencepiece(const std::string& kind, std::int64_t vocabulary,
                                std::span<const std::string_view> documents) {
  if (kind != "unigram" && kind != "bpe")
    reject("corpus.tokenizer.kind = '{}' is not known; accepted: bytes, unigram, bpe, words", kind);
  const std::string result =
      in_child([&] { return trained(kind, vocabulary, lines_of(documents)); });
  if (!result.starts_with(kDone))
    explain(kind, vocabulary, result.empty() ? "" : result.substr(kRefused.size()));
  return result.substr(kDone.size());
}

}  // namespace ablate::data
