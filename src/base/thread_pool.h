#pragma once

// A pool for independent tasks. Work is cut by index, never by thread, so the number of threads
// decides when a task runs and nothing else.

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace slm {

class StopCheck;

class ThreadPool {
 public:
  // 0 means one thread for each usable core. One thread means the caller alone. Throws a
  // RuntimeFailure if the system does not give so many.
  explicit ThreadPool(int threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Runs body(0) ... body(count - 1), the caller helping, and returns when all are done. Called
  // from inside a body it runs in line. One thread at a time may call it from outside. If bodies
  // throw, the exception of the lowest index is rethrown; bodies after it may or may not have run.
  // Before each body the StopCheck of the caller is asked, which may throw.
  void ParallelFor(size_t count, const std::function<void(size_t)>& body);

 private:
  void Work();
  void RunTasks();
  void StopWorkers();

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  const std::function<void(size_t)>* body_ = nullptr;
  const StopCheck* check_ = nullptr;
  size_t count_ = 0;
  std::atomic<size_t> next_ = 0;
  size_t busy_ = 0;
  uint64_t generation_ = 0;
  bool stop_ = false;
  size_t failed_index_ = 0;
  std::exception_ptr failure_;
};

}  // namespace slm
