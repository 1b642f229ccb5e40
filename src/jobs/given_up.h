#pragma once

// Work that must be done before there can be a result: it goes on for a while after the deadline,
// and is then given up.

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/stop_check.h"
#include "jobs/outcome.h"
#include "jobs/prepare.h"
#include "jobs/time_shares.h"

namespace slm {

// While it lives, work ends with NoResultYet where time is over or somebody asks for that: with
// `needed`, after Context::latest, or some time after somebody asked; without, after the deadline,
// or at once.
class GivenUp {
 public:
  // `doing`: "the table was encoded". The context must outlive this.
  GivenUp(const Context& context, bool needed, std::string doing)
      : context_(context), needed_(needed), doing_(std::move(doing)), check_([this] { Check(); }) {}

 private:
  // Whoever asks waits no longer than this for a result.
  static constexpr double kPatience = 0.4;  // seconds

  void Check() const {
    const std::optional<Clock::time_point>& end = needed_ ? context_.latest : context_.deadline;
    if (end && Clock::now() >= *end) {
      throw NoResultYet("the time limit passed while " + doing_ +
                        ", before there was a result; allow more time by " +
                        FieldRef("time_limit"));
    }
    if (!Cancelled(context_)) return;
    const Clock::rep now = Clock::now().time_since_epoch().count();
    Clock::rep since = 0;
    if (asked_.compare_exchange_strong(since, now)) since = now;
    if (needed_ && SecondsSince(Clock::time_point(Clock::duration(since))) < kPatience) return;
    throw NoResultYet("stopped while " + doing_ + ", before there was a result");
  }

  const Context& context_;
  const bool needed_;
  const std::string doing_;
  mutable std::atomic<Clock::rep> asked_ = 0;  // when somebody first did; 0 for never
  const StopCheck check_;
};

inline std::unique_ptr<Preparation> PrepareOrGiveUp(const Tables& tables,
                                                    const SelectionSpec& request, RowParts parts,
                                                    const Context& context, bool needed) {
  const GivenUp given_up(context, needed, "the table was encoded");
  return std::make_unique<Preparation>(tables, request, std::move(parts), *context.pool);
}

// The same, but null where it was given up, and there is a result without it.
inline std::unique_ptr<Preparation> PrepareIfTime(const Tables& tables,
                                                  const SelectionSpec& request, RowParts parts,
                                                  const Context& context, bool needed = false) {
  try {
    return PrepareOrGiveUp(tables, request, std::move(parts), context, needed);
  } catch (const NoResultYet&) {
    return nullptr;
  }
}

}  // namespace slm
