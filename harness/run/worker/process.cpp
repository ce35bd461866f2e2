#include "harness/run/worker/process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "harness/base/error.h"

namespace ablate::run {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestLine = 1u << 20;
constexpr int kNotStarted = 127;  // as shells say it

[[noreturn]] void fail_errno(const fs::path& path, std::string_view what) {
  const std::string reason = std::strerror(errno);
  fail(path.string(), ": ", what, ": ", reason);
}

/// A file in memory that holds `input`. Not a pipe: a worker that does not read cannot block us.
int input_file(std::string_view input) {
  const int file = ::memfd_create("job", MFD_CLOEXEC);
  if (file < 0) fail_errno("job", "could not be handed over");
  while (!input.empty()) {
    const ssize_t written = ::write(file, input.data(), input.size());
    if (written < 0) fail_errno("job", "could not be handed over");
    input.remove_prefix(static_cast<std::size_t>(written));
  }
  ::lseek(file, 0, SEEK_SET);
  return file;
}

/// Becomes the worker. Between fork and exec only calls that are safe there.
[[noreturn]] void become(const char* program, int input, int output, int log, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kNotStarted);  // it died before we asked to be told
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD, SIGPIPE})
    ::signal(number, SIG_DFL);  // what we ignore, or were told to, is no business of the worker's
  if (::dup2(input, 0) < 0 || ::dup2(output, 1) < 0 || ::dup2(log, 2) < 0) ::_exit(kNotStarted);
  const char* const arguments[] = {program, nullptr};
  ::execv(program, const_cast<char* const*>(arguments));
  const char* reason = std::strerror(errno);
  if (::write(2, reason, std::strlen(reason)) < 0) ::_exit(kNotStarted);
  ::_exit(kNotStarted);
}

}  // namespace

Process::Process(const fs::path& program, std::string_view input, const fs::path& log) {
  const int log_file =
      ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644);
  if (log_file < 0) fail_errno(log, "could not be created");
  const int in = input_file(input);
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) fail_errno(program, "could not be listened to");
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) become(program.c_str(), in, ends[1], log_file, parent);
  for (const int file : {in, ends[1], log_file}) ::close(file);
  output_ = ends[0];
  if (pid_ < 0) {
    ::close(output_);
    fail_errno(program, "could not be started");
  }
  ::setpgid(pid_, pid_);  // here too, so that signal() finds the group at once
  ::fcntl(output_, F_SETFL, O_NONBLOCK);
}

Process::~Process() {
  if (!ended_) {
    signal(SIGKILL);
    while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
    }
  }
  ::close(output_);
}

std::vector<std::string> Process::lines() {
  std::vector<std::string> whole;
  char buffer[65536];
  ssize_t got = 0;
  while ((got = ::read(output_, buffer, sizeof buffer)) > 0) {
    partial_.append(buffer, static_cast<std::size_t>(got));
    std::size_t start = 0;
    for (std::size_t end; (end = partial_.find('\n', start)) != std::string::npos; start = end + 1)
      whole.push_back(partial_.substr(start, end - start));
    partial_.erase(0, start);
    if (partial_.size() > kLongestLine) partial_.clear();
    if (whole.size() > 10000) break;  // the rest next time: others want to be heard too
  }
  closed_ = closed_ || got == 0;
  return whole;
}

bool Process::ended() {
  if (!ended_) ended_ = ::waitpid(pid_, &status_, WNOHANG) == pid_;
  return ended_;
}

void Process::signal(int number) {
  if (!ended_) ::kill(-pid_, number);
}

std::string status_text(int status) {
  if (WIFSIGNALED(status))
    return join("signal ", WTERMSIG(status), " (", ::strsignal(WTERMSIG(status)), ")");
  return join("exit status ", WEXITSTATUS(status));
}

std::string last_lines(const fs::path& file, std::size_t bytes) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return "";
  const auto size = static_cast<std::size_t>(in.tellg());
  const std::size_t start = size > bytes ? size - bytes : 0;
  in.seekg(static_cast<std::streamoff>(start));
  std::string text(size - start, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (start > 0) text.erase(0, text.find('\n') + 1);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

}  // namespace ablate::run
