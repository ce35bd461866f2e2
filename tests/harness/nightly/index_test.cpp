// The SQLite index of all nights.

#include "harness/nightly/index.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <gtest/gtest.h>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/nightly/measure/night_file.h"
#include "tests/harness/nightly/night_records.h"
#include "tests/temporary_folder.h"

namespace ablate::nightly {
namespace {

namespace fs = std::filesystem;

class NightIndex : public testing::Test {
 protected:
  // A night of both programs; tonight's takes `seconds`, the baseline's 1.
  void add_night(const std::string& date, double seconds) {
    Night night = {.folder = home.nights() / (date + "-abc"),
                   .identity = {.date = date, .baseline = "main", .pin = "p", .fingerprint = "f00"},
                   .commit = "abc",
                   .machine = Json::object()};
    night.calibration.usual["step"] = 0.04;
    night.quarantine = {{"step", "ada", "flaky", "2026-12-31"}};
    fs::create_directories(night.folder);
    std::vector<Json> repetitions;
    for (int i = 1; i <= 3; ++i)
      for (const bool baseline : {false, true})
        repetitions.push_back({{"series", "step"},
                               {"program", baseline ? "baseline" : "now"},
                               {"build", "Release"},
                               {"value", baseline ? 1 : seconds}});
    write_file(night.folder / "bench.jsonl", testing_support::round_of(repetitions));
    write_night(night);
    const Json speed = {
        {"series", "step"},
        {"kind", "speed"},
        {"verdict", "regression"},
        {"reason", "slower"},
        {"numbers", {{"ratio", seconds}, {"p", 1e-4}, {"confirmation", Json::object()}}}};
    const Json quality = {{"series", "e/clm/loss"},
                          {"kind", "quality"},
                          {"verdict", "pass"},
                          {"reason", "as good"},
                          {"numbers", {{"low", -0.1}, {"high", 0.01}, {"margin", 0.02}}}};
    testing_support::write_verdict(
        night.folder, {{"verdict", "regression"}, {"findings", {speed, quality, quality}}});
  }

  // The first column of the first row.
  std::string answer(const std::string& query) const {
    SQLite::Database index((home.folder() / "nightly.sqlite").string(), SQLite::OPEN_READONLY);
    SQLite::Statement statement(index, query);
    return statement.executeStep() ? statement.getColumn(0).getString() : "nothing";
  }

  const TemporaryFolder place;
  const Home home{place.path() / "home"};
};

TEST_F(NightIndex, HoldsWhatTheRecordsSay) {
  add_night("2026-11-22", 1.2);
  add_night("2026-11-23", 1.25);
  fs::create_directories(home.folder() / "baselines/main");
  write_file(home.folder() / "baselines/main/pins.jsonl",
             testing_support::pins_text({testing_support::pin_of("p", "c", "first")}));
  write_index(home, read_history(home));
  write_index(home, read_history(home));  // anew, and not twice as much
  EXPECT_EQ(answer("SELECT count(*) FROM night"), "2");
  EXPECT_EQ(answer("SELECT count(*) FROM sample"), "12");
  EXPECT_EQ(answer("SELECT avg(value) FROM sample JOIN night ON night.id = night JOIN series ON "
                   "series.id = series WHERE date = '2026-11-23' AND program = 'now'"),
            "1.25");
  EXPECT_EQ(answer("SELECT kind || unit || better || q || quarantined_until || owner FROM series "
                   "WHERE name = 'step'"),
            "speedslower0.042026-12-31ada");
  EXPECT_EQ(answer("SELECT ratio || ' ' || confirmed FROM verdict JOIN series ON id = series WHERE "
                   "kind = 'speed' ORDER BY night DESC"),
            "1.25 1");
  EXPECT_EQ(answer("SELECT high FROM verdict JOIN series ON id = series WHERE kind = 'quality'"),
            "0.01");
  EXPECT_EQ(answer("SELECT floor FROM series WHERE kind = 'quality'"), "0.02");
  EXPECT_EQ(answer("SELECT ratio IS NULL AND confirmed IS NULL FROM verdict JOIN series ON id = "
                   "series WHERE kind = 'quality'"),
            "1");
  EXPECT_EQ(answer("SELECT build || verdict FROM night"), "Releaseregression");
  EXPECT_EQ(answer("SELECT reason FROM pin"), "first");
  EXPECT_EQ(answer("PRAGMA integrity_check"), "ok");
  EXPECT_EQ(answer("PRAGMA foreign_key_check"), "nothing");
}

TEST_F(NightIndex, HasTheSteps) {
  for (int day = 10; day < 22; ++day)
    add_night("2026-11-" + std::to_string(day), day < 16 ? 1 + day * 1e-4 : 1.2 + day * 1e-4);
  write_index(home, read_history(home));
  EXPECT_EQ(answer("SELECT date FROM step JOIN night ON night.id = night"), "2026-11-16");
}

TEST_F(NightIndex, DamagedRecordsAreNamedAndLeaveTheIndexAsItWas) {
  add_night("2026-11-22", 1.2);
  write_index(home, read_history(home));
  const History history = read_history(home);
  write_file(home.nights() / "2026-11-22-abc/bench.jsonl", "junk\n");
  EXPECT_THROW(write_index(home, history), DamagedFile);
  EXPECT_EQ(answer("SELECT count(*) FROM night"), "1");
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(home.folder()))
    files += entry.path().filename().string().starts_with("nightly.sqlite");
  EXPECT_EQ(files, 1u) << "nothing is left behind";
}

}  // namespace
}  // namespace ablate::nightly
