// Ranks by c10d. The only file that knows it: its interface differs between versions of LibTorch.

#include "harness/train/ranks/ranks.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <fmt/core.h>
#include <netdb.h>
#include <netinet/in.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>
#include <utility>

#include "harness/base/error.h"
#include "harness/base/sha256.h"

#ifdef ABLATE_GLOO
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#endif

namespace ablate::train {

#ifdef ABLATE_GLOO

namespace {

constexpr auto kPause = std::chrono::milliseconds(20);  // between two looks for a late rank

std::chrono::milliseconds milliseconds_of(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

/// Does `work` with the other ranks, whose loss c10d tells by exceptions of many types.
template <class Work>
auto with_others(std::string_view what, const Work& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    const std::string_view reason = error.what();
    throw RankLost(
        fmt::format("{}: another rank is lost: {}", what, reason.substr(0, reason.find('\n'))));
  }
}

/// Whether the name of this machine stands for an address that only itself can reach, as on a Debian whose
/// /etc/hosts has "127.0.1.1 NAME".
bool has_loopback_name() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  addrinfo hints{}, *found = nullptr;
  hints.ai_family = AF_INET;
  if (::getaddrinfo(name, nullptr, &hints, &found) != 0) return true;
  const auto* const address = reinterpret_cast<const sockaddr_in*>(found->ai_addr);
  const bool loopback = (ntohl(address->sin_addr.s_addr) >> 24) == 127;
  ::freeaddrinfo(found);
  return loopback;
}

/// Where this rank listens.
std::shared_ptr<gloo::transport::Device> network_device(bool on_one_machine) {
  using c10d::ProcessGroupGloo;
  if (on_one_machine) return ProcessGroupGloo::createDeviceForHostname("127.0.0.1");
  if (const char* interface = std::getenv("GLOO_SOCKET_IFNAME"); interface != nullptr)
    return ProcessGroupGloo::createDeviceForInterface(interface);
  if (has_loopback_name())
    reject(
        "ranks on several machines: the name of this machine stands for a loopback address, which "
        "the "
        "others cannot reach; name a network interface in GLOO_SOCKET_IFNAME (`ip -br address` "
        "shows "
        "them)");
  return ProcessGroupGloo::createDefaultDevice();
}

}  // namespace

struct Ranks::Group {
  c10::intrusive_ptr<c10d::FileStore> store;
  std::unique_ptr<c10d::ProcessGroupGloo> gloo;
};

Ranks::Ranks(std::int64_t rank, std::int64_t size, const Meeting& meeting)
    : rank_(rank), size_(size), group_(std::make_unique<Group>()) {
  const auto patience = milliseconds_of(meeting.patience_seconds);
  const auto until = std::chrono::steady_clock::now() + patience;
  std::vector<std::string> all;
  for (std::int64_t other = 0; other < size; ++other) all.push_back(fmt::format("here{}", other));
  const auto in_store = [](const auto& work) {
    return with_others("the ranks did not meet", work);
  };
  in_store([&] {
    group_->store =
        c10::make_intrusive<c10d::FileStore>(meeting.file.string(), static_cast<int>(size));
    group_->store->setTimeout(patience);
    group_->store->set(all[static_cast<std::size_t>(rank)], std::vector<std::uint8_t>{1});
  });
  // Gloo would wait for a rank that has ended before it came, and not listen to the caller.
  while (!in_store([&] { return group_->store->check(all); })) {
    if (leads() && meeting.waiting) meeting.waiting();
    if (std::chrono::steady_clock::now() > until)
      throw RankLost(
          fmt::format("the ranks did not meet in {:g} seconds", meeting.patience_seconds));
    std::this_thread::sleep_for(kPause);
  }
  const auto options = c10d::ProcessGroupGloo::Options::create(patience);
  options->threads = 2;
  options->devices.push_back(network_device(meeting.on_one_machine));
  in_store([&] {
    group_->gloo = std::make_unique<c10d::ProcessGroupGloo>(group_->store, static_cast<int>(rank),
                                                            static_cast<int>(size), options);
  });
  sum({at::zeros({1})});  // all are connected once this is over
  std::error_code ignored;
  if (leads()) std::filesystem::remove(meeting.file, ignored);
}

Ranks::~Ranks() = default;

void Ranks::sum(const std::vector<at::Tensor>& tensors) {
  std::vector<std::vector<at::Tensor>> on_host;
  on_host.reserve(tensors.size());
  for (const at::Tensor& tensor : tensors) on_host.push_back({tensor.cpu()});
  with_others("a sum over the ranks", [&] {
    std::vector<decltype(group_->gloo->allreduce(on_host[0]))> works;
    for (std::vector<at::Tensor>& tensor : on_host)
      works.push_back(group_->gloo->allreduce(tensor));
    std::exception_ptr failure;  // none is left while Gloo still writes to its tensor
    for (const auto& work : works) try {
        work->wait();
      } catch (...) {
        failure = std::current_exception();
      }
    if (failure) std::rethrow_exception(failure);
  });
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (!tensors[i].is_same(on_host[i][0])) tensors[i].copy_(on_host[i][0]);
}

void Ranks::share(const at::Tensor& tensor) {
  std::vector<at::Tensor> on_host = {tensor.cpu()};
  with_others("what the first rank shares", [&] { group_->gloo->broadcast(on_host)->wait(); });
  if (!tensor.is_same(on_host[0])) tensor.copy_(on_host[0]);
}

std::string ranks_refusal() { return {}; }

#else

struct Ranks::Group {};

Ranks::Ranks(std::int64_t rank, std::int64_t size, const Meeting&) : rank_(rank), size_(size) {
  reject("{}", ranks_refusal());
}

Ranks::~Ranks() = default;
void Ranks::sum(const std::vector<at::Tensor>&) {}
void Ranks::share(const at::Tensor&) {}

std::string ranks_refusal() {
  return "this build cannot train one trial by several processes: it was made without Gloo's "
         "headers "
         "(Debian: libgloo-dev)";
}

#endif

double Ranks::shared_number(double number) {
  const at::Tensor one = at::empty({1}, at::kDouble);
  *one.data_ptr<double>() = number;
  share(one);
  return *one.data_ptr<double>();
}

std::string Ranks::shared_text(std::string text) {
  text.resize(static_cast<std::size_t>(shared_number(static_cast<double>(text.size()))));
  if (text.empty()) return text;
  const at::Tensor bytes = at::empty({std::ssize(text)}, at::kByte);
  std::memcpy(bytes.data_ptr(), text.data(), text.size());
  share(bytes);
  std::memcpy(text.data(), bytes.data_ptr(), text.size());
  return text;
}

void Ranks::check_alike(const at::Tensor& tensor) {
  const at::Tensor on_host = tensor.cpu();
  const std::string own = sha256({static_cast<const char*>(on_host.data_ptr()), on_host.nbytes()});
  const at::Tensor unlike = at::zeros({1});
  if (shared_text(own) != own) unlike.fill_(1);
  sum({unlike});  // all are told
  if (unlike.item<float>() > 0)
    throw std::logic_error(fmt::format(
        "{} of {} ranks have other weights than the first: these machines do not compute "
        "alike; train on machines of one kind",
        unlike.item<float>(), size_));
}

}  // namespace ablate::train
