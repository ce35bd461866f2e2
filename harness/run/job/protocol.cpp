#include "harness/run/job/protocol.h"

#include "harness/base/error.h"

namespace ablate::run {

Job job_from_json(const Json& json) {
  try {
    return json.get<Job>();
  } catch (const Json::exception& error) {
    reject("the job: {}; a job is written by `ablate run`, not by hand", error.what());
  }
}

std::filesystem::path trial_folder(const std::filesystem::path& results, const std::string& id) {
  return results / "trials" / id;
}

}  // namespace ablate::run
