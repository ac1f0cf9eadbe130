// KillSwitch: the death of a runner, as the ports of a test see it.
//
// Every call of a port that shares the switch counts. The chosen one fails, before or after it took
// effect, and from then on nothing has any effect any more: what the dead process still believes to do
// reaches nobody. The test then destroys the runner and starts another one over the same world.

#pragma once

#include "base/result.h"

namespace reprise {

class KillSwitch {
 public:
  enum class Moment { BeforeEffect, AfterEffect };

  /// The process dies at the `calls`-th call from now on.
  void arm(int calls, Moment moment) {
    left_ = calls;
    moment_ = moment;
  }
  /// A new process: it lives until it is armed again.
  void revive() {
    left_ = 0;
    dead_ = false;
  }
  bool is_dead() const { return dead_; }
  /// While it lives the calls are those of somebody else: they neither count nor fail.
  class Bystander {
   public:
    explicit Bystander(KillSwitch& kill) : kill_(kill) { ++kill_.bystanders_; }
    ~Bystander() { --kill_.bystanders_; }
    Bystander(const Bystander&) = delete;
    Bystander& operator=(const Bystander&) = delete;

   private:
    KillSwitch& kill_;
  };
  int calls() const { return calls_; }

  /// Calls `effect`, which returns a Result, unless the process is dead or dies before it.
  template <typename Effect>
  auto call(Effect&& effect) -> decltype(effect()) {
    if (bystanders_ > 0) return effect();
    ++calls_;
    if (dead_) return killed();
    const bool is_armed = left_ > 0;
    if (is_armed) --left_;
    if (is_armed && left_ == 0) {
      dead_ = true;
      if (moment_ == Moment::AfterEffect) static_cast<void>(effect());
      return killed();
    }
    return effect();
  }

 private:
  static std::unexpected<Error> killed() { return fail(ErrorKind::Io, "killed"); }

  int left_ = 0;  // 0: not armed
  int calls_ = 0;
  int bystanders_ = 0;
  bool dead_ = false;
  Moment moment_ = Moment::BeforeEffect;
};

}  // namespace reprise
