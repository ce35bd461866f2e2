// Runs a fuzz target without libFuzzer, over the same entry:
//
//   fuzz_NAME [--seconds N] [--runs N] [--seed N] [--from N]    mutates the seeds of NAME
//   fuzz_NAME FILE...                                           runs these inputs
//
// Run number n of a seed is the same input on every machine; --from begins at another number.
// Inputs run in a child process, from memory that both share: however it ends, the parent still has
// the input, writes it to a file and says how to run it again. One that computes for a minute is a
// fault, too, and so is one that takes twenty. Ends with 0 where no input failed, 1 where one did, 2 for wrong flags.

#include <fmt/core.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <span>

#include "harness/base/error.h"
#include "harness/base/files.h"
#include "harness/base/posix/spawn.h"
#include "tests/fuzz/mutator.h"
#include "tests/paths.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace ablate::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "fuzz_";  // of the programs' names
constexpr double kMaxComputing = 60;           // seconds of a processor, of one input
constexpr double kMaxTime = 1200;              // seconds of one input, on a machine with other work
constexpr double kReportEvery = 10;            // seconds
constexpr useconds_t kPause = 20'000;          // between looks at the child, microseconds

struct Options {
  std::string target;  // what comes after "fuzz_" in the name of the program
  double seconds = 60;
  std::uint64_t runs = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t seed = 1;
  std::uint64_t from = 0;
  std::vector<std::string> files;
};

/// What the child is doing, in memory that it shares with its parent.
struct Shared {
  std::atomic<std::uint64_t> begun = 0;  // number of inputs
  std::size_t size = 0;                  // of the input that was begun last
  char bytes[kMaxInput];
};

double now() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(since).count();
}

/// The seconds that a process has computed.
double computed(pid_t process) {
  clockid_t clock{};
  timespec used{};
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

template <class Number>
void read_number(std::string_view flag, const char* text, Number& number) {
  const char* const end = text + std::strlen(text);
  const auto read = std::from_chars(text, end, number);
  if (read.ec != std::errc() || read.ptr != end) reject("{} {}: is not a number", flag, text);
}

Options options_of(std::span<char*> arguments) {
  Options options{.target = fs::path(arguments[0]).filename().string().substr(kPrefix.size())};
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string_view flag = arguments[i];
    if (!flag.starts_with("--")) {
      options.files.emplace_back(flag);
      continue;
    }
    if (i + 1 == arguments.size()) reject("{}: needs a value", flag);
    const char* const value = arguments[++i];
    if (flag == "--seconds")
      read_number(flag, value, options.seconds);
    else if (flag == "--runs")
      read_number(flag, value, options.runs);
    else if (flag == "--seed")
      read_number(flag, value, options.seed);
    else if (flag == "--from")
      read_number(flag, value, options.from);
    else
      reject("{}: is not a flag; accepted: --seconds, --runs, --seed, --from", flag);
  }
  return options;
}

std::vector<std::string> seeds_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());  // so that a run has the same input everywhere
  std::vector<std::string> seeds;
  for (const fs::path& file : files) seeds.push_back(read_file(file));
  if (seeds.empty()) fail("{}: there are no seeds", folder.string());
  return seeds;
}

void run_input(const std::string& input, Shared& shared) {
  shared.size = std::min(input.size(), kMaxInput);
  std::memcpy(shared.bytes, input.data(), shared.size);
  ++shared.begun;
  // A copy on the heap, so that AddressSanitizer sees a read past its end.
  const std::vector<std::uint8_t> bytes(shared.bytes, shared.bytes + shared.size);
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

/// The child: the seeds as they are, then mutated ones until time or runs are over. It exits as a
/// program does, so that its folders are removed and leaks are looked for.
[[noreturn]] void run_inputs(const Options& options, Shared& shared) {
  const double end = now() + options.seconds;
  const std::vector<std::string> seeds =
      seeds_in(project_root() / "tests/fuzz/seeds" / options.target);
  for (const std::string& seed : seeds) run_input(seed, shared);
  const Mutator mutator(seeds);
  const Rng rng(options.seed);
  for (std::uint64_t n = 0; n < options.runs && now() < end; ++n)
    run_input(mutator.input(rng.fork(options.from + n)), shared);
  std::exit(0);
}

/// Looks after the child until it ends, and kills it where one input takes too long. Returns its
/// status.
int watch_over(const std::string& target, ChildProcess& child, const Shared& shared) {
  const double start = now();
  double reported = start, begun_at = start, begun_with = 0;
  std::uint64_t seen = 0;
  while (!child.ended()) {
    ::usleep(kPause);
    const double time = now();
    if (const std::uint64_t begun = shared.begun; begun != seen) {
      seen = begun;
      begun_at = time;
      begun_with = computed(child.id());
    }
    if (computed(child.id()) - begun_with > kMaxComputing || time - begun_at > kMaxTime) {
      fmt::print(stderr, "{}: an input computes for more than {} s, or takes more than {} s\n",
                 target, kMaxComputing, kMaxTime);
      child.signal(SIGKILL);
      return child.wait();
    }
    if (time - reported < kReportEvery) continue;
    reported = time;
    fmt::print(stderr, "{}: {} runs in {:.0f} s\n", target, seen, time - start);
  }
  return child.status();
}

int replay(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    const std::string input = read_file(file);
    fmt::print(stderr, "{}\n", file);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
  }
  return 0;
}

int fuzz(const Options& options) {
  void* const memory =
      ::mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail_errno(options.target, "no memory could be shared");
  Shared& shared = *new (memory) Shared;
  const double start = now();
  ChildProcess child(options.target, [&]() -> int { run_inputs(options, shared); });
  const int status = watch_over(options.target, child, shared);
  const std::uint64_t runs = shared.begun;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
    fmt::print("{}: {} runs in {:.0f} s, seed {}: no fault\n", options.target, runs, now() - start,
               options.seed);
    return 0;
  }
  const std::string file =
      fmt::format("{}{}.fault.{}.{}", kPrefix, options.target, options.seed, runs);
  write_file(fs::absolute(file), std::string_view(shared.bytes, shared.size));
  fmt::print("{}: {} runs, and the last one failed; to run its input again: {}{} {}\n",
             options.target, runs, kPrefix, options.target, file);
  return 1;
}

}  // namespace
}  // namespace ablate::fuzz

int main(int argc, char** argv) {
  using namespace ablate;
  try {
    const fuzz::Options options = fuzz::options_of({argv, static_cast<std::size_t>(argc)});
    return options.files.empty() ? fuzz::fuzz(options) : fuzz::replay(options.files);
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
