// `ablate manual FOLDER`: writes what an installation has for readers and shells.

#include <filesystem>
#include <iostream>
#include <memory>

#include "experiments/commands/command.h"
#include "experiments/commands/guard.h"
#include "experiments/commands/shell/declared.h"
#include "experiments/commands/shell/man_page.h"
#include "experiments/commands/shell/scripts.h"
#include "harness/base/exit_code.h"
#include "harness/base/files.h"

namespace ablate::commands {
namespace {

namespace fs = std::filesystem;

/// Writes the page of a command, and those of all below it.
void write_pages(const CLI::App& command, const std::string& name, const fs::path& folder) {
  write_file(folder / (page_name(name) + ".1"), man_page(command, name, ABLATE_VERSION));
  for (const CLI::App* inner : commands_of(command))
    write_pages(*inner, name + " " + inner->get_name(), folder);
}

void write_manual(const CLI::App& app, const fs::path& share) {
  const fs::path pages = share / "man/man1";
  fs::create_directories(pages);
  write_pages(app, "ablate", pages);
  for (const ShellScript& script : shell_scripts()) {
    const fs::path file = share / script.installed;
    fs::create_directories(file.parent_path());
    write_file(file, script.text);
  }
}

}  // namespace

void add_manual(Program& program) {
  CLI::App* const command =
      program.app.add_subcommand("manual", "Write man pages and completion scripts");
  const auto folder = std::make_shared<std::string>();
  command
      ->add_option("FOLDER", *folder,
                   "the folder to write man/, bash-completion/, zsh/ and fish/ to, such as "
                   "/usr/local/share")
      ->required();
  command->callback([&program, folder] {
    program.exit_code = guarded([&] {
      write_manual(program.app, *folder);
      std::cout << "Wrote " << *folder << "/man/man1/ablate.1 and those of its commands.\n";
      return exit_ok;
    });
  });
}

}  // namespace ablate::commands
