#include "reports/formats/archive.h"

#include <fmt/ranges.h>
#include <zip.h>

#include <ctime>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>

namespace ablate::reports {
namespace {

constexpr zip_uint32_t kLevel = 6;      // 9 takes several times as long, for a few per cent
constexpr zip_uint32_t kFastLevel = 1;  // of large files: a third of the time, a tenth more bytes
constexpr std::size_t kLargeBytes = 16 << 20;

[[noreturn]] void fail_zip(zip_error_t* error) {
  throw std::runtime_error(
      fmt::format("report.zip: could not be made: {}", zip_error_strerror(error)));
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

/// An archive in memory.
class ZipArchive {
 public:
  ZipArchive() {
    zip_error_init(&error_);
    source_ = zip_source_buffer_create(nullptr, 0, 0, &error_);
    if (source_ == nullptr) fail_zip(&error_);
    zip_source_keep(source_);
    archive_ = zip_open_from_source(source_, ZIP_CREATE | ZIP_TRUNCATE, &error_);
    if (archive_ == nullptr) fail_zip(&error_);
  }
  ~ZipArchive() {
    if (archive_ != nullptr) zip_discard(archive_);
    zip_source_free(source_);
    zip_error_fini(&error_);
  }
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  /// Adds a file, whose bytes must stay where they are until bytes() has returned.
  void add(const std::string& name, std::string_view bytes) {
    zip_source_t* const source = zip_source_buffer(archive_, bytes.data(), bytes.size(), 0);
    const zip_int64_t index = zip_file_add(archive_, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
      zip_source_free(source);
      fail_zip(zip_get_error(archive_));
    }
    const auto place = static_cast<zip_uint64_t>(index);
    zip_file_set_mtime(archive_, place, first_moment(), 0);
    zip_set_file_compression(archive_, place, ZIP_CM_DEFLATE,
                             bytes.size() > kLargeBytes ? kFastLevel : kLevel);
  }

  /// Closes the archive and returns it.
  std::string bytes() {
    if (zip_close(archive_) != 0) fail_zip(zip_get_error(archive_));
    archive_ = nullptr;
    zip_stat_t about;
    if (zip_source_stat(source_, &about) != 0 || zip_source_open(source_) != 0)
      fail_zip(zip_source_error(source_));
    std::string result(about.size, '\0');
    const zip_int64_t read = zip_source_read(source_, result.data(), result.size());
    zip_source_close(source_);
    if (read != static_cast<zip_int64_t>(result.size())) fail_zip(zip_source_error(source_));
    return result;
  }

 private:
  zip_error_t error_;
  zip_source_t* source_ = nullptr;
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

ReportFile report_archive(const store::Records& records, const std::vector<ReportFile>& files) {
  const std::vector<ReportFile> own = {
      {"plan.json", json_text(records.plan)},
      {"settings.json", json_text(records.plan.value("resolved", Json::object()))},
      {"JOURNALS.sha256", journal_hashes(records)}};
  std::map<std::string, std::string_view> all;  // not copied: they may have hundreds of megabytes
  for (const ReportFile& file : own) all.emplace(file.name, file.bytes);
  for (const auto& [name, text] : records.experiment) all.emplace(name, text);
  for (const ReportFile& file : files) all.emplace("report/" + file.name, file.bytes);
  ZipArchive archive;
  for (const auto& [name, bytes] : all) archive.add(name, bytes);
  return {"report.zip", archive.bytes()};
}

}  // namespace ablate::reports
