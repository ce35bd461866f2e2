// Makes reports from records. The same records give the same bytes.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/store/index/records.h"
#include "reports/analysis/analysis.h"
#include "reports/formats/report_file.h"
#include "reports/formats/terminal.h"
#include "reports/formats/venue.h"

namespace ablate::reports {

/// The archive of all other formats that are asked for, or of all formats where it is the only one
/// (reports/formats/archive.h).
inline constexpr std::string_view kArchiveFormat = "zip";

/// The formats that `report --format` accepts, in the order in which a report is written. The last is
/// the archive.
std::vector<std::string_view> report_formats();

/// The report of an experiment, analysed once whatever is written of it.
class Report {
 public:
  /// Analyses the records, and keeps a reference to them. Throws DamagedFile where plan and trials
  /// are inconsistent.
  explicit Report(const store::Records& records) : records_(records), analysis_(analyse(records)) {
    if (analysis_.plan.tuned) common_ = analyse(records, Rates::common);
  }
  explicit Report(store::Records&& records) = delete;

  /// Receives the files of a format when they are made, while others are being made.
  using Take = std::function<void(std::string_view format, std::vector<ReportFile>)>;

  /// Makes the files of the given formats but "zip", and hands them on in the order of the registry
  /// (reports/registry.h), on this thread: those of a large report do not all fit into memory. Figures
  /// for papers have the venue's widths. Throws std::invalid_argument for an unknown format,
  /// DamagedFile where a stored record cannot be read.
  void files(const std::vector<std::string>& formats, const Venue& venue, const Take& take) const;

  /// The answer and the main table in Markdown, for a terminal.
  std::string main_table_text() const;

  /// The same for someone at a terminal.
  std::string terminal_text(const Terminal& terminal) const;

  /// The document of `report --json` (reports/formats/json/json.h).
  Json json() const;

 private:
  const Analysis* common() const { return common_ ? &*common_ : nullptr; }

  const store::Records& records_;
  Analysis analysis_;
  std::optional<Analysis> common_;  // of a tuned experiment: at the common learning rate
};

}  // namespace ablate::reports
