// Finds faces in a photo with the ONNX model Ultra-Light-Fast-Generic-Face-Detector-1MB and draws a box around each.
// usage: faces MODEL.onnx PHOTO OUT.png [BACKEND]
// Prints a line per face: score, left, top, right, bottom in pixels. The model reads 320 x 240 pixels, so small faces would
// vanish in a large photo. Therefore the model reads the whole photo and then overlapping tiles of it.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>
#include <webnn/webnn.hpp>

#define STB_IMAGE_IMPLEMENTATION
#include <stb/stb_image.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>

namespace {

constexpr int kWidth = 320, kHeight = 240;  // the model's input size
constexpr float kMinScore = 0.7F, kMaxOverlap = 0.3F;
constexpr int kTileWidth = 480, kTileHeight = 360, kMargin = 2;

struct Picture {
  int width = 0, height = 0;
  std::vector<unsigned char> rgb;  // [height, width, 3]

  unsigned char& at(int x, int y, int channel) { return rgb[(static_cast<std::size_t>(y) * width + x) * 3 + channel]; }
  unsigned char at(int x, int y, int channel) const { return const_cast<Picture&>(*this).at(x, y, channel); }
};

struct Region {
  int left, top, width, height;
};

struct Face {
  float score, left, top, right, bottom;  // score from 0 to 1; edges in pixels
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

// Where to sample for an output pixel in bilinear resizing: two neighbouring input pixels and the weight of the second.
struct Sample {
  int first, second;
  float weight;
};
Sample sampleAt(int index, int outputs, int size) {
  const float x = std::clamp((index + 0.5F) * size / outputs - 0.5F, 0.0F, static_cast<float>(size - 1));
  const int first = static_cast<int>(x);
  return {first, std::min(first + 1, size - 1), x - first};
}

// Returns the region as the model's input: [1, 3, 240, 320], resized bilinearly, (value - 127) / 128.
std::vector<float> toTensor(const Picture& picture, const Region& region) {
  std::vector<float> tensor(3 * kHeight * kWidth);
  for (int y = 0; y < kHeight; ++y) {
    const Sample v = sampleAt(y, kHeight, region.height);
    for (int x = 0; x < kWidth; ++x) {
      const Sample h = sampleAt(x, kWidth, region.width);
      for (int c = 0; c < 3; ++c) {
        const auto pixel = [&](int column, int row) {
          return static_cast<float>(picture.at(region.left + column, region.top + row, c));
        };
        const float above = std::lerp(pixel(h.first, v.first), pixel(h.second, v.first), h.weight);
        const float below = std::lerp(pixel(h.first, v.second), pixel(h.second, v.second), h.weight);
        tensor[(c * kHeight + y) * kWidth + x] = (std::lerp(above, below, v.weight) - 127) / 128;
      }
    }
  }
  return tensor;
}

// Returns the start positions of the fewest tiles that cover `size` pixels and overlap by at least a quarter.
std::vector<int> tileStarts(int size, int tile) {
  if (size <= tile) return {0};
  const int count = static_cast<int>(std::ceil((size - tile) / (tile * 0.75))) + 1;
  std::vector<int> starts;
  for (int i = 0; i < count; ++i) starts.push_back(static_cast<int>(std::lround(i * (size - tile) / (count - 1.0))));
  return starts;
}

// Returns the whole picture and, if it is larger than a tile, its tiles.
std::vector<Region> regionsOf(const Picture& picture) {
  std::vector<Region> regions{{0, 0, picture.width, picture.height}};
  if (picture.width <= kTileWidth && picture.height <= kTileHeight) return regions;
  for (int left : tileStarts(picture.width, kTileWidth)) {
    for (int top : tileStarts(picture.height, kTileHeight)) {
      regions.push_back({left, top, std::min(kTileWidth, picture.width), std::min(kTileHeight, picture.height)});
    }
  }
  return regions;
}

// Returns whether the face touches an inner edge of the tile, so that the tile may show only a part of it. The whole picture or
// a neighbouring tile shows all of the face.
bool isCut(const Face& face, const Region& region, const Picture& picture) {
  const int right = region.left + region.width, bottom = region.top + region.height;
  return (region.left > 0 && face.left < region.left + kMargin) || (region.top > 0 && face.top < region.top + kMargin) ||
         (right < picture.width && face.right > right - kMargin) || (bottom < picture.height && face.bottom > bottom - kMargin);
}

float areaOf(const Face& face) { return std::max(0.0F, face.right - face.left) * std::max(0.0F, face.bottom - face.top); }

// Returns the intersection over union of two boxes, from 0 to 1.
float overlap(const Face& a, const Face& b) {
  const Face both{0, std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right), std::min(a.bottom, b.bottom)};
  return areaOf(both) / (areaOf(a) + areaOf(b) - areaOf(both));
}

// Non-maximum suppression: keeps the best box, drops boxes that overlap it, and repeats this with the rest.
std::vector<Face> bestOf(std::vector<Face> candidates) {
  std::vector<Face> faces;
  std::ranges::stable_sort(candidates, std::greater(), &Face::score);
  for (const Face& candidate : candidates) {
    if (std::ranges::none_of(faces, [&](const Face& face) { return overlap(face, candidate) > kMaxOverlap; }))
      faces.push_back(candidate);
  }
  return faces;
}

// Runs the model on regions of a picture.
class Detector {
 public:
  Detector(const char* model, const std::string& backend)
      : context_(webnn::Context::create({.backend = backend})),
        graph_(webnn::load(context_, model)),
        input_(context_.createTensor({.shape = {1, 3, kHeight, kWidth}, .writable = true})),
        scores_(context_.createTensor({.shape = {1, 4420, 2}, .readable = true})),
        boxes_(context_.createTensor({.shape = {1, 4420, 4}, .readable = true})) {}

  // Runs the model on one region and appends the detected faces to `faces`, in pixels of the picture.
  void detect(const Picture& picture, const Region& region, std::vector<Face>& faces) {
    context_.write(input_, toTensor(picture, region));
    context_.dispatch(graph_, {{"input", input_}}, {{"scores", scores_}, {"boxes", boxes_}});
    const std::vector<float> scores = context_.read<float>(scores_), boxes = context_.read<float>(boxes_);
    for (std::size_t i = 0; i < scores.size() / 2; ++i) {
      const float score = scores[2 * i + 1], *box = &boxes[4 * i];  // box: fractions of the region's width and height
      if (score <= kMinScore) continue;
      const float left = region.left, top = region.top, width = region.width, height = region.height;
      const Face face{score, left + box[0] * width, top + box[1] * height, left + box[2] * width, top + box[3] * height};
      if (!isCut(face, region, picture)) faces.push_back(face);
    }
  }

 private:
  webnn::Context context_;
  webnn::Graph graph_;
  webnn::Tensor input_, scores_, boxes_;
};

std::vector<Face> findFaces(const char* model, const Picture& picture, const std::string& backend) {
  Detector detector(model, backend);
  std::vector<Face> candidates;
  for (const Region& region : regionsOf(picture)) detector.detect(picture, region, candidates);
  return bestOf(std::move(candidates));
}

// Returns left, top, right and bottom as whole pixels inside the picture.
std::array<int, 4> pixelsOf(const Face& face, const Picture& picture) {
  const auto inside = [](float place, int size) { return std::clamp(static_cast<int>(std::lround(place)), 0, size - 1); };
  return {inside(face.left, picture.width), inside(face.top, picture.height), inside(face.right, picture.width),
          inside(face.bottom, picture.height)};
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
