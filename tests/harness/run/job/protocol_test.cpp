// Which lines of a worker are events.

#include "harness/run/job/protocol.h"

#include <gtest/gtest.h>

namespace ablate::run {
namespace {

TEST(Events, AreObjectsThatNameThemselves) {
  EXPECT_EQ(event_in(R"({"event":"lanes","choice":3})"), (Json{{"event", "lanes"}, {"choice", 3}}));
  for (const char* other : {"", "words of a library", "7", "[]", "\"event\"", "{}", "null",
                            R"({"event":7})", R"({"event":null})", R"({"event":"cut)",
                            R"({"event":"x","y":1e999})", "{\"event\":\"\xff\"}"})
    EXPECT_TRUE(event_in(other).is_null()) << other;
}

TEST(Jobs, AreRefusedInWords) {
  const auto refused = [](const std::string& text) {
    try {
      job_from_text(text);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  const std::string deep =
      "{\"trials\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  EXPECT_NE(refused(deep).find("nested more than 64 deep"), std::string::npos);
  EXPECT_NE(refused("{").find("is not JSON"), std::string::npos);
  EXPECT_NE(refused("{}").find("a job is written by `ablate run`"), std::string::npos);
}

TEST(Events, AreNotNestedDeep) {
  const auto nested = [](std::size_t deep) {
    return R"({"event":"x","y":)" + std::string(deep, '[') + std::string(deep, ']') + "}";
  };
  EXPECT_FALSE(event_in(nested(60)).is_null());
  EXPECT_TRUE(event_in(nested(100'000)).is_null());
}

TEST(JobOfAWorker, HasATaskThatIsKnown) {
  Json job = Job{.task = Task::measure};
  EXPECT_EQ(job_from_json(job).task, Task::measure);
  for (const Json& task : {Json("probe"), Json(), Json(1), Json(true)}) {
    job["task"] = task;
    EXPECT_THROW(job_from_json(job), std::invalid_argument) << task;
  }
}

}  // namespace
}  // namespace ablate::run
