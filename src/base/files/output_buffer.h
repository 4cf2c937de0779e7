#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <ostream>
#include <streambuf>

#include "base/files/file_descriptor.h"
#include "base/text.h"

namespace webnn {

// A stream buffer that writes to a file descriptor and keeps the first error.
class OutputBuffer : public std::streambuf {
 public:
  explicit OutputBuffer(int descriptor) : descriptor_(descriptor) { setp(buffer_.data(), buffer_.data() + buffer_.size()); }
  int error() const { return error_; }

 protected:
  int_type overflow(int_type c) override {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
  }
  int sync() override {
    const bool written = writeAll(pbase(), pptr() - pbase());
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    return written ? 0 : -1;
  }
  std::streamsize xsputn(const char* data, std::streamsize size) override {
    if (size <= epptr() - pptr()) {
      traits_type::copy(pptr(), data, static_cast<std::size_t>(size));
      pbump(static_cast<int>(size));
      return size;
    }
    return sync() == 0 && writeAll(data, size) ? size : 0;
  }

 private:
  static constexpr std::streamsize kAtOnce = 1 << 30;  // bytes per call; some systems accept less than 2 GiB

  bool writeAll(const char* data, std::streamsize size) {
    while (size > 0 && error_ == 0) {
      const auto written = ::write(descriptor_, data, static_cast<unsigned>(std::min(size, kAtOnce)));
      if (written >= 0) {
        data += written;
        size -= written;
      } else if (errno != EINTR) {
        error_ = errno;
      }
    }
    return error_ == 0;
  }

  int descriptor_;
  int error_ = 0;
  std::array<char, 1 << 16> buffer_;
};

// Calls `write` with a stream that writes to the descriptor. Error messages name `path`.
inline void writeTo(int descriptor, const std::filesystem::path& path, const std::function<void(std::ostream&)>& write) {
  OutputBuffer buffer(descriptor);
  std::ostream stream(&buffer);
  write(stream);
  stream.flush();
  if (buffer.error() != 0) failWithErrno(path, "written", buffer.error());
  if (!stream)
    fail(ErrorKind::operationError, "the file {} cannot be written (the stream failed).", webnn::quoted(path.string()));
}

}  // namespace webnn
