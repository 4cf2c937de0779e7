// Finds faces in a photo with the ONNX model Ultra-Light-Fast-Generic-Face-Detector-1MB and draws a box around each.
// usage: faces MODEL.onnx PHOTO OUT.png [BACKEND]
// Prints a line for each face: score, left, top, right, bottom in pixels.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>
#include <webnn/webnn.hpp>

#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

namespace {

constexpr int kWidth = 320, kHeight = 240;  // what the model looks at
constexpr float kMinScore = 0.7F, kMaxOverlap = 0.3F;

struct Picture {
  int width = 0, height = 0;
  std::vector<unsigned char> rgb;  // height x width x 3

  unsigned char& at(int x, int y, int channel) { return rgb[(static_cast<std::size_t>(y) * width + x) * 3 + channel]; }
  unsigned char at(int x, int y, int channel) const { return const_cast<Picture&>(*this).at(x, y, channel); }
};

struct Face {
  float score, left, top, right, bottom;  // 0 to 1 across the picture
};

Picture readPicture(const char* path) {
  Picture picture;
  int channels = 0;
  unsigned char* pixels = stbi_load(path, &picture.width, &picture.height, &channels, 3);
  if (!pixels) throw std::runtime_error(std::string(path) + ": " + stbi_failure_reason());
  picture.rgb.assign(pixels, pixels + static_cast<std::size_t>(picture.width) * picture.height * 3);
  stbi_image_free(pixels);
  return picture;
}

// The place of an output pixel among `size` input pixels: its two neighbours and the weight of the second.
struct Sample {
  int first, second;
  float weight;
};
Sample sampleAt(int index, int outputs, int size) {
  const float x = std::clamp((index + 0.5F) * size / outputs - 0.5F, 0.0F, static_cast<float>(size - 1));
  const int first = static_cast<int>(x);
  return {first, std::min(first + 1, size - 1), x - first};
}

// [1, 3, 240, 320], bilinear, (value - 127) / 128.
std::vector<float> toTensor(const Picture& picture) {
  std::vector<float> tensor(3 * kHeight * kWidth);
  for (int y = 0; y < kHeight; ++y) {
    const Sample v = sampleAt(y, kHeight, picture.height);
    for (int x = 0; x < kWidth; ++x) {
      const Sample h = sampleAt(x, kWidth, picture.width);
      for (int c = 0; c < 3; ++c) {
        const float above = std::lerp<float, float, float>(picture.at(h.first, v.first, c), picture.at(h.second, v.first, c), h.weight);
        const float below = std::lerp<float, float, float>(picture.at(h.first, v.second, c), picture.at(h.second, v.second, c), h.weight);
        tensor[(c * kHeight + y) * kWidth + x] = (std::lerp(above, below, v.weight) - 127) / 128;
      }
    }
  }
  return tensor;
}

float areaOf(const Face& face) { return std::max(0.0F, face.right - face.left) * std::max(0.0F, face.bottom - face.top); }

// Intersection over union.
float overlap(const Face& a, const Face& b) {
  const Face both{0, std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right), std::min(a.bottom, b.bottom)};
  return areaOf(both) / (areaOf(a) + areaOf(b) - areaOf(both));
}

// Non-maximum suppression: the best box first, without those that lie on a better one.
std::vector<Face> bestFaces(const std::vector<float>& scores, const std::vector<float>& boxes) {
  std::vector<Face> candidates, faces;
  for (std::size_t i = 0; i < scores.size() / 2; ++i) {
    const float* box = &boxes[4 * i];
    if (scores[2 * i + 1] > kMinScore) candidates.push_back({scores[2 * i + 1], box[0], box[1], box[2], box[3]});
  }
  std::ranges::sort(candidates, std::greater(), &Face::score);
  for (const Face& candidate : candidates) {
    if (std::ranges::none_of(faces, [&](const Face& face) { return overlap(face, candidate) > kMaxOverlap; })) faces.push_back(candidate);
  }
  return faces;
}

std::vector<Face> findFaces(const char* model, const Picture& picture, const std::string& backend) {
  webnn::Context context = webnn::Context::create({.backend = backend});
  webnn::Graph graph = webnn::load(context, model);
  webnn::Tensor input = context.createTensor({.shape = {1, 3, kHeight, kWidth}, .writable = true});
  std::vector<webnn::NamedTensor> outputs;
  for (const auto& [name, descriptor] : graph.outputs()) {
    outputs.emplace_back(name, context.createTensor({.shape = descriptor.shape, .readable = true}));
  }
  context.write(input, toTensor(picture));
  context.dispatch(graph, {{graph.inputs()[0].first, input}}, outputs);
  const bool scoresFirst = outputs[0].first == "scores";
  return bestFaces(context.read<float>(outputs[scoresFirst ? 0 : 1].second), context.read<float>(outputs[scoresFirst ? 1 : 0].second));
}

// Left, top, right, bottom in pixels, inside the picture.
std::array<int, 4> pixelsOf(const Face& face, const Picture& picture) {
  const auto place = [](float share, int size) { return std::clamp(static_cast<int>(std::lround(share * size)), 0, size - 1); };
  return {place(face.left, picture.width), place(face.top, picture.height), place(face.right, picture.width), place(face.bottom, picture.height)};
}

void draw(Picture& picture, const std::array<int, 4>& box) {
  const int thickness = std::max(1, picture.width / 250);
  const auto paint = [&](int x, int y) {
    if (x < 0 || y < 0 || x >= picture.width || y >= picture.height) return;
    picture.at(x, y, 0) = 40, picture.at(x, y, 1) = 255, picture.at(x, y, 2) = 90;
  };
  for (int t = 0; t < thickness; ++t) {
    for (int x = box[0]; x <= box[2]; ++x) paint(x, box[1] + t), paint(x, box[3] - t);
    for (int y = box[1]; y <= box[3]; ++y) paint(box[0] + t, y), paint(box[2] - t, y);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4 || argc > 5) {
    std::fprintf(stderr, "usage: faces MODEL.onnx PHOTO OUT.png [BACKEND]\n");
    return 2;
  }
  try {
    Picture picture = readPicture(argv[2]);
    for (const Face& face : findFaces(argv[1], picture, argc > 4 ? argv[4] : "")) {
      const std::array<int, 4> box = pixelsOf(face, picture);
      std::printf("%.3f %d %d %d %d\n", face.score, box[0], box[1], box[2], box[3]);
      draw(picture, box);
    }
    if (!stbi_write_png(argv[3], picture.width, picture.height, 3, picture.rgb.data(), picture.width * 3)) {
      throw std::runtime_error(std::string(argv[3]) + ": cannot be written");
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "faces: %s\n", error.what());
    return 1;
  }
}
