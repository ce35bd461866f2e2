// Whatever is changed in, cut from or added to the records of a night: it is found, or changes nothing.

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/rng.h"
#include "harness/base/sha256.h"
#include "harness/nightly/gate.h"
#include "harness/nightly/history.h"
#include "harness/nightly/measure/night_file.h"
#include "harness/nightly/measure/timing.h"
#include "tests/harness/nightly/night_records.h"
#include "tests/temporary_folder.h"

namespace ablate::nightly {
namespace {

namespace fs = std::filesystem;

constexpr int kChanges = 60;  // of each file

class NightDamage : public testing::Test {
 protected:
  NightDamage() {
    for (const char* const program : kPrograms)
      write(pin / "programs" / program, std::string("the program ") + program);
    Json line = testing_support::pin_of("p", "c", "first");
    line["programs"] = hashes_of({pin / "programs"});
    write(pins, testing_support::pins_text({line}));
    write(night / "bench.jsonl", repetitions());
    write(night / "confirm.jsonl", repetitions());
    write(night / "results/e/plan.json", "a plan");
    write(night / "baseline/e/trials/1/journal.jsonl", "a journal");
    Night made = {
        .folder = night,
        .identity = {.date = "2026-11-23", .baseline = "main", .pin = "p", .fingerprint = "f00"},
        .commit = "abc",
        .finished = "2026-11-23T02:00:00.000Z",
        .machine = {{"processor", "x"}},
        .filter = "step",
        .now_benchmarks = {"step"},
        .baseline_benchmarks = {"step"}};
    made.now_golden = made.baseline_golden = {{"clm", "version 1, aa"}};
    write_night(made);
    write(night / "gate.json", checksummed_text(json_of(judge(night))));
  }

  static void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    write_file(file, text);
  }

  static std::string repetitions() {
    std::vector<Json> all;
    for (int i = 0; i < 15; ++i)
      for (const char* const program : {"now", "baseline"})
        all.push_back({{"series", "step"},
                       {"unit", "s"},
                       {"repetition", i + 1},
                       {"program", program},
                       {"value", 1 + 1e-4 * i}});
    return testing_support::round_of(all);
  }

  // All that the gate says of this folder.
  std::string told() const {
    for (const Pin& each : home.pins("main")) each.verify();
    std::string text = json_of(judge(night)).dump();
    for (const NightLine& line : read_history(home).nights) text += line.verdict + line.pin;
    return text;
  }

  // Flips single bits of a file and cuts it off; each must be found, or the words stay the same.
  void damage(const fs::path& file) const {
    const std::string whole = read_file(file), words = told();
    Rng rng(1, Stream::probes, sha256(file.filename().string())[0]);
    for (int change = 0; change < kChanges; ++change) {
      std::string bytes = whole;
      const auto at = static_cast<std::size_t>(rng.below(std::ssize(whole)));
      if (change % 3 == 2)
        bytes.resize(at);
      else
        bytes[at] = static_cast<char>(bytes[at] ^ (1 << rng.below(8)));
      write_file(file, bytes);
      EXPECT_THROW(told(), DamagedFile)
          << file << (change % 3 == 2 ? " cut" : " flipped") << " at " << at;
    }
    write_file(file, whole);
    EXPECT_EQ(told(), words);
  }

  const TemporaryFolder place;
  const Home home{place.path()};
  const fs::path pins = place.path() / "baselines/main/pins.jsonl";
  const fs::path pin = place.path() / "baselines/main/p";
  const fs::path night = place.path() / "nights/2026-11-23-abc";
};

TEST_F(NightDamage, EveryChangeOfARecordIsFound) {
  for (const char* const name : {"night.json", "bench.jsonl", "confirm.jsonl", "gate.json",
                                 "results/e/plan.json", "baseline/e/trials/1/journal.jsonl"})
    damage(night / name);
}

TEST_F(NightDamage, EveryChangeOfAPinIsFound) {
  damage(pins);
  for (const char* const program : kPrograms) damage(pin / "programs" / program);
}

// Cut off at the end of a line, nothing is torn.
TEST_F(NightDamage, LinesThatAreMissingAreFound) {
  for (const fs::path& file : {pins, night / "bench.jsonl", night / "confirm.jsonl"}) {
    const std::string whole = read_file(file);
    for (std::size_t end = whole.find('\n'); end + 1 < whole.size();
         end = whole.find('\n', end + 1)) {
      write_file(file, whole.substr(0, end + 1));
      EXPECT_THROW(told(), DamagedFile) << file << " up to " << end;
    }
    write_file(file, whole);
  }
}

TEST_F(NightDamage, ARecordThatIsGoneOrAddedIsFound) {
  for (const char* const name : {"bench.jsonl", "confirm.jsonl", "results/e/plan.json",
                                 "baseline/e/trials/1/journal.jsonl"}) {
    fs::rename(night / name, place.path() / "kept");
    EXPECT_THROW(told(), DamagedFile) << name;
    fs::rename(place.path() / "kept", night / name);
  }
  write(night / "results/e/trials/9/journal.jsonl", "of another night");
  EXPECT_THROW(told(), DamagedFile);
  fs::remove_all(night / "results/e/trials");
  fs::remove(pin / "programs/ablate-worker");
  EXPECT_THROW(told(), DamagedFile);
}

// Records of one night in the place of another's verify by themselves.
TEST_F(NightDamage, ARecordOfAnotherNightIsFound) {
  const std::string own = read_file(night / "bench.jsonl");
  write_file(night / "bench.jsonl", testing_support::round_of({{{"series", "step"},
                                                                {"unit", "s"},
                                                                {"repetition", 1},
                                                                {"program", "now"},
                                                                {"value", 1}}}));
  EXPECT_FALSE(read_times(night / "bench.jsonl").empty());
  EXPECT_THROW(told(), DamagedFile);
  write_file(night / "bench.jsonl", own);
  EXPECT_NO_THROW(told());
}

TEST_F(NightDamage, DeepNestingIsDamageAndNoCrash) {
  std::string deep =
      R"({"machine": )" + std::string(100'000, '[') + std::string(100'000, ']') + "}";
  write_file(night / "night.json", deep);
  EXPECT_THROW(told(), DamagedFile);
}

}  // namespace
}  // namespace ablate::nightly
