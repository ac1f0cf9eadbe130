// The floor: the least that a crash-safe runner can do. It starts a program with posix_spawn, and commits
// one row per step that ended (one commit for all that ended together) to SQLite in WAL mode with
// synchronous=FULL. No files, no retries, no plan. Everything else is measured as a multiple of this.
//
//   floor run DATABASE STEPS PARALLEL PROGRAM [ARGUMENT]   goes on after the rows that are there
//   floor count DATABASE
//
// The least that a search for interrupted work can do is to ask once for each state file and to read it once. The
// floor is even told where they are.
//
//   floor read LIST   the file LIST has one path per line; prints the number of bytes that were read

#include <fcntl.h>
#include <spawn.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

extern char** environ;

namespace {

sqlite3* open_database(const char* path) {
  sqlite3* database = nullptr;
  if (sqlite3_open(path, &database) != SQLITE_OK) std::abort();
  sqlite3_exec(database,
               "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE IF NOT EXISTS steps (n INTEGER "
               "PRIMARY KEY, exit INTEGER)",
               nullptr, nullptr, nullptr);
  return database;
}

int rows(sqlite3* database) {
  sqlite3_stmt* query = nullptr;
  sqlite3_prepare_v2(database, "SELECT count(*) FROM steps", -1, &query, nullptr);
  sqlite3_step(query);
  const int count = sqlite3_column_int(query, 0);
  sqlite3_finalize(query);
  return count;
}

void start(char** argv) {
  pid_t pid = 0;
  if (posix_spawn(&pid, argv[0], nullptr, nullptr, argv, environ) != 0) std::abort();
}

std::size_t read_once(const std::string& path) {
  struct stat info{};
  if (stat(path.c_str(), &info) != 0) std::abort();
  std::string bytes(static_cast<std::size_t>(info.st_size), '\0');
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0 || read(file, bytes.data(), bytes.size()) != info.st_size) std::abort();
  close(file);
  return bytes.size();
}

int read_all(const char* list) {
  std::ifstream paths(list);
  std::size_t bytes = 0;
  for (std::string path; std::getline(paths, path);) bytes += read_once(path);
  std::printf("%zu\n", bytes);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (std::string_view(words[1]) == "read") return read_all(words[2]);
  sqlite3* database = open_database(words[2]);
  int done = rows(database);
  if (std::string_view(words[1]) == "count") {
    std::printf("%d\n", done);
    return 0;
  }
  const int steps = std::atoi(words[3]);
  const int parallel = std::atoi(words[4]);
  char* argv[] = {words[5], count > 6 ? words[6] : nullptr, nullptr};
  sqlite3_stmt* insert = nullptr;
  sqlite3_prepare_v2(database, "INSERT INTO steps VALUES (?, ?)", -1, &insert, nullptr);
  int started = done;
  for (; started < steps && started - done < parallel; ++started) start(argv);
  while (done < steps) {
    int status = 0;
    if (waitpid(-1, &status, 0) < 0) std::abort();
    sqlite3_exec(database, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr);
    do {
      sqlite3_bind_int(insert, 1, ++done);
      sqlite3_bind_int(insert, 2, WEXITSTATUS(status));
      sqlite3_step(insert);
      sqlite3_reset(insert);
    } while (done < started && waitpid(-1, &status, WNOHANG) > 0);
    sqlite3_exec(database, "COMMIT", nullptr, nullptr, nullptr);
    for (; started < steps && started - done < parallel; ++started) start(argv);
  }
  sqlite3_finalize(insert);
  sqlite3_close(database);
  return 0;
}
