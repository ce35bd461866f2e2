// Where the checkout lies that a test or benchmark was built from, and where its programs are.

#pragma once

#include <filesystem>

namespace ablate {

std::filesystem::path project_root();
std::filesystem::path programs_folder();

}  // namespace ablate
