// One flipped bit in any stored file is detected, or makes no difference: nothing is silently
// wrong.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/rng.h"
#include "harness/data/corpus/corpus.h"
#include "harness/data/corpus/corpus_cache.h"
#include "harness/data/tokenizer/tokenizer.h"
#include "harness/store/index/records.h"
#include "harness/store/index/trial_state.h"
#include "harness/store/journal/checkpoint.h"
#include "tests/harness/store/fake_results.h"

namespace ablate {
namespace {

namespace fs = std::filesystem;

using store::testing_support::fake_plan;
using store::testing_support::put_bytes;
using store::testing_support::write_trial;

/// What came of reading files with one flipped bit.
struct Flips {
  int detected = 0;  // an exception
  int harmless = 0;  // what was read is as before
  int silent = 0;    // something else was read
};

/// Flips bits of `file`, one at a time, at places drawn from all of its bits. After each, `read`
/// reads what it can, and `restore` puts everything back that reading may have changed.
Flips flip_bits(
    const fs::path& file, int count, const std::function<std::string()>& read,
    const std::function<void()>& restore = [] {}) {
  const std::string original = read_file(file);
  const std::string expected = read();
  Rng rng(static_cast<std::uint64_t>(count));
  Flips flips;
  for (int i = 0; i < count; ++i) {
    const auto bit =
        static_cast<std::size_t>(rng.below(static_cast<std::int64_t>(original.size() * 8)));
    std::string flipped = original;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    restore();
    put_bytes(file, flipped);
    try {
      const bool equal = read() == expected;
      ++(equal ? flips.harmless : flips.silent);
      EXPECT_TRUE(equal) << file << ": bit " << bit % 8 << " of byte " << bit / 8;
    } catch (const std::runtime_error&) {
      ++flips.detected;
    } catch (const std::exception& error) {  // not a message for a user
      ADD_FAILURE() << file << ": bit " << bit % 8 << " of byte " << bit / 8 << ": "
                    << error.what();
    }
  }
  restore();
  put_bytes(file, original);
  return flips;
}

class BitFlips : public testing::Test {
 protected:
  const TemporaryFolder folder;
};

TEST_F(BitFlips, OfAJournalAreDetected) {
  write_trial(folder.path(), "t0");
  const fs::path journal = store::journal_file(folder.path(), "t0");
  const Flips flips = flip_bits(journal, 5000, [&] {
    store::read_trial_state(journal);
    return Json(store::read_journal(journal)).dump();
  });
  EXPECT_EQ(flips.detected, 5000);
}

TEST_F(BitFlips, OfACheckpointAreDetected) {
  const std::vector<float> values(500, 0.25f);
  const fs::path file = folder / "checkpoint-20.safetensors";
  write_checkpoint(file, std::vector<store::StoredTensor>{{"weights", {20, 25}, values}},
                   {{"step", "20"}});
  const Flips flips =
      flip_bits(file, 5000, [&] { return store::Checkpoint::read(file).metadata().at("step"); });
  EXPECT_EQ(flips.detected, 5000);
}

data::CorpusContent small_corpus() {
  data::CorpusContent content;
  for (Token token = 0; token < 400; ++token) {
    content.training.tokens.push_back(16 + token % 3);
    content.held_out.tokens.push_back(16 + token % 2);
  }
  for (auto* part : {&content.training, &content.held_out}) {
    part->tokens.front() = begin_token;
    part->tokens.back() = end_token;
    part->documents = 1;
  }
  content.ordinary = 3;
  content.about = {{"kind", "language"}};
  return content;
}

TEST_F(BitFlips, OfACorpusAreDetected) {
  const fs::path file = data::write_corpus(folder.path(), small_corpus());
  const Flips flips = flip_bits(file, 5000, [&] { return data::Corpus::open(file).hash(); });
  EXPECT_EQ(flips.detected, 5000);
}

TEST_F(BitFlips, OfTheCacheOfCorporaMakeTheCorpusAnew) {
  const Json identity = {{"kind", "language"}, {"seed", 1}};
  const auto prepared = [&] {
    return data::Corpus::open(data::made_or_found(identity, folder.path(), small_corpus)).hash();
  };
  const std::string hash = prepared();
  const fs::path entry = fs::directory_iterator(folder / "made")->path();
  EXPECT_EQ(flip_bits(entry, 1000, prepared).harmless, 1000);
  EXPECT_EQ(flip_bits(folder / (hash + ".corpus"), 1000, prepared).harmless, 1000);
}

TEST_F(BitFlips, OfATokenizerAreDetected) {
  const std::string text = "the objective of masking a model that predicts tokens in context";
  const std::vector<std::string_view> texts(20, text);
  Json about;
  data::make_tokenizer({{"kind", "bpe"}, {"vocabulary", 280}}, texts, folder.path(), about);
  const fs::path file = folder / ("tokenizers/" + about.at("model").get<std::string>() + ".model");
  const Flips flips = flip_bits(file, 3000, [&] {
    std::vector<Token> ids;
    data::tokenizer_of({{"tokenizer", about}}, folder.path())->encode(text, ids);
    return Json(ids).dump();
  });
  EXPECT_EQ(flips.detected, 3000);
}

/// All that a report is made of.
std::string text_of(const store::Records& records) {
  Json all = {{"plan", records.plan}, {"trials", Json::array()}};
  for (const store::TrialRecord& trial : records.trials) {
    Json curve = Json::array(), samples = Json::array();
    for (const store::CurvePoint& point : trial.curve.points())
      curve.push_back({point.step, point.text_tokens, point.loss, point.learning_rate,
                       point.gradient_norm, point.spike});
    for (const store::Sample& sample : trial.samples)
      samples.push_back({sample.text, sample.about});
    all["trials"].push_back({trial.id, trial.arm, trial.seed, trial.outcome, trial.message,
                             trial.attempts, trial.metrics, trial.ledger, trial.provenance, curve,
                             samples});
  }
  return all.dump();
}

/// A results folder with two trials of each of two arms, and its index.
class StoredBitFlips : public BitFlips {
 protected:
  StoredBitFlips() {
    store::freeze_plan(results, fake_plan({"clm", "mlm"}, 2), {{"experiment.json", "{}"}});
    for (const char* id : {"t0", "t1", "t2", "t3"})
      write_trial(results, id, "completed", 2.0 + id[1] * 0.125);
    reported();
  }

  std::string reported() const { return text_of(store::load_records(results)); }

  /// The write-ahead log of an index that was replaced belongs to none.
  void remove_log() const {
    for (const char* name : {"index.sqlite-wal", "index.sqlite-shm", "index.sqlite-journal"})
      fs::remove(results / name);
  }

  const fs::path results = folder / "results";
};

TEST_F(StoredBitFlips, OfTheIndexChangeNoReport) {
  testing::internal::CaptureStderr();  // says that the index is made anew
  const Flips flips = flip_bits(
      results / "index.sqlite", 300, [&] { return reported(); }, [&] { remove_log(); });
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(flips.silent, 0);
  EXPECT_GT(flips.harmless, 250);  // an index of a newer version is refused
}

TEST_F(StoredBitFlips, OfThePlanChangeNoReport) {
  const Flips flips = flip_bits(results / "plan.json", 300, [&] { return reported(); });
  EXPECT_EQ(flips.silent, 0);
  EXPECT_GT(flips.detected, 0);
}

}  // namespace
}  // namespace ablate
