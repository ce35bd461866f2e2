#include "harness/run/worker/process.h"
#include "harness/base/posix/machine_fault.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include "harness/base/error.h"
#include "harness/base/posix/pipe.h"

namespace ablate::run {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestLine = 1u << 20;  // bytes
constexpr std::size_t kMaxLines = 10000;        // of one call to lines()

}  // namespace

Process::Process(const std::vector<std::string>& command, std::string_view input,
                 const fs::path& log) {
  // Appended to, so that the worker goes on at the end after shorten_log().
  const Descriptor error =
      open_file(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_NOFOLLOW, "could not be created");
  const Descriptor in = memory_file(input, "the job");
  Pipe out = open_pipe(command[0]);
  ::fcntl(out.reader.get(), F_SETFL, O_NONBLOCK);
  std::vector<const char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(word.c_str());
  arguments.push_back(nullptr);
  child_ = std::make_unique<ChildProcess>(
      command[0], [&] { return execute(arguments.data(), in, out.writer, error); });
  output_ = std::move(out.reader);
}

std::vector<std::string> Process::lines() {
  std::vector<std::string> complete;
  char buffer[65536];
  ssize_t got = 0;
  while ((got = ::read(output_.get(), buffer, sizeof buffer)) > 0) {
    partial_.append(buffer, static_cast<std::size_t>(got));
    std::size_t start = 0;
    for (std::size_t end; (end = partial_.find('\n', start)) != std::string::npos; start = end + 1)
      complete.push_back(partial_.substr(start, end - start));
    partial_.erase(0, start);
    if (partial_.size() > kLongestLine) partial_.clear();
    if (complete.size() > kMaxLines) break;  // the rest next time: other workers have lines, too
  }
  closed_ = closed_ || got == 0;
  return complete;
}

std::vector<std::string> Process::awaited_lines() {
  pollfd file = {output(), POLLIN, 0};
  ::poll(&file, closed() ? 0 : 1, 100);
  return lines();
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

void shorten_log(const fs::path& file, std::size_t bytes) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  if (error || size <= 2 * bytes) return;
  const std::string kept = last_lines(file, bytes) + '\n';
  try {
    // Cut after it is written: what the worker appends in the meantime never comes before it.
    const Descriptor log = open_file(file, O_WRONLY | O_NOFOLLOW, "could not be cut");
    write_all(log, kept, file);
    if (::ftruncate(log.get(), static_cast<off_t>(kept.size())) != 0)
      fail_errno(file, "could not be cut");
  } catch (const MachineFault&) {  // a log is not worth a sweep
  }
}

}  // namespace ablate::run
