#include "experiments/commands/shell/man_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

#include "experiments/commands/shell/declared.h"

namespace ablate::commands {
namespace {

/// Text that troff prints as it is: no escapes, no requests at the beginning of a line.
std::string literal(std::string_view text) {
  std::string shown;
  for (const char c : text) {
    if (c == '\\')
      shown += "\\e";
    else if (c == '-')
      shown += "\\-";
    else if ((c == '.' || c == '\'') && (shown.empty() || shown.back() == '\n'))
      shown += std::string("\\&") + c;
    else
      shown += c;
  }
  return shown;
}

/// "-h, --help", or the name of what is given without a flag.
std::string names_of(const CLI::Option& option) {
  if (!option.nonpositional()) return option.get_name();
  std::string names;
  for (const std::string& name : option.get_snames()) names += (names.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames())
    names += (names.empty() ? "--" : ", --") + name;
  return names;
}

std::string options_section(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    text += fmt::format(".TP\n\\fB{}\\fR", literal(names_of(*option)));
    if (option->nonpositional() && option->get_items_expected_max() > 0)
      text += fmt::format(" \\fI{}\\fR", literal(option->get_type_name()));
    text += fmt::format("\n{}\n", literal(option->get_description()));
  }
  return text.empty() ? "" : ".SH OPTIONS\n" + text;
}

std::string commands_section(const CLI::App& command, const std::string& name) {
  std::string text;
  for (const CLI::App* inner : commands_of(command))
    text +=
        fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", literal(page_name(name + " " + inner->get_name())),
                    literal(inner->get_description()));
  return text.empty() ? "" : ".SH COMMANDS\n" + text;
}

/// The paragraphs below the flags of --help: examples and exit statuses have sections of their own.
std::string footer_sections(const CLI::App& command) {
  std::istringstream lines(command.get_footer());
  std::string text, line;
  bool verbatim = false;
  const auto leave = [&] {
    if (verbatim) text += ".fi\n";
    verbatim = false;
  };
  while (std::getline(lines, line)) {
    if (line.starts_with("Example")) {
      leave();
      text += ".SH EXAMPLES\n";
    } else if (constexpr std::string_view kStatus = "Exit status: "; line.starts_with(kStatus)) {
      leave();
      text += ".SH EXIT STATUS\n" + literal(line.substr(kStatus.size())) + "\n";
    } else if (line.starts_with("  ")) {
      if (!verbatim) text += ".nf\n";
      verbatim = true;
      text += literal(line) + "\n";
    } else if (line.empty()) {
      leave();
      text += ".PP\n";
    } else {
      leave();
      text += literal(line) + "\n";
    }
  }
  leave();
  return text;
}

std::string synopsis(const CLI::App& command, const std::string& name) {
  std::string text = fmt::format(".B {}\n[\\fIOPTIONS\\fR]", literal(name));
  for (const CLI::Option* option : command.get_options())
    if (!option->nonpositional() && !option->get_group().empty())
      text += fmt::format(fmt::runtime(option->get_required() ? " \\fI{}\\fR" : " [\\fI{}\\fR]"),
                          literal(option->get_name()));
  if (!commands_of(command).empty()) text += " \\fICOMMAND\\fR";
  return text + "\n";
}

}  // namespace

std::string page_name(std::string name) {
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string man_page(const CLI::App& command, const std::string& name, const std::string& version) {
  std::string title = page_name(name);
  std::ranges::transform(title, title.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return fmt::format(
             ".TH {} 1 \"\" \"ablate {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}",
             literal(title), literal(version), literal(page_name(name)),
             literal(command.get_description()), synopsis(command, name)) +
         commands_section(command, name) + options_section(command) + footer_sections(command) +
         (command.get_parent() == nullptr ? "" : ".SH SEE ALSO\n.BR ablate (1)\n");
}

}  // namespace ablate::commands
