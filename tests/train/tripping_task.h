#pragma once

#include "core/recipe/resolve.h"
#include "core/train/task/task.h"

#include <torch/autograd.h>
#include <torch/utils.h>

namespace earwright::tests {

/// Where memory runs out, or the sound proves to be too short.
struct Trip {
    std::string during; ///< forward | backward | padding
    int64_t fits = 1000; ///< so many rows at once do not need more than there is
    std::string words {}; ///< of another error than LibTorch's allocator's; "" = its own
    int64_t times = 1000; ///< then there is enough for any
};

/// Throws as LibTorch does: with a type of its own for its allocator and for collectives.
inline void tripWith(const std::string& words)
{
    TORCH_CHECK_WITH(
        OutOfMemoryError, !words.empty(), "CPU out of memory. Tried to allocate 7 MiB.");
    TORCH_CHECK_WITH(DistBackendError, !words.starts_with("NCCL"), words);
    TORCH_CHECK(false, words);
}

/// Passes its input on; ends the backward of too many rows with an error.
struct TripBackward final : torch::autograd::Function<TripBackward> {
    static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& x,
        bool trips, const std::string& words)
    {
        context->saved_data["trips"] = trips;
        context->saved_data["words"] = words;
        return x.clone();
    }
    static torch::autograd::variable_list backward(
        torch::autograd::AutogradContext* context, torch::autograd::variable_list gradients)
    {
        if (context->saved_data["trips"].toBool())
            tripWith(context->saved_data["words"].toStringRef());
        return { gradients[0], {}, {} };
    }
};

/// Four linear layers over rows of four samples, between which memory runs out; the loss is the
/// mean over the rows of what comes out, squared. A BatchNorm is there, but not passed.
class TrippingTask final : public train::Task {
public:
    explicit TrippingTask(Trip trip, double dropout = 0, bool hasBatchNorm = false)
        : m_trip(std::move(trip))
        , m_dropout(dropout)
        , m_modules(build(hasBatchNorm))
    {
        double value = 0; // the same on all ranks, whoever draws meanwhile
        const torch::NoGradGuard noGrad;
        for (auto& [name, parameter] : m_modules.parameters())
            parameter.copy_(torch::arange(parameter.numel(), torch::kFloat64)
                                .view_as(parameter)
                                .add(value += 1)
                                .sin());
    }

    torch::Tensor features(const data::Batch& batch, train::Stage) override
    {
        return batch.wavs_BT.to(torch::kFloat64).unsqueeze(1);
    }
    train::TaskOutput run(
        const data::Batch& batch, const torch::Tensor& features, train::Stage) override
    {
        const bool trips = std::ssize(batch.ids) > m_trip.fits && m_trip.times > 0;
        m_trip.times -= trips ? 1 : 0;
        if (trips && m_trip.during == "padding")
            torch::reflection_pad1d(features, { 4, 4 }); // wider than the four samples
        torch::Tensor x = layer("b", layer("a", features));
        x = TripBackward::apply(x, trips && m_trip.during == "backward", m_trip.words);
        x = torch::dropout(layer("c", x).tanh(), m_dropout, true);
        if (trips && m_trip.during == "forward")
            tripWith(m_trip.words);
        return { .loss = layer("d", x).square().sum({ 1, 2 }).mean(), .hypotheses = {} };
    }
    std::vector<std::string> recognise(
        const data::Batch& batch, const torch::Tensor&, train::Stage) override
    {
        return std::vector<std::string>(batch.ids.size());
    }
    train::LossUnit lossUnit() const override { return train::LossUnit::Utterances; }
    train::ModuleSet& modules() override { return m_modules; }
    void observe(train::Observer) override { }
    void startEpoch(int64_t) override { }
    std::vector<std::pair<std::string, torch::Tensor>> extraState() const override { return {}; }
    void restoreExtraState(const std::map<std::string, torch::Tensor>&) override { }
    train::Unmatched unmatchedExtraState(const std::map<std::string, torch::Tensor>&) const override
    {
        return {};
    }

private:
    static train::ModuleSet build(bool hasBatchNorm)
    {
        std::string text = hasBatchNorm
            ? "norm: !new:speechbrain.nnet.normalization.BatchNorm1d\n    input_size: 4\n"
            : "";
        for (const char* name : { "a", "b", "c", "d" })
            text += std::string(name)
                + ": !new:speechbrain.nnet.linear.Linear\n    input_size: 4\n    n_neurons: 4\n";
        text += "modules:\n    a: !ref <a>\n    b: !ref <b>\n    c: !ref <c>\n    d: !ref <d>\n";
        text += hasBatchNorm ? "    norm: !ref <norm>\n" : "";
        Result<train::ModuleSet> modules
            = train::ModuleSet::build(*recipe::resolve(text, "tripping", {}).root, {});
        TORCH_CHECK(modules, modules.error().message);
        return std::move(*modules);
    }
    torch::Tensor layer(const std::string& name, const torch::Tensor& x) const
    {
        return m_modules.find(name)->forward(x);
    }

    Trip m_trip;
    double m_dropout;
    train::ModuleSet m_modules;
};

} // namespace earwright::tests
