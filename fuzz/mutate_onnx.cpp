// Loads damaged variants of ONNX models. Each must load or throw an Error within 10 seconds of CPU time, and take at most four
// times the file's size plus 64 MiB of memory. Each model runs in its own process. Unlike the fuzzers, this program needs no
// instrumentation.
// usage: mutate_onnx [--variants N] [--seed N] [--keep DIR] FILE|DIR...
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>

#include "import_onnx.h"

namespace {

namespace fs = std::filesystem;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMeasuresMemory = false;
#else
constexpr bool kMeasuresMemory = true;
#endif
constexpr int kSeconds = 10;        // limit of CPU time
constexpr unsigned kWaiting = 120;  // limit of wall-clock time in seconds: longer, because the machine may be busy
constexpr std::uint64_t kFreeKilobytes = 64 << 10;
constexpr int kTooMuchMemory = 3;

struct Options {
  std::vector<fs::path> models;
  std::uint64_t variants = 50, seed = 1;
  fs::path keep;
};

std::string contentOf(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Returns a variant of the model: for 0 the model itself, otherwise a damaged copy. Damaged variants in turn have changed bytes,
// a missing end, or both.
std::string variantOf(const std::string& model, const std::string& name, std::uint64_t seed, std::uint64_t variant) {
  if (variant == 0 || model.empty()) return model;
  std::seed_seq sequence{seed, variant, static_cast<std::uint64_t>(model.size()), static_cast<std::uint64_t>(name.size())};
  std::mt19937_64 random(sequence);
  std::string changed = model;
  if (variant % 3 != 1) changed.resize(random() % model.size());
  if (variant % 3 == 2 || changed.empty()) return changed;
  for (std::uint64_t i = 0, count = 1 + random() % 8; i < count; ++i)
    changed[random() % changed.size()] = static_cast<char>(random());
  return changed;
}

// Returns the number, in kB, that /proc/self/status gives for a key.
std::uint64_t statusOf(const char* key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key)) return std::strtoull(line.c_str() + std::strlen(key), nullptr, 10);
  }
  return 0;
}

// Ends the process after `seconds` of CPU time, or after kWaiting seconds of wall-clock time. 0 removes both limits.
void limitTime(int seconds) {
  const itimerval timer{{}, {seconds, 0}};
  ::setitimer(ITIMER_PROF, &timer, nullptr);
  ::alarm(seconds == 0 ? 0 : kWaiting);
}

void resetPeak() { std::ofstream("/proc/self/clear_refs") << 5; }

// Runs in the child process: loads all variants, and stores the number of the variant in progress in `current` for the parent.
int loadVariants(const fs::path& path, const Options& options, volatile std::uint64_t& current) {
  const std::string model = contentOf(path);
  webnn::Context context = webnn::Context::create({.backend = "reference", .execution = webnn::Execution::callerThread});
  for (std::uint64_t variant = 0; variant <= options.variants; ++variant) {
    current = variant;
    const std::string bytes = variantOf(model, path.string(), options.seed, variant);
    resetPeak();
    const std::uint64_t before = statusOf("VmRSS:");
    limitTime(kSeconds);
    webnn::fuzz::importBytes(context, {std::as_bytes(std::span(bytes)), nullptr}, path.parent_path());
    limitTime(0);
    const std::uint64_t peak = statusOf("VmHWM:"), taken = peak > before ? peak - before : 0;
    if (!kMeasuresMemory || taken <= 4 * (bytes.size() >> 10) + kFreeKilobytes) continue;
    std::cout << path.string() << ": variant " << variant << " of " << bytes.size() << " bytes takes " << taken << " kB\n";
    return kTooMuchMemory;
  }
  return 0;
}

// Returns whether all variants of a model load or throw an Error within the limits.
bool passes(const fs::path& path, const Options& options, volatile std::uint64_t& current) {
  std::cout.flush();
  const pid_t child = ::fork();
  if (child == 0) {
    const int status = loadVariants(path, options, current);
    std::cout.flush();
    ::_exit(status);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return false;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
  if (WIFSIGNALED(status)) {
    const bool hangs = WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM;
    std::cout << path.string() << ": variant " << current << (hangs ? " takes too long" : " crashes: ")
              << (hangs ? "" : ::strsignal(WTERMSIG(status))) << "\n";
  } else if (WEXITSTATUS(status) != kTooMuchMemory) {
    std::cout << path.string() << ": variant " << current << " ends with status " << WEXITSTATUS(status) << "\n";
  }
  if (!options.keep.empty()) {
    fs::create_directories(options.keep);
    const fs::path kept =
        options.keep / (path.parent_path().filename().string() + "-" + path.stem().string() + "-" + std::to_string(current));
    std::ofstream(kept, std::ios::binary) << variantOf(contentOf(path), path.string(), options.seed, current);
  }
  return false;
}

void addModels(const fs::path& path, std::vector<fs::path>& models) {
  if (!fs::is_directory(path)) return models.push_back(path);
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file() && (entry.path().extension() == ".onnx" || !entry.path().has_extension()))
      models.push_back(entry.path());
  }
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool hasValue = i + 1 < argc;
    if (argument == "--variants" && hasValue) {
      options.variants = std::strtoull(argv[++i], nullptr, 10);
    } else if (argument == "--seed" && hasValue) {
      options.seed = std::strtoull(argv[++i], nullptr, 10);
    } else if (argument == "--keep" && hasValue) {
      options.keep = argv[++i];
    } else {
      addModels(argument, options.models);
    }
  }
  std::ranges::sort(options.models);
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  void* shared = ::mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED || options.models.empty()) {
    std::cerr << "usage: mutate_onnx [--variants N] [--seed N] [--keep DIR] FILE|DIR...\n";
    return 2;
  }
  auto& current = *static_cast<volatile std::uint64_t*>(shared);
  std::size_t wrong = 0;
  for (const fs::path& model : options.models) wrong += !passes(model, options, current);
  std::cout << options.models.size() << " models, " << options.variants << " damaged variants each: " << wrong
            << " do not pass\n";
  return wrong == 0 ? 0 : 1;
}
