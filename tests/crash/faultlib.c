/* The fault library: preloaded into runner and guard, it counts their mutating calls below one folder and,
 * at a chosen point, kills the process, tears a write or makes the call fail. It can also record every call
 * with its bytes, for the power-cut model.
 *
 * Nothing here allocates, and the real calls are raw system calls, so that a hook can never end up in
 * another one. Workers are not touched: their environment is an allow-list without LD_PRELOAD.
 *
 *   REPRISE_FAULT_MAP    the shared file of fault_map.h
 *   REPRISE_FAULT_ROOT   only files below this folder count
 *   REPRISE_FAULT_ONLY   only programs with this in their name count; others run as if nothing were here
 *   REPRISE_FAULT_TRACE  where calls are recorded; not set: nowhere */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "fault_map.h"

#define EXPORT __attribute__((visibility("default")))

typedef int (*SpawnFunction)(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*,
                             char* const[], char* const[]);

static struct FaultMap* map;
static char root[PATH_MAX];
static size_t root_bytes;
static int role;
static int trace = -1;
static SpawnFunction real_spawn;

__attribute__((constructor)) static void begin(int count, char** words, char** environment) {
  (void)environment;
  real_spawn = (SpawnFunction)dlsym(RTLD_NEXT, "posix_spawn");
  const char* map_path = getenv("REPRISE_FAULT_MAP");
  const char* root_path = getenv("REPRISE_FAULT_ROOT");
  if (map_path == NULL || root_path == NULL || strlen(root_path) >= sizeof root) return;
  const char* only = getenv("REPRISE_FAULT_ONLY");
  if (only != NULL && (count == 0 || strstr(words[0], only) == NULL)) return;
  strcpy(root, root_path);
  root_bytes = strlen(root);
  role = count > 1 && strcmp(words[1], "--guard") == 0 ? FAULT_GUARD : FAULT_RUNNER;
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, map_path, O_RDWR | O_CLOEXEC, 0);
  if (fd < 0) return;
  void* memory = mmap(NULL, sizeof(struct FaultMap), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  syscall(SYS_close, fd);
  const char* trace_path = getenv("REPRISE_FAULT_TRACE");
  if (trace_path != NULL) {
    const int low = (int)syscall(SYS_openat, AT_FDCWD, trace_path, O_WRONLY | O_APPEND | O_CLOEXEC, 0);
    trace = (int)syscall(SYS_fcntl, low, F_DUPFD_CLOEXEC, 200); /* out of the way of the program's own */
    syscall(SYS_close, low);
  }
  if (memory != MAP_FAILED) map = memory;
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

/* ---- where a call goes */

static int fd_path(int fd, char* out) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t count = syscall(SYS_readlinkat, AT_FDCWD, link, out, PATH_MAX - 1);
  if (count < 0) return 0;
  out[count] = '\0';
  return 1;
}

static int full_path(int folder, const char* path, char* out) {
  if (path[0] == '/') {
    if (strlen(path) >= PATH_MAX) return 0;
    strcpy(out, path);
    return 1;
  }
  if (folder == AT_FDCWD) {
    const ssize_t count = syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/cwd", out, PATH_MAX - 1);
    if (count < 0) return 0;
    out[count] = '\0';
  } else if (!fd_path(folder, out)) {
    return 0;
  }
  const size_t used = strlen(out);
  if (used + 1 + strlen(path) >= PATH_MAX) return 0;
  out[used] = '/';
  strcpy(out + used + 1, path);
  return 1;
}

static int is_below_root(const char* path) {
  return strncmp(path, root, root_bytes) == 0 && (path[root_bytes] == '/' || path[root_bytes] == '\0');
}

/* Only regular files and folders: pipes, sockets and terminals hold nothing that survives. */
static int is_our_file(int fd, char* path) {
  struct stat info;
  if (map == NULL || fstat(fd, &info) != 0 || !(S_ISREG(info.st_mode) || S_ISDIR(info.st_mode))) return 0;
  return fd_path(fd, path) && is_below_root(path);
}

/* ---- counting and striking */

static int is_struck_by_sticky(int call) {
  switch (call) {
    case FAULT_WRITE:
    case FAULT_PWRITE:
    case FAULT_WRITEV: return 1;
    case FAULT_FSYNC:
    case FAULT_FDATASYNC: return map->error == EIO;
    case FAULT_OPEN:
    case FAULT_MKDIR:
    case FAULT_RENAME:
    case FAULT_LINK: return map->error == ENOSPC;
    default: return 0;
  }
}

static void name_point(int call, const char* path) {
  const int64_t row = __atomic_fetch_add(&map->rows, 1, __ATOMIC_SEQ_CST);
  if (row >= FAULT_POINTS_MAX) return;
  struct FaultPoint* point = &map->table[row];
  const char* last = strrchr(path, '/');
  point->role = role;
  point->call = call;
  snprintf(point->file, FAULT_NAME_MAX, "%.*s", FAULT_NAME_MAX - 1, last == NULL ? path : last + 1);
  memcpy(point->step, map->step, FAULT_NAME_MAX);
}

struct Strike {
  int fail; /* with this errno, 0: no */
  int torn;
  int kill_after;
};

static struct Strike count_point(int call, const char* path) {
  struct Strike strike = {0, 0, 0};
  const int64_t ordinal = __atomic_fetch_add(&map->count[role], 1, __ATOMIC_SEQ_CST);
  const int mode = __atomic_load_n(&map->mode, __ATOMIC_SEQ_CST);
  if (mode == FAULT_NONE) {
    name_point(call, path);
    return strike;
  }
  if (mode == FAULT_ERRNO_STICKY && map->fired && is_struck_by_sticky(call)) strike.fail = map->error;
  if (role != map->role || ordinal != map->at || map->fired) return strike;
  /* Where steps run side by side the calls come in another order each time: what is no write cannot be torn. */
  if (mode == FAULT_TORN && call != FAULT_WRITE && call != FAULT_PWRITE && call != FAULT_WRITEV) return strike;
  __atomic_store_n(&map->fired, 1, __ATOMIC_SEQ_CST);
  if (mode == FAULT_KILL_BEFORE) die();
  strike.kill_after = mode == FAULT_KILL_AFTER;
  strike.torn = mode == FAULT_TORN;
  if (mode == FAULT_ERRNO_ONCE || mode == FAULT_ERRNO_STICKY) strike.fail = map->error;
  return strike;
}

static void lock_trace(void) {
  if (trace < 0) return;
  while (__atomic_exchange_n(&map->lock, 1, __ATOMIC_ACQUIRE) != 0) sched_yield();
}

static void unlock_trace(void) {
  if (trace >= 0) __atomic_store_n(&map->lock, 0, __ATOMIC_RELEASE);
}

static void record(int call, uint64_t inode, int64_t offset, const char* path, const char* second,
                   const void* data, size_t bytes) {
  if (trace < 0) return;
  struct FaultRecord head = {.call = (uint32_t)call, .role = (uint32_t)role, .inode = inode, .offset = offset};
  head.path_bytes = (uint32_t)strlen(path);
  head.second_bytes = (uint32_t)strlen(second);
  head.data_bytes = bytes;
  const struct iovec parts[4] = {{&head, sizeof head},
                                 {(void*)path, head.path_bytes},
                                 {(void*)second, head.second_bytes},
                                 {(void*)data, bytes}};
  if (syscall(SYS_writev, trace, parts, 4) < 0) die(); /* a trace with a hole would prove nothing */
}

static uint64_t inode_of(int fd) {
  struct stat info;
  return fstat(fd, &info) == 0 ? info.st_ino : 0;
}

static long failed(int error) {
  errno = error;
  return -1;
}

/* ---- writes */

/* What a process tells its user is not a point, but it is a promise. */
static void note_ack(int fd, const char* text, size_t bytes) {
  if (map == NULL || (fd != 1 && fd != 2)) return;
  if (bytes > 8 && memcmp(text, "start   ", 8) == 0) {
    size_t end = 8;
    while (end < bytes && text[end] != '\n' && text[end] != ' ' && end - 8 < FAULT_NAME_MAX - 1) ++end;
    memcpy(map->step, text + 8, end - 8);
    map->step[end - 8] = '\0';
  }
  if (bytes > 8 && memcmp(text, "done    ", 8) == 0 && map->fired && role == map->role) ++map->acks_after;
  lock_trace();
  record(FAULT_ACK, 0, fd, "", "", text, bytes);
  unlock_trace();
}

static ssize_t finish_write(int call, int fd, struct Strike strike, ssize_t done, const char* path,
                            const void* data, int64_t offset) {
  const int error = errno;
  if (done > 0) {
    const int64_t at = offset >= 0 ? offset : lseek(fd, 0, SEEK_CUR) - done;
    record(call, inode_of(fd), at, path, "", data, (size_t)done);
  }
  unlock_trace();
  if (strike.kill_after) die();
  errno = error;
  return done;
}

EXPORT ssize_t write(int fd, const void* data, size_t bytes) {
  char path[PATH_MAX];
  if (fd == 1 || fd == 2) {
    const ssize_t done = syscall(SYS_write, fd, data, bytes);
    const int error = errno;
    if (done > 0) note_ack(fd, data, (size_t)done);
    errno = error;
    return done;
  }
  if (!is_our_file(fd, path)) return syscall(SYS_write, fd, data, bytes);
  const struct Strike strike = count_point(FAULT_WRITE, path);
  if (strike.fail != 0) return failed(strike.fail);
  if (strike.torn) {
    syscall(SYS_write, fd, data, bytes / 2);
    die();
  }
  lock_trace();
  return finish_write(FAULT_WRITE, fd, strike, syscall(SYS_write, fd, data, bytes), path, data, -1);
}

EXPORT ssize_t pwrite64(int fd, const void* data, size_t bytes, off64_t offset) {
  char path[PATH_MAX];
  if (!is_our_file(fd, path)) return syscall(SYS_pwrite64, fd, data, bytes, offset);
  const struct Strike strike = count_point(FAULT_PWRITE, path);
  if (strike.fail != 0) return failed(strike.fail);
  if (strike.torn) {
    syscall(SYS_pwrite64, fd, data, bytes / 2, offset);
    die();
  }
  lock_trace();
  return finish_write(FAULT_PWRITE, fd, strike, syscall(SYS_pwrite64, fd, data, bytes, offset), path, data,
                      offset);
}

EXPORT ssize_t pwrite(int fd, const void* data, size_t bytes, off_t offset) {
  return pwrite64(fd, data, bytes, offset);
}

EXPORT ssize_t writev(int fd, const struct iovec* parts, int count) {
  char path[PATH_MAX];
  if (!is_our_file(fd, path)) return syscall(SYS_writev, fd, parts, count);
  /* One part at a time is a legal short write, and has one buffer to record. */
  for (int i = 0; i < count; ++i) {
    if (parts[i].iov_len > 0) return write(fd, parts[i].iov_base, parts[i].iov_len);
  }
  return 0;
}

EXPORT int ftruncate64(int fd, off64_t length) {
  char path[PATH_MAX];
  if (!is_our_file(fd, path)) return (int)syscall(SYS_ftruncate, fd, length);
  const struct Strike strike = count_point(FAULT_FTRUNCATE, path);
  if (strike.fail != 0) return (int)failed(strike.fail);
  lock_trace();
  const int result = (int)syscall(SYS_ftruncate, fd, length);
  if (result == 0) record(FAULT_FTRUNCATE, inode_of(fd), length, path, "", "", 0);
  unlock_trace();
  if (strike.kill_after) die();
  return result;
}

EXPORT int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

/* A short file is recorded whole: what the C library itself wrote of it went past us. */
static void record_sync(int call, int fd, const char* path) {
  char bytes[1024];
  struct stat info;
  ssize_t count = 0;
  char self[64];
  if (trace >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size <= (off_t)sizeof bytes) {
    snprintf(self, sizeof self, "/proc/self/fd/%d", fd); /* it may be open for writing alone */
    const int readable = (int)syscall(SYS_openat, AT_FDCWD, self, O_RDONLY | O_CLOEXEC, 0);
    if (readable >= 0) count = syscall(SYS_pread64, readable, bytes, sizeof bytes, 0);
    if (readable >= 0) syscall(SYS_close, readable);
  }
  record(call, inode_of(fd), 0, path, "", bytes, count > 0 ? (size_t)count : 0);
}

static int sync_with(int call, long number, int fd) {
  char path[PATH_MAX];
  if (!is_our_file(fd, path)) return (int)syscall(number, fd);
  const struct Strike strike = count_point(call, path);
  if (strike.fail != 0) return (int)failed(strike.fail);
  lock_trace();
  const int result = (int)syscall(number, fd);
  if (result == 0) record_sync(call, fd, path);
  unlock_trace();
  if (strike.kill_after) die();
  return result;
}

EXPORT int fsync(int fd) { return sync_with(FAULT_FSYNC, SYS_fsync, fd); }
EXPORT int fdatasync(int fd) { return sync_with(FAULT_FDATASYNC, SYS_fdatasync, fd); }

/* ---- names */

static int open_file(int folder, const char* path, int flags, mode_t mode) {
  char full[PATH_MAX];
  struct stat info;
  const int may_change = (flags & (O_CREAT | O_TRUNC)) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  if (map == NULL || !may_change || !full_path(folder, path, full) || !is_below_root(full)) {
    return (int)syscall(SYS_openat, folder, path, flags, mode);
  }
  const int is_there = (flags & O_TMPFILE) != O_TMPFILE && lstat(full, &info) == 0;
  if (is_there && ((flags & O_TRUNC) == 0 || info.st_size == 0)) {
    return (int)syscall(SYS_openat, folder, path, flags, mode);
  }
  const struct Strike strike = count_point(FAULT_OPEN, full);
  if (strike.fail != 0) return (int)failed(strike.fail);
  lock_trace();
  const int fd = (int)syscall(SYS_openat, folder, path, flags, mode);
  const int error = errno;
  const int is_nameless = (flags & O_TMPFILE) == O_TMPFILE;
  if (fd >= 0 && !is_nameless) {
    if (!is_there) record(FAULT_OPEN, inode_of(fd), 1, full, "", "", 0);
    if (is_there) record(FAULT_FTRUNCATE, inode_of(fd), 0, full, "", "", 0);
  }
  unlock_trace();
  if (strike.kill_after) die();
  errno = error;
  return fd;
}

static mode_t mode_in(int flags, va_list more) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(more, mode_t) : 0;
}

#define OPEN_HOOK(name)                                \
  EXPORT int name(const char* path, int flags, ...) {  \
    va_list more;                                      \
    va_start(more, flags);                             \
    const mode_t mode = mode_in(flags, more);          \
    va_end(more);                                      \
    return open_file(AT_FDCWD, path, flags, mode);     \
  }
#define OPENAT_HOOK(name)                                         \
  EXPORT int name(int folder, const char* path, int flags, ...) { \
    va_list more;                                                 \
    va_start(more, flags);                                        \
    const mode_t mode = mode_in(flags, more);                     \
    va_end(more);                                                 \
    return open_file(folder, path, flags, mode);                  \
  }
OPEN_HOOK(open)
OPEN_HOOK(open64)
OPENAT_HOOK(openat)
OPENAT_HOOK(openat64)

/* A call on one or two names: counts, does it, records it. */
static int change_name(int call, const char* path, const char* second, long number, long a, long b, long c,
                       long d, long e) {
  char full[PATH_MAX];
  char other[PATH_MAX] = "";
  const int folder = (int)a;
  if (map == NULL || !full_path(folder, path, full) || !is_below_root(full)) {
    return (int)syscall(number, a, b, c, d, e);
  }
  if (second != NULL && !full_path((int)c, second, other)) return (int)syscall(number, a, b, c, d, e);
  /* What cannot change anything is no point: a folder that is there, a file that is not. */
  struct stat info;
  const int is_there = lstat(full, &info) == 0;
  if (is_there == (call == FAULT_MKDIR)) return (int)syscall(number, a, b, c, d, e);
  const struct Strike strike = count_point(call, full);
  if (strike.fail != 0) return (int)failed(strike.fail);
  lock_trace();
  const int result = (int)syscall(number, a, b, c, d, e);
  const int error = errno;
  if (result == 0) record(call, is_there ? info.st_ino : 0, 0, full, other, "", 0);
  unlock_trace();
  if (strike.kill_after) die();
  errno = error;
  return result;
}

EXPORT int renameat(int from, const char* path, int to, const char* second) {
  return change_name(FAULT_RENAME, path, second, SYS_renameat2, from, (long)path, to, (long)second, 0);
}
EXPORT int renameat2(int from, const char* path, int to, const char* second, unsigned flags) {
  return change_name(FAULT_RENAME, path, second, SYS_renameat2, from, (long)path, to, (long)second, (long)flags);
}
EXPORT int rename(const char* path, const char* second) { return renameat(AT_FDCWD, path, AT_FDCWD, second); }
EXPORT int unlinkat(int folder, const char* path, int flags) {
  return change_name(FAULT_UNLINK, path, NULL, SYS_unlinkat, folder, (long)path, flags, 0, 0);
}
EXPORT int unlink(const char* path) { return unlinkat(AT_FDCWD, path, 0); }
EXPORT int rmdir(const char* path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
EXPORT int mkdirat(int folder, const char* path, mode_t mode) {
  return change_name(FAULT_MKDIR, path, NULL, SYS_mkdirat, folder, (long)path, mode, 0, 0);
}
EXPORT int mkdir(const char* path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }
EXPORT int linkat(int from, const char* path, int to, const char* second, int flags) {
  return change_name(FAULT_LINK, path, second, SYS_linkat, from, (long)path, to, (long)second, flags);
}
EXPORT int link(const char* path, const char* second) { return linkat(AT_FDCWD, path, AT_FDCWD, second, 0); }

/* ---- what makes a process reachable, or starts one */

EXPORT int bind(int fd, const struct sockaddr* address, socklen_t bytes) {
  if (map == NULL || address->sa_family != AF_UNIX) return (int)syscall(SYS_bind, fd, address, bytes);
  const struct Strike strike = count_point(FAULT_BIND, "socket");
  if (strike.fail != 0) return (int)failed(strike.fail);
  const int result = (int)syscall(SYS_bind, fd, address, bytes);
  const int error = errno;
  if (strike.kill_after) die();
  errno = error;
  return result;
}

EXPORT int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                       const posix_spawnattr_t* attributes, char* const argv[], char* const environment[]) {
  if (map == NULL) return real_spawn(pid, path, actions, attributes, argv, environment);
  const struct Strike strike = count_point(FAULT_SPAWN, path);
  if (strike.fail != 0) return strike.fail;
  const int result = real_spawn(pid, path, actions, attributes, argv, environment);
  if (strike.kill_after) die();
  return result;
}
