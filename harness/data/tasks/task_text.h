// The text of a corpus of kind "task": documents of one task, drawn at several difficulties.

#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "harness/contract/params.h"
#include "harness/data/corpus/corpus_cache.h"
#include "harness/data/tasks/task.h"

namespace ablate::data {

/// The rows of a corpus section of kind "task": how much text is drawn, and a section for each task.
std::span<const Param> task_params();

/// Raised when a change makes other text of the same parameters; part of each corpus's identity.
constexpr int kTaskVersion = 1;

/// What documents of a task corpus are for.
enum class TaskPart : std::uint64_t { training, held_out, development, questions };

/// A task with its dials, which documents are drawn from.
class TaskText {
 public:
  /// The task of a resolved section. Throws std::invalid_argument where it names none or several, or where
  /// documents of one of its difficulties cannot be drawn.
  explicit TaskText(const Params& params);

  /// The same of a corpus's section, with or without "kind".
  explicit TaskText(Json section);

  const TaskSpec& spec() const { return spec_; }
  const Params& dials() const { return dials_; }

  /// The difficulties of the corpus, and those that models are asked about, ascending.
  const std::vector<std::int64_t>& difficulties() const { return difficulties_; }
  const std::vector<std::int64_t>& test_difficulties() const { return test_difficulties_; }

  /// The tokens of the longest document of the corpus, begin and end tokens included; and of the longest
  /// one that models are asked about.
  std::int64_t longest() const { return longest_of(difficulties_); }
  std::int64_t longest_test() const { return longest_of(test_difficulties_); }

  /// Document number `number` of a part, of this difficulty: a pure function of the section and these.
  TaskDocument document(TaskPart part, std::uint64_t number, std::int64_t difficulty) const;

  /// The same, of a difficulty of the corpus that is drawn. What the draw costs is added.
  TaskDocument document(TaskPart part, std::uint64_t number) const;

  /// Documents until a part has `tokens`; the last one is complete.
  CorpusContent::PartContent drawn(TaskPart part, std::int64_t tokens) const;

 private:
  std::int64_t longest_of(const std::vector<std::int64_t>& difficulties) const;

  TaskSpec spec_;
  Params dials_;
  std::uint64_t seed_ = 0;
  std::vector<std::int64_t> difficulties_, test_difficulties_;
};

/// Throws as TaskText() for a section that is refused.
void check_task(const Params& params, const std::filesystem::path& base);

/// Draws the corpus of a section of kind "task", or finds it in the cache; returns its file.
std::filesystem::path prepare_task(const CorpusRequest& request);

}  // namespace ablate::data
