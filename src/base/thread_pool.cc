#include "base/thread_pool.h"

#include <string>
#include <system_error>
#include <utility>

#include "base/machine.h"
#include "base/stop_check.h"
#include "slm/errors.h"

namespace slm {
namespace {
thread_local bool inside_parallel_for = false;
}  // namespace

ThreadPool::ThreadPool(int threads) {
  if (threads <= 0) threads = UsableCores();
  workers_.reserve(static_cast<size_t>(threads - 1));
  try {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { Work(); });
  } catch (const std::system_error& error) {
    StopWorkers();
    throw RuntimeFailure("cannot start " + std::to_string(threads) + " threads: " +
                         error.code().message() + "; ask for fewer by " + FieldRef("threads"));
  } catch (...) {
    StopWorkers();
    throw;
  }
}

ThreadPool::~ThreadPool() { StopWorkers(); }

void ThreadPool::StopWorkers() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::ParallelFor(size_t count, const std::function<void(size_t)>& body) {
  if (count <= 1 || workers_.empty() || inside_parallel_for) {
    for (size_t i = 0; i < count; ++i) {
      StopCheck::Ask();
      body(i);
    }
    return;
  }
  {
    std::lock_guard lock(mutex_);
    body_ = &body;
    check_ = StopCheck::Current();
    count_ = count;
    next_ = 0;
    failure_ = nullptr;
    busy_ = workers_.size();
    ++generation_;
  }
  wake_.notify_all();
  RunTasks();
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
  body_ = nullptr;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPool::Work() {
  uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stop_ || generation_ != seen; });
      if (stop_) return;
      seen = generation_;
    }
    RunTasks();
    {
      std::lock_guard lock(mutex_);
      if (--busy_ == 0) done_.notify_all();
    }
  }
}

void ThreadPool::RunTasks() {
  inside_parallel_for = true;
  const StopCheck* const own = StopCheck::Exchange(check_);
  for (size_t i = next_++; i < count_; i = next_++) {
    bool goes_on = false;
    try {
      StopCheck::Ask();
      goes_on = true;
      (*body_)(i);
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!failure_ || i < failed_index_) {
        failure_ = std::current_exception();
        failed_index_ = i;
      }
      if (!goes_on) next_ = count_;
    }
  }
  StopCheck::Exchange(own);
  inside_parallel_for = false;
}

}  // namespace slm
