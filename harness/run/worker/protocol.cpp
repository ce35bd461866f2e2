#include "harness/run/worker/protocol.h"

#include "harness/base/error.h"

namespace ablate::run {

Json to_json(const Job& job) {
  Json trials = Json::array();
  for (const plan::Trial& trial : job.trials) trials.push_back(to_json(trial));
  return {{"results", job.results.string()},
          {"corpus", job.corpus.string()},
          {"trials", std::move(trials)},
          {"device", job.device},
          {"threads", job.threads},
          {"checkpoint_seconds", job.checkpoint_seconds},
          {"core", job.core},
          {"command", job.command},
          {"calibrate", job.calibrate},
          {"lane_choice", job.lane_choice}};
}

Job job_from_json(const Json& json) {
  try {
    Job job;
    job.results = json.at("results").get<std::string>();
    job.corpus = json.at("corpus").get<std::string>();
    for (const Json& trial : json.at("trials")) job.trials.push_back(plan::trial_from_json(trial));
    json.at("device").get_to(job.device);
    json.at("threads").get_to(job.threads);
    json.at("core").get_to(job.core);
    json.at("checkpoint_seconds").get_to(job.checkpoint_seconds);
    job.command = json.value("command", job.command);
    job.calibrate = json.value("calibrate", job.calibrate);
    job.lane_choice = json.value("lane_choice", job.lane_choice);
    return job;
  } catch (const Json::exception& error) {
    reject("the job: {}; a job is written by `ablate run`, not by hand", error.what());
  }
}

std::filesystem::path trial_folder(const std::filesystem::path& results, const std::string& id) {
  return results / "trials" / id;
}

}  // namespace ablate::run
