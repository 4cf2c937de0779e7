#include "broker/event_log.h"

#include <poll.h>
#include <unistd.h>

#include <ctime>

#include "base/text.h"

namespace webnn::service {

namespace {

std::string timeText() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  tm parts{};
  ::gmtime_r(&now.tv_sec, &parts);
  return formatText("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                    parts.tm_hour, parts.tm_min, parts.tm_sec, now.tv_nsec / 1'000'000);
}

// Shortens a text to `most` bytes. Other values are unchanged.
formats::Json cut(const formats::Json& value, std::size_t most) {
  return value.isText() ? formats::Json(value.asText().substr(0, most)) : value;
}

}  // namespace

void EventLog::write(std::string_view event, std::string_view tenant, std::uint64_t linesPerSecond, Members members) {
  const auto now = std::chrono::steady_clock::now();
  Bucket& bucket = buckets_.try_emplace(std::string(tenant), Bucket{{linesPerSecond, now}}).first->second;
  const auto drop = [&] {
    ++bucket.dropped;
    ++droppedInAll_;
  };
  if (!bucket.lines.take(now)) return drop();
  const auto lineWith = [&](std::size_t most) {
    formats::Json line{{"time", timeText()}, {"event", event}};
    if (!tenant.empty()) line["tenant"] = tenant.substr(0, most);
    for (const auto& [name, value] : members) line[name] = cut(value, most);
    if (bucket.dropped > 0) line["dropped"] = bucket.dropped;
    return line.dump({.ascii = true, .replaces = true}) + "\n";
  };
  // poll() guarantees room for only PIPE_BUF bytes. A longer line might block until the reader reads. Therefore texts are cut to
  // half as many bytes until the line fits.
  std::size_t most = PIPE_BUF;
  std::string text = lineWith(most);
  while (text.size() > PIPE_BUF && most > 0) text = lineWith(most /= 2);
  pollfd item{descriptor_, POLLOUT, 0};
  if (::poll(&item, 1, 0) != 1 || (item.revents & POLLOUT) == 0) return drop();
  if (::write(descriptor_, text.data(), text.size()) < 0) return drop();
  bucket.dropped = 0;
}

}  // namespace webnn::service
