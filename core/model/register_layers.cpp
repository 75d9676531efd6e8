#include "core/model/register.h"

#include "core/model/conv_encoder.h"
#include "core/model/conv_front_end.h"
#include "core/model/convolution.h"
#include "core/model/crdnn.h"
#include "core/model/downsampling.h"
#include "core/model/dropout.h"
#include "core/model/fbank.h"
#include "core/model/input_normalization.h"
#include "core/model/light_gru.h"
#include "core/model/linear.h"
#include "core/model/normalization.h"
#include "core/model/pooling.h"
#include "core/model/recurrent.h"

namespace earwright::model {

namespace {

std::shared_ptr<Layer> buildTorchSoftmax(const recipe::Node& node, LayerSet& layers, bool applyLog)
{
    return std::make_shared<Softmax>(
        catalog::readConfig<catalog::TorchSoftmaxConfig>(node, layers.diagnostics()), applyLog);
}

} // namespace

void addBasicLayers(LayerTable& table)
{
    table.add<Linear, catalog::LinearConfig>("speechbrain.nnet.linear.Linear");
    table.add<Softmax, catalog::SoftmaxConfig>("speechbrain.nnet.activations.Softmax");
    table.add("torch.nn.LogSoftmax",
        [](auto& node, auto& layers) { return buildTorchSoftmax(node, layers, true); });
    table.add("torch.nn.Softmax",
        [](auto& node, auto& layers) { return buildTorchSoftmax(node, layers, false); });
    table.add<Conv1d, catalog::Conv1dConfig>("speechbrain.nnet.CNN.Conv1d");
    table.add<Conv2d, catalog::Conv2dConfig>("speechbrain.nnet.CNN.Conv2d");
    table.add<BatchNorm1d, catalog::BatchNorm1dConfig>(
        "speechbrain.nnet.normalization.BatchNorm1d");
    table.add<BatchNorm2d, catalog::BatchNorm2dConfig>(
        "speechbrain.nnet.normalization.BatchNorm2d");
    table.add<LayerNorm, catalog::LayerNormConfig>("speechbrain.nnet.normalization.LayerNorm");
    table.add<Pooling1d, catalog::Pooling1dConfig>("speechbrain.nnet.pooling.Pooling1d");
    table.add<Pooling2d, catalog::Pooling2dConfig>("speechbrain.nnet.pooling.Pooling2d");
    table.add<SignalDownsampler, catalog::SignalDownsamplerConfig>(
        "speechbrain.lobes.downsampling.SignalDownsampler");
    table.add<Conv1dDownsampler, catalog::Conv1dDownsamplerConfig>(
        "speechbrain.lobes.downsampling.Conv1DDownsampler");
    table.add<PoolingDownsampler, catalog::PoolingDownsamplerConfig>(
        "speechbrain.lobes.downsampling.PoolingDownsampler");
    table.add<ConcatDownsampler, catalog::ConcatDownsamplerConfig>(
        "speechbrain.lobes.downsampling.ConcatDownsampler");
    table.add<Dropout, catalog::DropoutConfig>("torch.nn.Dropout");
    table.add<Dropout2d, catalog::Dropout2dConfig>("speechbrain.nnet.dropout.Dropout2d");
    table.add<ModuleList, catalog::ModuleListConfig>("torch.nn.ModuleList");
    table.add("speechbrain.nnet.containers.Sequential", makeSequential);
    table.add("speechbrain.nnet.containers.LengthsCapableSequential", makeLengthsCapable);
}

void addRecurrentLayers(LayerTable& table)
{
    table.add<Recurrent, catalog::LstmConfig>("speechbrain.nnet.RNN.LSTM");
    table.add<Recurrent, catalog::GruConfig>("speechbrain.nnet.RNN.GRU");
    table.add<Recurrent, catalog::RnnConfig>("speechbrain.nnet.RNN.RNN");
    table.add<LightGru, catalog::LiGruConfig>("speechbrain.nnet.RNN.LiGRU");
}

void addFeatureLayers(LayerTable& table)
{
    table.add<Fbank, catalog::FbankConfig>("speechbrain.lobes.features.Fbank");
    table.add<InputNormalization, catalog::InputNormalizationConfig>(
        "speechbrain.processing.features.InputNormalization");
}

void addModels(LayerTable& table)
{
    table.add<Crdnn, catalog::CrdnnConfig>("speechbrain.lobes.models.CRDNN.CRDNN");
    table.add<ConvolutionFrontEnd, catalog::ConvolutionFrontEndConfig>(
        "speechbrain.lobes.models.convolution.ConvolutionFrontEnd");
    table.add<ConvEncoder, catalog::ConvEncoderConfig>("earwright.models.ConvEncoder");
    table.add("speechbrain.lobes.models.VanillaNN.VanillaNN",
        [](const recipe::Node& node, LayerSet& layers) {
            return makeVanillaNn(
                catalog::readConfig<catalog::VanillaNnConfig>(node, layers.diagnostics()));
        });
}

} // namespace earwright::model
