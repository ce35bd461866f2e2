// Tasks that take turns: one at a time, and served together.

#include "harness/probes/together/turns.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace ablate::probes {
namespace {

using ::testing::ElementsAre;

struct Asked {
  int task = 0;
  int answer = 0;
};

/// Tasks, the number of whose questions are given; the task that runs, and who was served together.
struct Table {
  explicit Table(std::vector<int> questions) {
    for (std::size_t i = 0; i < questions.size(); ++i)
      tasks.emplace_back([this, i, count = questions[i]] {
        for (int asked = 0; asked < count; ++asked) {
          Asked question{static_cast<int>(i)};
          EXPECT_EQ(++running, 1) << "another task runs";
          --running;
          turns.ask(question);
          EXPECT_EQ(question.answer, 10 * question.task);
        }
      });
  }

  std::vector<std::vector<int>> served;
  int running = 0;
  std::vector<std::function<void()>> tasks;
  Turns<Asked> turns{[this](std::span<Asked* const> all) {
    std::vector<int>& together = served.emplace_back();
    for (Asked* one : all) {
      one->answer = 10 * one->task;
      together.push_back(one->task);
    }
  }};
};

TEST(Turns, ServeWhatAllTasksWaitForTogether) {
  Table table({2, 2, 2});
  table.turns.run(table.tasks);
  EXPECT_THAT(table.served, ElementsAre(ElementsAre(0, 1, 2), ElementsAre(0, 1, 2)));
}

TEST(Turns, GoOnWithoutThoseThatHaveEnded) {
  Table table({1, 0, 3});
  table.turns.run(table.tasks);
  EXPECT_THAT(table.served, ElementsAre(ElementsAre(0, 2), ElementsAre(2), ElementsAre(2)));
}

TEST(Turns, NeedNoTasksAndNoQuestions) {
  Table none({}), silent({0, 0});
  none.turns.run(none.tasks);
  silent.turns.run(silent.tasks);
  EXPECT_TRUE(none.served.empty());
  EXPECT_TRUE(silent.served.empty());
}

TEST(Turns, FinishTheOtherTasksBeforeAnExceptionIsThrown) {
  Table table({3, 3});
  table.tasks.insert(table.tasks.begin() + 1, [] { throw std::runtime_error("the second"); });
  table.tasks.push_back([] { throw std::runtime_error("the last"); });
  std::string message;
  try {
    table.turns.run(table.tasks);
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  EXPECT_EQ(message, "the second");
  EXPECT_EQ(table.served.size(), 3);
}

}  // namespace
}  // namespace ablate::probes
