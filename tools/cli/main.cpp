#include "base/terminal.h"
#include "cli/command.h"

int main(int argc, char** argv) {
  webnn::prepareStandardFiles();
  return webnn::cli::runTool(argc, argv);
}
