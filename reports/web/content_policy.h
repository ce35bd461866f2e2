// What a page may run: its own scripts and styles, named by their hashes, and nothing else.

#pragma once

#include <string>
#include <vector>

namespace ablate::reports {

/// The Content-Security-Policy of a page with these <style> and <script> elements, whose texts are
/// given as they stand between the tags. It loads nothing, sends nothing, and runs no other script or
/// style, whatever texts the page shows. Throws std::runtime_error where OpenSSL has no SHA-256.
std::string content_policy(const std::vector<std::string>& styles,
                           const std::vector<std::string>& scripts);

}  // namespace ablate::reports
