// A real repository for one test: made, filled and asked with git itself, in a folder of its own.

#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "git/git.h"
#include "os/file_system.h"
#include "os/process.h"
#include "testing/temporary_folder.h"

namespace reprise {

class GitRepository {
 public:
  enum class Kind { Normal, Bare, Unborn };

  /// Makes a repository with branch main and one commit, unless it is to be bare or unborn.
  explicit GitRepository(Kind kind = Kind::Normal) : GitRepository(std::filesystem::path(), kind) {}

  /// The same in a folder of the caller's, which is made; "": in a temporary one.
  explicit GitRepository(const std::filesystem::path& folder, Kind kind = Kind::Normal)
      : path_(folder.empty() ? std::filesystem::canonical(own_.path()) / "repo" : folder) {
    std::filesystem::create_directories(path_);
    std::vector<std::string> arguments = {"init", "--quiet", "--initial-branch=main"};
    if (kind == Kind::Bare) arguments.emplace_back("--bare");
    run(arguments);
    if (kind == Kind::Normal) {
      write("README", "first\n");
      commit("first");
    }
  }

  const std::filesystem::path& path() const { return path_; }
  /// The folder around it, for things beside the repository.
  std::filesystem::path outside() const { return path_.parent_path(); }
  /// Opens it, or a worktree of it.
  Git git(const std::filesystem::path& relative = {}) const {
    Result<Git> opened = Git::open(relative.empty() ? path_ : path_ / relative);
    check(opened.has_value());
    return std::move(*opened);
  }

  /// Writes a file, with its folders.
  void write(const std::filesystem::path& relative, std::string_view text) const {
    std::filesystem::create_directories((path_ / relative).parent_path());
    check(PosixFileSystem().write_scratch(path_ / relative, text).has_value());
  }
  /// Reads a file; "" if it is not there.
  std::string read(const std::filesystem::path& relative) const {
    return PosixFileSystem().read(path_ / relative, std::size_t{1} << 30).value_or("");
  }

  /// Runs git in the repository, or in `relative`. Returns what it printed; it must succeed.
  std::string run(const std::vector<std::string>& arguments, const std::filesystem::path& relative = {}) const {
    const Captured captured = call(arguments, relative);
    check(captured.exit_code == 0);
    std::string output = captured.output;
    while (output.ends_with('\n')) output.pop_back();
    return output;
  }
  /// The same where a refusal is an answer. Returns whether it succeeded.
  bool try_run(const std::vector<std::string>& arguments, const std::filesystem::path& relative = {}) const {
    return call(arguments, relative).exit_code == 0;
  }

  /// Commits everything there is, in the repository or in the worktree `relative`. Returns the commit.
  std::string commit(const std::string& message, const std::filesystem::path& relative = {}) const {
    run({"add", "--all"}, relative);
    run({"commit", "--quiet", "--allow-empty", "-m", message}, relative);
    return run({"rev-parse", "HEAD"}, relative);
  }
  /// Returns the commit that `name` stands for.
  std::string id_of(const std::string& name) const { return run({"rev-parse", "--verify", name + "^{commit}"}); }

  /// Returns every file below `relative` with its content, links with their targets; git's own folder left out.
  std::map<std::string, std::string> files(const std::filesystem::path& relative = {}) const {
    namespace fs = std::filesystem;
    std::map<std::string, std::string> found;
    const fs::path base = relative.empty() ? path_ : path_ / relative;
    if (!fs::exists(base)) return found;
    for (auto it = fs::recursive_directory_iterator(base); it != fs::recursive_directory_iterator(); ++it) {
      const std::string name = it->path().lexically_relative(base).string();
      if (it->path().filename() == ".git") {
        it.disable_recursion_pending();
      } else if (it->is_symlink()) {
        found[name] = "-> " + fs::read_symlink(it->path()).string();
      } else if (it->is_regular_file()) {
        found[name] = read(it->path());
      }
    }
    return found;
  }

 private:
  Captured call(const std::vector<std::string>& arguments, const std::filesystem::path& relative) const {
    std::vector<std::string> argv = {
        "git", "-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "protocol.file.allow=always"};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    const std::filesystem::path folder = relative.empty() ? path_ : path_ / relative;
    Result<Captured> captured = run_captured({.argv = argv, .directory = folder.string()});
    check(captured.has_value());
    return std::move(*captured);
  }

  TemporaryFolder own_;
  std::filesystem::path path_;
};

}  // namespace reprise
