// Tests authentication by users and tokens, the status and the end of the service, signals and the log, the socket, and the
// configuration.
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <sys/resource.h>

#include <fstream>
#include <iterator>

#include "backends/service/connection.h"
#include "broker/broker_config.h"
#include "service/raw_client.h"
#include "support/support.h"

namespace webnn::service {
namespace WEBNN_TEST_FILE {

using namespace test;

constexpr uid_t kOther = 65533, kAnother = 65532;  // users who own no files here
#define NEED_ROOT() \
  if (!canBecome(kOther)) GTEST_SKIP() << "needs root, to become other users"

std::string tenant(const std::string& name, const std::string& members) {
  return "{\"name\": \"" + name + "\", " + members + "}";
}
std::string tenants(const std::string& all) { return "\"tenants\": [" + all + "]"; }
std::string uidOf(uid_t uid) { return "\"uid\": " + std::to_string(uid); }
std::string tokenOf(const std::string& hash) { return "\"token\": \"" + hash + "\""; }

void become(uid_t user) {
  if (::setgroups(0, nullptr) != 0 || ::setresgid(user, user, user) != 0 || ::setresuid(user, user, user) != 0) ::_exit(97);
}
// Returns the service's answer to a process of user `user`.
std::string answerToUser(uid_t user, const TestService& service, const Hello& hello) {
  return inChild([&] {
    become(user);
    return answerTo(dial(service.path()), hello);
  });
}
std::string answerTo(const TestService& service, const std::string& token, Wish wish = Wish::context) {
  return test::answerTo(dial(service.path()), helloWith(token, wish));
}
using test::answerTo;

// ---- Users ----

TEST(Authentication, ServesOnlyItsOwnUserByDefault) {
  TestService service("\"mode\": \"0666\"");
  EXPECT_EQ(answerTo(service, ""), "W");
  NEED_ROOT();
  EXPECT_EQ(answerToUser(kOther, service, helloWith("")), "Rthe service does not know user 65533 without a token.");
}

TEST(Authentication, ServesTheUsersOfItsListAndNoOthers) {
  NEED_ROOT();
  TestService service("\"mode\": \"0666\", " + tenants(tenant("other", uidOf(kOther))));
  EXPECT_EQ(answerToUser(kOther, service, helloWith("")), "W");
  EXPECT_EQ(answerToUser(kAnother, service, helloWith("")), "Rthe service does not know user 65532 without a token.");
  EXPECT_EQ(answerTo(service, ""), "Rthe service does not know user 0 without a token.");
  EXPECT_TRUE(service.waitForLog("\"tenant\":\"other\""));
}

TEST(Authentication, RefusesAUserWhoIsNotInItsList) {
  TestService service(tenants(tenant("other", uidOf(::geteuid() + 1))));
  EXPECT_EQ(answerTo(service, ""), "Rthe service does not know user " + std::to_string(::geteuid()) + " without a token.");
}

// In a user namespace that maps a single user, all other users have the same number, so the service must refuse them.
TEST(Authentication, RefusesUsersOutsideOfItsUserNamespaceWhateverItsListSays) {
  NEED_ROOT();
  TestService service("\"mode\": \"0666\", " + tenants(tenant("all", uidOf(65534)) + ", " + tenant("root", uidOf(0)) + ", " +
                                                       tenant("token", tokenOf(kHashA))),
                      [](const auto&) {
                        if (::unshare(CLONE_NEWUSER) != 0) ::_exit(96);
                        std::ofstream("/proc/self/setgroups") << "deny";
                        std::ofstream("/proc/self/gid_map") << "0 0 1";
                        std::ofstream("/proc/self/uid_map") << "0 0 1";
                      });
  if (!service.isListening() && service.wait() == 96) GTEST_SKIP() << "this system has no user namespaces";
  ASSERT_TRUE(service.isListening()) << service.log();
  EXPECT_EQ(answerToUser(kOther, service, helloWith("")), "Rthe service does not know user 65534 without a token.");
  EXPECT_EQ(answerToUser(kOther, service, helloWith(kTokenA)), "Rthe service does not know user 65534, or not this token.");
  EXPECT_EQ(answerToUser(kOther, service, helloWith("", Wish::status))[0], 'R');
  EXPECT_EQ(answerToUser(kOther, service, helloWith("", Wish::stop))[0], 'R');
  EXPECT_EQ(answerTo(service, "", Wish::status)[0], 'S');
}

// ---- Tokens ----

TEST(Authentication, TokensAreOfTheirTenants) {
  TestService service(tenants(tenant("a", tokenOf(kHashA)) + ", " + tenant("b", tokenOf(kHashB))));
  EXPECT_EQ(answerTo(service, kTokenA), "W");
  EXPECT_TRUE(service.waitForLog("\"event\":\"started\",\"tenant\":\"a\""));
  EXPECT_EQ(service.log().find("\"event\":\"started\",\"tenant\":\"b\""), std::string::npos);
  EXPECT_EQ(answerTo(service, kTokenB), "W");
  EXPECT_TRUE(service.waitForLog("\"event\":\"started\",\"tenant\":\"b\""));
}

TEST(Authentication, RefusesWrongTokens) {
  TestService service(tenants(tenant("a", tokenOf(kHashA))) + ", \"helloSeconds\": 1");
  const std::string unknown = "Rthe service does not know user " + std::to_string(::geteuid());
  EXPECT_EQ(answerTo(service, ""), unknown + " without a token.");
  std::string changed = kTokenA;
  changed[31] = 'e';
  // Sends all guesses at the same time, because each answer is delayed more than the previous one.
  std::vector<FileDescriptor> guesses;
  for (const std::string& token : {changed, "f" + kTokenA.substr(1), kTokenA.substr(0, 31), kTokenA.substr(0, 1),
                                   kTokenA.substr(1) + "0", kTokenB, kHashA.substr(7, 32), std::string(32, '0')}) {
    guesses.push_back(dial(service.path()));
    const Hello hello = helloWith(token);
    sendPacket(guesses.back().get(), std::as_bytes(std::span(&hello, 1)));
  }
  for (const FileDescriptor& guess : guesses) EXPECT_EQ(nextNotice(guess).substr(2), unknown.substr(1) + ", or not this token.");
  EXPECT_EQ(answerTo(service, kTokenA), "W");
}

TEST(Authentication, NeedsBothTheUserAndTheTokenWhereATenantHasBoth) {
  TestService service(tenants(tenant("mine", uidOf(::geteuid()) + ", " + tokenOf(kHashA)) + ", " +
                              tenant("other", uidOf(::geteuid() + 1) + ", " + tokenOf(kHashB))));
  EXPECT_EQ(answerTo(service, "")[0], 'R');
  EXPECT_EQ(answerTo(service, kTokenB)[0], 'R');
  EXPECT_EQ(answerTo(service, kTokenA), "W");
}

// A client that sends a token asks for the token's tenant. Using another tenant instead would hide the mistake.
TEST(Authentication, AWrongTokenIsNotReplacedByTheUser) {
  TestService service(tenants(tenant("user", uidOf(::geteuid())) + ", " + tenant("token", tokenOf(kHashA))));
  EXPECT_EQ(answerTo(service, kTokenB)[0], 'R');
  EXPECT_EQ(answerTo(service, kTokenA), "W");
  EXPECT_TRUE(service.waitForLog("\"event\":\"started\",\"tenant\":\"token\""));
  EXPECT_EQ(answerTo(service, ""), "W");
  EXPECT_TRUE(service.waitForLog("\"event\":\"started\",\"tenant\":\"user\""));
}

// Each failure is answered with a longer delay, and no other client waits for it.
TEST(Authentication, AnswersFailuresLaterAndLater) {
  TestService service(tenants(tenant("a", tokenOf(kHashA))));
  std::vector<FileDescriptor> guesses;
  const Hello wrong = helloWith(kTokenB);
  for (int i = 0; i < 6; ++i) {
    guesses.push_back(dial(service.path()));
    sendPacket(guesses.back().get(), std::as_bytes(std::span(&wrong, 1)));
  }
  EXPECT_EQ(nextNotice(guesses[0])[0], 'R');
  EXPECT_EQ(answerTo(service, kTokenA, Wish::status)[0], 'S');
  EXPECT_FALSE(isReadable(guesses[5].get(), 0));
  EXPECT_EQ(nextNotice(guesses[5])[0], 'R');
}

TEST(Authentication, ComparesAllOfATokensHash) {
  const std::string hash = hashOfToken(kTokenA);
  EXPECT_EQ("sha256:" + hash, kHashA);  // as computed by sha256sum(1)
  EXPECT_TRUE(equalInConstantTime(hash, std::string(hash)));
  for (std::size_t i = 0; i < hash.size(); ++i) {
    std::string other = hash;
    other[i] = static_cast<char>(other[i] ^ 1);
    EXPECT_FALSE(equalInConstantTime(hash, other)) << i;
  }
  EXPECT_FALSE(equalInConstantTime(hash, hash.substr(1)));
  EXPECT_FALSE(equalInConstantTime(hash, ""));
  EXPECT_TRUE(equalInConstantTime("", ""));
}

TEST(Authentication, MakesTokensOf128Bits) {
  const std::string token = makeToken();
  EXPECT_EQ(token.size(), 32U);
  EXPECT_EQ(token.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(token, makeToken());
}

TEST(Authentication, AClientTellsItsTokenToNobodyElsesService) {
  NEED_ROOT();
  TestService service("\"mode\": \"0666\", " + tenants(tenant("root", uidOf(0)) + ", " + tenant("a", tokenOf(kHashA))),
                      [](const std::filesystem::path& folder) {
                        if (::chown(folder.c_str(), kOther, kOther) != 0) ::_exit(97);
                        become(kOther);
                      });
  ASSERT_TRUE(service.isListening()) << service.log();
  const Address address{service.path(), kTokenA};
  expectError(ErrorKind::notSupportedError, {"is run by user 65533: it is not told the token."},
              [&] { static_cast<void>(askBroker(address, Wish::status)); });
  expectError(ErrorKind::notSupportedError, {"is run by user 65533: it is not told the token."},
              [&] { static_cast<void>(Context::create(service.options(kTokenA))); });
  // The token may be sent to a service of the client's own user, and to a service of the superuser.
  EXPECT_EQ(inChild([&] {
              become(kOther);
              return askBroker(address, Wish::status).substr(0, 1);
            }),
            "{");
}

TEST(Authentication, AClientRefusesTokensThatAreNone) {
  for (const char* const token : {"0", "000102030405060708090A0B0C0D0E0F", "000102030405060708090a0b0c0d0e0f0", "sha256"}) {
    const TestService service;
    expectTypeError({"the token of the service is not of 32 hexadecimal digits."}, [&] {
      static_cast<void>(askBroker({service.path(), token}, Wish::status));
    });
  }
}

std::string contentsOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Authentication, AnAddressHasNoZeros) {
  TestService service;
  for (const std::string& address : {"unix:" + service.path() + std::string("\0x", 2), std::string("unix:\0x", 7)})
    expectError(ErrorKind::typeError, {"the address of a service is"}, [&] { Context::create({.service = address}); });
}

TEST(Authentication, NoTokenIsInAProcessOrInTheLog) {
  TestService service(tenants(tenant("a", tokenOf(kHashA)) + ", " + tenant("b", tokenOf(kHashB))),
                      [](const auto&) { ::setenv("WEBNN_SERVICE_TOKEN", kTokenA.c_str(), 1); });
  const RawClient client(service.path(), kTokenA);
  ASSERT_EQ(client.welcome(), "W");
  EXPECT_EQ(answerTo(service, kTokenA.substr(1) + "f")[0], 'R');
  ASSERT_TRUE(service.waitForLog("\"event\":\"refused\""));
  const std::size_t place = service.log().find("\"worker\":") + 9;
  const std::string worker = std::to_string(std::stoi(service.log().substr(place)));
  const std::string arguments = contentsOf("/proc/" + worker + "/cmdline");
  EXPECT_NE(arguments.find("graphs="), std::string::npos);
  const std::string environment = contentsOf("/proc/" + worker + "/environ");  // only root can read it
  for (const std::string& secret : {kTokenA, kTokenB, kHashA.substr(7), kHashB.substr(7), kTokenA.substr(1)}) {
    EXPECT_EQ(arguments.find(secret), std::string::npos);
    EXPECT_EQ(environment.find(secret), std::string::npos);
    EXPECT_EQ(service.log().find(secret), std::string::npos);
  }
}

// ---- Status, and the end of the service ----

TEST(Authentication, TenantsSeeThemselvesAndStopNothing) {
  NEED_ROOT();
  TestService service("\"mode\": \"0666\", " + tenants(tenant("one", uidOf(kOther)) + ", " + tenant("two", uidOf(kAnother))));
  const std::string own = answerToUser(kOther, service, helloWith("", Wish::status));
  EXPECT_EQ(own, "S{\"tenants\":[{\"name\":\"one\",\"contexts\":0,\"memory\":0}]}");
  EXPECT_EQ(answerToUser(kOther, service, helloWith("", Wish::stop)), "Ronly who runs the service stops it.");
  EXPECT_EQ(answerToUser(kAnother - 1, service, helloWith("", Wish::status))[0], 'R');
  EXPECT_EQ(answerToUser(kAnother - 1, service, helloWith("", Wish::stop)),
            "Rthe service does not know user 65531 without a token.");
  // The user who runs the service may see its status even without being a tenant.
  const std::string all = answerTo(service, "", Wish::status);
  EXPECT_NE(all.find("\"one\""), std::string::npos);
  EXPECT_NE(all.find("\"two\""), std::string::npos);
  EXPECT_EQ(answerTo(service, "", Wish::stop), "S{}");
  EXPECT_EQ(service.wait(), 0);
}

TEST(Authentication, WhoRunsTheServiceStopsIt) {
  TestService service(tenants(tenant("other", uidOf(::geteuid() + 1))));
  EXPECT_NE(askBroker({service.path(), ""}, Wish::status).find("\"tenants\":[{\"name\":\"other\""), std::string::npos);
  EXPECT_EQ(askBroker({service.path(), ""}, Wish::stop), "{}");
  EXPECT_EQ(service.wait(), 0);
  EXPECT_FALSE(std::filesystem::exists(service.path()));
}

// ---- Signals and the log ----

mode_t modeOf(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

// nohup(1) and shells (for background programs) start programs that ignore signals. The service must go on ignoring them.
TEST(ServiceProcess, IgnoresSignalsThatItsStarterIgnores) {
  for (const int signal : {SIGHUP, SIGINT}) {
    TestService service("", [&](const auto&) { ::signal(signal, SIG_IGN); });
    ::kill(service.process(), signal);
    EXPECT_EQ(answerTo(service, ""), "W") << signal;
    EXPECT_EQ(service.kill(SIGTERM), 0);
  }
  for (const int signal : {SIGHUP, SIGINT, SIGTERM}) {
    TestService service;
    EXPECT_EQ(service.kill(signal), 0);
    EXPECT_FALSE(std::filesystem::exists(service.path()));
  }
}

TEST(ServiceProcess, GoesOnWithoutAReaderOfItsLog) {
  TestService service;
  service.closeLog();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(answerTo(service, ""), "W");
  EXPECT_EQ(service.kill(SIGTERM), 0);
}

TEST(ServiceProcess, GoesOnWhenItsLogMayNotGrow) {
  TestService service("", [](const auto& folder) {
    ::dup2(FileDescriptor(::open((folder / "log").c_str(), O_WRONLY | O_CREAT, 0600)).get(), 3);
    const rlimit limit{64 << 10, 64 << 10};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::vector<char> full(64 << 10, '\n');
    static_cast<void>(::write(2, "\"listening\"\n", 12) + ::write(3, full.data(), full.size()));
    ::dup2(3, 2);
  });
  // The socket exists for a moment before the service listens on it.
  EXPECT_TRUE(becomesTrue([&] {
    try {
      RawClient{service.path()};
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(answerTo(service, ""), "W");
  EXPECT_EQ(service.kill(SIGTERM), 0);
}

TEST(ServiceProcess, KnowsHowWorkersEndThoughItsStarterIgnoresChildren) {
  TestService service("", [](const auto&) { ::signal(SIGCHLD, SIG_IGN); });
  const RawClient client(service.path());
  ASSERT_EQ(client.welcome(), "W");
  const std::vector<pid_t> workers = childrenOf(service.process());
  ASSERT_EQ(workers.size(), 1U);
  ::kill(workers[0], SIGKILL);
  EXPECT_TRUE(service.waitForLog("worker was killed by signal 9 (SIGKILL)")) << service.log();
}

// ---- The socket ----

TEST(ServiceSocket, HasItsMode) {
  const TestService byDefault;
  EXPECT_EQ(modeOf(byDefault.path()), 0600U);
  for (const auto& [text, mode] : {std::pair{"0666", 0666U}, {"0660", 0660U}, {"0600", 0600U}}) {
    const TestService service("\"mode\": \"" + std::string(text) + "\"", [](const auto&) { ::umask(0077); });
    EXPECT_EQ(modeOf(service.path()), mode);
  }
  NEED_ROOT();
  EXPECT_EQ(inChild([&] {
              become(kOther);
              return answerTo(byDefault, "");
            }),
            "error: there is no service at " + byDefault.path());
}

TEST(ServiceSocket, OfAServiceThatWasKilledIsReplaced) {
  TestService service;
  service.kill(SIGKILL);
  ASSERT_TRUE(std::filesystem::is_socket(service.path()));
  service.start("");
  ASSERT_TRUE(service.isListening()) << service.log();
  EXPECT_EQ(answerTo(service, ""), "W");
}

TEST(ServiceSocket, OfALivingServiceIsNotTaken) {
  TestService service;
  TestService thief("\"log\": \"/dev/null\"", [&](const auto&) {
    const std::string config = "{\"socket\": \"" + service.path() + "\"}";
    ::execl(WEBNN_ISOLATED_PROGRAM, WEBNN_ISOLATED_PROGRAM, "serve", config.c_str(), WEBNN_SERVICE_PROGRAM, nullptr);
  });
  EXPECT_FALSE(thief.isListening());
  EXPECT_NE(thief.log().find("a service runs there already"), std::string::npos) << thief.log();
  EXPECT_EQ(answerTo(service, ""), "W");
}

// Starts a service after `arrange` has put something at the socket's path. Expects that the service reports the error `said`.
void expectNotStarted(const std::string& said, const std::function<void(const std::filesystem::path& socket)>& arrange) {
  TestService service("", [&](const std::filesystem::path& folder) { arrange(folder / "service.socket"); });
  EXPECT_FALSE(service.isListening());
  EXPECT_NE(service.log().find(said), std::string::npos) << service.log();
}

TEST(ServiceSocket, OfAnotherProgramIsNotTaken) {
  for (const int type : {SOCK_SEQPACKET, SOCK_STREAM, SOCK_DGRAM}) {
    expectNotStarted("another program listens at ", [&](const std::filesystem::path& path) {
      const int socket = ::socket(AF_UNIX, type, 0);  // the descriptor is not closed, so that the socket remains in use
      sockaddr_un name{};
      name.sun_family = AF_UNIX;
      path.string().copy(name.sun_path, sizeof name.sun_path - 1);
      if (::bind(socket, reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0) ::_exit(97);
      if (type != SOCK_DGRAM && ::listen(socket, 1) != 0) ::_exit(97);
    });
  }
}

TEST(ServiceSocket, IsNotPutInPlaceOfAnythingElse) {
  expectNotStarted("is there and no socket", [](const auto& path) { std::ofstream(path) << "precious"; });
  expectNotStarted("is there and no socket", [](const auto& path) { std::filesystem::create_directory(path); });
  expectNotStarted("is there and no socket", [](const auto& path) { std::filesystem::create_symlink("/dev/null", path); });
  expectNotStarted("is there and no socket", [](const auto& path) { std::filesystem::create_symlink("nothing", path); });
}

TEST(ServiceSocket, LeavesNoLockBesideAFileThatIsNoSocket) {
  const TestService service("",
                            [](const std::filesystem::path& folder) { std::ofstream(folder / "service.socket") << "precious"; });
  EXPECT_FALSE(service.isListening());
  EXPECT_FALSE(std::filesystem::exists(std::filesystem::path(service.path()) += ".lock"));
}

TEST(ServiceSocket, NeedsALockOfItsOwn) {
  const auto lockOf = [](const std::filesystem::path& path) { return path.string() + ".lock"; };
  expectNotStarted("cannot be made", [&](const auto& path) { std::filesystem::create_symlink("/dev/null", lockOf(path)); });
  expectNotStarted("cannot be made", [&](const auto& path) { std::filesystem::create_directory(lockOf(path)); });
  expectNotStarted("is no file of user", [&](const auto& path) { ::mkfifo(lockOf(path).c_str(), 0600); });
  NEED_ROOT();
  expectNotStarted("is no file of user 0", [&](const auto& path) {
    std::ofstream(lockOf(path)) << "";
    if (::chown(lockOf(path).c_str(), kOther, kOther) != 0) ::_exit(97);
  });
}

TEST(ServiceSocket, IsNotWhereEverybodyCanReplaceIt) {
  expectNotStarted("everybody can replace files in ", [](const auto& path) { ::chmod(path.parent_path().c_str(), 0777); });
  TestService sticky("", [](const auto& folder) { ::chmod(folder.c_str(), 01777); });
  EXPECT_TRUE(sticky.isListening()) << sticky.log();
}

TEST(ServiceSocket, OfOthersIsLeftAtTheEnd) {
  TestService service;
  std::filesystem::rename(service.path(), service.path() + ".old");
  std::ofstream(service.path()) << "of others";
  EXPECT_EQ(service.kill(SIGTERM), 0);
  EXPECT_TRUE(std::filesystem::is_regular_file(service.path()));
}

TEST(ServiceSocket, ItsLogFollowsNoLink) {
  TemporaryFolder folder;
  const std::string log = (folder / "log").string();
  std::filesystem::create_symlink((folder / "target").string(), log);
  TestService service("\"log\": \"" + log + "\"");
  EXPECT_FALSE(service.isListening());
  EXPECT_NE(service.log().find("cannot be opened"), std::string::npos) << service.log();
  EXPECT_FALSE(std::filesystem::exists(folder / "target"));
}

TEST(ServiceSocket, ItsLogIsNoPipeWithoutAReader) {
  TemporaryFolder folder;
  const std::string log = (folder / "log").string();
  ASSERT_EQ(::mkfifo(log.c_str(), 0600), 0);
  TestService service("\"log\": \"" + log + "\"");
  EXPECT_FALSE(service.isListening());
  EXPECT_NE(service.log().find("cannot be opened"), std::string::npos) << service.log();
}

// ---- The configuration ----

TEST(ServiceConfiguration, NamesTheInvalidSetting) {
  const std::string name = "{\"name\": \"a\", ";
  const std::pair<std::string, std::string> wrong[] = {
      {"{\"conections\": 3}", "configuration.conections: there is no such setting."},
      {"{\"limits\": {\"grahps\": 3}}", "configuration.limits.grahps: there is no such setting."},
      {"{\"limits\": {\"graphs\": -1}}", "configuration.limits.graphs: -1 is not an integer"},
      {"{\"limits\": {\"graphs\": 0}}", "configuration.limits.graphs: it is not between 1 and"},
      {"{\"limits\": {\"threads\": 4294967296}}", "configuration.limits.threads: it is not between 1 and 4294967295"},
      {"{\"limits\": {\"memory\": 1.5}}", "configuration.limits.memory: 1.5 is not an integer"},
      {"{\"limits\": {\"buildSeconds\": 1e10}}",
       "configuration.limits.buildSeconds: it is not 0 or between 0.001 and 1000000000"},
      {"{\"limits\": {\"buildSeconds\": -1}}", "configuration.limits.buildSeconds: it is not 0 or between 0.001 and 1000000000"},
      {"{\"limits\": {\"idleSeconds\": \"1\"}}", "configuration.limits.idleSeconds: it is not 0 or between"},
      {"{\"helloSeconds\": 0}", "configuration: helloSeconds is 0"},
      {"{\"connections\": 0}", "configuration.connections: it is not between 1 and"},
      {"{\"mode\": \"666\"}", "configuration.mode: it is not a mode like \"0600\"."},
      {"{\"mode\": \"0800\"}", "configuration.mode: it is not a mode like \"0600\"."},
      {"{\"sandbox\": \"none\"}", "configuration.sandbox: it is neither \"full\" nor \"best\"."},
      {"{\"tenants\": [{\"name\": \"a\"}]}", "configuration.tenants[0]: a tenant needs a uid or a token."},
      {"{\"tenants\": [" + name + "\"token\": \"" + kTokenA + "\"}]}", "configuration.tenants[0].token: it is not \"sha256:\""},
      {"{\"tenants\": [" + name + "\"token\": \"sha256:00\"}]}", "configuration.tenants[0].token: it is not \"sha256:\""},
      {"{\"tenants\": [" + name + "\"uid\": -1}]}", "configuration.tenants[0].uid: -1 is not an integer"},
      {"{\"tenants\": [" + name + "\"uid\": 4294967295}]}", "configuration.tenants[0].uid: it is no user's."},
      {"{\"tenants\": [" + name + "\"uid\": 1, \"user\": 4294967295}]}", "configuration.tenants[0].user: it is no user's."},
      {"{\"socket\": \"\\u0000a\"}", "configuration.socket: it is no path."},
      {"{\"log\": \"a\\u0000b\"}", "configuration.log: it is no path."},
      {"{\"tenants\": [{\"name\": \"\", \"uid\": 1}]}", "configuration.tenants[0].name: it is empty."},
      {"{\"tenants\": [" + name + "\"uid\": 1}, " + name + "\"uid\": 2}]}",
       "configuration.tenants[1].name: another tenant has this name."},
      {"{\"tenants\": [" + name + "\"uid\": 1}, {\"name\": \"b\", \"uid\": 1}]}",
       "configuration.tenants[1]: tenant \"a\" has the same uid and token: nobody would be this one."},
      {"{\"backends\": {\"cpuu\": {}}}", "configuration.backends.cpuu: there is no such backend"},
      {"{\"backends\": {\"cpu\": {\"nonsense\": \"x\"}}}", "configuration.backends.cpu.nonsense: there is no such setting."},
      {"{\"backends\": {\"cpu\": {\"library\": \"x\"}}}", "configuration.backends.cpu.library: there is no such setting."},
      {"{\"backends\": {\"reference\": {\"pin\": \"x\"}}}", "configuration.backends.reference.pin: there is no such setting."},
      {"{\"backends\": {}}", "configuration.backends: it is empty: nobody could compute."},
  };
  for (const auto& [config, said] : wrong) expectError(ErrorKind::dataError, {said}, [&, text = config] { readConfig(text); });
}

TEST(ServiceConfiguration, OfATenantIsThatOfAllWithItsOwnChanges) {
  const BrokerConfig config = readConfig(
      "{\"limits\": {\"graphs\": 5, \"contexts\": 2}, \"tenants\": [{\"name\": \"a\", \"uid\": 7}, "
      "{\"name\": \"b\", \"uid\": 8, \"limits\": {\"graphs\": 6}}]}");
  ASSERT_EQ(config.tenants.size(), 2U);
  EXPECT_EQ(config.tenants[0].limits.worker.graphs, 5U);
  EXPECT_EQ(config.tenants[1].limits.worker.graphs, 6U);
  EXPECT_EQ(config.tenants[1].limits.contexts, 2U);
  EXPECT_EQ(config.tenants[1].limits.worker.memories, 16384U);
}

}  // namespace WEBNN_TEST_FILE
}  // namespace webnn::service
