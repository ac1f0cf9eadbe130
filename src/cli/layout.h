// Text laid out for a terminal of any width: what is long is broken at spaces and goes on indented, what must fit
// on one line is shortened. Nothing here knows of terminals: a width goes in, text comes out.
//
// Widths count columns, not bytes: a wide character takes two, a combining mark and a colour code none. A word
// that is longer than a line stays whole, so that a path or a command can still be copied; the terminal wraps it.

#pragma once

#include <string>
#include <string_view>

namespace reprise {

/// Returns how many columns `text`, one line of valid UTF-8, takes on a terminal.
int columns_of(std::string_view text);

/// Returns `text` with spaces after it up to `width` columns.
std::string padded(std::string_view text, int width);

/// Returns `text`, or as much of its beginning as fits into `width` columns with "…" after it. Colours are kept
/// whole.
std::string shortened(std::string_view text, int width);

/// Returns `text` broken at spaces into lines of at most `width` columns; the lines after the first begin with
/// `indent` spaces. Lines that `text` has already stay lines. At least 20 columns are used, however narrow it is.
std::string wrapped(std::string_view text, int width, int indent);

/// Returns `text` without colour codes.
std::string without_colour(std::string_view text);

}  // namespace reprise
