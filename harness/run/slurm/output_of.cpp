#include "harness/run/slurm/output_of.h"

#include <fcntl.h>
#include <sys/wait.h>

#include <thread>
#include <utility>

#include "harness/base/posix/descriptor.h"
#include "harness/base/posix/pipe.h"
#include "harness/base/posix/spawn.h"

namespace ablate::run {

ProgramOutput output_of(const std::vector<std::string>& command) {
  std::vector<const char*> arguments;
  arguments.reserve(command.size() + 2);
  arguments.push_back("/usr/bin/env");  // looks for the program in the PATH
  for (const std::string& word : command) arguments.push_back(word.c_str());
  arguments.push_back(nullptr);
  const Descriptor nothing = open_file("/dev/null", O_RDONLY, "could not be opened");
  Pipe output = open_pipe(command[0]), errors = open_pipe(command[0]);
  ChildProcess child(
      command[0], [&] { return execute(arguments.data(), nothing, output.writer, errors.writer); });
  output.writer.close();
  errors.writer.close();
  ProgramOutput result;
  std::thread reader([&] { result.errors = read_to_end(errors.reader); });
  result.output = read_to_end(output.reader);
  reader.join();
  const int status = child.wait();
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace ablate::run
