#pragma once

// The lines of a text file as UTF-8 with LF or CRLF line ends, whatever they were.

#include <cstddef>
#include <string>
#include <string_view>

#include "base/thread_pool.h"

namespace slm {

// Text without its byte order mark. UTF-16 with one, Windows-1252 (which holds Latin-1), and text
// whose lines end with CR alone, is converted into *storage. Where the encoding was guessed,
// *guessed is its name.
std::string_view DecodeText(std::string_view bytes, ThreadPool& pool, std::string* storage,
                            std::string* guessed);

// Takes `lines` lines off the front; fewer if there are no more.
void SkipLines(size_t lines, std::string_view* text);

// Whether cells may stand between such characters: neither letters, digits, quotes nor line ends.
bool MayDelimit(char c);

// The delimiter that a first line such as "sep=;", which spreadsheets write, announces; 0 if there
// is no such line.
char AnnouncedDelimiter(std::string_view text);

}  // namespace slm
