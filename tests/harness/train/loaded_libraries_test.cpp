// Which of its libraries a program that trains takes functions from.

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace ablate::train {
namespace {

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// The names of the loaded libraries, in the order in which functions are looked for.
std::vector<std::string> loaded_libraries() {
  std::vector<std::string> names;
  ::dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* to) {
        static_cast<std::vector<std::string>*>(to)->push_back(name_of(library->dlpi_name));
        return 0;
      },
      &names);
  return names;
}

// The libtorch.so of PyTorch's packages has a remove_all(), which crashes in a program that takes it.
TEST(LoadedLibraries, TakeTheCxxLibrarysFunctionsFromIt) {
  std::uintmax_t (*const remove_all)(const std::filesystem::path&, std::error_code&) =
      std::filesystem::remove_all;
  Dl_info found = {};
  ASSERT_NE(::dladdr(reinterpret_cast<const void*>(remove_all), &found), 0);
  EXPECT_EQ(name_of(found.dli_fname).rfind("libstdc++", 0), 0u)
      << "std::filesystem::remove_all() is in " << found.dli_fname
      << ". If that is this program, its compiler links the C++ library statically, and LibTorch "
         "brings another one: build with a compiler that links the shared one (CXX=...).";
}

TEST(LoadedLibraries, HaveTheCxxLibraryBeforeLibTorch) {
  const std::vector<std::string> names = loaded_libraries();
  const auto first = [&](const std::string& start) {
    return std::find_if(names.begin(), names.end(),
                        [&](const std::string& name) { return name.rfind(start, 0) == 0; });
  };
  ASSERT_NE(first("libtorch"), names.end());
  EXPECT_LT(first("libstdc++"), first("libtorch"));
  EXPECT_LT(first("libstdc++"), first("libc10"));
}

}  // namespace
}  // namespace ablate::train
