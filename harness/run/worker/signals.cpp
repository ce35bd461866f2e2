#include "harness/run/worker/signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include "harness/base/posix/descriptor.h"

namespace ablate::run {

Signals::Signals() {
  sigset_t ours;
  ::sigemptyset(&ours);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD})
    ::sigaddset(&ours, number);
  ::signal(SIGCHLD, SIG_DFL);  // where a parent left it ignored, no child could be waited for
  ::sigprocmask(SIG_BLOCK, &ours, &previous_);
  file_ = ::signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
  if (file_ < 0) fail_errno("signals", "could not be read");
}

Signals::~Signals() {
  take();  // pending signals must not arrive when they are unblocked
  ::close(file_);
  ::sigprocmask(SIG_SETMASK, &previous_, nullptr);
}

std::vector<int> Signals::take() {
  std::vector<int> numbers;
  signalfd_siginfo about{};
  while (::read(file_, &about, sizeof about) == sizeof about)
    numbers.push_back(static_cast<int>(about.ssi_signo));
  return numbers;
}

}  // namespace ablate::run
