// Makes any bytes fit to be shown: nothing is hidden, nothing steers terminal, spreadsheet, browser or
// parser.
#pragma once
#include <string>
#include <string_view>

namespace report {

/// Valid UTF-8 of which everything is seen: control characters, the marks that turn the direction of reading,
/// and characters without width stand as [U+202E]; what is no UTF-8 as U+FFFD. Line ends (U+2028 and U+2029
/// among them) and tabs stay, as "\n" and "\t", if `lines`; else they become spaces. Stays the same the
/// second time.
std::string visible(std::string_view text, bool lines);

/// One cell, in quotes where it needs them. One that would begin with = + - @ is preceded by an apostrophe,
/// in the middle of a cell too after a semicolon, which separates cells in many countries.
std::string csv_cell(std::string_view text);

/// For an element or a quoted attribute; line ends stay.
std::string html_text(std::string_view text);

/// For an element or a quoted attribute of XML 1.0; line ends stay, in attributes too.
std::string xml_text(std::string_view text);

/// A span of code in one line: nothing in it is Markdown, HTML, a link or somebody's name.
std::string markdown_code(std::string_view text);

/// A block of code with its fences.
std::string markdown_block(std::string_view text);

/// A name for a file or folder: no path, no space, not hidden, at most 64 bytes. Two texts can have one name.
std::string safe_name(std::string_view text);

}  // namespace report
