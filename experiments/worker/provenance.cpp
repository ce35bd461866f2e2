// Collects facts about the machine, the library and the environment.

#include "experiments/worker/provenance.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "experiments/worker/trial_run.h"
#include "harness/base/files.h"
#include "harness/base/sha256.h"
#include "harness/train/network/device.h"
#include "models/kernels/simd/simd.h"

#ifndef ABLATE_VERSION
#define ABLATE_VERSION "0.1.0"
#endif
#ifndef ABLATE_COMMIT
#define ABLATE_COMMIT "unknown"
#endif

namespace ablate::worker {
namespace {

/// The name of the processor on Linux; empty elsewhere.
std::string processor() {
  std::ifstream about("/proc/cpuinfo");
  for (std::string line; std::getline(about, line);)
    if (line.starts_with("model name"))
      return line.substr(std::min(line.find(':') + 2, line.size()));
  return {};
}

/// The hash of this program's file: equal hashes mean the same code, compiler and flags.
std::string program_hash() {
  try {
    return sha256(read_file("/proc/self/exe"));
  } catch (const std::runtime_error&) {
    return {};
  }
}

/// Environment variables that affect speed or numbers, or identify the job of a cluster.
Json environment() {
  Json values = Json::object();
  for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS",
                           "ATEN_CPU_CAPABILITY", "CUDA_VISIBLE_DEVICES", "CUBLAS_WORKSPACE_CONFIG",
                           "SLURM_JOB_ID", "SLURM_ARRAY_TASK_ID", "SLURM_RESTART_COUNT"})
    if (const char* value = std::getenv(name)) values[name] = value;
  return values;
}

}  // namespace

Json provenance(const run::Job& job, const std::string& device) {
  Json bank = Json::array();
  for (const plan::Trial& trial : job.trials) bank.push_back(trial.id);
  utsname system{};
  ::uname(&system);
  const std::int64_t memory = std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE);
  const Json& train = job.trials.at(0).config.at("train");  // trials of a bank agree
  Json facts = {{"host", system.nodename},
                {"machine", system.machine},
                {"kernel", std::string(system.sysname) + " " + system.release},
                {"processor", processor()},
                {"cores", ::sysconf(_SC_NPROCESSORS_ONLN)},
                {"memory_bytes", memory},
                {"version", ABLATE_VERSION},
                {"commit", ABLATE_COMMIT},
                {"program_sha256", program_hash()},
                {"compiler", __VERSION__},
                {"library", train::about_library()},
                {"device", device},
                {"precision", computing_of(job, device).bfloat16 ? "bfloat16" : "float32"},
                {"kernels", train.at("kernels")},
                {"instructions", std::string(name_of(models::kernels::instruction_set()))},
                {"threads", job.threads},
                {"lanes", job.trials.size()},
                {"bank", bank},
                {"lane_choice", job.lane_choice},
                {"process", ::getpid()},
                {"arguments", job.command},
                {"environment", environment()}};
  if (!job.followers.empty()) facts["ranks"] = 1 + job.followers.size();
  if (job.task != run::Task::all) facts["task"] = job.task;
  return facts;
}

}  // namespace ablate::worker
