#include "harness/run/job/protocol.h"

#include "harness/base/error.h"
#include "harness/base/json/parse.h"

namespace ablate::run {

Job job_from_json(const Json& json) {
  try {
    Job job = json.get<Job>();
    if (Json(job.task) != json.at("task"))
      reject("the job: task {} is not known", ascii_text(json.at("task")));
    return job;
  } catch (const Json::exception& error) {
    reject("the job: {}; a job is written by `ablate run`, not by hand", error.what());
  }
}

Job job_from_text(std::string_view text) {
  Json json;
  try {
    json = parse_json(text);
  } catch (const Json::exception& error) {
    reject("the job on standard input is not JSON: {}; start workers with `ablate run`",
           error.what());
  }
  return job_from_json(json);
}

Json event_in(std::string_view line) {
  try {
    Json event = parse_stored(line, "event");
    if (event.is_object() && event.value("event", Json()).is_string()) return event;
  } catch (const DamagedFile&) {  // not JSON
  }
  return Json();
}

}  // namespace ablate::run
