#pragma once

// What differs between operating systems, in the few forms that slm needs. system_posix.cc has
// Linux and macOS, system_windows.cc Windows (MinGW-w64), where some of it is less; see there. The
// rest of slm calls nothing but ISO C++ and the functions that the headers below have everywhere.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <string>
#include <vector>

#ifdef _WIN32
#define O_CLOEXEC (_O_NOINHERIT | _O_BINARY)
#define O_DIRECTORY 0
#endif

namespace slm {

// All `bytes` of a file for reading; null, with errno set, where that cannot be. A file may have to
// be read instead: FilesCanBeMapped says so.
bool FilesCanBeMapped();
void* MapWholeFile(int fd, size_t bytes);
void UnmapWholeFile(void* mapping, size_t bytes);

// A new file without a name, and a path by which a library opens a descriptor. -1 and an empty path
// where there is no such thing.
int AnonymousFile();
std::string PathOfDescriptor(int fd);

// These give 0, or -1 with errno set.
int SyncToDisk(int fd);
int LockExclusively(int fd);  // without waiting, until the descriptor and its copies are closed
int SetMode(int fd, unsigned mode);
int RenameOver(const std::string& from, const std::string& to);
int RenameToNew(const std::string& from, const std::string& to);  // EEXIST if `to` is there

// The path without links and dots; empty with errno set. Like all that deals with paths where
// memory may run out, without std::filesystem: appending to a path of it destroys what was not
// built yet when memory runs out (libstdc++ 12).
std::string RealPath(const std::string& path);
bool IsLink(const std::string& path);

// Creates a file whose name ends in the last six characters of `name`, replaced by chance; -1 with
// errno set.
int OpenTemporary(std::string* name);

// A second descriptor of the file, which programs that are started do not get; -1 with errno set.
int CopyOfDescriptor(int fd);

// The files whose paths match a pattern of the shell, in no order.
std::vector<std::string> FilesMatching(const std::string& pattern);
std::string Literally(const std::string& text);  // as a pattern that matches just that text

// Opens what is closed of standard input, output and error, so that no file that is opened later
// takes their place and gets what is meant for them. Reading and writing them fails as before.
void ReserveStandardDescriptors();

// A library that stays loaded, or null; and a function of it, or null.
void* OpenLibrary(const char* path);
void* FindFunction(void* library, const char* name);

std::string PathOfProgram();  // empty if that cannot be told
double PhysicalMemory();      // bytes
int TerminalWidth(int fd);    // 0 if that cannot be told

// `handler` for Ctrl-C and for the request to end; work that they interrupt continues.
void CatchSignals(void (*handler)(int));
void ReleaseSignals();  // the next one has the default action; may be called from a handler

}  // namespace slm
