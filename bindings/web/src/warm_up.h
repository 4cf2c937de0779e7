// What takes time only once, done before it is asked for.
#pragma once

namespace webnn::web {

// Builds a small network of convolutions, runs it and forgets it: browsers compile functions when they are first called.
void warmUp();

}  // namespace webnn::web
