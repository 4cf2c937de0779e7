// libc++ has a use of snprintf: it prints an integer. This one prints no floating-point numbers, which are 2 KB of a module.
#include <cstdarg>
#include <cstdio>

extern "C" {

int vsniprintf(char* text, std::size_t size, const char* format, va_list arguments);  // Emscripten's, that no header declares

int snprintf(char* text, std::size_t size, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int count = vsniprintf(text, size, format, arguments);
  va_end(arguments);
  return count;
}

}  // extern "C"
