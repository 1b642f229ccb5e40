#include "runner.h"

#include <nanobind/stl/string.h>

#include <chrono>
#include <optional>
#include <thread>
#include <utility>

namespace nb = nanobind;

namespace slm {
namespace {

// How soon Ctrl-C is noticed. The end of the work is noticed at once.
constexpr std::chrono::milliseconds kPoll(50);

nb::list ToList(const std::vector<Listener::Event>& events) {
  nb::list list;
  for (const Listener::Event& event : events) {
    const Progress& p = event.progress;
    list.append(
        nb::make_tuple(event.phase, p.step, p.steps, p.active_features, p.loss, p.valid_metric));
  }
  return list;
}

// The calling thread's side: what Python asked for while the work went on. Needs the lock.
class Caller {
 public:
  Caller(nb::object on_events, Listener& listener)
      : on_events_(std::move(on_events)), listener_(listener) {}

  void Look() {
    if (PyErr_CheckSignals() != 0) Caught(nb::python_error());
    std::vector<Listener::Event> events = listener_.Take();
    if (events.empty() || on_events_.is_none()) return;
    try {
      if (on_events_(ToList(events)).is(nb::bool_(true))) listener_.Stop();
    } catch (nb::python_error& error) {
      Caught(std::move(error));
    }
  }

  // After the end of the work.
  void Rethrow(const std::exception_ptr& failure) {
    if (error_) throw std::move(*error_);
    if (!failure) return;
    // Stopped before there was anything to give back.
    if (interrupted_) {
      PyErr_SetNone(PyExc_KeyboardInterrupt);
      throw nb::python_error();
    }
    std::rethrow_exception(failure);
  }

  bool interrupted() const { return interrupted_; }

 private:
  void Caught(nb::python_error error) {
    listener_.Stop();
    if (error.matches(PyExc_KeyboardInterrupt) && !interrupted_) {
      interrupted_ = true;
    } else if (!error_) {
      error_.emplace(std::move(error));
    }
  }

  nb::object on_events_;
  Listener& listener_;
  bool interrupted_ = false;
  std::optional<nb::python_error> error_;
};

}  // namespace

void Listener::OnProgress(const Progress& progress) {
  const int percent =
      progress.steps > 0 ? static_cast<int>(100.0 * progress.step / progress.steps) : 0;
  std::lock_guard lock(mutex_);
  if (progress.phase == phase_ && percent <= percent_) return;
  phase_ = progress.phase;
  percent_ = percent;
  events_.push_back({phase_, progress});
}

std::vector<Listener::Event> Listener::Take() {
  std::lock_guard lock(mutex_);
  return std::exchange(events_, {});
}

bool RunBesidePython(nb::object on_events, const std::function<void(Observer&)>& work) {
  Listener listener;
  Caller caller(std::move(on_events), listener);
  std::mutex mutex;
  std::condition_variable ended;
  bool done = false;
  std::exception_ptr failure;
  std::thread worker([&] {
    try {
      work(listener);
    } catch (...) {
      failure = std::current_exception();
    }
    // Told under the lock: the waiting thread may be gone as soon as it sees the end.
    std::lock_guard lock(mutex);
    done = true;
    ended.notify_one();
  });
  {
    nb::gil_scoped_release release;
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, kPoll, [&] { return done; })) {
      lock.unlock();
      {
        nb::gil_scoped_acquire acquire;
        caller.Look();
      }
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  caller.Look();
  caller.Rethrow(failure);
  return caller.interrupted();
}

}  // namespace slm
