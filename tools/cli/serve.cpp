// webnn serve runs the service; webnn service queries and stops it, and makes tokens.
#include <unistd.h>

#include <cstdlib>
#include <memory>

#include "backends/service/connection.h"
#include "backends/service/private_service.h"
#include "base/text.h"
#include "broker/broker.h"
#include "cli/command.h"
#include "formats/document/json_parse.h"

namespace webnn::cli {

namespace {

// Returns the default socket: in the user's runtime directory, or in /run for root. Throws Misuse if there is neither.
std::filesystem::path defaultSocket() {
  if (const char* const folder = std::getenv("XDG_RUNTIME_DIR"); folder && *folder)
    return std::filesystem::path(folder) / "webnn.socket";
  if (::geteuid() == 0) return "/run/webnn.socket";
  throw Misuse("XDG_RUNTIME_DIR is not set: say where the socket is, by --socket or in the configuration");
}

struct ServeOptions {
  std::filesystem::path config, socket;
};

int serve(const ServeOptions& options) {
  service::BrokerConfig config = options.config.empty()
                                     ? service::readConfig("{}")
                                     : readingFrom(options.config, [&] { return service::readConfig(readText(options.config)); });
  if (!options.socket.empty()) config.socket = options.socket;
  if (config.socket.empty() && !std::getenv("LISTEN_FDS")) config.socket = defaultSocket();  // LISTEN_FDS: socket from systemd
  service::runBroker(config, service::findServiceProgram());
  return kFine;
}

struct ServiceOptions {
  std::string address;
  bool json = false;
};

std::string ask(const ServiceOptions& options, service::Wish wish) {
  const char* const token = std::getenv("WEBNN_SERVICE_TOKEN");
  const std::string address = options.address.empty() ? "unix:" + defaultSocket().string() : options.address;
  return service::askBroker(service::addressOf(address, token ? token : ""), wish);
}

int status(const ServiceOptions& options) {
  const std::string text = ask(options, service::Wish::status);
  if (options.json) {
    print(text + "\n");
    return kFine;
  }
  const Json status = formats::parseJson(text);
  const auto number = [](const Json& object, std::string_view key) {
    const Json* const found = object.find(key);
    return found && found->isUnsigned() ? found->asUnsigned() : 0;
  };
  print(formatText("process {}, for {} s: {} connections, {} workers started, {} lost, {} clients refused\n",
                   number(status, "pid"), number(status, "seconds"), number(status, "connections"), number(status, "started"),
                   number(status, "lost"), number(status, "refused")));
  if (const Json* const tenants = status.find("tenants"); tenants && tenants->isArray()) {
    for (const Json& tenant : tenants->items()) {
      const Json* const name = tenant.find("name");
      print(formatText("{}: {} contexts, {}\n", sanitized(name && name->isText() ? name->asText() : ""),
                       number(tenant, "contexts"), byteText(number(tenant, "memory"))));
    }
  }
  return kFine;
}

int token() {
  const std::string token = service::makeToken();
  print(formatText("token   {}\n", token));
  print(formatText("config  \"token\": \"sha256:{}\"\n", service::hashOfToken(token)));
  return kFine;
}

void addAddress(const Command& command, ServiceOptions& options) {
  command.option("--address", options.address, "Address of the service, unix:PATH; by default, the service of this user")
      .type("ADDRESS")
      .example("unix:/tmp/webnn.socket");
}

}  // namespace

void addServe(const Command& app, int& status) {
  const Command command = app.subcommand("serve", "Run graphs for other programs, each in a separate process");
  const auto options = std::make_shared<ServeOptions>();
  command.option("--config", options->config, "JSON file with the admitted clients and their limits: see docs/guides/service.md")
      .type("FILE")
      .example("service.json");
  command.option("--socket", options->socket, "Socket of the service, instead of the configuration's")
      .type("PATH")
      .example("/tmp/webnn.socket");
  command.footer(
      "Ctrl-C, SIGTERM or `webnn service stop` ends the service. Without --config, it admits programs of the same user.\n"
      "Examples:\n"
      "  webnn serve --socket /tmp/webnn.socket\n"
      "  webnn run model.onnx --service=unix:/tmp/webnn.socket\n"
      "  webnn serve --config service.json");
  command.action([options, &status] { status = serve(*options); });
}

void addService(const Command& app, int& status) {
  const Command command = app.subcommand("service", "Query or stop a running service");
  const auto options = std::make_shared<ServiceOptions>();
  command.footer(
      "Examples:\n"
      "  webnn service status --address unix:/tmp/webnn.socket\n"
      "  webnn service token");
  const Command ofStatus = command.subcommand("status", "Print the service's connections, workers, and each tenant's memory");
  addAddress(ofStatus, *options);
  ofStatus.flag("--json", options->json, "Machine-readable result");
  ofStatus.footer("Examples:\n  webnn service status --address unix:/tmp/webnn.socket --json");
  ofStatus.action([options, &status] { status = cli::status(*options); });
  const Command stop = command.subcommand("stop", "Stop the service: its clients lose their contexts");
  addAddress(stop, *options);
  stop.footer("Examples:\n  webnn service stop --address unix:/tmp/webnn.socket");
  stop.action([options, &status] {
    ask(*options, service::Wish::stop);
    status = kFine;
  });
  const Command ofToken = command.subcommand("token", "Make a token, and what its tenant's entry in the configuration needs");
  ofToken.footer("The token is for the client (WEBNN_SERVICE_TOKEN), the other line for the service's configuration.");
  ofToken.action([&status] { status = token(); });
}

}  // namespace webnn::cli
