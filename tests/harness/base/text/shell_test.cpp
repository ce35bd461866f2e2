// Words of a shell: read back by one, they are the text.

#include "harness/base/text/shell.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <memory>

namespace ablate {
namespace {

/// What a shell makes of a word.
std::string echoed(const std::string& word) {
  const std::string command = "printf %s " + word;
  const std::unique_ptr<FILE, int (*)(FILE*)> shell(::popen(command.c_str(), "r"), ::pclose);
  std::array<char, 256> buffer{};
  return {buffer.data(), std::fread(buffer.data(), 1, buffer.size(), shell.get())};
}

TEST(ShellWord, IsReadBackAsTheText) {
  for (const char* text :
       {"results/one", "my results", "it's", "a$HOME`x`\"", "*", "", "ж", "a\nb"})
    EXPECT_EQ(echoed(shell_word(text)), text);
}

TEST(ShellWord, IsLeftAsItIsWhereNothingIsSpecial) {
  EXPECT_EQ(shell_word("results/quick-start_2.v1"), "results/quick-start_2.v1");
  EXPECT_EQ(shell_word("my results"), "'my results'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
}

}  // namespace
}  // namespace ablate
