// ablate-worker: trains and measures the trials of one job in a separate process, so that a crash
// or a lack of memory does not end the sweep.

#include <sched.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <iterator>

#include "experiments/catalog.h"
#include "experiments/worker/answer.h"
#include "experiments/worker/bank.h"
#include "experiments/worker/calibrate.h"
#include "experiments/worker/process/events.h"
#include "experiments/worker/process/stop.h"
#include "experiments/worker/provenance.h"
#include "experiments/worker/team.h"
#include "harness/base/exit_code.h"
#include "harness/base/posix/machine_fault.h"
#include "harness/plan/resolve/versions.h"
#include "harness/train/network/device.h"
#include "harness/train/network/tensor_memory.h"
#include "harness/train/step/cuda.h"
#include "models/specs/bfloat16_spec.h"

namespace ablate::worker {
namespace {

constexpr const char* kHelp =
    "ablate-worker trains the trials of one job and measures them.\n"
    "\n"
    "It is started by `ablate run`, which writes the job to its standard input as JSON and reads\n"
    "events from its standard output as JSON lines. There is no need to start it by hand:\n"
    "  ablate run experiments/quickstart.json --results results/quickstart\n"
    "\n"
    "  --help     print this text\n"
    "  --version  print the versions of this program and of LibTorch\n"
    "  --info     print devices and number formats of this machine as JSON\n"
    "  --follow RANK  train together with the worker that has started this one\n"
    "\n"
    "Exit status: 0 every trial has an outcome, 1 the machine failed and trials are unfinished,\n"
    "2 the job was refused, 6 a journal is damaged, 75 or 130 stopped by a signal with a\n"
    "checkpoint.\n";

#ifndef ABLATE_VERSION
#define ABLATE_VERSION "0.1.0"
#endif

int tell(const std::string& flag) {
  if (flag == "--help" || flag == "-h") {
    std::cout << kHelp;
  } else if (flag == "--version") {
    std::cout << "ablate-worker " << ABLATE_VERSION << " (LibTorch "
              << train::about_library().at("libtorch").get<std::string>() << ")\n";
  } else if (flag == "--info") {
    Json about = train::about_library();
    about["bfloat16"] = models::bfloat16_refusal().empty();
    about["version"] = ABLATE_VERSION;
    about["commit"] = ABLATE_COMMIT;
    std::cout << about.dump() << "\n";
  } else {
    std::cerr << "ablate-worker: '" << flag
              << "' is not accepted; accepted: --help, --version and --info\n";
    return exit_usage;
  }
  return exit_ok;
}

run::Job read_job() {
  return run::job_from_text(std::string(std::istreambuf_iterator<char>(std::cin), {}));
}

void stay_on(int core) {
  if (core < 0) return;
  cpu_set_t own;
  CPU_ZERO(&own);
  CPU_SET(static_cast<std::size_t>(core), &own);
  ::sched_setaffinity(0, sizeof own, &own);  // only for speed: a failure is ignored
}

run::Job checked_job() {
  const run::Job job = read_job();
  if (job.threads < 1) reject("the job: threads = {}; at least 1 is needed", job.threads);
  for (const plan::Trial& trial : job.trials) plan::check_versions(trial, catalog());
  return job;
}

/// Settles what a job computes on, and returns the device.
std::string settle(const run::Job& job) {
  stay_on(job.core);
  std::string device = train::chosen_device(job.device);
  train::settle_library(job.threads);
  train::choose_algorithms(device);
  return device;
}

int work() {
  if (::isatty(STDIN_FILENO)) {
    std::cerr << kHelp;
    return exit_usage;
  }
  listen_to_signals();
  WorkerEvents().versions(plan::versions_of(catalog()));
  const run::Job job = checked_job();
  const std::string device = settle(job);
  if (job.task == run::Task::describe) {
    WorkerEvents().device(
        train::device_model(device),
        device == "cpu" ? models::bfloat16_refusal() : train::device_bfloat16_refusal(device));
    return exit_ok;
  }
  if (job.task == run::Task::calibrate) {
    tell_lanes(calibrate(job, device));
    return exit_ok;
  }
  if (job.task == run::Task::answer) {
    answer(job, device);
    return exit_ok;
  }
  return run_job(job, device, provenance(job, device));
}

/// Is one of the ranks that a worker has started. What is printed goes to the log of that worker.
int work_as_follower(const std::string& number) {
  leave_signals_to_the_first_rank();
  const std::int64_t rank = rank_of(number);
  if (number == "slurm" && rank == 0) return exit_ok;  // the worker itself is the first one
  const run::Job job = job_of_rank(checked_job(), rank);
  return follow(job, rank, settle(job));
}

// Does what the program was started for; returns its exit status.
int status_of(int argc, char** argv) {
  train::keep_tensor_memory();
  let_large_files_fail();
  try {
    if (argc == 3 && std::string_view(argv[1]) == "--follow") return work_as_follower(argv[2]);
    return argc > 1 ? tell(argv[1]) : work();
  } catch (const DamagedFile& error) {
    std::cerr << "ablate-worker: " << error.what() << "\n";
    return exit_damaged;
  } catch (const std::invalid_argument& error) {
    std::cerr << "ablate-worker: " << error.what() << "\n";
    return exit_usage;
  } catch (const std::exception& error) {
    if (is_machine_fault(error)) WorkerEvents().fault({error.what(), is_no_space(error)});
    std::cerr << "ablate-worker: " << explained(error) << "\n";
    return exit_failure;
  }
}

}  // namespace
}  // namespace ablate::worker

int main(int argc, char** argv) {
  const int status = ablate::worker::status_of(argc, argv);
  std::cout.flush();
  // Without the destructors of static objects: LibTorch's take its operators out of their tables one by
  // one, a tenth of what a start costs. All that is ours is in files and pipes by now.
  std::_Exit(status);
}
