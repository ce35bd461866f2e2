#include "harness/store/journal/journal.h"
#include "harness/base/posix/machine_fault.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "harness/base/error.h"
#include "harness/base/sha256.h"
#include "harness/store/index/trial_state.h"
#include "tests/harness/store/fake_results.h"

namespace ablate::store {
namespace {

using testing::HasSubstr;
using testing::Throws;
using testing::ThrowsMessage;

class JournalFile : public testing::Test {
 protected:
  JournalFile() { std::filesystem::create_directories(file_.parent_path()); }

  void write_three() {
    Journal journal(file_);
    journal.write("attempt", {{"trial", {{"id", "a"}}}});
    journal.write("curve", {{"step", 10}, {"loss", 2.5e-5}});
    journal.write("outcome", {{"outcome", "completed"}, {"message", ""}});
  }

  void put(const std::string& bytes) { std::ofstream(file_, std::ios::binary) << bytes; }

  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "a/journal.jsonl";
};

std::size_t lines_in(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST_F(JournalFile, ReadsBackWhatWasWritten) {
  write_three();
  const auto events = read_journal(file_);
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[0].at("event"), "attempt");
  EXPECT_EQ(events[1].at("loss"), 2.5e-5);
  EXPECT_EQ(events[2].at("attempt"), 1);
  EXPECT_FALSE(events[2].contains("sum"));
}

TEST_F(JournalFile, CountsAttemptsFromOneAndGoesOnCountingWhenItIsOpenedAgain) {
  write_three();
  Journal journal(file_);
  EXPECT_EQ(journal.events().size(), 3u);
  EXPECT_EQ(journal.attempt(), 1);
  journal.write("attempt", Json::object());
  EXPECT_EQ(journal.attempt(), 2);
  EXPECT_EQ(read_journal(file_).back().at("attempt"), 2);
}

TEST_F(JournalFile, TruncatedAtAnyByteLosesNoCompleteLine) {
  write_three();
  const std::string whole = read_file(file_);
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const std::string part = whole.substr(0, size);
    put(part);
    // A line that lacks its newline alone is complete too.
    const std::size_t complete =
        lines_in(part) + (size < whole.size() && whole[size] == '\n' ? 1 : 0);
    ASSERT_EQ(read_journal(file_).size(), complete) << "at byte " << size;
    {
      Journal journal(file_);
      ASSERT_EQ(journal.events().size(), complete) << "at byte " << size;
      journal.write("stage", {{"stage", "data"}, {"seconds", 0.5}});
    }
    ASSERT_EQ(read_journal(file_).size(), complete + 1) << "after a repair at byte " << size;
  }
}

TEST(TrialState, CountsATrialsOwnPartOfWhatItsBankShared) {
  const auto stage = [](const char* name, double seconds, std::int64_t lanes) {
    return Json{{"event", "stage"}, {"attempt", 1},       {"time", ""},
                {"stage", name},    {"seconds", seconds}, {"lanes", lanes}};
  };
  std::vector<Json> events = {{{"event", "attempt"},
                               {"attempt", 1},
                               {"time", ""},
                               {"trial", Json::object()},
                               {"provenance", Json::object()}},
                              {{"event", "ledger"}, {"attempt", 1}, {"time", ""}, {"steps", 3}}};
  EXPECT_TRUE(std::isnan(trial_state(events, "j").fraction_in("train")));
  EXPECT_FALSE(trial_state(events, "j").ledger.contains("share_not_training"));
  events.push_back(stage("train", 60, 8));
  events.push_back(stage("probes", 2.5, 1));
  events.push_back(stage("data", 2.5, 1));
  const TrialState state = trial_state(events, "j");
  EXPECT_DOUBLE_EQ(state.fraction_in("train"), 0.6);
  EXPECT_DOUBLE_EQ(state.ledger.at("share_not_training"), 0.4);
  EXPECT_DOUBLE_EQ(state.ledger.at("share_probing"), 0.2);
}

TEST_F(JournalFile, DetectsEveryFlippedBit) {
  write_three();
  const std::string whole = read_file(file_);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string flipped = whole;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at % 8)));
    put(flipped);
    ASSERT_THROW(read_journal(file_), DamagedFile) << "byte " << at;
    ASSERT_THROW(Journal{file_}, DamagedFile) << "byte " << at;
    ASSERT_EQ(read_file(file_), flipped) << "a damaged journal is left as it was found";
  }
}

TEST_F(JournalFile, NamesFileAndLineOfDamage) {
  write_three();
  std::string bytes = read_file(file_);
  bytes[bytes.find('\n') + 5] ^= 1;
  put(bytes);
  EXPECT_THAT(
      [&] { read_journal(file_); },
      ThrowsMessage<DamagedFile>(HasSubstr("journal.jsonl:2: does not match its checksum")));
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start) + 1;
    lines.push_back(text.substr(start, end - start));
    start = end;
  }
  return lines;
}

TEST_F(JournalFile, MissesEveryLineThatWasRemovedFromWithin) {
  write_three();
  const auto lines = lines_of(read_file(file_));
  for (std::size_t removed = 0; removed + 1 < lines.size(); ++removed) {
    std::string rest;
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (i != removed) rest += lines[i];
    put(rest);
    EXPECT_THROW(read_journal(file_), DamagedFile) << "line " << removed + 1;
    EXPECT_THROW(Journal{file_}, DamagedFile) << "line " << removed + 1;
  }
}

TEST_F(JournalFile, NoticesLinesThatWereMovedOrDoubled) {
  write_three();
  const auto lines = lines_of(read_file(file_));
  for (const auto& order : {std::vector{0, 2, 1}, {1, 0, 2}, {0, 1, 1, 2}, {0, 0, 1, 2}}) {
    std::string moved;
    for (const int line : order) moved += lines[static_cast<std::size_t>(line)];
    put(moved);
    EXPECT_THAT([&] { read_journal(file_); }, Throws<DamagedFile>()) << moved;
  }
}

TEST_F(JournalFile, OfAnotherTrialIsRefusedByName) {
  write_three();
  const auto other = folder_.path() / "b/journal.jsonl";
  std::filesystem::create_directories(other.parent_path());
  std::filesystem::copy_file(file_, other);
  EXPECT_THAT([&] { read_journal(other); },
              ThrowsMessage<DamagedFile>(
                  HasSubstr("belongs to trial a, but this is the folder of trial b")));
}

/// A line as versions wrote it that did not chain lines.
std::string unchained(Json event) {
  event["attempt"] = 1;
  event["time"] = "";
  Json line = event;
  line["sum"] = sha256(canonical(event)).substr(0, 16);
  return canonical(line) + "\n";
}

TEST_F(JournalFile, OfAnOlderVersionIsReadAndContinued) {
  const std::string old = unchained({{"event", "attempt"}, {"trial", {{"id", "a"}}}}) +
                          unchained({{"event", "note"}, {"message", "old"}});
  put(old);
  Journal(file_).write("note", {{"message", "new"}});
  EXPECT_EQ(read_journal(file_).size(), 3u);
  put(read_file(file_) + unchained({{"event", "note"}, {"message", "older again"}}));
  EXPECT_THROW(read_journal(file_), DamagedFile) << "no older version follows a newer one";

  const auto other = folder_.path() / "b/journal.jsonl";
  std::filesystem::create_directories(other.parent_path());
  write_file(other, old);
  EXPECT_THAT([&] { read_trial_state(other); },
              ThrowsMessage<DamagedFile>(HasSubstr("belongs to trial \"a\"")));
}

TEST_F(JournalFile, ThatIsSalvagedKeepsWhatIsBeforeTheDamage) {
  write_three();
  const std::string sound = read_file(file_);
  EXPECT_TRUE(salvage_journal(file_).empty()) << "nothing is wrong with it";
  auto lines = lines_of(sound);
  const std::string damage = lines[0] + lines[2];
  for (const char* name : {"journal.jsonl.damaged", "journal.jsonl.damaged.2"}) {
    put(damage);
    const auto aside = salvage_journal(file_);
    EXPECT_EQ(aside.filename(), name);
    EXPECT_EQ(read_file(aside), damage);
    EXPECT_EQ(read_file(file_), lines[0]);
  }
  put(lines[2]);
  EXPECT_TRUE(salvage_journal(file_).empty()) << "no line is left to go on from";
  EXPECT_EQ(read_file(file_), lines[2]);
}

TEST_F(JournalFile, BeginsInNoFolderOfItsOwn) {
  EXPECT_THROW(Journal{folder_.path() / "absent/journal.jsonl"}, MachineFault);
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "absent"));
}

TEST_F(JournalFile, SpellingsThatParseAlikeAreDamageToo) {
  write_three();
  std::string bytes = read_file(file_);
  bytes.insert(bytes.find(',') + 1, " ");
  put(bytes);
  EXPECT_THROW(read_journal(file_), DamagedFile);
}

TEST_F(JournalFile, SumsAndBracketsWithinAnEventAreItsOwn) {
  const Json sum = {{"sum", "0123456789abcdef"}};
  const std::string brackets = std::string(100, '[') + R"(\"{)" + R"("sum":"0123456789abcdef")";
  Journal(file_).write("note", {{"about", sum}, {"zone", sum}, {"message", brackets}});
  const Json event = read_journal(file_).back();
  EXPECT_EQ(event.at("about"), sum);
  EXPECT_EQ(event.at("zone"), sum);
  EXPECT_EQ(event.at("message"), brackets);
  EXPECT_FALSE(event.contains("sum"));
}

TEST_F(JournalFile, AnAttemptThatNoIntegerHoldsIsRefused) {
  for (const char* attempt : {"1e300", "18446744073709551615", "0.5"}) {
    const std::string event =
        fmt::format(R"({{"attempt":{},"event":"note","previous":"a","time":""}})", attempt);
    const std::string sum = fmt::format(R"("sum":"{}",)", sha256(event).substr(0, 16));
    std::string line = event;
    put(line.insert(line.find(R"("time")"), sum) + "\n");
    EXPECT_THROW(read_journal(file_), DamagedFile) << attempt;
  }
}

TEST_F(JournalFile, ALineNestedAMillionDeepIsRefused) {
  put(std::string(1000000, '[') + "\n");
  EXPECT_THROW(read_journal(file_), DamagedFile);
}

TEST_F(JournalFile, HoldsItsLockUntilClosed) {
  Journal journal(file_);
  EXPECT_THAT([&] { Journal{file_}; },
              ThrowsMessage<std::runtime_error>(HasSubstr("is being written by another process")));
}

TEST_F(JournalFile, KeepsNumbersThatJsonCannotHold) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  {
    Journal journal(file_);
    journal.write("curve", {{"loss", std::nan("")}, {"rates", {infinity, -infinity, 0.1}}});
  }
  const Json event = read_journal(file_).at(0);
  EXPECT_TRUE(std::isnan(number_from_json(event.at("loss"))));
  EXPECT_EQ(number_from_json(event.at("rates").at(0)), infinity);
  EXPECT_EQ(number_from_json(event.at("rates").at(1)), -infinity);
  EXPECT_EQ(number_from_json(event.at("rates").at(2)), 0.1);
  EXPECT_THROW(number_from_json("2"), DamagedFile);
}

TEST_F(JournalFile, StoresMessagesThatAreNotUtf8) {
  {
    Journal journal(file_);
    journal.write("outcome", {{"outcome", "failed"}, {"message", "core \xff\n dumped\""}});
  }
  EXPECT_EQ(read_journal(file_).at(0).at("message"), "core \xEF\xBF\xBD\n dumped\"");
}

TEST_F(JournalFile, AnAbsentJournalIsNotDamage) {
  EXPECT_THAT([&] { read_journal(file_); },
              ThrowsMessage<std::runtime_error>(HasSubstr("No such file")));
}

TEST(AppendFile, SaysThatTheDiskIsFull) {
  AppendFile full("/dev/full");
  EXPECT_THAT([&] { full.append("{}"); },
              ThrowsMessage<std::runtime_error>(HasSubstr("No space left on device")));
}

}  // namespace
}  // namespace ablate::store
