#include "harness/store/index/records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/sha256.h"
#include "harness/store/index/status.h"
#include "harness/store/index/trial_state.h"
#include "tests/harness/store/fake_results.h"

namespace ablate::store {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;
using testing_support::fake_plan;
using testing_support::journal_of;
using testing_support::put_bytes;
using testing_support::put_plan;
using testing_support::write_trial;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class StoredRecords : public testing::Test {
 protected:
  void begin(const Json& plan) { freeze_plan(results, plan, {{"experiment.json", "{}"}}); }

  TemporaryFolder folder;
  std::filesystem::path results = folder.path() / "results";
};

TEST_F(StoredRecords, SayWhereTheTimeOfATrialWent) {
  begin(fake_plan({"clm"}, 2));
  Journal journal = journal_of(results, "t0");
  journal.write("attempt", {{"trial", {{"id", "t0"}}}, {"provenance", Json::object()}});
  const auto stage = [&](const char* name, double seconds, int lanes) {
    journal.write("stage", {{"stage", name}, {"seconds", seconds}, {"lanes", lanes}});
  };
  const auto measured = [&](const std::string& id, double seconds) {
    journal.write(
        "measurement",
        {{"id", id},
         {"probe", "held_out"},
         {"metrics", Json::object()},
         {"spent", {{"seconds", seconds}, {"passes", 1.0}, {"fits", 0.5}, {"text", 0.25}}}});
  };
  stage("train", 80, 8);
  stage("train", 5, 1);  // of a second attempt, alone
  measured("m-t0", 9);
  measured("m-t0", 2);  // again: the last one counts
  measured("other", 1);
  stage("probes", 3.5, 1);
  const TrialTime time = load_records(results).trials.at(0).time;
  EXPECT_EQ(time.stages, (std::map<std::string, double>{{"probes", 3.5}, {"train", 15}}));
  EXPECT_EQ(time.seconds(), 18.5);
  ASSERT_EQ(time.probes.size(), 1u);
  EXPECT_EQ(time.probes.at("held_out").seconds, 3);
  EXPECT_EQ(time.probes.at("held_out").passes, 2);
  EXPECT_EQ(time.probes.at("held_out").fits, 1);
  EXPECT_EQ(time.probes.at("held_out").text, 0.5);
  const Status status = load_status(results);
  EXPECT_EQ(status.trials.at(0).time.stages, time.stages);
  EXPECT_TRUE(status.trials.at(1).time.stages.empty()) << "it was not begun";
}

TEST_F(StoredRecords, HaveEachSpikeOnceHoweverOftenItsStepWasTaken) {
  begin(fake_plan({"clm"}, 2));
  const auto attempt = [&](const std::vector<std::pair<std::string, Json>>& events) {
    Journal journal = journal_of(results, "t0");
    journal.write("attempt", {{"trial", {{"id", "t0"}}}, {"provenance", Json::object()}});
    for (const auto& [kind, fields] : events) journal.write(kind, fields);
    return load_records(results).trials.at(0).spikes;
  };
  const auto spike = [](std::int64_t step, const char* documents) {
    return std::pair<std::string, Json>(
        "spike", {{"step", step}, {"loss", 4.5}, {"documents", Json::parse(documents)}});
  };
  const auto point = [](std::int64_t step) {
    return std::pair<std::string, Json>("curve", {{"step", step}, {"loss", 3}, {"spike", false}});
  };
  const std::vector<LossSpike> spikes =
      attempt({spike(30, "[[0, 3]]"), spike(50, "[[0, 5], [1, 2]]")});
  ASSERT_EQ(spikes.size(), 2u);
  EXPECT_EQ(spikes[0].step, 30);
  EXPECT_EQ(spikes[1].loss, 4.5);
  ASSERT_EQ(spikes[1].documents.size(), 2u);
  EXPECT_EQ(spikes[1].documents[1].corpus, 1);
  EXPECT_EQ(spikes[1].documents[1].document, 2);
  EXPECT_EQ(attempt({spike(50, "[[0, 5], [1, 2]]"), point(60)}).size(), 2u) << "the same again";
  EXPECT_EQ(attempt({point(40), point(60)}).size(), 1u) << "a later attempt saw none";
  EXPECT_THROW(attempt({spike(70, "[7]")}), DamagedFile);
}

TEST_F(StoredRecords, RefuseATimeThatIsNone) {
  begin(fake_plan({"clm"}, 1));
  write_trial(results, "t0");
  journal_of(results, "t0")
      .write("measurement", {{"id", "m-t0"},
                             {"probe", "held_out"},
                             {"metrics", Json::object()},
                             {"spent", {{"seconds", "long"}}}});
  EXPECT_THROW(load_records(results), DamagedFile);
}

TEST_F(StoredRecords, HoldWhatTheJournalsHold) {
  begin(fake_plan({"clm", "mlm"}, 1));
  write_trial(results, "t0", "completed", 2.5);
  const Records records = load_records(results);
  EXPECT_EQ(records.plan.at("experiment"), "fake");
  ASSERT_EQ(records.trials.size(), 2u);
  const TrialRecord& trial = records.trials[0];
  EXPECT_EQ(trial.id, "t0");
  EXPECT_EQ(trial.arm, "clm");
  EXPECT_EQ(trial.seed, 1);
  EXPECT_EQ(trial.outcome, "completed");
  EXPECT_EQ(trial.attempts, 1);
  EXPECT_EQ(trial.metrics.at("held_out.loss"), 2.5);
  EXPECT_EQ(
      trial.ledger,
      Json(
          {{"share_not_training", 0.0}, {"share_probing", 0.0}, {"steps", 20}, {"targets", 1280}}));
  EXPECT_EQ(trial.provenance.at("host"), "here");
  EXPECT_TRUE(trial.time.stages.contains("train"));
  EXPECT_TRUE(trial.time.probes.empty()) << "the journal does not say it";
  ASSERT_EQ(trial.curve.size(), 2u);
  EXPECT_EQ(trial.curve[1].step, 20);
  EXPECT_EQ(trial.curve[1].loss, 2.5 + 1.0 / 20);
  ASSERT_EQ(trial.samples.size(), 1u);
  EXPECT_EQ(trial.samples[0].text, "a b");
  EXPECT_EQ(trial.samples[0].about.at("log_probability"), -1.5);
}

// `sha256sum --check` of a report's archive rests on it.
TEST_F(StoredRecords, KnowTheJournalsBytes) {
  begin(fake_plan({"clm", "mlm"}, 1));
  write_trial(results, "t0", "completed", 2.5);
  const auto known = [&] { return load_records(results).trials.front().journal_sha256; };
  EXPECT_EQ(known(), sha256(read_file(journal_file(results, "t0"))));
  journal_of(results, "t0").write("attempt", Json::object());
  EXPECT_EQ(known(), sha256(read_file(journal_file(results, "t0"))));
  EXPECT_EQ(load_records(results).trials.back().journal_sha256, "") << "was not begun";
}

TEST_F(StoredRecords, HoldWhatWasMeasuredOnTheWayApartFromTheEnd) {
  Json plan = fake_plan({"clm"}, 1);
  plan["trials"][0]["probes"][0]["at"] = {{{"step", 5}, {"id", "w5"}},
                                          {{"step", 10}, {"id", "w10"}}};
  begin(plan);
  {
    Journal journal = journal_of(results, "t0");
    journal.write("attempt", Json::object());
    const auto measured = [&](const std::string& id, int step) {
      journal.write("measurement",
                    {{"id", id},
                     {"probe", "held_out"},
                     {"metrics", {{"held_out.loss", 100 - step}, {"odd", "nan"}}},
                     {"samples", {{{"text", "early"}}}},
                     {"details", {{"items", {{"held_out.loss", {1, 2}}}}, {"kernels", {{3}}}}},
                     {"at",
                      {{"step", step},
                       {"text_tokens", 64 * step},
                       {"targets", 32 * step},
                       {"flops", 1e6 * step},
                       {"seconds", .5 * step}}}});
    };
    measured("w10", 10);
    measured("w5", 5);
    measured("not planned", 7);
  }
  EXPECT_EQ(load_status(results).trials.at(0).outcome, "unfinished");
  write_trial(results, "t0");
  EXPECT_EQ(load_status(results).trials.at(0).outcome, "completed");
  const TrialRecord trial = load_records(results).trials.at(0);
  EXPECT_EQ(trial.metrics.at("held_out.loss"), 2.0);
  EXPECT_FALSE(trial.metrics.contains("odd"));
  EXPECT_EQ(trial.samples.size(), 1u);
  EXPECT_TRUE(trial.items.empty());
  EXPECT_TRUE(trial.kernels.empty());
  ASSERT_EQ(trial.on_the_way.size(), 2u);
  const MeasuredPoint& first = trial.on_the_way[0];
  EXPECT_EQ(first.at.step, 5);
  EXPECT_EQ(first.at.text_tokens, 320);
  EXPECT_EQ(first.at.targets, 160);
  EXPECT_EQ(first.at.flops, 5e6);
  EXPECT_EQ(first.at.seconds, 2.5);
  EXPECT_EQ(first.metrics.at("held_out.loss"), 95);
  EXPECT_TRUE(std::isnan(first.metrics.at("odd")));
  EXPECT_EQ(trial.on_the_way[1].at.step, 10);
}

TEST_F(StoredRecords, HoldItemsAndKernelsThatAreNumbersAlone) {
  begin(fake_plan({"clm"}, 2));
  const auto write = [&](const std::string& id, const Json& details) {
    Journal journal = journal_of(results, id);
    journal.write("attempt", {{"provenance", {{"host", "here"}}}});
    journal.write("measurement", {{"id", "m-" + id},
                                  {"probe", "representation"},
                                  {"metrics", {{"representation.ndcg_at_10", .5}}},
                                  {"details", details}});
  };
  write("t0", {{"items", {{"accuracy", {1, 0, 1}}}}, {"kernels", {Json::array(), {-3, 9999}}}});
  const TrialRecord trial = load_records(results).trials.at(0);
  EXPECT_THAT(trial.items.at("accuracy"), testing::ElementsAre(1, 0, 1));
  EXPECT_THAT(trial.kernels,
              testing::ElementsAre(testing::IsEmpty(), testing::ElementsAre(-3, 9999)));
  write("t1", {{"kernels", {{"text"}}}});
  EXPECT_THAT([&] { load_records(results); },
              ThrowsMessage<DamagedFile>(HasSubstr("an entry of a kernel is not a number")));
}

TEST_F(StoredRecords, HoldTheSizesOfSplitsWhereTextIsSplit) {
  begin(fake_plan({"clm"}, 2));
  const auto write = [&](const std::string& id, const Json& details) {
    Journal journal = journal_of(results, id);
    journal.write("attempt", {{"provenance", {{"host", "here"}}}});
    journal.write("measurement", {{"id", "m-" + id},
                                  {"probe", "ner"},
                                  {"metrics", {{"ner.f1", .5}, {"ner.accuracy", .9}}},
                                  {"details", details}});
  };
  write("t0", {{"sentences", {{"training", 45}, {"development", 15}, {"test", 60}}},
               {"schemes", {{"train", "IOBES"}, {"test", "IOB2"}}}});
  write("t1", {{"documents", 7}});  // of a probe that splits none
  const Records records = load_records(results);
  EXPECT_EQ(records.trials.at(0).splits,
            (std::vector<SplitSizes>{{.metric = "ner.accuracy",
                                      .unit = "sentences",
                                      .training = 45,
                                      .development = 15,
                                      .test = 60,
                                      .schemes = {{"train", "IOBES"}, {"test", "IOB2"}}}}));
  EXPECT_TRUE(records.trials.at(1).splits.empty());
  EXPECT_FALSE(split_sizes_in({{"documents", {{"development", 3}}}}));
  EXPECT_THAT(
      [&] {
        split_sizes_in({{"documents", {{"test", "many"}}}});
      },
      ThrowsMessage<DamagedFile>(HasSubstr("the sizes of splits of a measurement")));
}

TEST_F(StoredRecords, LackAMeasurementOnTheWayWhereTheTrialDoes) {
  Json plan = fake_plan({"clm"}, 1);
  plan["trials"][0]["probes"][0]["at"] = {{{"step", 5}, {"id", "w5"}}};
  begin(plan);
  write_trial(results, "t0");
  const TrialStatus trial = load_status(results).trials.at(0);
  EXPECT_EQ(trial.outcome, "unfinished");
  EXPECT_THAT(trial.message, HasSubstr("lacks 1 of the measurements"));
}

TEST_F(StoredRecords, ATrialThatNeverBeganIsUnfinished) {
  begin(fake_plan({"clm"}, 1));
  const TrialRecord trial = load_records(results).trials.at(0);
  EXPECT_EQ(trial.outcome, "unfinished");
  EXPECT_EQ(trial.attempts, 0);
  EXPECT_TRUE(trial.ledger.is_null());
  EXPECT_TRUE(trial.metrics.empty());
}

TEST_F(StoredRecords, ComeInThePlansOrder) {
  Json plan = fake_plan({"z", "a"}, 2);
  std::swap(plan["trials"][0]["id"], plan["trials"][3]["id"]);
  begin(plan);
  std::vector<std::string> ids;
  for (const TrialRecord& trial : load_records(results).trials) ids.push_back(trial.id);
  EXPECT_THAT(ids, testing::ElementsAre("t3", "t1", "t2", "t0"));
}

TEST_F(StoredRecords, KeepNumbersThatAreNone) {
  begin(fake_plan({"clm"}, 1));
  {
    Journal journal = journal_of(results, "t0");
    journal.write("attempt", Json::object());
    journal.write("curve", {{"step", 1}, {"loss", std::nan("")}, {"gradient_norm", kInfinity}});
    journal.write("measurement",
                  {{"id", "m-t0"},
                   {"metrics",
                    {{"a", std::nan("")}, {"b", kInfinity}, {"c", -kInfinity}, {"d", 0.1 + 0.2}}}});
    journal.write("outcome", {{"outcome", "diverged"}, {"message", "loss is not finite"}});
  }
  const TrialRecord trial = load_records(results).trials.at(0);
  EXPECT_EQ(trial.outcome, "diverged");
  EXPECT_TRUE(std::isnan(trial.metrics.at("a")));
  EXPECT_EQ(trial.metrics.at("b"), kInfinity);
  EXPECT_EQ(trial.metrics.at("c"), -kInfinity);
  EXPECT_EQ(trial.metrics.at("d"), 0.1 + 0.2) << "to the last bit";
  EXPECT_TRUE(std::isnan(trial.curve[0].loss));
  EXPECT_EQ(trial.curve[0].gradient_norm, kInfinity);
}

TEST_F(StoredRecords, TakeTheLastAttemptOfEachStep) {
  begin(fake_plan({"clm"}, 1));
  {
    Journal journal = journal_of(results, "t0");
    journal.write("attempt", Json::object());
    for (const int step : {10, 20, 30}) journal.write("curve", {{"step", step}, {"loss", 1.0}});
    journal.write("outcome", {{"outcome", "failed"}, {"message", "first"}});
    journal.write("attempt", Json::object());
    for (const int step : {20, 25}) journal.write("curve", {{"step", step}, {"loss", 2.0}});
  }
  const TrialRecord trial = load_records(results).trials.at(0);
  std::vector<std::pair<std::int64_t, double>> curve;
  for (const CurvePoint& point : trial.curve.points()) curve.emplace_back(point.step, point.loss);
  using Point = std::pair<std::int64_t, double>;
  EXPECT_THAT(curve, testing::ElementsAre(Point(10, 1), Point(20, 2), Point(25, 2)));
  EXPECT_EQ(trial.outcome, "unfinished") << "the last attempt has no outcome";
  EXPECT_EQ(trial.attempts, 2);
}

TEST_F(StoredRecords, SayWhereATrialWasTrainedAndNotWhereItWasMeasured) {
  begin(fake_plan({"clm"}, 1));
  {
    Journal journal = journal_of(results, "t0");
    journal.write("attempt", {{"provenance", {{"device", "cpu"}}}});
    journal.write("attempt", {{"provenance", {{"device", "cuda:0"}, {"task", "train"}}}});
    journal.write("attempt", {{"provenance", {{"device", "cpu"}, {"task", "measure"}}}});
  }
  EXPECT_EQ(load_records(results).trials.at(0).provenance.at("device"), "cuda:0");
}

TEST_F(StoredRecords, LeaveOutMeasurementsThatThePlanDoesNotAskFor) {
  begin(fake_plan({"clm"}, 1));
  {
    Journal journal = journal_of(results, "t0");
    journal.write("attempt", Json::object());
    journal.write("measurement", {{"id", "m-t0"}, {"metrics", {{"held_out.loss", 1.0}}}});
    journal.write("measurement",
                  {{"id", "of-old-settings"}, {"metrics", {{"held_out.loss", 9.0}}}});
  }
  EXPECT_EQ(load_records(results).trials.at(0).metrics.at("held_out.loss"), 1.0);
}

TEST_F(StoredRecords, HostileNamesAreInert) {
  const std::string name = "x'); DROP TABLE trial; --";
  Json plan = fake_plan({name}, 1, name);
  begin(plan);
  {
    Journal journal = journal_of(results, "t0");
    journal.write("attempt", Json::object());
    journal.write("measurement", {{"id", "m-t0"},
                                  {"probe", name},
                                  {"metrics", {{name, 1.0}}},
                                  {"samples", {{{"text", std::string("a\0b'\"", 5)}}}}});
    journal.write("outcome", {{"outcome", "failed"}, {"message", name}});
  }
  for (int time = 0; time < 2; ++time) {
    const Records records = load_records(results);
    ASSERT_EQ(records.trials.size(), 1u);
    EXPECT_EQ(records.plan.at("experiment"), name);
    EXPECT_EQ(records.trials[0].arm, name);
    EXPECT_EQ(records.trials[0].message, name);
    EXPECT_EQ(records.trials[0].metrics.at(name), 1.0);
    EXPECT_EQ(records.trials[0].samples.at(0).text, std::string("a\0b'\"", 5));
  }
}

TEST_F(StoredRecords, AnIdThatIsAPathIsRefused) {
  for (const char* id : {"../../outside", "a/b", "", "..", "a b"}) {
    Json plan = fake_plan({"clm"}, 1);
    plan["trials"][0]["id"] = id;
    put_plan(results, plan);
    EXPECT_THAT([&] { load_records(results); },
                ThrowsMessage<DamagedFile>(HasSubstr("is not 1 to 64 letters")))
        << id;
  }
}

TEST_F(StoredRecords, APlanWithAnyBitFlippedIsDamaged) {
  begin(fake_plan({"clm"}, 1));
  const std::string sound = read_file(results / "plan.json");
  for (std::size_t at = 0; at < sound.size(); ++at) {
    std::string bytes = sound;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << (at % 8)));
    put_bytes(results / "plan.json", bytes);
    try {
      EXPECT_EQ(read_plan(results), fake_plan({"clm"}, 1)) << "byte " << at << " is white space";
    } catch (const DamagedFile&) {
    }
  }
  put_bytes(results / "plan.json", fake_plan({"clm"}, 1).dump());
  EXPECT_THAT([&] { load_records(results); },
              ThrowsMessage<DamagedFile>(HasSubstr("it has no checksum")));
}

TEST_F(StoredRecords, ATrialThatLacksAPlannedMeasurementIsNotFinished) {
  begin(fake_plan({"clm"}, 2));
  write_trial(results, "t0");
  Json plan = fake_plan({"clm"}, 2);
  plan["trials"][0]["probes"].push_back({{"id", "m-new"}, {"type", "generation"}});
  begin(plan);
  const Status status = load_status(results);
  EXPECT_EQ(status.counts.at("completed"), 0u);
  EXPECT_EQ(status.trials[0].outcome, "unfinished");
  EXPECT_THAT(status.trials[0].message, HasSubstr("lacks 1 of the measurements"));
  EXPECT_TRUE(status.trials[0].trained);
  EXPECT_EQ(status.trials[0].missing, 1);
  EXPECT_FALSE(status.trials[1].trained) << "it has not begun";
}

TEST_F(StoredRecords, AProbeThatFailedCostsItsOwnNumbersAlone) {
  Json plan = fake_plan({"clm"}, 1);
  plan["trials"][0]["probes"].push_back({{"id", "m-new"}, {"type", "prompting"}});
  begin(plan);
  write_trial(results, "t0");
  const auto fail = [&](const std::string& id) {
    journal_of(results, "t0")
        .write("failure", {{"id", id},
                           {"probe", "prompting"},
                           {"message", "no room"},
                           {"groups", {"prompting"}}});
  };
  fail("m-new");
  const TrialStatus status = load_status(results).trials.at(0);
  EXPECT_EQ(status.outcome, "failed");
  EXPECT_EQ(status.missing, 1);
  EXPECT_FALSE(status.trained);
  TrialRecord trial = load_records(results).trials.at(0);
  EXPECT_EQ(trial.outcome, "completed");
  EXPECT_EQ(trial.metrics.at("held_out.loss"), 2.0);
  EXPECT_EQ(trial.absent.at("prompting"), "the probe failed: no room");
  journal_of(results, "t0")
      .write("measurement",
             {{"id", "m-new"}, {"probe", "prompting"}, {"metrics", {{"prompting.chance", .5}}}});
  EXPECT_EQ(load_status(results).trials.at(0).outcome, "completed") << "it was measured since";
  trial = load_records(results).trials.at(0);
  EXPECT_TRUE(trial.absent.empty());
  EXPECT_EQ(trial.metrics.at("prompting.chance"), .5);
}

TEST_F(StoredRecords, KnowTheItemsThatDoNotFitIntoTheContext) {
  begin(fake_plan({"clm"}, 1));
  {
    Journal journal = journal_of(results, "t0");
    journal.write("attempt", Json::object());
    journal.write("measurement", {{"id", "m-t0"},
                                  {"probe", "minimal_pairs"},
                                  {"metrics", {{"blimp.accuracy", .5}}},
                                  {"details", {{"choices", 1559}, {"too_long", 451}}}});
  }
  EXPECT_EQ(load_records(results).trials.at(0).splits,
            (std::vector<SplitSizes>{
                {.metric = "blimp.accuracy", .unit = "items", .test = 1559, .left_out = 451}}));
}

TEST_F(StoredRecords, AFolderWithoutResultsSaysWhatMakesThem) {
  EXPECT_THAT([&] { load_records(results); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("holds no results (no plan.json)")));
}

TEST_F(StoredRecords, ADamagedJournalIsNamed) {
  begin(fake_plan({"clm"}, 2));
  write_trial(results, "t0");
  write_trial(results, "t1");
  std::string bytes = read_file(journal_file(results, "t1"));
  bytes[bytes.size() / 2] ^= 4;
  put_bytes(journal_file(results, "t1"), bytes);
  EXPECT_THAT([&] { load_records(results); },
              ThrowsMessage<DamagedFile>(HasSubstr("t1/journal.jsonl:")));
}

TEST_F(StoredRecords, AnEventOfAnotherShapeIsNamed) {
  begin(fake_plan({"clm"}, 1));
  {
    Journal journal = journal_of(results, "t0");
    journal.write("curve", {{"step", "ten"}, {"loss", 1.0}});
  }
  EXPECT_THAT([&] { load_records(results); },
              ThrowsMessage<DamagedFile>(HasSubstr("was it written by a newer one?")));
}

TEST_F(StoredRecords, AStepThatIsNoIntegerIsNamed) {
  for (const Json& step : {Json(1e300), Json(2.5), Json(UINT64_MAX)}) {
    begin(fake_plan({"clm"}, 1));
    {
      Journal journal = journal_of(results, "t0");
      journal.write("curve", {{"step", step}, {"loss", 1.0}});
    }
    EXPECT_THAT([&] { load_records(results); },
                ThrowsMessage<DamagedFile>(
                    AllOf(HasSubstr("t0/journal.jsonl:1"), HasSubstr("must be an integer"))))
        << step;
    std::filesystem::remove_all(results);
  }
}

TEST_F(StoredRecords, StatusCountsOutcomes) {
  begin(fake_plan({"clm", "mlm"}, 2));
  write_trial(results, "t0");
  write_trial(results, "t1", "diverged", 9);
  write_trial(results, "t2", "failed");
  const Status status = load_status(results);
  EXPECT_EQ(status.counts,
            (std::map<std::string, std::size_t>{
                {"completed", 1}, {"diverged", 1}, {"failed", 1}, {"unfinished", 1}}));
  EXPECT_FALSE(status.holder.has_value());
  EXPECT_EQ(status.trials[0].step, 20);
  EXPECT_EQ(status.trials[0].steps, 20);
  EXPECT_EQ(status.trials[0].seconds, 1.5);
  EXPECT_EQ(status.trials[1].loss, 9 + 1.0 / 20);
  EXPECT_EQ(status.trials[2].message, "why");
  EXPECT_TRUE(std::isnan(status.trials[3].loss));
}

TEST_F(StoredRecords, StatusTellsWhichTrialsAreBeingRun) {
  begin(fake_plan({"clm"}, 3));
  write_trial(results, "t0");
  journal_of(results, "t1").write("attempt", Json::object());
  EXPECT_FALSE(load_status(results).trials[1].running) << "it was cut off";
  const FolderLock lock(results);
  const Status status = load_status(results);
  ASSERT_TRUE(status.holder.has_value());
  EXPECT_FALSE(status.trials[0].running);
  EXPECT_TRUE(status.trials[1].running);
  EXPECT_FALSE(status.trials[2].running);
}

}  // namespace
}  // namespace ablate::store
