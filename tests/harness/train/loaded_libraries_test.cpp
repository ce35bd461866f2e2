// The order in which a program that trains looks for functions in its libraries.

#include <gtest/gtest.h>
#include <link.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ablate::train {
namespace {

// The names of the loaded libraries, in the order in which functions are looked for.
std::vector<std::string> loaded_libraries() {
  std::vector<std::string> names;
  ::dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* to) {
        const std::string path = library->dlpi_name;
        static_cast<std::vector<std::string>*>(to)->push_back(path.substr(path.rfind('/') + 1));
        return 0;
      },
      &names);
  return names;
}

// PyTorch's packages have parts of std::filesystem in libtorch.so, and remove_all() by it crashes.
TEST(LoadedLibraries, HaveTheCxxLibraryBeforeLibTorch) {
  const std::vector<std::string> names = loaded_libraries();
  const auto first = [&](const std::string& start) {
    return std::find_if(names.begin(), names.end(),
                        [&](const std::string& name) { return name.rfind(start, 0) == 0; });
  };
  ASSERT_NE(first("libstdc++"), names.end());
  ASSERT_NE(first("libtorch"), names.end());
  EXPECT_LT(first("libstdc++"), first("libtorch"));
  EXPECT_LT(first("libstdc++"), first("libc10"));
}

}  // namespace
}  // namespace ablate::train
