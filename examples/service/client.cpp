// Recognizes digits in a service shared with other programs.
// usage: client unix:PATH examples/digits/digits.webnn
// Each input line is the path of a picture of 28 x 28 pixels; the answer is the digit and its probability. If the service's
// worker process ends, the context is lost, and the program creates a new one.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>
#include <webnn/webnn.hpp>

#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>

namespace {

std::vector<float> readPicture(const std::string& path) {
  int width = 0, height = 0, channels = 0;
  unsigned char* const pixels = stbi_load(path.c_str(), &width, &height, &channels, 1);
  if (!pixels) throw std::runtime_error(path + ": " + stbi_failure_reason());
  std::vector<float> grey(pixels, pixels + static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  stbi_image_free(pixels);
  for (float& value : grey) value /= 255;
  return grey;
}

// Everything that must be created again after a context is lost.
struct Classifier {
  Classifier(const std::string& service, const std::string& model) : context(webnn::Context::create({.service = service})) {
    graph = webnn::load(context, model);
    image = context.createTensor({.shape = {1, 1, 28, 28}, .writable = true});
    probabilities = context.createTensor({.shape = {1, 10}, .readable = true});
  }

  std::vector<float> classify(const std::vector<float>& pixels) {
    context.write(image, pixels);
    context.dispatch(graph, {{"image", image}}, {{"probabilities", probabilities}});
    return context.read<float>(probabilities);
  }

  webnn::Context context;
  webnn::Graph graph;
  webnn::Tensor image, probabilities;
};

int run(const std::string& service, const std::string& model) {
  Classifier classifier(service, model);
  for (std::string path; std::getline(std::cin, path);) {
    const std::vector<float> pixels = readPicture(path);
    std::vector<float> found;
    while (found.empty()) {
      try {
        found = classifier.classify(pixels);
      } catch (const webnn::Error& error) {
        if (error.kind() != webnn::ErrorKind::invalidStateError) throw;
        std::cout << "lost: " << classifier.context.lost().get().message << std::endl;
        classifier = Classifier(service, model);
      }
    }
    const auto best = std::ranges::max_element(found);
    std::printf("%d %.6f\n", static_cast<int>(best - found.begin()), *best);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3) return run(argv[1], argv[2]);
    std::cerr << "usage: client unix:PATH MODEL\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
  }
  return 1;
}
