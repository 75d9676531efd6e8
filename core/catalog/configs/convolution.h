#pragma once

#include "core/catalog/argument_value.h"
#include "core/catalog/field.h"

#include <algorithm>

namespace earwright::catalog {

/// speechbrain.lobes.models.convolution.ConvolutionFrontEnd: one number per block in every list.
struct ConvolutionFrontEndConfig {
    Shape inputShape;
    int64_t numBlocks = 3;
    int64_t numLayersPerBlock = 5;
    std::vector<int64_t> outChannels = { 128, 256, 512 };
    std::vector<int64_t> kernelSizes = { 3, 3, 3 };
    std::vector<int64_t> strides = { 1, 2, 2 };
    std::vector<int64_t> dilations = { 1, 1, 1 };
    std::vector<bool> residuals = { true, true, true };
    recipe::NodePtr convModule;
    recipe::NodePtr activation;
    recipe::NodePtr norm; ///< an explicit null means no normalisation
    double dropout = 0.1;
    bool convBias = true;
    std::string padding = "same";
    std::optional<std::string> convInit;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("input_shape", inputShape, { .help = "[batch, time, features]", .required = true });
        field("num_blocks", numBlocks, { .min = 1 });
        field("num_layers_per_block", numLayersPerBlock, { .min = 1 });
        field("out_channels", outChannels, { .min = 1 });
        field("kernel_sizes", kernelSizes, { .min = 1 });
        field("strides", strides,
            { .min = 1, .help = "over time and features; of a block's last layer" });
        field("dilations", dilations, { .min = 1 });
        field("residuals", residuals);
        field("conv_module", convModule,
            { .help = "class; speechbrain.nnet.CNN.Conv2d if not given" });
        field("activation", activation, { .help = "class; torch.nn.LeakyReLU if not given" });
        field("norm", norm,
            { .help = "class; speechbrain.nnet.normalization.LayerNorm if not given" });
        field("dropout", dropout, { .min = 0, .max = 1 });
        field("conv_bias", convBias);
        field("padding", padding, { .choices = { "same", "valid", "causal" } });
        field("conv_init", convInit, { .choices = { "kaiming", "zero", "normal" } });
    }

    std::vector<Misfit> misfits() const
    {
        std::vector<Misfit> found;
        const auto blocks = static_cast<size_t>(numBlocks);
        const auto addShort = [&](const char* name, size_t size) {
            if (size < blocks)
                found.push_back({ name,
                    "one entry for each of the " + std::to_string(blocks) + " 'num_blocks', not "
                        + std::to_string(size) });
        };
        addShort("out_channels", outChannels.size());
        addShort("kernel_sizes", kernelSizes.size());
        addShort("strides", strides.size());
        addShort("dilations", dilations.size());
        addShort("residuals", residuals.size());
        for (size_t i = 0; i < std::min(blocks, kernelSizes.size()); ++i)
            if (padding != "valid" && kernelSizes[i] % 2 == 0)
                found.push_back({ "kernel_sizes",
                    "odd unless 'padding' is valid, not " + std::to_string(kernelSizes[i]) });
        if (norm && recipe::isNull(*norm) && std::count(residuals.begin(), residuals.end(), true))
            found.push_back({ "norm", "given for 'residuals', not null" });
        addMisfit(found, "conv_module", convModule, "in_channels",
            "the layer before says how many there are");
        for (const auto& [name, given] :
            { std::pair { "conv_module", convModule }, { "norm", norm } })
            addMisfit(found, name, given, "skip_transpose", "channels come last in a block");
        addMisfitOfNorm(found);
        addMisfitOfResiduals(found);
        return found;
    }

private:
    static bool isOf(const recipe::NodePtr& given, std::string_view name)
    {
        return given && classOf(*given).ends_with(name);
    }

    /// Behind a Conv2d a frame has features and channels.
    void addMisfitOfNorm(std::vector<Misfit>& found) const
    {
        const bool isFlat = isOf(convModule, ".CNN.Conv1d");
        const std::string package = "speechbrain.nnet.normalization.";
        const bool isBare = norm && norm->entries.empty();
        if (isFlat && isOf(norm, package + "BatchNorm2d"))
            found.push_back(
                { "norm", "LayerNorm or BatchNorm1d behind a Conv1d: BatchNorm2d needs a Conv2d",
                    isBare ? "!name:" + package + "BatchNorm1d" : "" });
        const bool isBatch = isOf(norm, package + "BatchNorm1d");
        const recipe::NodePtr combined
            = isBatch ? recipe::find(*norm, "combine_batch_time") : nullptr;
        if (!isFlat && isBatch && !(combined && recipe::asBool(*combined).value_or(true)))
            found.push_back({ "norm",
                "LayerNorm or BatchNorm2d behind a Conv2d: BatchNorm1d needs combine_batch_time: "
                "True there",
                isBare ? "!name:" + package + "BatchNorm2d" : "" });
    }

    /// As many frames and features as the stride leaves. Upstream pads a stride's layer by half its
    /// kernel, which is too little for a dilation, and a causal Conv2d over its features alone.
    bool givesAsMany(size_t block) const
    {
        if (kernelSizes[block] == 1)
            return true;
        return padding == "same" ? strides[block] == 1 || dilations[block] == 1
                                 : padding == "causal" && isOf(convModule, ".CNN.Conv1d");
    }

    void addMisfitOfResiduals(std::vector<Misfit>& found) const
    {
        const size_t blocks = std::min({ static_cast<size_t>(numBlocks), residuals.size(),
            kernelSizes.size(), strides.size(), dilations.size() });
        for (size_t i = 0; i < blocks; ++i)
            if (residuals[i] && !givesAsMany(i))
                found.push_back({ "residuals",
                    "False in block " + std::to_string(i + 1)
                        + ", whose convolutions give fewer frames than the residual branch" });
    }

    /// What a class may be given where it stands alone, but not in a block.
    static void addMisfit(std::vector<Misfit>& found, const char* name,
        const recipe::NodePtr& given, const char* argument, const char* why)
    {
        const recipe::NodePtr value = given ? recipe::find(*given, argument) : nullptr;
        if (value && !recipe::isNull(*value) && recipe::asBool(*value).value_or(true))
            found.push_back({ name, std::string("a class without '") + argument + "': " + why });
    }
};

/// Upstream refuses an even kernel where it reads an input_shape; with in_channels the output is
/// shorter. 0: a class to which another one gives its kernel.
inline std::vector<Misfit> misfitsOfKernel(const std::vector<int64_t>& kernelSize,
    const std::string& padding, const std::optional<int64_t>& inChannels)
{
    for (const int64_t size : kernelSize)
        if (size > 0 && !inChannels && padding != "valid" && size % 2 == 0)
            return { { "kernel_size",
                "odd unless 'padding' is valid or 'in_channels' is given, not "
                    + std::to_string(size) } };
    return {};
}

/// speechbrain.nnet.CNN.Conv1d over [batch, time, channels].
struct Conv1dConfig {
    int64_t outChannels = 0;
    int64_t kernelSize = 0;
    std::optional<Shape> inputShape;
    std::optional<int64_t> inChannels;
    int64_t stride = 1;
    int64_t dilation = 1;
    std::string padding = "same";
    int64_t groups = 1;
    bool bias = true;
    std::string paddingMode = "reflect";
    bool skipTranspose = false;
    bool weightNorm = false;
    std::optional<std::string> convInit;
    int64_t defaultPadding = 0;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("out_channels", outChannels, { .min = 1, .required = true });
        field("kernel_size", kernelSize, { .min = 1, .required = true });
        field("input_shape", inputShape, { .help = "[batch, time, channels], null = any" });
        field("in_channels", inChannels, { .min = 1 });
        field("stride", stride, { .min = 1 });
        field("dilation", dilation, { .min = 1 });
        field("padding", padding, { .choices = { "same", "valid", "causal" } });
        field("groups", groups, { .min = 1 });
        field("bias", bias);
        field("padding_mode", paddingMode,
            { .choices = { "reflect", "constant", "replicate", "circular" } });
        field("skip_transpose", skipTranspose, { .help = "input is [batch, channels, time]" });
        field("weight_norm", weightNorm, { .isFixed = true });
        field("conv_init", convInit, { .choices = { "kaiming", "zero", "normal" } });
        field("default_padding", defaultPadding, { .min = 0 });
    }

    std::vector<Misfit> misfits() const
    {
        return misfitsOfKernel({ kernelSize }, padding, inChannels);
    }
};

/// speechbrain.nnet.CNN.Conv2d over [batch, time, features, channels].
struct Conv2dConfig {
    int64_t outChannels = 0;
    std::vector<int64_t> kernelSize;
    std::optional<Shape> inputShape;
    std::optional<int64_t> inChannels;
    std::vector<int64_t> stride = { 1, 1 };
    std::vector<int64_t> dilation = { 1, 1 };
    std::string padding = "same";
    int64_t groups = 1;
    bool bias = true;
    std::string paddingMode = "reflect";
    std::optional<double> maxNorm;
    bool swap = false;
    bool skipTranspose = false;
    bool weightNorm = false;
    std::optional<std::string> convInit;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("out_channels", outChannels, { .min = 1, .required = true });
        field("kernel_size", kernelSize,
            { .min = 1, .help = "time, features; one number for both", .required = true });
        field(
            "input_shape", inputShape, { .help = "[batch, time, features, channels], null = any" });
        field("in_channels", inChannels, { .min = 1 });
        field("stride", stride, { .min = 1 });
        field("dilation", dilation, { .min = 1 });
        field("padding", padding, { .choices = { "same", "valid", "causal" } });
        field("groups", groups, { .min = 1 });
        field("bias", bias);
        field("padding_mode", paddingMode,
            { .choices = { "reflect", "constant", "replicate", "circular" } });
        field("max_norm", maxNorm, { .min = 0 });
        field("swap", swap, { .help = "convolve over features, time" });
        field("skip_transpose", skipTranspose,
            { .help = "input is [batch, channels, time, features]" });
        field("weight_norm", weightNorm, { .isFixed = true });
        field("conv_init", convInit, { .choices = { "kaiming", "zero" } });
    }

    std::vector<Misfit> misfits() const { return misfitsOfKernel(kernelSize, padding, inChannels); }
};

} // namespace earwright::catalog
