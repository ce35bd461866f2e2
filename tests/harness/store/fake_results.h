// A results folder for tests: a plan of fake trials, and journals written as workers write them.

#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "harness/base/files.h"
#include "harness/base/json/json.h"
#include "harness/base/sha256.h"
#include "harness/store/folder/folder.h"
#include "harness/store/journal/journal.h"
#include "tests/temporary_folder.h"

namespace ablate::store::testing_support {

namespace fs = std::filesystem;

/// A plan of `arms`, each with seeds 1 to `seeds`; trial ids are "t0", "t1", ... in order, and each
/// asks for the measurement "m-" + id.
inline Json fake_plan(const std::vector<std::string>& arms, int seeds,
                      const std::string& name = "fake") {
  Json plan = {{"experiment", name},           {"question", "Which one?"},
               {"arms", Json::array()},        {"trials", Json::array()},
               {"vocabulary", Json::object()}, {"banks", Json::array()},
               {"resolved", Json::object()}};
  for (const std::string& arm : arms) {
    plan["arms"].push_back({{"name", arm}, {"baseline", arm == arms[0]}});
    for (int seed = 1; seed <= seeds; ++seed) {
      const std::string id = "t" + std::to_string(plan["trials"].size());
      plan["trials"].push_back({{"id", id},
                                {"arm", arm},
                                {"seed", seed},
                                {"steps", 20},
                                {"config", {{"seed", seed}}},
                                {"probes", {{{"id", "m-" + id}, {"type", "held_out"}}}}});
    }
  }
  return plan;
}

inline void put_bytes(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

/// Writes a plan with its checksum, as freeze_plan() does, but whatever is in it.
inline void put_plan(const fs::path& results, Json plan) {
  fs::create_directories(results);
  plan.erase("sha256");
  plan["sha256"] = sha256(canonical(plan));
  put_bytes(results / "plan.json", plan.dump());
}

/// The journal of a trial, begun where it has none.
inline Journal journal_of(const fs::path& results, const std::string& id) {
  fs::create_directories(journal_file(results, id).parent_path());
  return Journal(journal_file(results, id));
}

/// Writes the journal of a trial: one attempt with curve, measurement, ledger and outcome.
inline void write_trial(const fs::path& results, const std::string& id,
                        const std::string& outcome = "completed", double loss = 2.0) {
  Journal journal = journal_of(results, id);
  journal.write("attempt", {{"trial", {{"id", id}}}, {"provenance", {{"host", "here"}}}});
  for (const int step : {10, 20})
    journal.write("curve", {{"step", step},
                            {"text_tokens", step * 64},
                            {"loss", loss + 1.0 / step},
                            {"learning_rate", 0.003},
                            {"gradient_norm", 0.5},
                            {"spike", false}});
  journal.write("stage", {{"stage", "train"}, {"seconds", 1.5}});
  journal.write("ledger", {{"steps", 20}, {"targets", 1280}});
  journal.write("measurement",
                {{"id", "m-" + id},
                 {"probe", "held_out"},
                 {"metrics", {{"held_out.loss", loss}, {"held_out.excess", 0.1}}},
                 {"details", {{"texts", 50}}},
                 {"samples", {{{"text", "a b"}, {"about", {{"log_probability", -1.5}}}}}}});
  journal.write("outcome",
                {{"outcome", outcome}, {"message", outcome == "completed" ? "" : "why"}});
}

}  // namespace ablate::store::testing_support
