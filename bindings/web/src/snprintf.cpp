// libc++ uses snprintf only to print an integer. This version without floating-point numbers saves 2 KB of a module.
#include <cstdarg>
#include <cstdio>

extern "C" {

int vsniprintf(char* text, std::size_t size, const char* format, va_list arguments);  // in no header

int snprintf(char* text, std::size_t size, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int count = vsniprintf(text, size, format, arguments);
  va_end(arguments);
  return count;
}

}  // extern "C"
