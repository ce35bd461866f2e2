#include "reports/formats/svg_files.h"

#include <fmt/core.h>

#include <map>
#include <regex>

#include "reports/assets/assets.h"
#include "reports/figures/drawing/draw.h"

namespace ablate::reports {
namespace {

/// A rule of the style sheet: one selector and its declarations.
struct StyleRule {
  std::string selector, body;
};

std::vector<StyleRule> rules_of(const std::string& sheet) {
  static const std::regex rule_pattern(R"(([^{};]+)\{([^{}]*)\})");
  std::vector<StyleRule> rules;
  for (auto at = std::sregex_iterator(sheet.begin(), sheet.end(), rule_pattern);
       at != std::sregex_iterator(); ++at) {
    const std::string selectors = (*at)[1];
    static const std::regex comma_pattern(R"(\s*,\s*|^\s+|\s+$)");
    for (auto one =
             std::sregex_token_iterator(selectors.begin(), selectors.end(), comma_pattern, -1);
         one != std::sregex_token_iterator(); ++one)
      if (one->length() > 0) rules.push_back({*one, (*at)[2]});
  }
  return rules;
}

/// The variables that a rule sets, such as --ink; earlier values stay.
void add_variables(const std::string& body, std::map<std::string, std::string>& variables) {
  static const std::regex variable_pattern(R"((--[a-z0-9]+):([^;]+))");
  for (auto at = std::sregex_iterator(body.begin(), body.end(), variable_pattern);
       at != std::sregex_iterator(); ++at)
    variables.emplace((*at)[1], (*at)[2]);
}

/// Replaces var(--name) and var(--name,default) by their values, inner ones first.
std::string resolved(std::string body, const std::map<std::string, std::string>& variables) {
  static const std::regex use_pattern(R"(var\((--[a-z0-9]+)(,([^(),]+))?\))");
  for (std::smatch use; std::regex_search(body, use, use_pattern);) {
    const auto found = variables.find(use[1]);
    const std::string value = found == variables.end() ? use[3].str() : found->second;
    body.replace(static_cast<std::size_t>(use.position()), static_cast<std::size_t>(use.length()),
                 value.empty() ? "currentColor" : value);
  }
  return body;
}

/// The style of drawings in the light colours of the page. A series sets the variable --c by its
/// class, so a rule that uses it becomes one rule for each series.
std::string drawing_style() {
  const std::vector<StyleRule> rules = rules_of(std::string(asset("report.css")));
  std::map<std::string, std::string> variables;
  for (const StyleRule& rule : rules)
    if (rule.selector == ":root") add_variables(rule.body, variables);
  std::string style;
  for (const StyleRule& rule : rules) {
    if (!rule.selector.starts_with("svg")) continue;
    style += fmt::format("{}{{{}}}\n", rule.selector, resolved(rule.body, variables));
    if (rule.body.find("var(--c") == std::string::npos) continue;
    for (const StyleRule& series : rules) {
      if (!series.body.starts_with("--c:")) continue;
      std::map<std::string, std::string> with_series;
      add_variables(series.body, with_series);
      with_series.insert(variables.begin(), variables.end());
      style += fmt::format("{}{}{{{}}}\n", rule.selector,
                           series.selector.substr(series.selector.find('.')),
                           resolved(rule.body, with_series));
    }
  }
  return style;
}

}  // namespace

std::string standalone_svg(const std::string& panel) {
  static const std::string style = drawing_style();
  const std::size_t inside = panel.find('>') + 1;
  return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\"{}<style>{}</style>{}\n",
                     panel.substr(4, inside - 4), style, panel.substr(inside));
}

Format svg_format() {
  return {"svg", [](const Content& content) {
            std::vector<ReportFile> files;
            for (const Section& section : content.document.sections)
              for (const Block& block : section.blocks)
                if (const auto* figure = std::get_if<Figure>(&block))
                  for (std::size_t i = 0; i < figure->plots.size(); ++i) {
                    const std::string id = fmt::format("{}-{}", figure->name, i + 1);
                    files.push_back({fmt::format("figure-{}.svg", id),
                                     standalone_svg(draw(figure->plots[i], id))});
                  }
            return files;
          }};
}

}  // namespace ablate::reports
