// The command line tool.
#include "cli/command.h"

int main(int argc, char** argv) { return webnn::cli::runTool(argc, argv); }
