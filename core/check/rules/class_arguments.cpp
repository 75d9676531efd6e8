#include "core/check/rules/class_arguments.h"

#include "core/base/text.h"
#include "core/catalog/argument_value.h"
#include "core/catalog/catalog.h"
#include "core/catalog/given.h"
#include "core/settings/text_fix.h"
#include "core/settings/tree.h"

#include <algorithm>
#include <span>

namespace earwright::check::rules {

using catalog::ClassInfo;
using catalog::Given;
using recipe::Node;

namespace {

using ClassNames = std::span<const char* const>;

// As core/model builds them.
constexpr const char* kActivations[]
    = { "torch.nn.ReLU", "torch.nn.SiLU", "torch.nn.LeakyReLU", "torch.nn.GELU", "torch.nn.Tanh",
          "torch.nn.Sigmoid", "torch.nn.Identity", "speechbrain.nnet.activations.Swish" };
constexpr const char* kNorms[] = { "speechbrain.nnet.normalization.LayerNorm",
    "speechbrain.nnet.normalization.BatchNorm1d", "speechbrain.nnet.normalization.BatchNorm2d" };
constexpr const char* kConvolutions[]
    = { "speechbrain.nnet.CNN.Conv2d", "speechbrain.nnet.CNN.Conv1d" };
constexpr const char* kRecurrent[] = { "speechbrain.nnet.RNN.LiGRU", "speechbrain.nnet.RNN.LSTM",
    "speechbrain.nnet.RNN.GRU", "speechbrain.nnet.RNN.RNN" };

/// One argument that is a class. Upstream too looks only at those that it builds.
struct ClassArgument {
    std::string_view layer;
    const char* argument;
    ClassNames classes;
    bool (*isBuilt)(const Given&) = nullptr; ///< null = always
    bool mayBeNull = false;
};

template <char kFirstLetter>
bool hasEncoder(const Given& given)
{
    return given.text("encoder_module").starts_with(kFirstLetter);
}

bool hasFeedForward(const Given& given)
{
    return hasEncoder<'t'>(given) || given.integer("num_decoder_layers") > 0;
}

bool hasRecurrent(const Given& given)
{
    return given.integer("rnn_layers") > 0;
}

bool hasOther(const Given& given)
{
    return given.integer("cnn_blocks") > 0 || given.integer("dnn_blocks") > 0
        || given.integer("projection_dim") != -1;
}

constexpr std::string_view kTransformer
    = "speechbrain.lobes.models.transformer.TransformerASR.TransformerASR";
constexpr std::string_view kFrontEnd = "speechbrain.lobes.models.convolution.ConvolutionFrontEnd";
constexpr std::string_view kCrdnn = "speechbrain.lobes.models.CRDNN.CRDNN";

constexpr ClassArgument kArguments[] = {
    { kTransformer, "activation", kActivations, hasFeedForward },
    { kTransformer, "conformer_activation", kActivations, hasEncoder<'c'> },
    { kTransformer, "branchformer_activation", kActivations, hasEncoder<'b'> },
    { kTransformer, "gate_activation", kActivations, hasEncoder<'b'> },
    { kFrontEnd, "activation", kActivations },
    { kFrontEnd, "norm", kNorms, nullptr, true },
    { kFrontEnd, "conv_module", kConvolutions },
    { kCrdnn, "activation", kActivations, hasOther },
    { kCrdnn, "rnn_class", kRecurrent, hasRecurrent },
    { "speechbrain.lobes.models.VanillaNN.VanillaNN", "activation", kActivations },
};

bool isAmong(ClassNames classes, const ClassInfo* info)
{
    return info && std::any_of(classes.begin(), classes.end(), [&](const char* name) {
        return catalog::findClass(name) == info;
    });
}

/// A class, or an object of it, whose class the layer takes.
std::string_view builtClass(const Node& value)
{
    const std::string_view named = recipe::nameClass(value);
    return named.empty() ? recipe::newClass(value) : named;
}

bool isOthersToSay(const Node& value)
{
    const std::string_view name = catalog::classOf(value);
    const ClassInfo* info = catalog::findClass(name);
    return catalog::isUndetermined(value) || (!name.empty() && (!info || !info->trainable));
}

std::string described(const Node& value)
{
    const std::string_view name = builtClass(value);
    return name.empty() ? catalog::describe(value) : std::string(name);
}

void wrongClass(const ClassArgument& row, const Context& context, const recipe::Entry& entry,
    Diagnostics& found)
{
    const Node& value = *entry.value;
    const std::string text = catalog::isValue(value) ? value.text : std::string();
    const std::string tagged = "!name:" + text;
    const bool lacksTag = isAmong(row.classes, catalog::findClass(text));
    const std::vector<std::string> names(row.classes.begin(), row.classes.end());
    auto& diagnostic = report(found, recipe::Severity::Error, "argument-type",
        inQuotes(row.argument) + " of " + catalog::lastPart(row.layer) + " must be a class, "
            + (lacksTag ? tagged + ": without !name: it is a text"
                        : "!name: with one of " + join(names, ", ") + ", not " + described(value)),
        value.span);
    if (lacksTag)
        diagnostic.fix = settings::replaceScalar(value, context.request.fileName, tagged);
}

} // namespace

void classArguments(const Context& context, const Node& layer, Diagnostics& found)
{
    const ClassInfo* info = catalog::findClass(catalog::classOf(layer));
    for (const ClassArgument& row : kArguments) {
        const bool isOther = !info || info->name != row.layer;
        const recipe::Entry* entry = isOther ? nullptr : settings::findEntry(layer, row.argument);
        if (!entry || isOthersToSay(*entry->value) || (row.mayBeNull && isNull(*entry->value)))
            continue;
        const bool isBuilt = !row.isBuilt || row.isBuilt(Given(layer));
        if (isBuilt && !isAmong(row.classes, catalog::findClass(builtClass(*entry->value))))
            wrongClass(row, context, *entry, found);
    }
}

} // namespace earwright::check::rules
