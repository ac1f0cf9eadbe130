// Making and looking at repositories.

#include "world.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>

#include "base/check.h"
#include "base/digest.h"
#include "os/process.h"

namespace reprise {
namespace fs = std::filesystem;

ScratchFolder::ScratchFolder() {
  const fs::path memory = "/dev/shm";
  const fs::path root = fs::is_directory(memory) ? memory : fs::temp_directory_path();
  std::string name = (root / "reprise-snapshots-XXXXXX").string();
  check(mkdtemp(name.data()) != nullptr);
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code code;
  fs::remove_all(path_, code);
}

std::string git_in(const fs::path& folder, const std::vector<std::string>& arguments, bool may_fail) {
  std::vector<std::string> argv = {"git"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  const char* path = std::getenv("PATH");
  const CaptureRequest request{
      .argv = argv,
      .environment = {std::string("PATH=") + (path == nullptr ? "/usr/bin:/bin" : path), "HOME=/nonexistent",
                      "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=A",
                      "GIT_COMMITTER_EMAIL=a@b", "GIT_AUTHOR_DATE=@1700000000 +0000",
                      "GIT_COMMITTER_DATE=@1700000000 +0000", "LC_ALL=C"},
      .directory = folder.string(),
      .input = {},
      .timeout = {},
      .output_bytes_max = 64u << 20,
      .held_fd = -1};
  Result<Captured> captured = run_captured(request);
  check(captured.has_value());
  if (captured->exit_code != 0 && !may_fail) {
    std::fprintf(stderr, "git %s in %s: %s\n", arguments.front().c_str(), folder.c_str(),
                 captured->errors.c_str());
    check(captured->exit_code == 0);
  }
  while (captured->output.ends_with('\n')) captured->output.pop_back();
  return captured->output;
}

void write_file(const fs::path& path, std::string_view bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

std::string read_bytes(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

namespace {

// The repository that all others are copies of.
class Template {
 public:
  Template() {
    const fs::path& main = folder_.path();
    git_in(main, {"init", "-q", "--template=", "-b", "main"});
    git_in(main, {"config", "protocol.file.allow", "always"});
    for (int i = 0; i < 6; ++i) {
      write_file(main / ("src/file" + std::to_string(i) + ".txt"), "line one\nline " + std::to_string(i) + "\n");
    }
    write_file(main / "docs/deep/er/page.md", "# page\n");
    write_file(main / "run.sh", "#!/bin/sh\n");
    write_file(main / "empty", "");
    write_file(main / ".gitignore", "*.log\nbuild/\n");
    fs::permissions(main / "run.sh", fs::perms(0755));
    git_in(main, {"add", "-A"});
    git_in(main, {"commit", "-q", "-m", "one"});
    write_file(main / "src/file0.txt", "line one\nof the second commit\n");
    git_in(main, {"commit", "-q", "-am", "two"});
    git_in(main, {"branch", "-q", "side", "HEAD~1"});
    base_ = git_in(main, {"rev-parse", "HEAD"});
  }
  const fs::path& path() const { return folder_.path(); }
  const std::string& base() const { return base_; }

 private:
  ScratchFolder folder_;
  std::string base_;
};

}  // namespace

Repository make_repository(const fs::path& folder, int lanes) {
  static const Template original;
  Repository repository{.main = folder / "main", .lanes = {}, .base = original.base()};
  fs::create_directories(folder);
  fs::copy(original.path(), repository.main, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  for (int i = 0; i < lanes; ++i) {
    const std::string number = std::to_string(i);
    repository.lanes.push_back(folder / ("lane-" + number));
    git_in(repository.main,
           {"worktree", "add", "-q", "--no-track", "-b", "lane/" + number, repository.lanes.back().string()});
  }
  return repository;
}

namespace {

std::string number(std::mt19937& random) { return std::to_string(random() % 100000); }

void be_in_conflict(const fs::path& w, std::mt19937& random) {
  git_in(w, {"reset", "-q", "--hard"});
  git_in(w, {"checkout", "-q", "--detach"}, true);
  const std::string mine = git_in(w, {"rev-parse", "HEAD"});
  write_file(w / "src/file0.txt", "line one\ntheirs " + number(random) + "\n");
  git_in(w, {"rm", "-q", "-f", "src/file1.txt"}, true);
  git_in(w, {"commit", "-q", "-am", "theirs"});
  const std::string theirs = git_in(w, {"rev-parse", "HEAD"});
  git_in(w, {"checkout", "-q", mine});
  write_file(w / "src/file0.txt", "line one\nmine " + number(random) + "\n");
  write_file(w / "src/file1.txt", "changed where the other removed\n");
  git_in(w, {"commit", "-q", "-am", "mine"});
  git_in(w, {"merge", "-q", theirs}, true);
}

void add_nested(const fs::path& folder, std::mt19937& random) {
  fs::create_directories(folder);
  git_in(folder, {"init", "-q", "-b", "main"});
  write_file(folder / "inner.txt", number(random));
  git_in(folder, {"add", "-A"});
  git_in(folder, {"commit", "-q", "-m", "inner"});
  write_file(folder / "inner.txt", "changed " + number(random));
  write_file(folder / "more.txt", "untracked in it");
}

void name_oddly(const fs::path& w, std::mt19937& random) {
  const std::array<std::string, 12> names = {"a\nb",        "\"quoted\" 'name'", "-rf",         "--",
                                             "caf\xC3\xA9", "bad\xFF\xFEutf",    " spaces ",    "tab\there",
                                             "*?[x]",       ":(top)magic",       "back\\slash", "#%20%"};
  for (const std::string& name : names) {
    if (random() % 3 == 0) continue;
    write_file(w / ("odd/" + name), name + number(random));
    write_file(w / name, number(random));
    if (random() % 3 == 0) git_in(w, {"--literal-pathspecs", "add", "--", name});
  }
}

void change_types(const fs::path& w, std::mt19937& random) {
  fs::create_directories(w / "docs");  // git removes a folder with its last file
  fs::remove(w / "src/file2.txt");
  write_file(w / "src/file2.txt/now/a-folder.txt", number(random));
  fs::remove_all(w / "docs/deep");
  if (random() % 2 == 0) {
    write_file(w / "docs/deep", "now a file");
  } else {
    fs::create_directories(w / "elsewhere");
    write_file(w / "elsewhere/er/page.md", "reached through a link");
    fs::create_symlink("../elsewhere", w / "docs/deep");
  }
  fs::remove(w / "src/file3.txt");
  fs::create_symlink("file4.txt", w / "src/file3.txt");
  if (random() % 2 == 0) git_in(w, {"add", "-A", "src"}, true);
}

void filter(const fs::path& w, std::mt19937& random) {
  git_in(w, {"config", "filter.turn.clean", "tr a-z b-za"});
  git_in(w, {"config", "filter.turn.smudge", "tr b-za a-z"});
  write_file(w / ".gitattributes", "*.turned filter=turn\n");
  write_file(w / "one.turned", "abc " + number(random) + "\n");
  write_file(w / "two.turned", "xyz " + number(random) + "\n");
  git_in(w, {"add", ".gitattributes", "one.turned"});
  if (random() % 2 == 0) git_in(w, {"commit", "-q", "-m", "filtered"}, true);
}

void end_lines(const fs::path& w, std::mt19937& random) {
  write_file(w / "crlf/.gitattributes", "*.txt text=auto\n*.cmd text eol=crlf\n");
  write_file(w / "crlf/a.txt", "one\r\ntwo\r\n" + number(random));
  write_file(w / "crlf/b.cmd", "one\r\ntwo\r\n");
  write_file(w / "crlf/mixed.txt", "one\r\ntwo\nthree\r\n");
  if (random() % 2 == 0) git_in(w, {"config", "core.autocrlf", "true"});
  git_in(w, {"add", "crlf/a.txt", "crlf/b.cmd"}, true);
  if (random() % 2 == 0) git_in(w, {"commit", "-q", "-m", "line ends"}, true);
}

void use_keywords(const fs::path& w, std::mt19937& random) {
  write_file(w / "ident/.gitattributes", "*.c ident\n*.utf16 working-tree-encoding=UTF-16LE text\n");
  write_file(w / "ident/x.c", "/* $Id: something that git would replace $ */ " + number(random) + "\n");
  write_file(w / "ident/w.utf16", std::string("a\0b\0\n\0", 6));
  git_in(w, {"add", "ident"}, true);
}

void change_links(const fs::path& w, std::mt19937& random) {
  fs::create_symlink("src/file1.txt", w / ("link" + number(random)));
  fs::create_symlink("nowhere/at/all", w / "dangling");
  fs::create_symlink("src", w / "folder-link");
  git_in(w, {"add", "dangling"});
  if (random() % 2 == 0) {
    fs::remove(w / "dangling");
    fs::create_symlink("elsewhere\nwith a line", w / "dangling");
  }
}

void set_flags(const fs::path& w, std::mt19937& random) {
  git_in(w, {"update-index", "--assume-unchanged", "src/file4.txt"}, true);
  write_file(w / "src/file4.txt", "changed behind git's back " + number(random));
  git_in(w, {"update-index", "--skip-worktree", "src/file5.txt"}, true);
  if (random() % 2 == 0) {
    fs::remove(w / "src/file5.txt");
  } else {
    write_file(w / "src/file5.txt", "there though it should not " + number(random));
  }
}

void add_submodule(const fs::path& w, std::mt19937& random) {
  const fs::path origin = w.parent_path() / (w.filename().string() + "-origin-" + number(random));
  fs::create_directories(origin);
  git_in(origin, {"init", "-q", "-b", "main"});
  write_file(origin / "of-the-module.txt", number(random));
  git_in(origin, {"add", "-A"});
  git_in(origin, {"commit", "-q", "-m", "module"});
  git_in(w, {"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", origin.string(), "module"}, true);
  if (random() % 2 == 0) git_in(w, {"commit", "-q", "-m", "module"}, true);
  if (random() % 2 == 0) write_file(w / "module/of-the-module.txt", "changed in the module");
}

using Maker = std::function<void(const fs::path&, std::mt19937&)>;
struct Kind {
  std::string_view name;
  Maker make;
};

const std::array<Kind, static_cast<std::size_t>(Dirt::kCount)>& kinds() {
  static const std::array<Kind, static_cast<std::size_t>(Dirt::kCount)> all = {{
      {"staged",
       [](const fs::path& w, std::mt19937& random) {
         write_file(w / "src/file1.txt", "staged " + number(random));
         write_file(w / "new-and-staged.txt", number(random));
         git_in(w, {"add", "src/file1.txt", "new-and-staged.txt"}, true);
         if (random() % 2 == 0) write_file(w / "src/file1.txt", "and changed again " + number(random));
         if (random() % 3 == 0) fs::remove(w / "new-and-staged.txt");
       }},
      {"unstaged",
       [](const fs::path& w, std::mt19937& random) { write_file(w / "empty", "not any more " + number(random)); }},
      {"untracked",
       [](const fs::path& w, std::mt19937& random) {
         write_file(w / "loose.txt", number(random));
         write_file(w / "loose/deep/file.bin", std::string("\0\1\2", 3) + number(random));
       }},
      {"ignored but listed",
       [](const fs::path& w, std::mt19937& random) {
         write_file(w / "kept.log", number(random));
         write_file(w / "build/out/result.o", number(random));
       }},
      {"deleted",
       [](const fs::path& w, std::mt19937& random) {
         fs::remove(w / "run.sh");
         git_in(w, {"rm", "-q", "--cached", "empty"}, true);
         if (random() % 2 == 0) git_in(w, {"rm", "-q", "-f", "docs/deep/er/page.md"}, true);
       }},
      {"conflict", be_in_conflict},
      {"detached",
       [](const fs::path& w, std::mt19937& random) {
         git_in(w, {"checkout", "-q", "--detach"}, true);
         git_in(w, {"commit", "-q", "--allow-empty", "-m", "lone " + number(random)}, true);
       }},
      {"later commit",
       [](const fs::path& w, std::mt19937& random) {
         write_file(w / "later.txt", number(random));
         git_in(w, {"add", "later.txt"}, true);
         git_in(w, {"commit", "-q", "-m", "later " + number(random)}, true);
       }},
      {"submodule", add_submodule},
      {"nested repository", [](const fs::path& w, std::mt19937& random) { add_nested(w / "nested", random); }},
      {"stash",
       [](const fs::path& w, std::mt19937& random) {
         write_file(w / "src/file5.txt", "to be stashed " + number(random));
         git_in(w, {"stash", "-q"}, true);
       }},
      {"executable bits",
       [](const fs::path& w, std::mt19937& random) {
         if (fs::exists(w / "src/file4.txt")) fs::permissions(w / "src/file4.txt", fs::perms(0755));
         if (fs::exists(w / "run.sh")) fs::permissions(w / "run.sh", fs::perms(0644));
         write_file(w / "tool", "#!/bin/sh\n" + number(random));
         fs::permissions(w / "tool", fs::perms(0755));
       }},
      {"links", change_links},
      {"odd names", name_oddly},
      {"line endings", end_lines},
      {"filter", filter},
      {"keyword", use_keywords},
      {"empty folders",
       [](const fs::path& w, std::mt19937&) {
         fs::create_directories(w / "nothing/in/here");
         fs::create_directories(w / "src/nothing");
       }},
      {"changed types", change_types},
      {"announced",
       [](const fs::path& w, std::mt19937& random) {
         write_file(w / "announced.txt", number(random));
         git_in(w, {"add", "-N", "announced.txt"}, true);
       }},
      {"flags", set_flags},
      {"private modes",
       [](const fs::path& w, std::mt19937& random) {
         write_file(w / "secret.env", "key=" + number(random));
         fs::permissions(w / "secret.env", fs::perms(0600));
       }},
      {"foreign in the way",
       [](const fs::path& w, std::mt19937& random) {
         git_in(w, {"rm", "-q", "-f", "src/file3.txt"}, true);
         write_file(w / ".gitignore", "*.log\nbuild/\nsrc/file3.txt\n");
         git_in(w, {"add", ".gitignore"}, true);
         git_in(w, {"commit", "-q", "-m", "ignored from now on"}, true);
         std::error_code code;
         fs::remove_all(w / "src/file3.txt", code);
         write_file(w / "src/file3.txt", "ignored output " + number(random));
       }},
  }};
  return all;
}

std::string mode_text(const fs::path& path) {
  struct stat info = {};
  check(::lstat(path.c_str(), &info) == 0);
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%o ", info.st_mode);
  return text.data();
}

}  // namespace

std::string_view name_of(Dirt dirt) { return kinds()[static_cast<std::size_t>(dirt)].name; }

std::vector<std::string> listed_paths() { return {"kept.log", "build"}; }

void make_dirty(const fs::path& worktree, Dirt dirt, std::mt19937& random) {
  kinds()[static_cast<std::size_t>(dirt)].make(worktree, random);
}

std::string make_dirty(const fs::path& worktree, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::string names;
  for (std::size_t i = 0; i < kinds().size(); ++i) {
    // Each kind is the main one of some numbers, and comes by chance with others; a merge that is going on forbids
    // commits, so what commits comes before it only by luck.
    if (seed % kinds().size() != i && random() % 4 != 0) continue;
    kinds()[i].make(worktree, random);
    names += (names.empty() ? "" : ", ") + std::string(kinds()[i].name);
  }
  return names;
}

Sight look_at_worktree(const fs::path& worktree, Look look) {
  Sight sight;
  for (fs::recursive_directory_iterator it(worktree), end; it != end; ++it) {
    const std::string name = it->path().lexically_relative(worktree).string();
    if (name == ".git") {
      it.disable_recursion_pending();
      continue;
    }
    std::string& seen = sight["file " + name];
    seen = mode_text(it->path());
    if (it->is_symlink()) {
      seen += "-> " + fs::read_symlink(it->path()).string();
    } else if (it->is_regular_file()) {
      seen += to_hex(digest_of(read_bytes(it->path())));
    }
  }
  if (look == Look::FilesOnly) return sight;
  sight["index"] = git_in(worktree, {"ls-files", "-v", "-s", "-z"});
  sight["announced"] = git_in(worktree, {"diff-files", "--name-only", "--diff-filter=A", "-z"});
  const std::string link = read_bytes(worktree / ".git");  // "gitdir: <folder>", or nothing: a folder itself
  const fs::path own =
      link.starts_with("gitdir: ") ? link.substr(8, link.size() - 9) : (worktree / ".git").string();
  for (const char* name : {"HEAD", "MERGE_HEAD", "MERGE_MSG", "../../logs/refs/stash"}) {
    sight[name] = read_bytes(own / name);
  }
  for (std::istringstream refs(git_in(worktree, {"for-each-ref", "--format=%(refname) %(objectname)"}));
       !refs.eof();) {
    std::string line;
    std::getline(refs, line);
    if (!line.empty() && !line.starts_with("refs/reprise/")) sight["ref " + line.substr(0, line.find(' '))] = line;
  }
  return sight;
}

std::string difference(const Sight& before, const Sight& after) {
  std::string text;
  for (const auto& [key, value] : before) {
    const auto found = after.find(key);
    if (found == after.end()) {
      text += key + " is gone\n";
    } else if (found->second != value) {
      text += key + " was\n  " + value.substr(0, 2000) + "\nand is\n  " + found->second.substr(0, 2000) + "\n";
    }
  }
  for (const auto& [key, value] : after) {
    if (!before.contains(key)) text += key + " is new\n";
  }
  return text;
}

}  // namespace reprise
