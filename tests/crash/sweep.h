// The sweep: strikes one run after the other, each at another point, and has the oracle look at what a
// resume without faults makes of it.

#pragma once

#include <string>
#include <vector>

#include "harness.h"
#include "oracle.h"
#include "scene.h"

namespace reprise {

/// A point of an undisturbed run.
struct Point {
  int role = 0;
  std::int64_t at = 0;  // ordinal within the role
  int call = 0;
  std::string file;
  std::string step;
};

/// One thing that goes wrong.
struct Strike {
  Point point;
  int mode = FAULT_KILL_BEFORE;
  int error = 0;
};
/// "guard 17 (fan/a/check): write exits.log, torn": enough to find it again.
std::string name_of(const Strike& strike);

/// What an undisturbed run does.
struct Survey {
  std::vector<Point> points;
  Ending ending;
};
/// Makes the run of `scene` once, with faults off, and counts.
Survey survey(const Subject& subject, const Scene& scene);

/// Chooses among `points`: all of the guard and of the first and the last step, every other one of the time
/// before the first step, and of the rest as many as make about `wanted` in all, evenly spread. Another
/// `shift` gives others of those, so that several sweeps together see more than one does.
std::vector<Point> thin(const std::vector<Point>& points, std::size_t wanted, std::size_t shift);

/// Chooses about `wanted` of `points`, evenly spread, the first of them `shift` points from the start.
std::vector<Point> spread(const std::vector<Point>& points, std::size_t wanted, std::size_t shift);

/// Whether it is a write, which can be torn.
bool is_write(const Point& point);

/// What a person does after a fault: resumes, does what is asked for, resumes, until the run is done. Adds what
/// does not go as promised to `violations`.
void resume_to_the_end(const Sandbox& sandbox, const Scene& scene, std::vector<std::string>& violations);

struct Figures {
  int counted = 0;  // strikes that were meant
  int hit = 0;
  int recovered = 0;  // without a violation
  int tolerated = 0;  // errors that the run went on in spite of
  int again = 0;      // strikes that missed at first, because two processes were quicker or slower
  std::vector<std::string> violations;
};
/// Makes all `strikes`, prints and returns the figures.
Figures sweep(const std::string& title, const Subject& subject, const Scene& scene, const Survey& golden,
              const std::vector<Strike>& strikes);

}  // namespace reprise
