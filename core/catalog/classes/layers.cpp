// Layers, containers and activations.

#include "core/catalog/class_table.h"
#include "core/catalog/configs/activation.h"
#include "core/catalog/configs/container.h"
#include "core/catalog/configs/conv_encoder.h"
#include "core/catalog/configs/convolution.h"
#include "core/catalog/configs/crdnn.h"
#include "core/catalog/configs/downsampling.h"
#include "core/catalog/configs/language_model.h"
#include "core/catalog/configs/linear.h"
#include "core/catalog/configs/normalization.h"
#include "core/catalog/configs/pooling.h"
#include "core/catalog/configs/recurrent.h"
#include "core/catalog/configs/transformer.h"
#include "core/catalog/read_impl.h"

namespace earwright::catalog {

namespace {

void addModules(ClassTable& table)
{
    add<CrdnnConfig>(table, "speechbrain.lobes.models.CRDNN.CRDNN", Role::Module, kParameters);
    add<ConvolutionFrontEndConfig>(table,
        "speechbrain.lobes.models.convolution.ConvolutionFrontEnd", Role::Module, kParameters);
    add<VanillaNnConfig>(
        table, "speechbrain.lobes.models.VanillaNN.VanillaNN", Role::Module, kParameters);
    add<TransformerAsrConfig>(table,
        "speechbrain.lobes.models.transformer.TransformerASR.TransformerASR", Role::Module,
        kParameters);
    add<EncoderWrapperConfig>(table,
        "speechbrain.lobes.models.transformer.TransformerASR.EncoderWrapper", Role::Container);
    add<TransformerLmConfig>(table,
        "speechbrain.lobes.models.transformer.TransformerLM.TransformerLM", Role::Module,
        kParameters);
    add<RnnLmConfig>(table, "speechbrain.lobes.models.RNNLM.RNNLM", Role::Module, kParameters);
    add<ConvEncoderConfig>(table, "earwright.models.ConvEncoder", Role::Module, kParameters);
    add<LstmConfig>(table, "speechbrain.nnet.RNN.LSTM", Role::Module, kParameters);
    add<GruConfig>(table, "speechbrain.nnet.RNN.GRU", Role::Module, kParameters);
    add<RnnConfig>(table, "speechbrain.nnet.RNN.RNN", Role::Module, kParameters);
    add<LiGruConfig>(table, "speechbrain.nnet.RNN.LiGRU", Role::Module, kParameters);
    add<LinearConfig>(table, "speechbrain.nnet.linear.Linear", Role::Module, kParameters);
    add<Conv1dConfig>(table, "speechbrain.nnet.CNN.Conv1d", Role::Module, kParameters);
    add<Conv2dConfig>(table, "speechbrain.nnet.CNN.Conv2d", Role::Module, kParameters);
    add<BatchNorm1dConfig>(
        table, "speechbrain.nnet.normalization.BatchNorm1d", Role::Module, kParameters);
    add<BatchNorm2dConfig>(
        table, "speechbrain.nnet.normalization.BatchNorm2d", Role::Module, kParameters);
    add<LayerNormConfig>(
        table, "speechbrain.nnet.normalization.LayerNorm", Role::Module, kParameters);
    add<Pooling1dConfig>(table, "speechbrain.nnet.pooling.Pooling1d", Role::Module);
    add<Pooling2dConfig>(table, "speechbrain.nnet.pooling.Pooling2d", Role::Module);
    add<SignalDownsamplerConfig>(
        table, "speechbrain.lobes.downsampling.SignalDownsampler", Role::Module);
    add<Conv1dDownsamplerConfig>(
        table, "speechbrain.lobes.downsampling.Conv1DDownsampler", Role::Module, kParameters);
    add<PoolingDownsamplerConfig>(
        table, "speechbrain.lobes.downsampling.PoolingDownsampler", Role::Module);
    add<ConcatDownsamplerConfig>(
        table, "speechbrain.lobes.downsampling.ConcatDownsampler", Role::Module);
    add<Dropout2dConfig>(table, "speechbrain.nnet.dropout.Dropout2d", Role::Module);
    add<DropoutConfig>(table, "torch.nn.Dropout", Role::Module);
    add<ModuleListConfig>(table, "torch.nn.ModuleList", Role::Container);
    add<SequentialConfig>(table, "speechbrain.nnet.containers.Sequential", Role::Container);
    add<SequentialConfig>(
        table, "speechbrain.nnet.containers.LengthsCapableSequential", Role::Container);
    add<SequentialConfig>(table, "speechbrain.nnet.containers.ModuleList", Role::Container);
    table.at("speechbrain.nnet.containers.ModuleList").trainable = false; // known by its shapes
}

void addActivations(ClassTable& table)
{
    add<SoftmaxConfig>(table, "speechbrain.nnet.activations.Softmax", Role::Activation);
    add<SwishConfig>(table, "speechbrain.nnet.activations.Swish", Role::Activation);
    add<TorchSoftmaxConfig>(table, "torch.nn.LogSoftmax", Role::Activation);
    add<TorchSoftmaxConfig>(table, "torch.nn.Softmax", Role::Activation);
    add<ReluConfig>(table, "torch.nn.ReLU", Role::Activation);
    add<ReluConfig>(table, "torch.nn.SiLU", Role::Activation);
    add<LeakyReluConfig>(table, "torch.nn.LeakyReLU", Role::Activation);
    add<GeluConfig>(table, "torch.nn.GELU", Role::Activation);
    add<NoArgumentsConfig>(table, "torch.nn.Tanh", Role::Activation);
    add<NoArgumentsConfig>(table, "torch.nn.Sigmoid", Role::Activation);
    add<IdentityConfig>(table, "torch.nn.Identity", Role::Activation);
}

} // namespace

void addLayers(ClassTable& table)
{
    addModules(table);
    addActivations(table);
}

EARWRIGHT_READ(CrdnnConfig)
EARWRIGHT_READ(ConvolutionFrontEndConfig)
EARWRIGHT_READ(VanillaNnConfig)
EARWRIGHT_READ(TransformerAsrConfig)
EARWRIGHT_READ(EncoderWrapperConfig)
EARWRIGHT_READ(TransformerLmConfig)
EARWRIGHT_READ(RnnLmConfig)
EARWRIGHT_READ(ConvEncoderConfig)
EARWRIGHT_READ(LstmConfig)
EARWRIGHT_READ(GruConfig)
EARWRIGHT_READ(RnnConfig)
EARWRIGHT_READ(LiGruConfig)
EARWRIGHT_READ(LinearConfig)
EARWRIGHT_READ(Conv1dConfig)
EARWRIGHT_READ(Conv2dConfig)
EARWRIGHT_READ(BatchNorm1dConfig)
EARWRIGHT_READ(BatchNorm2dConfig)
EARWRIGHT_READ(LayerNormConfig)
EARWRIGHT_READ(Pooling1dConfig)
EARWRIGHT_READ(Pooling2dConfig)
EARWRIGHT_READ(SignalDownsamplerConfig)
EARWRIGHT_READ(Conv1dDownsamplerConfig)
EARWRIGHT_READ(PoolingDownsamplerConfig)
EARWRIGHT_READ(ConcatDownsamplerConfig)
EARWRIGHT_READ(Dropout2dConfig)
EARWRIGHT_READ(DropoutConfig)
EARWRIGHT_READ(ModuleListConfig)
EARWRIGHT_READ(SequentialConfig)
EARWRIGHT_READ(SoftmaxConfig)
EARWRIGHT_READ(SwishConfig)
EARWRIGHT_READ(TorchSoftmaxConfig)
EARWRIGHT_READ(ReluConfig)
EARWRIGHT_READ(LeakyReluConfig)
EARWRIGHT_READ(GeluConfig)
EARWRIGHT_READ(NoArgumentsConfig)
EARWRIGHT_READ(IdentityConfig)

} // namespace earwright::catalog
