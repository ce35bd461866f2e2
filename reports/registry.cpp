#include "reports/registry.h"

#include "reports/formats/csv.h"
#include "reports/formats/json/json.h"
#include "reports/formats/markdown.h"
#include "reports/formats/svg_files.h"
#include "reports/paper/paper.h"
#include "reports/web/html.h"

namespace ablate::reports {

std::span<const Format> formats() {
  static const std::vector<Format> all = {
      markdown_format(),  //
      paper_format(),     //
      html_format(),      //
      svg_format(),       //
      csv_format(),       //
      json_format(),
  };
  return all;
}

}  // namespace ablate::reports
