#pragma once

#include "core/recipe/node.h"
#include "tests/model/parity/finding.h"
#include "tests/parity_folder.h"

#include <c10/core/Device.h>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <torch/nn/module.h>
#include <vector>

namespace earwright::tests {

/// |actual - expected| may be at most absolute + relative * max |expected|, per tensor.
struct Tolerance {
    double absolute = 0;
    double relative = 0;
};

/// Where the cases are computed: EARWRIGHT_PARITY_DEVICE, "cuda:0"; without it the CPU.
c10::Device parityDevice();

/// One recorded call of upstream: NAME.json tells class, constructor and tolerances,
/// NAME.safetensors holds in.*, param.*, buffer.* (the state before the call), out.* (what it
/// returned), lossw.* (weights of the loss), loss, grad.*, grad.in.*, buffer_after.*.
/// A case fails where its runner leaves a result unread (left_out.h): results are taken by tensor()
/// and finding(), for has(), under() and the JSON itself count for nothing.
struct Case {
    std::string name;
    std::filesystem::path folder;
    Json json;
    std::map<std::string, torch::Tensor> tensors;
    std::shared_ptr<Account> account = std::make_shared<Account>(); ///< one for all copies

    /// On the device of the case. Throws std::runtime_error naming what is missing.
    const torch::Tensor& tensor(const std::string& key) const;
    /// On the CPU, where a training keeps lengths and all that is drawn.
    torch::Tensor hostTensor(const std::string& key) const;
    bool has(const std::string& key) const { return tensors.contains(key); }
    /// The tensors under "prefix.", without the prefix.
    std::map<std::string, torch::Tensor> under(const std::string& prefix) const;
    /// A member of the JSON that upstream found.
    Finding finding(const std::string& key) const
    {
        return Finding(json, Finding::Pointer(), *account).at(key);
    }
    /// tolerance_fp32.KIND of the JSON.
    Tolerance tolerance(const std::string& kind) const;
    /// tolerance_fp32 itself, of a case that has one for all.
    Tolerance tolerance() const;
};

/// Cases by name, each with whether it has tensors.
using CaseList = std::map<std::string, bool>;
/// What is in one of parityFolders().
CaseList storedCases(const std::filesystem::path& folder);
/// What its README.md lists; nothing without a list.
std::optional<CaseList> listedCases(const std::filesystem::path& folder);
/// Those that nothing runs yet, by name, each with what is missing: tests/cases/parity/open.txt.
std::map<std::string, std::string> openCases();
/// Of the first of parityFolders() that has it. Throws std::runtime_error where the files cannot be
/// read.
Case readCase(const std::string& name, c10::Device device = parityDevice());

/// "torch.float32".
std::string typeName(const torch::Tensor& tensor);

/// Collects what differs, so that one run shows all of it. On another device than the CPU, for
/// which the tolerances are stated, ten times as much may.
class Comparison final {
public:
    void tensors(const std::string& what, const torch::Tensor& actual,
        const torch::Tensor& expected, Tolerance tolerance);
    void values(const std::string& what, double actual, double expected, Tolerance tolerance);
    void check(const std::string& what, bool holds);
    void equal(const std::string& what, const Json& actual, const Json& expected);
    void add(const Comparison& other);

    /// Empty where all agreed.
    std::string failures() const;
    int count() const { return m_count; }
    /// What tensors() and values() were given, in their order, on the CPU.
    const std::vector<std::pair<std::string, torch::Tensor>>& actual() const { return m_actual; }

private:
    std::vector<std::string> m_failures;
    std::vector<std::pair<std::string, torch::Tensor>> m_actual;
    int m_count = 0;
};

/// The resolved `!new:CLASS` node that a case's constructor arguments stand for; "!name:X" texts
/// become such nodes.
recipe::NodePtr constructorNode(const std::string& className, const Json& arguments);

/// Runs one case and compares. May throw: an exception fails the case with its message.
using Runner = std::function<void(const Case&, Comparison&)>;
/// Upstream's class, as "upstream" in the JSON, -> runner.
using Runners = std::map<std::string, Runner>;

/// A runner for any layer with forward(in.x) -> out.y: every parameter and buffer by name, the
/// outputs, the loss over lossw.* and all gradients.
void runLayer(const Case& test, Comparison& compare);
/// Moves `module` to parityDevice() and copies param.* and buffer.* into it. Names must agree both
/// ways, but for buffers listed in `notStored`.
void loadState(
    torch::nn::Module& module, const Case& test, const std::vector<std::string>& notStored = {});
/// loss = sum of out.NAME * lossw.NAME; compares outputs, loss, all recorded gradients, which are
/// of `module` (may be null) and of `inputs` (requiring gradients), and the buffers after the call.
/// Under NoGradGuard no gradients.
void compareCall(const Case& test, const std::map<std::string, torch::Tensor>& outputs,
    torch::nn::Module* module, const std::map<std::string, torch::Tensor>& inputs,
    Comparison& compare);

} // namespace earwright::tests
