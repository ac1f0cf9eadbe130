// Paths of worktrees: which are allowed, what is there, what git ignores.

#include "git/worktree_place.h"

#include <algorithm>

#include "base/strings.h"
#include "git/call_records.h"
#include "git/ensure_worktree.h"
#include "git/occupants.h"
#include "git/path_look.h"
#include "os/machine.h"

namespace reprise {
namespace {

using std::filesystem::path;

constexpr std::size_t kPathBytesMax = 8192;
constexpr std::size_t kExcludeBytesMax = 8u << 20;

Error bad_place(const path& place, const std::string& why) {
  return Error{ErrorKind::Invalid, printable_line(place.string(), 200) + ": cannot be a worktree: " + why};
}

path without_trailing_slash(const path& place) { return place.has_filename() ? place : place.parent_path(); }

// Absolute, by the repository's real name: it may have been reached over a link. Links below it stay, to be
// refused.
path resolved(const Git& git, const path& place) {
  const path whole = without_trailing_slash((place.is_absolute() ? place : git.top() / place).lexically_normal());
  if (git.is_bare() || is_below(whole, git.top())) return whole;
  for (path above = whole.parent_path(); above.has_relative_path(); above = above.parent_path()) {
    const Result<path> real = canonical_path(above);
    if (real && *real == git.top()) return git.top() / whole.lexically_relative(above);
  }
  return whole;
}

// `folder` without links, as far as it exists.
Result<path> real_folder(const path& folder) {
  if (Result<path> real = canonical_path(folder)) return *real;
  if (!folder.has_relative_path()) return folder;
  return TRY(real_folder(folder.parent_path())) / folder.filename();
}

Result<void> refuse_links(const path& top, const path& place) {
  path at = top;
  for (const path& part : place.lexically_relative(top)) {
    at /= part;
    const std::optional<PathLook> look = TRY(look_at(at));
    if (!look) return {};
    if (look->type == FileType::Symlink) return fail(bad_place(place, at.string() + " is a symbolic link"));
    if (look->type != FileType::Directory) return fail(bad_place(place, at.string() + " is not a folder"));
  }
  return {};
}

// A pattern that means exactly this path, whatever characters are in it.
std::string exclude_line(const path& relative) {
  std::string line = "/";
  for (const char c : relative.generic_string()) {
    if (std::string_view("*?[\\ !#").find(c) != std::string_view::npos) line += '\\';
    line += c;
  }
  return line + "/";
}

}  // namespace

Result<path> checked_place(const Git& git, const path& root, const path& place) {
  if (git.is_bare() && !(root.is_absolute() && place.is_absolute())) {
    return fail(bad_place(place, "a bare repository has no folder of its own; the root must be absolute"));
  }
  const auto has_bad_byte = [](const path& p) {
    return p.string().find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos;
  };
  if (place.empty() || root.empty() || has_bad_byte(place) || has_bad_byte(root)) {
    return fail(bad_place(place, "no usable path"));
  }
  const path base = resolved(git, root);
  const path wanted = resolved(git, place);
  if (base == git.top()) return fail(bad_place(place, "its root would be the repository itself"));
  if (wanted == base || !is_below(wanted, base)) return fail(bad_place(place, "it is not below " + base.string()));
  const path top = !git.is_bare() && is_below(base, git.top()) ? git.top() : TRY(real_folder(base));
  const path real = top == git.top() ? wanted : top / wanted.lexically_relative(base);
  if (is_below(git.top(), real) && !git.is_bare()) return fail(bad_place(place, "the repository lies in it"));
  if (is_below(real, git.common_dir()) || is_below(git.common_dir(), real)) {
    return fail(bad_place(place, "it is git's own folder"));
  }
  TRY_VOID(refuse_links(top, real));
  return real;
}

Result<Git> open_worktree(const Git& git, const path& place) {
  Result<Git> there = Git::open(place);
  if (there && there->top() == place && there->common_dir() == git.common_dir()) return there;
  if (there || there.error().kind == ErrorKind::NotFound) {
    return fail(ErrorKind::NotFound, place.string() + ": is not a worktree of this repository any more");
  }
  return there;
}

Result<std::optional<WorktreeEntry>> find_worktree(const Git& git, const path& place) {
  for (WorktreeEntry& entry : TRY(list_worktrees(git))) {
    if (entry.path.lexically_normal() == place) return std::move(entry);
  }
  return std::nullopt;
}

std::optional<path> admin_folder_of(const Git& git, const path& place) {
  constexpr std::string_view kWord = "gitdir: ";
  const Result<std::string> text = PosixFileSystem().read(place / ".git", kPathBytesMax);
  if (!text || !text->starts_with(kWord)) return std::nullopt;
  const path named = trim(std::string_view(*text).substr(kWord.size()));
  const path admin = (named.is_absolute() ? named : place / named).lexically_normal();
  std::error_code error;
  const bool is_ours = admin.parent_path() == git.common_dir() / "worktrees";
  if (!is_ours || !std::filesystem::is_directory(admin, error)) return std::nullopt;
  return admin;
}

Result<void> exclude_root(const Git& git, const path& root) {
  const path base = resolved(git, root);
  if (git.is_bare() || base == git.top() || !is_below(base, git.top())) return {};
  const std::string line = exclude_line(base.lexically_relative(git.top()));
  PosixFileSystem files;
  const path file = git.common_dir() / "info/exclude";
  std::string text;
  if (TRY(files.stat(file))) text = TRY(files.read(file, kExcludeBytesMax));
  if (std::ranges::any_of(split(text, '\n'), [&](std::string_view each) { return each == line; })) return {};
  if (!text.empty() && !text.ends_with('\n')) text += '\n';
  TRY_VOID(files.make_directories(file.parent_path()));
  return files.replace(file, text + line + "\n");
}

}  // namespace reprise
