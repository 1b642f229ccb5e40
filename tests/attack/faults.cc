// A library for LD_PRELOAD that makes one call of the system fail, the n-th after main began:
//
//   SLM_FAULT=CALL:N     malloc, open, read, write, sync, rename, lock, stat, map or thread; 0
//   fails none SLM_FAULT_ALL=1      all calls from the n-th on fail SLM_FAULT_COUNT=FILE where to
//   write how many such calls there were
//
// or a clock jump, back if SECONDS are negative, from its n-th reading on:
//
//   SLM_CLOCK=ID:SECONDS:N  0 is the clock of the day, 1 the one that only goes on
//
// Only calls that go through the linker are seen: those of slm and of the C++ library.

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

extern "C" {
// The names are those of the C library.  NOLINTBEGIN(bugprone-reserved-identifier)
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);
// NOLINTEND(bugprone-reserved-identifier)
}

namespace {

enum Call { kMalloc, kOpen, kRead, kWrite, kSync, kRename, kLock, kStat, kMap, kThread, kCalls };
constexpr const char* kNames[kCalls] = {"malloc", "open", "read", "write", "sync",
                                        "rename", "lock", "stat", "map",   "thread"};

std::atomic<bool> began = false;
int wanted = kCalls;
long failing = 0;
bool all_after = false;
std::atomic<long> seen = 0;
int jumping = -1;
long jump = 0;
long jump_from = 0;
std::atomic<long> readings = 0;

// Whether this call of the kind is to fail.
bool Fails(Call call) {
  if (!began || call != wanted) return false;
  const long number = ++seen;
  return failing > 0 && (all_after ? number >= failing : number == failing);
}

template <class Function>
Function Next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

int Fail(int error) {
  errno = error;
  return -1;
}

void WriteCount() {
  began = false;
  const char* path = std::getenv("SLM_FAULT_COUNT");
  if (path == nullptr) return;
  if (std::FILE* file = std::fopen(path, "w")) {
    std::fprintf(file, "%ld\n", seen.load());
    std::fclose(file);
  }
}

int (*real_main)(int, char**, char**);

int Main(int argc, char** argv, char** environment) {
  if (const char* fault = std::getenv("SLM_FAULT")) {
    const char* colon = std::strchr(fault, ':');
    for (int call = 0; call < kCalls && colon != nullptr; ++call) {
      const size_t length = static_cast<size_t>(colon - fault);
      if (std::strlen(kNames[call]) == length && std::strncmp(kNames[call], fault, length) == 0) {
        wanted = call;
        failing = std::atol(colon + 1);
      }
    }
  }
  if (const char* clock = std::getenv("SLM_CLOCK")) {
    char* end = nullptr;
    jumping = static_cast<int>(std::strtol(clock, &end, 10));
    jump = std::strtol(end + (*end == ':'), &end, 10);
    jump_from = std::strtol(end + (*end == ':'), &end, 10);
  }
  all_after = std::getenv("SLM_FAULT_ALL") != nullptr;
  std::atexit(WriteCount);
  began = true;
  return real_main(argc, argv, environment);
}

}  // namespace

extern "C" {

// Before main, and in what the C library does for itself, nothing fails.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
int __libc_start_main(int (*main)(int, char**, char**), int argc, char** argv, void (*init)(),
                      void (*finish)(), void (*linker_finish)(), void* stack_end) {
  real_main = main;
  using Start =
      int (*)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(), void (*)(), void*);
  return Next<Start>("__libc_start_main")(Main, argc, argv, init, finish, linker_finish, stack_end);
}

void* malloc(size_t size) {
  if (Fails(kMalloc)) return errno = ENOMEM, nullptr;
  return __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
  if (Fails(kMalloc)) return errno = ENOMEM, nullptr;
  return __libc_calloc(count, size);
}

void* realloc(void* old, size_t size) {
  if (Fails(kMalloc)) return errno = ENOMEM, nullptr;
  return __libc_realloc(old, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
  if (Fails(kMalloc)) return errno = ENOMEM, nullptr;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** out, size_t alignment, size_t size) {
  if (Fails(kMalloc)) return ENOMEM;
  *out = __libc_memalign(alignment, size);
  return *out == nullptr ? ENOMEM : 0;
}

int open(const char* path, int flags, ...) {
  std::va_list rest;
  va_start(rest, flags);
  const int mode = va_arg(rest, int);
  va_end(rest);
  if (Fails(kOpen)) return Fail(EMFILE);
  return Next<int (*)(const char*, int, ...)>("open")(path, flags, mode);
}

int mkostemp(char* name, int flags) {
  if (Fails(kOpen)) return Fail(EMFILE);
  return Next<int (*)(char*, int)>("mkostemp")(name, flags);
}

ssize_t read(int fd, void* data, size_t size) {
  if (Fails(kRead)) return Fail(EIO);
  return Next<ssize_t (*)(int, void*, size_t)>("read")(fd, data, size);
}

ssize_t write(int fd, const void* data, size_t size) {
  if (Fails(kWrite)) return Fail(ENOSPC);
  return Next<ssize_t (*)(int, const void*, size_t)>("write")(fd, data, size);
}

int fsync(int fd) {
  if (Fails(kSync)) return Fail(EIO);
  return Next<int (*)(int)>("fsync")(fd);
}

int rename(const char* from, const char* to) {
  if (Fails(kRename)) return Fail(EIO);
  return Next<int (*)(const char*, const char*)>("rename")(from, to);
}

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  if (Fails(kRename)) return Fail(EIO);
  return Next<int (*)(int, const char*, int, const char*, unsigned)>("renameat2")(
      from_folder, from, to_folder, to, flags);
}

int flock(int fd, int operation) {
  if (Fails(kLock)) return Fail(ENOLCK);
  return Next<int (*)(int, int)>("flock")(fd, operation);
}

int fstat(int fd, struct stat* status) {
  if (Fails(kStat)) return Fail(EIO);
  return Next<int (*)(int, struct stat*)>("fstat")(fd, status);
}

void* mmap(void* at, size_t size, int rights, int flags, int fd, off_t offset) {
  if (Fails(kMap)) return errno = ENOMEM, MAP_FAILED;
  return Next<void* (*)(void*, size_t, int, int, int, off_t)>("mmap")(at, size, rights, flags, fd,
                                                                      offset);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  if (Fails(kThread)) return EAGAIN;
  return Next<int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*)>(
      "pthread_create")(thread, attributes, start, argument);
}

int clock_gettime(clockid_t clock, struct timespec* time) {
  static const auto next = Next<int (*)(clockid_t, struct timespec*)>("clock_gettime");
  const int result = next(clock, time);
  if (began && clock == jumping && ++readings >= jump_from) time->tv_sec += jump;
  return result;
}

int ftruncate(int fd, off_t size) {
  if (Fails(kWrite)) return Fail(EIO);
  return Next<int (*)(int, off_t)>("ftruncate")(fd, size);
}

}  // extern "C"
