// The tasks: what holds of all of them, by many documents of tiny ones, and what each of them says.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "harness/data/corpus/corpus.h"
#include "harness/data/prepare.h"
#include "harness/data/tasks/task_text.h"
#include "tests/temporary_folder.h"

namespace ablate::data {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Sections of tasks so small that every document of theirs is drawn often.
const std::vector<Json>& tiny_tasks() {
  static const std::vector<Json> sections = {
      {{"associative_recall", {{"pairs", {1, 2}}, {"keys", 3}, {"values", 3}}}},
      {{"associative_recall", {{"pairs", {2}}, {"keys", 2}, {"values", 3}, {"updates", 1}}}},
      {{"associative_recall", {{"pairs", {3}}, {"keys", 3}, {"values", 3}, {"queries", 1}}}},
      {{"associative_recall",
        {{"pairs", {1, 4}}, {"keys", 2}, {"values", 4}, {"parts", 2}, {"queries", 1}}}},
      {{"boolean_function", {{"length", {2, 5}}}}},
      {{"boolean_function", {{"length", {3, 5}}, {"function", "majority"}}}},
      {{"copy", {{"length", {1, 3}}, {"symbols", 3}}}},
      {{"copy", {{"length", {3}}, {"symbols", 4}, {"order", "reversed"}}}},
      {{"facts", {{"side", 3}, {"parts", 2}, {"filler", 2}}}},
      {{"in_context_recall", {{"pairs", {2, 3}}, {"keys", 2}, {"values", 2}, {"distinct", 2}}}},
      {{"in_context_recall",
        {{"pairs", {3}},
         {"keys", 3},
         {"values", 2},
         {"distinct", 2},
         {"noise", 0.3},
         {"noise_words", 1}}}},
      {{"in_context_recall",
        {{"pairs", {2}}, {"keys", 2}, {"values", 2}, {"distinct", 2}, {"longest", 2}}}},
      {{"memorisation", {{"pairs", {1, 2}}, {"keys", 5}, {"values", 3}}}},
      {{"selective_copy", {{"items", {1, 2}}, {"length", 4}, {"symbols", 3}}}},
      {{"star", {{"path", {2}}, {"arms", 2}, {"nodes", 4}}}},
      {{"star", {{"path", {3}}, {"arms", 2}, {"nodes", 5}, {"order", "reversed"}}}},
  };
  return sections;
}

TaskText task(const Json& section) { return TaskText(Json(section)); }

/// The words of a document between its begin and end tokens.
std::vector<std::string> words_in(const TaskText& text, const TaskDocument& document) {
  const std::vector<std::string> names = text.spec().words(text.dials());
  std::vector<std::string> words;
  for (const Token token : document.tokens)
    if (token >= special_count)
      words.push_back(names.at(static_cast<std::size_t>(token - special_count)));
  return words;
}

std::vector<std::string> words_of(const Json& section, std::uint64_t number = 0) {
  const TaskText text = task(section);
  return words_in(text, text.document(TaskPart::training, number));
}

bool is_answer(const TaskDocument& document, std::size_t i) {
  return (document.marks[i] & answer_mark) != 0;
}

TEST(Tasks, AreAllTriedHere) {
  std::set<std::string> tried;
  for (const Json& section : tiny_tasks()) tried.insert(section.begin().key());
  EXPECT_EQ(tried.size(), task_specs().size());
}

TEST(Tasks, HaveWordsOfTheirOwnNames) {
  for (const Json& section : tiny_tasks()) {
    const TaskText text = task(section);
    const std::vector<std::string> words = text.spec().words(text.dials());
    EXPECT_EQ(std::set<std::string>(words.begin(), words.end()).size(), words.size()) << section;
  }
}

TEST(Tasks, DrawDocumentsOfTheLengthThatTheySay) {
  for (const Json& section : tiny_tasks()) {
    const TaskText text = task(section);
    std::int64_t longest = 0;
    bool answers = false;
    for (std::uint64_t number = 0; number < 300; ++number)
      for (const std::int64_t difficulty : text.difficulties()) {
        const TaskDocument document = text.document(TaskPart::questions, number, difficulty);
        ASSERT_EQ(document.marks.size(), document.tokens.size());
        EXPECT_EQ(document.tokens.front(), begin_token);
        EXPECT_EQ(document.tokens.back(), end_token);
        EXPECT_LE(std::ssize(document.tokens), text.spec().length(text.dials(), difficulty));
        longest = std::max(longest, std::ssize(document.tokens));
        for (std::size_t i = 0; i < document.tokens.size(); ++i) answers |= is_answer(document, i);
      }
    EXPECT_TRUE(answers) << section;
    EXPECT_EQ(longest, text.spec().length(text.dials(), text.difficulties().back())) << section;
  }
}

// The law that makes an answer one: what stands before it tells it, whatever the document.
TEST(Tasks, TellEachAnswerByWhatStandsBeforeIt) {
  for (const Json& section : tiny_tasks()) {
    const TaskText text = task(section);
    std::map<std::vector<Token>, Token> told;
    for (std::uint64_t number = 0; number < 8000; ++number) {
      const TaskDocument document = text.document(TaskPart::training, number);
      for (std::size_t i = 0; i < document.tokens.size(); ++i) {
        if (!is_answer(document, i)) continue;
        const auto to = document.tokens.begin() + static_cast<std::ptrdiff_t>(i);
        const auto [at, added] = told.emplace(std::vector(document.tokens.begin(), to), *to);
        ASSERT_EQ(at->second, *to) << section << " document " << number << " token " << i;
      }
    }
  }
}

// -log P(document): over all documents the probabilities add up to 1, and each is as frequent as it says.
TEST(Tasks, KnowWhatEachDocumentCosts) {
  constexpr std::uint64_t kDrawn = 40000;
  for (const Json& section : tiny_tasks()) {
    const TaskText text = task(section);
    struct Seen {
      double nats = 0, times = 0;
    };
    std::map<std::vector<Token>, Seen> seen;
    for (std::uint64_t number = 0; number < kDrawn; ++number) {
      const TaskDocument document = text.document(TaskPart::training, number);
      Seen& of = seen[document.tokens];
      if (of.times > 0) {
        ASSERT_NEAR(of.nats, document.nats, 1e-9) << section;
      }
      of.nats = document.nats;
      ++of.times;
    }
    double sum = 0, chi_squared = 0;
    for (const auto& [tokens, of] : seen) {
      const double expected = std::exp(-of.nats) * static_cast<double>(kDrawn);
      sum += std::exp(-of.nats);
      chi_squared += (of.times - expected) * (of.times - expected) / expected;
    }
    EXPECT_NEAR(sum, 1, 1e-3) << section << ": " << seen.size() << " documents";
    const auto freedom = static_cast<double>(seen.size() - 1);
    EXPECT_LT(chi_squared, freedom + 5 * std::sqrt(2 * freedom)) << section;
  }
}

TEST(Tasks, DrawEachPartAnew) {
  for (const Json& section : tiny_tasks()) {
    const TaskText text = task(section);
    std::map<TaskPart, std::vector<std::vector<Token>>> parts;
    for (const TaskPart part :
         {TaskPart::training, TaskPart::held_out, TaskPart::development, TaskPart::questions})
      for (std::uint64_t number = 0; number < 50; ++number)
        parts[part].push_back(text.document(part, number).tokens);
    std::set<std::vector<std::vector<Token>>> distinct_parts;
    for (const auto& [part, documents] : parts) distinct_parts.insert(documents);
    EXPECT_EQ(distinct_parts.size(), 4u) << section;
    EXPECT_EQ(text.document(TaskPart::held_out, 7).tokens, parts[TaskPart::held_out][7]);
  }
}

TEST(AssociativeRecall, AsksForTheLastValueOfAKey) {
  const TaskText text =
      task({{"associative_recall", {{"pairs", {6}}, {"keys", 8}, {"values", 16}, {"updates", 3}}}});
  for (std::uint64_t number = 0; number < 100; ++number) {
    const std::vector<std::string> words =
        words_in(text, text.document(TaskPart::training, number));
    std::map<std::string, std::string> value;
    const auto asked = std::ranges::find(words, "?");
    std::size_t updates = 0, right = 0;
    for (auto at = words.begin(); at != asked; at += 2) {
      updates += value.contains(*at) ? 1 : 0;
      value[*at] = *(at + 1);
    }
    for (auto at = asked + 1; at != words.end(); at += 2)
      right += value.at(*at) == *(at + 1) ? 1 : 0;
    EXPECT_EQ(updates, 3u);
    EXPECT_EQ(value.size(), 6u);
    EXPECT_EQ(right, 6u);
  }
}

TEST(AssociativeRecall, HasKeysOfTwoPartsThatNoPartTells) {
  const TaskText text =
      task({{"associative_recall", {{"pairs", {9}}, {"parts", 2}, {"keys", 8}, {"values", 16}}}});
  const std::vector<std::string> words = words_in(text, text.document(TaskPart::training, 3));
  std::map<std::string, std::set<std::string>> behind;  // values by first word of a key
  for (std::size_t i = 0; i < 27; i += 3) behind[words[i]].insert(words[i + 2]);
  EXPECT_EQ(behind.size(), 3u);
  for (const auto& [part, values] : behind) EXPECT_EQ(values.size(), 3u) << part;
}

TEST(CopyTask, RepeatsOrReverses) {
  for (const char* order : {"same", "reversed"}) {
    std::vector<std::string> words =
        words_of({{"copy", {{"length", {5}}, {"symbols", 9}, {"order", order}}}});
    ASSERT_EQ(words.size(), 11u);
    EXPECT_EQ(words[5], ">");
    std::vector<std::string> first(words.begin(), words.begin() + 5),
        second(words.begin() + 6, words.end());
    if (std::string(order) == "reversed") std::reverse(second.begin(), second.end());
    EXPECT_EQ(first, second);
  }
}

TEST(SelectiveCopy, PutsBlanksAfterTheLastSymbol) {
  const TaskText text = task({{"selective_copy", {{"items", {2}}, {"length", 6}}}});
  std::int64_t blank_last = 0;
  for (std::uint64_t number = 0; number < 300; ++number) {
    const std::vector<std::string> words =
        words_in(text, text.document(TaskPart::training, number));
    std::vector<std::string> items;
    std::copy_if(words.begin(), words.begin() + 6, std::back_inserter(items),
                 [](const std::string& word) { return word != "_"; });
    EXPECT_THAT(items, ElementsAre(words[7], words[8]));
    blank_last += words[5] == "_" ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(blank_last) / 300, 2.0 / 3, 0.12);
}

TEST(StarTask, WalksFromTheCentreToTheEndOfAnArm) {
  for (const char* order : {"forward", "reversed"}) {
    const TaskText text =
        task({{"star", {{"path", {4}}, {"arms", 3}, {"nodes", 30}, {"order", order}}}});
    std::set<std::size_t> answered_after;
    for (std::uint64_t number = 0; number < 50; ++number) {
      const std::vector<std::string> words =
          words_in(text, text.document(TaskPart::training, number));
      const auto slash = static_cast<std::size_t>(std::ranges::find(words, "/") - words.begin());
      ASSERT_EQ(slash, 3u * 9 - 1);
      std::map<std::string, std::string> parent;
      std::map<std::string, int> children;
      for (std::size_t i = 0; i < slash; i += 3) {
        EXPECT_TRUE(parent.emplace(words[i + 1], words[i]).second) << "one edge leads to a node";
        ++children[words[i]];
      }
      const std::string centre = words[slash + 1], goal = words[slash + 2];
      EXPECT_EQ(children[centre], 3);
      EXPECT_EQ(children[goal], 0);
      std::vector<std::string> path(words.begin() + static_cast<std::ptrdiff_t>(slash) + 4,
                                    words.end());
      ASSERT_EQ(path.size(), 4u);
      if (std::string(order) == "reversed") std::reverse(path.begin(), path.end());
      EXPECT_EQ(path.front(), centre);
      EXPECT_EQ(path.back(), goal);
      for (std::size_t i = 1; i < path.size(); ++i) EXPECT_EQ(parent.at(path[i]), path[i - 1]);
    }
  }
}

// The trap of the task: a direction that is asked as unseen must be in no training text.
TEST(Facts, AskUnseenDirectionsThatNoTextTells) {
  const TaskText text = task({{"facts", {{"side", 4}, {"parts", 2}, {"filler", 3}}}});
  const auto told = [&](const TaskDocument& document) {
    std::vector<Token> fact;  // without the filler
    for (const Token token : document.tokens)
      if (token >= special_count && !(token >= special_count + 16 && token < special_count + 19))
        fact.push_back(token);
    return fact;
  };
  std::set<std::vector<Token>> seen;
  for (std::uint64_t number = 0; number < 5000; ++number)
    seen.insert(told(text.document(TaskPart::training, number)));
  // 7 of 16 entities forward alone, 7 backward alone, 2 both ways: 9 facts in each direction.
  EXPECT_EQ(seen.size(), 18u);
  std::set<std::vector<Token>> unseen;
  for (std::uint64_t number = 0; number < 2000; ++number) {
    unseen.insert(told(text.document(TaskPart::questions, number, 1)));
    EXPECT_TRUE(seen.contains(told(text.document(TaskPart::questions, number, 0))));
  }
  EXPECT_EQ(unseen.size(), 14u);
  for (const auto& fact : unseen) EXPECT_FALSE(seen.contains(fact));
  // Both directions tell the same map.
  const auto reversed = [](std::vector<Token> fact) {
    std::swap_ranges(fact.begin(), fact.begin() + 2, fact.begin() + 3);
    const Token forward = special_count + 19;
    fact[2] = fact[2] == forward ? forward + 1 : forward;
    return fact;
  };
  for (const auto& fact : unseen) EXPECT_TRUE(seen.contains(reversed(fact)));
}

std::string task_refusal(const Json& section) {
  try {
    task(section);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

TEST(Tasks, RefuseWhatCannotBeDrawnWithTheRemedy) {
  EXPECT_THAT(task_refusal(Json::object()), HasSubstr("names no task"));
  EXPECT_THAT(task_refusal({{"copy", Json::object()}, {"star", Json::object()}}),
              HasSubstr("'copy' and 'star'"));
  EXPECT_THAT(task_refusal({{"associative_recall", {{"pairs", {40}}}}}),
              HasSubstr("give more keys"));
  EXPECT_THAT(task_refusal({{"associative_recall", {{"pairs", {4}}, {"test_pairs", {40}}}}}),
              HasSubstr("give more keys"));
  EXPECT_THAT(task_refusal({{"associative_recall", {{"pairs", {5}}, {"parts", 2}}}}),
              HasSubstr("square"));
  EXPECT_THAT(task_refusal({{"associative_recall", {{"pairs", {2}}, {"updates", 3}}}}),
              HasSubstr("give fewer"));
  EXPECT_THAT(task_refusal({{"star", {{"path", {9}}, {"arms", 4}}}}), HasSubstr("give more nodes"));
  EXPECT_THAT(task_refusal({{"copy", {{"length", Json::array()}}}}), HasSubstr("it is empty"));
  EXPECT_THAT(task_refusal({{"copy", {{"length", {3, 3}}}}}), HasSubstr("3 is twice"));
  EXPECT_THAT(task_refusal({{"boolean_function", {{"length", {4}}, {"function", "majority"}}}}),
              HasSubstr("odd"));
  EXPECT_THAT(task_refusal({{"selective_copy", {{"items", {9}}, {"length", 8}}}}),
              HasSubstr("greater length"));
  EXPECT_THAT(task_refusal({{"facts", {{"side", 2}, {"parts", 1}, {"test_unseen", {1}}}}}), "");
  EXPECT_THAT(task_refusal({{"in_context_recall", {{"keys", 4}, {"distinct", 5}}}}),
              HasSubstr("fewer distinct"));
}

TEST(TaskCorpus, HoldsMarkedDocumentsThatAreSpelledInWords) {
  const TemporaryFolder folder;
  const Corpus corpus = Corpus::open(prepare_corpus(
      {{"kind", "task"}, {"tokens", 2000}, {"held_out_tokens", 1000}, {"copy", Json::object()}},
      folder.path(), folder.path()));
  EXPECT_TRUE(corpus.has_words());
  EXPECT_EQ(corpus.ordinary(), 17);
  EXPECT_EQ(corpus.bytes_of(special_count), 0);
  EXPECT_GE(std::ssize(corpus.training().tokens), 2000);
  EXPECT_GE(std::ssize(corpus.held_out().tokens), 1000);
  const std::vector<Token> words = {special_count + 3, special_count + 16, special_count + 3};
  EXPECT_EQ(corpus.spelled(words), "s3 > s3");
  std::int64_t answers = 0;
  for (const std::uint8_t mark : corpus.held_out().marks) answers += mark & answer_mark ? 1 : 0;
  EXPECT_EQ(answers, 8 * corpus.held_out().documents);
}

}  // namespace
}  // namespace ablate::data
