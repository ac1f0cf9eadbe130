// The desk as text: rows, details and the footer. Pure: what is shown and how wide the screen is go in, lines come
// out. No line is wider than the screen; what colour says is said in words too.

#pragma once

#include <string>
#include <vector>

#include "app/desk.h"

namespace reprise {

/// Everything that a screen depends on.
struct DeskView {
  const Desk* desk = nullptr;
  std::string project;             // its folder's name
  std::vector<std::size_t> shown;  // the entries that fit the filter, by their index
  std::size_t selected = 0;        // index into `shown`
  std::size_t top = 0;             // the first of `shown` that is on the screen
  std::string filter;
  bool is_filtering = false;  // the filter is being typed
  std::string message;        // said once, above the footer
  int width = 80;
  int height = 24;
  bool colour = false;

  const DeskEntry* entry() const { return shown.empty() ? nullptr : &desk->entries[shown[selected]]; }
};

/// Puts into `shown` what fits the filter, and keeps the selection where it was as far as it can be.
void apply_filter(DeskView& view);
/// Returns how many rows of the list fit on the screen.
std::size_t rows_on_screen(const DeskView& view);
/// Moves `top` so that the selected row is on the screen.
void scroll_to_selected(DeskView& view);

/// Returns the screen, one string per line, at most `height` - 1 lines.
std::vector<std::string> desk_frame(const DeskView& view);
/// Returns the whole list with all details, for a pipe or a terminal that cannot be painted on.
std::string desk_text(const DeskView& view);
/// Returns what the keys do.
std::string desk_help(int width);
/// Returns what there is to do where nothing was interrupted.
std::string desk_empty_text(const Desk& desk, int width);

/// Returns "clean", "2 warnings", "1 conflict", "damaged", or "…" for what has not been looked at yet.
std::string trust_words(const DeskEntry& entry);
/// Returns where the work stopped or what it waits for, in few words.
std::string where_words(const DeskEntry& entry);
/// Returns what a resume would do next and what it saves, in one sentence.
std::string next_words(const DeskEntry& entry);
/// Returns an age in its largest unit: "3d", "2h", "14m", "5s".
std::string short_age(Duration age);

}  // namespace reprise
