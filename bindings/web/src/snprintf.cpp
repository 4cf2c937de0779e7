// Replaces snprintf by a version that does not format floating-point numbers, which makes a module 2 KB smaller. In these
// modules, libc++ uses snprintf for integers only.
#include <cstdarg>
#include <cstdio>

extern "C" {

int vsniprintf(char* text, std::size_t size, const char* format, va_list arguments);  // not declared in any header

int snprintf(char* text, std::size_t size, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int count = vsniprintf(text, size, format, arguments);
  va_end(arguments);
  return count;
}

}  // extern "C"
