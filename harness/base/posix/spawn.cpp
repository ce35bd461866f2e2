#include "harness/base/posix/spawn.h"

#include <fmt/core.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace ablate {
namespace {

constexpr int kNotExecuted = 127;

/// Runs in the child after the fork.
[[noreturn]] void run_child(pid_t parent, const std::function<int()>& body) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(kNotExecuted);  // the parent died before prctl
  int status = 1;
  try {
    status = body();
  } catch (...) {  // an exception must not unwind into the parent's frames
  }
  ::_exit(status);
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

ChildProcess::ChildProcess(std::string_view what, const std::function<int()>& body) {
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) run_child(parent, body);
  if (pid_ < 0) fail_errno(what, "could not be started");
  ::setpgid(pid_, pid_);  // here too, so that signal() finds the group at once
}

ChildProcess::~ChildProcess() {
  signal(SIGKILL);
  wait();
}

pid_t ChildProcess::reap(int options) {
  rusage used{};
  const pid_t found = ::wait4(pid_, &status_, options, &used);
  if (found == pid_) processor_seconds_ = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  return found;
}

bool ChildProcess::ended() {
  if (!ended_) ended_ = reap(WNOHANG) == pid_;
  return ended_;
}

int ChildProcess::wait() {
  while (!ended_) {
    const pid_t found = reap(0);
    ended_ = found == pid_ || (found < 0 && errno != EINTR);
  }
  return status_;
}

void ChildProcess::signal(int number) {
  if (!ended_) ::kill(-pid_, number);
}

std::string status_text(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  return fmt::format("exit status {}", WEXITSTATUS(status));
}

int execute(const char* const* arguments, const Descriptor& input, const Descriptor& output,
            const Descriptor& error) {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD, SIGPIPE, SIGXFSZ})
    ::signal(number, SIG_DFL);  // the child does not inherit ignored signals
  if (::dup2(input.get(), STDIN_FILENO) < 0 || ::dup2(output.get(), STDOUT_FILENO) < 0 ||
      ::dup2(error.get(), STDERR_FILENO) < 0)
    return kNotExecuted;
  ::execv(arguments[0], const_cast<char* const*>(arguments));
  const char* reason = std::strerror(errno);
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, reason, std::strlen(reason));
  return kNotExecuted;
}

}  // namespace ablate
