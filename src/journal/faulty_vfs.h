// For tests: a SQLite VFS between SQLite and the disk that counts the calls that change a file, notes
// them down, and fails the n-th of them, once or from then on.
//
// It is the default VFS of the process while a FaultyVfs lives, so the code under test needs no hook.

#pragma once

#include <sqlite3.h>

#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"

namespace reprise {

class FaultyVfs {
 public:
  enum class Call { Write, Sync, Truncate };
  enum class Repeat { Once, Sticky };
  struct Fault {
    Call call = Call::Write;
    int code = SQLITE_IOERR;
    Repeat repeat = Repeat::Once;
    std::string file = {};  // only calls on the file of this name; "": on any
  };
  struct Note {
    Call call;
    std::string file;  // name without folder
  };

  FaultyVfs() {
    real_ = sqlite3_vfs_find(nullptr);
    vfs_ = *real_;
    vfs_.zName = "faulty";
    vfs_.szOsFile = static_cast<int>(sizeof(File)) + real_->szOsFile;
    vfs_.xOpen = open;
    current_ = this;
    check(sqlite3_vfs_register(&vfs_, 1) == SQLITE_OK);
  }
  ~FaultyVfs() {
    sqlite3_vfs_unregister(&vfs_);
    sqlite3_vfs_register(real_, 1);
    current_ = nullptr;
  }
  FaultyVfs(const FaultyVfs&) = delete;
  FaultyVfs& operator=(const FaultyVfs&) = delete;

  /// Lets the n-th call of the fault's kind from now on fail.
  void fail_call(int n, const Fault& fault) {
    fault_ = fault;
    left_ = n;
    fired_ = false;
  }
  void heal() { left_ = 0; }
  bool has_fired() const { return fired_; }

  /// Lets `observer` see each call before it is made.
  void observe(std::function<void(const Note&)> observer) { observer_ = std::move(observer); }

  std::vector<Note> take_notes() { return std::exchange(notes_, {}); }

 private:
  struct File {
    sqlite3_file base;
    const char* name;
    sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
  };

  static File& of(sqlite3_file* file) { return *reinterpret_cast<File*>(file); }
  static const sqlite3_io_methods& methods(sqlite3_file* file) { return *of(file).real()->pMethods; }

  // Returns what the call is to fail with, SQLITE_OK if it is to go on.
  int before(Call call, sqlite3_file* file) {
    const std::string_view name = of(file).name == nullptr ? "" : of(file).name;
    notes_.push_back({call, std::string(name.substr(name.rfind('/') + 1))});
    if (observer_) observer_(notes_.back());
    if (left_ == 0 || call != fault_.call) return SQLITE_OK;
    if (!fault_.file.empty() && fault_.file != notes_.back().file) return SQLITE_OK;
    if (left_ > 1) {
      --left_;
      return SQLITE_OK;
    }
    fired_ = true;
    if (fault_.repeat == Repeat::Once) left_ = 0;
    return fault_.code;
  }

  static int open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
    static const sqlite3_io_methods kMethods = make_methods();
    File& shim = of(file);
    shim.base.pMethods = nullptr;
    shim.name = name;
    const int code = current_->real_->xOpen(current_->real_, name, shim.real(), flags, out_flags);
    if (shim.real()->pMethods != nullptr) shim.base.pMethods = &kMethods;
    return code;
  }

  static int write(sqlite3_file* file, const void* data, int size, sqlite3_int64 offset) {
    if (const int code = current_->before(Call::Write, file); code != SQLITE_OK) {
      methods(file).xWrite(of(file).real(), data, size / 2, offset);  // what a full disk leaves: a torn write
      return code;
    }
    return methods(file).xWrite(of(file).real(), data, size, offset);
  }
  static int sync(sqlite3_file* file, int flags) {
    const int code = current_->before(Call::Sync, file);
    return code != SQLITE_OK ? code : methods(file).xSync(of(file).real(), flags);
  }
  static int truncate(sqlite3_file* file, sqlite3_int64 size) {
    const int code = current_->before(Call::Truncate, file);
    return code != SQLITE_OK ? code : methods(file).xTruncate(of(file).real(), size);
  }

  static sqlite3_io_methods make_methods() {
    sqlite3_io_methods m = {};
    m.iVersion = 2;
    m.xClose = [](sqlite3_file* f) { return methods(f).xClose(of(f).real()); };
    m.xRead = [](sqlite3_file* f, void* data, int size, sqlite3_int64 offset) {
      return methods(f).xRead(of(f).real(), data, size, offset);
    };
    m.xWrite = write;
    m.xTruncate = truncate;
    m.xSync = sync;
    m.xFileSize = [](sqlite3_file* f, sqlite3_int64* size) { return methods(f).xFileSize(of(f).real(), size); };
    m.xLock = [](sqlite3_file* f, int level) { return methods(f).xLock(of(f).real(), level); };
    m.xUnlock = [](sqlite3_file* f, int level) { return methods(f).xUnlock(of(f).real(), level); };
    m.xCheckReservedLock = [](sqlite3_file* f, int* out) {
      return methods(f).xCheckReservedLock(of(f).real(), out);
    };
    m.xFileControl = [](sqlite3_file* f, int op, void* arg) {
      return methods(f).xFileControl(of(f).real(), op, arg);
    };
    m.xSectorSize = [](sqlite3_file* f) { return methods(f).xSectorSize(of(f).real()); };
    m.xDeviceCharacteristics = [](sqlite3_file* f) { return methods(f).xDeviceCharacteristics(of(f).real()); };
    m.xShmMap = [](sqlite3_file* f, int page, int size, int extend, void volatile** out) {
      return methods(f).xShmMap(of(f).real(), page, size, extend, out);
    };
    m.xShmLock = [](sqlite3_file* f, int offset, int n, int flags) {
      return methods(f).xShmLock(of(f).real(), offset, n, flags);
    };
    m.xShmBarrier = [](sqlite3_file* f) { methods(f).xShmBarrier(of(f).real()); };
    m.xShmUnmap = [](sqlite3_file* f, int remove) { return methods(f).xShmUnmap(of(f).real(), remove); };
    return m;
  }

  inline static FaultyVfs* current_ = nullptr;
  sqlite3_vfs vfs_ = {};
  sqlite3_vfs* real_ = nullptr;
  Fault fault_;
  int left_ = 0;  // calls until the fault; 0: none
  bool fired_ = false;
  std::vector<Note> notes_;
  std::function<void(const Note&)> observer_;
};

}  // namespace reprise
