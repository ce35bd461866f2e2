// Text for documents that leave the machine that wrote them.

#pragma once

#include <string>
#include <string_view>

namespace ablate::reports {

/// The text with every absolute path in it shortened to its last name: "/home/me/ablate plan" becomes
/// "ablate plan". The folders are of the machine that wrote the document, and may name a person.
std::string without_folders(std::string_view text);

}  // namespace ablate::reports
