#include "reports/formats/archive.h"

#include <fmt/ranges.h>
#include <zip.h>

#include <cerrno>
#include <cstdint>
#include <ctime>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>
#include <variant>

#include "harness/base/posix/machine_fault.h"
#include "reports/formats/report_file.h"

namespace ablate::reports {
namespace {

constexpr zip_uint32_t kLevel = 6;      // 9 takes several times as long, for a few per cent
constexpr zip_uint32_t kFastLevel = 1;  // of large files: a third of the time, a tenth more bytes
constexpr std::size_t kLargeBytes = 16 << 20;
constexpr zip_uint32_t kAttributes = 0100644u << 16;  // not those of the files that are read

[[noreturn]] void fail_zip(zip_error_t* error) {
  const std::string message =
      fmt::format("report.zip: could not be made: {}", zip_error_strerror(error));
  if (zip_error_system_type(error) == ZIP_ET_SYS)
    throw MachineFault(message, zip_error_code_system(error));
  throw std::runtime_error(message);
}

/// The first moment that a zip file can name. It holds local time, and libzip converts to it, so the
/// moment is taken from local time as well: the bytes are the same in every time zone.
time_t first_moment() {
  std::tm first = {};
  first.tm_year = 80;
  first.tm_mday = 1;
  first.tm_isdst = -1;
  return std::mktime(&first);
}

/// An archive that is being written.
class ZipArchive {
 public:
  explicit ZipArchive(const std::filesystem::path& file) {
    zip_error_t error;
    zip_error_init(&error);
    int code = 0;
    archive_ = zip_open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (archive_ != nullptr) return;
    zip_error_set(&error, code, errno);
    fail_zip(&error);
  }
  ~ZipArchive() {
    if (archive_ != nullptr) zip_discard(archive_);
  }
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  /// Adds bytes, which must stay where they are until close() has returned.
  void add(const std::string& name, std::string_view bytes) {
    add(name, zip_source_buffer(archive_, bytes.data(), bytes.size(), 0), bytes.size());
  }

  /// Adds a file, which is read by close().
  void add(const std::string& name, const std::filesystem::path& file) {
    add(name, zip_source_file(archive_, file.c_str(), 0, -1), std::filesystem::file_size(file));
  }

  /// Writes the archive.
  void close() {
    if (zip_close(archive_) != 0) fail_zip(zip_get_error(archive_));
    archive_ = nullptr;
  }

 private:
  void add(const std::string& name, zip_source_t* source, std::uintmax_t bytes) {
    const zip_int64_t index = zip_file_add(archive_, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
      zip_source_free(source);
      fail_zip(zip_get_error(archive_));
    }
    const auto place = static_cast<zip_uint64_t>(index);
    zip_file_set_external_attributes(archive_, place, 0, ZIP_OPSYS_UNIX, kAttributes);
    zip_file_set_mtime(archive_, place, first_moment(), 0);
    zip_set_file_compression(archive_, place, ZIP_CM_DEFLATE,
                             bytes > kLargeBytes ? kFastLevel : kLevel);
  }

  zip_t* archive_ = nullptr;
};

std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

/// As sha256sum writes them, sorted; a trial that was not begun has no journal.
std::string journal_hashes(const store::Records& records) {
  std::set<std::string> lines;
  for (const store::TrialRecord& trial : records.trials)
    if (!trial.journal_sha256.empty())
      lines.insert(fmt::format("{}  {}\n", trial.journal_sha256, trial.journal));
  return fmt::format("{}", fmt::join(lines, ""));
}

}  // namespace

void write_archive(const store::Records& records, const std::filesystem::path& folder,
                   const std::vector<std::string>& files, const std::filesystem::path& to) {
  const std::vector<ReportFile> own = {
      {"plan.json", json_text(records.plan)},
      {"settings.json", json_text(records.plan.value("resolved", Json::object()))},
      {"JOURNALS.sha256", journal_hashes(records)}};
  std::map<std::string, std::variant<std::string_view, std::filesystem::path>> all;
  for (const ReportFile& file : own) all.emplace(file.name, std::string_view(file.bytes));
  for (const auto& [name, text] : records.experiment) all.emplace(name, std::string_view(text));
  for (const std::string& name : files) all.emplace("report/" + name, folder / name);
  ZipArchive archive(to);
  for (const auto& entry : all)
    std::visit([&](const auto& from) { archive.add(entry.first, from); }, entry.second);
  archive.close();
}

}  // namespace ablate::reports
