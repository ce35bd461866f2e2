// Ranks by c10d. The only file that knows it: its interface differs between versions of LibTorch.

#include "harness/train/ranks/ranks.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <fmt/core.h>

#include <chrono>
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
void with_others(std::string_view what, const Work& work) {
  try {
    work();
  } catch (const RankLost&) {
    throw;
  } catch (const std::exception& error) {
    const std::string_view reason = error.what();
    throw RankLost(
        fmt::format("{}: another rank is lost: {}", what, reason.substr(0, reason.find('\n'))));
  }
}

}  // namespace

struct Ranks::Group {
  c10::intrusive_ptr<c10d::FileStore> store;
  std::unique_ptr<c10d::ProcessGroupGloo> gloo;
};

Ranks::Ranks(std::int64_t rank, std::int64_t size, const Meeting& meeting)
    : rank_(rank), size_(size), group_(std::make_unique<Group>()) {
  with_others("the ranks did not meet", [&] {
    const auto patience = milliseconds_of(meeting.patience_seconds);
    const auto until = std::chrono::steady_clock::now() + patience;
    group_->store =
        c10::make_intrusive<c10d::FileStore>(meeting.file.string(), static_cast<int>(size));
    group_->store->setTimeout(patience);
    // Gloo would wait for a rank that has ended before it came, and not listen to the caller.
    std::vector<std::string> others;
    for (std::int64_t other = 0; other < size; ++other)
      others.push_back(fmt::format("here{}", other));
    group_->store->set(others[static_cast<std::size_t>(rank)], std::vector<std::uint8_t>{1});
    while (!group_->store->check(others)) {
      if (leads() && meeting.waiting) meeting.waiting();
      if (std::chrono::steady_clock::now() > until)
        throw RankLost(
            fmt::format("the ranks did not meet in {:g} seconds", meeting.patience_seconds));
      std::this_thread::sleep_for(kPause);
    }
    const auto options = c10d::ProcessGroupGloo::Options::create(patience);
    options->threads = 2;
    options->devices.push_back(meeting.on_one_machine
                                   ? c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1")
                                   : c10d::ProcessGroupGloo::createDefaultDevice());
    group_->gloo = std::make_unique<c10d::ProcessGroupGloo>(group_->store, static_cast<int>(rank),
                                                            static_cast<int>(size), options);
  });
  sum({at::zeros({1})});  // all are connected once this is over
  std::error_code ignored;
  if (leads()) std::filesystem::remove(meeting.file, ignored);
}

Ranks::~Ranks() = default;

void Ranks::sum(const std::vector<at::Tensor>& tensors) {
  with_others("a sum over the ranks", [&] {
    std::vector<std::vector<at::Tensor>> on_host;
    std::vector<decltype(group_->gloo->allreduce(on_host[0]))> works;
    on_host.reserve(tensors.size());
    for (const at::Tensor& tensor : tensors) {
      on_host.push_back({tensor.cpu()});
      works.push_back(group_->gloo->allreduce(on_host.back()));
    }
    std::exception_ptr failure;  // none is left while Gloo still writes to its tensor
    for (const auto& work : works) try {
        work->wait();
      } catch (...) {
        failure = std::current_exception();
      }
    if (failure) std::rethrow_exception(failure);
    for (std::size_t i = 0; i < tensors.size(); ++i)
      if (!tensors[i].is_same(on_host[i][0])) tensors[i].copy_(on_host[i][0]);
  });
}

void Ranks::share(const at::Tensor& tensor) {
  with_others("what the first rank shares", [&] {
    std::vector<at::Tensor> on_host = {tensor.cpu()};
    group_->gloo->broadcast(on_host)->wait();
    if (!tensor.is_same(on_host[0])) tensor.copy_(on_host[0]);
  });
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
  if (shared_text(own) != own)
    throw std::logic_error(
        fmt::format("rank {} of {} has other weights than the first: these machines do not compute "
                    "alike; train on machines of one kind",
                    rank_, size_));
}

}  // namespace ablate::train
