/* What the fault library and the harness share: a file mapped by every process of a run.
 *
 * Points are counted per role, because runner and guard run side by side: a point is (role, ordinal), and
 * the same run gives the same points. The file names, calls and steps of a counted run are kept in the
 * table, so that a failure can be named. */

#ifndef REPRISE_TESTS_CRASH_FAULT_MAP_H_
#define REPRISE_TESTS_CRASH_FAULT_MAP_H_

#include <stdint.h>

#define FAULT_POINTS_MAX 32768
#define FAULT_NAME_MAX 72

enum FaultRole { FAULT_RUNNER = 0, FAULT_GUARD = 1, FAULT_ROLES = 2 };

enum FaultMode {
  FAULT_NONE = 0, /* count only */
  FAULT_KILL_BEFORE = 1,
  FAULT_KILL_AFTER = 2,
  FAULT_TORN = 3, /* half of a write, then dead */
  FAULT_ERRNO_ONCE = 4,
  FAULT_ERRNO_STICKY = 5 /* from the point on, every call of its kind in every process */
};

enum FaultCall {
  FAULT_OPEN = 0,
  FAULT_WRITE,
  FAULT_PWRITE,
  FAULT_WRITEV,
  FAULT_FTRUNCATE,
  FAULT_FSYNC,
  FAULT_FDATASYNC,
  FAULT_RENAME,
  FAULT_UNLINK,
  FAULT_MKDIR,
  FAULT_LINK,
  FAULT_BIND,
  FAULT_SPAWN,
  FAULT_ACK, /* only in traces: what a process told its user */
  FAULT_CALLS
};

struct FaultPoint {
  int32_t role;
  int32_t call;
  char file[FAULT_NAME_MAX]; /* the last part of its path */
  char step[FAULT_NAME_MAX]; /* the step that was started last */
};

struct FaultMap {
  int32_t mode;
  int32_t role;
  int64_t at; /* ordinal within the role, from 0 */
  int32_t error;
  int32_t fired;
  int64_t acks_after; /* steps reported as done after the fault, by the role that had it */
  int64_t count[FAULT_ROLES];
  int64_t rows; /* of the table */
  int32_t lock;
  int32_t unused;
  char step[FAULT_NAME_MAX];
  struct FaultPoint table[FAULT_POINTS_MAX];
};

/* One record of a trace; path, second path and data follow. */
struct FaultRecord {
  uint32_t call;
  uint32_t role;
  uint64_t inode;
  int64_t offset; /* of a write; the new length of ftruncate; 1 for an open that made the file */
  uint32_t path_bytes;
  uint32_t second_bytes;
  uint64_t data_bytes;
};

#endif
