// Layers, containers and activations.

#include "core/catalog/class_table.h"
#include "core/catalog/configs/activation.h"
#include "core/catalog/configs/container.h"
#include "core/catalog/configs/conv_encoder.h"
#include "core/catalog/configs/convolution.h"
#include "core/catalog/configs/crdnn.h"
#include "core/catalog/configs/linear.h"
#include "core/catalog/configs/normalization.h"
#include "core/catalog/configs/pooling.h"
#include "core/catalog/configs/recurrent.h"
#include "core/catalog/configs/transformer.h"
#include "core/catalog/read_impl.h"

namespace kymo::catalog {

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
    add<ConvEncoderConfig>(table, "kymo.models.ConvEncoder", Role::Module, kParameters);
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

KYMO_READ(CrdnnConfig)
KYMO_READ(ConvolutionFrontEndConfig)
KYMO_READ(VanillaNnConfig)
KYMO_READ(TransformerAsrConfig)
KYMO_READ(EncoderWrapperConfig)
KYMO_READ(ConvEncoderConfig)
KYMO_READ(LstmConfig)
KYMO_READ(GruConfig)
KYMO_READ(RnnConfig)
KYMO_READ(LiGruConfig)
KYMO_READ(LinearConfig)
KYMO_READ(Conv1dConfig)
KYMO_READ(Conv2dConfig)
KYMO_READ(BatchNorm1dConfig)
KYMO_READ(BatchNorm2dConfig)
KYMO_READ(LayerNormConfig)
KYMO_READ(Pooling1dConfig)
KYMO_READ(Pooling2dConfig)
KYMO_READ(Dropout2dConfig)
KYMO_READ(DropoutConfig)
KYMO_READ(ModuleListConfig)
KYMO_READ(SequentialConfig)
KYMO_READ(SoftmaxConfig)
KYMO_READ(SwishConfig)
KYMO_READ(TorchSoftmaxConfig)
KYMO_READ(ReluConfig)
KYMO_READ(LeakyReluConfig)
KYMO_READ(GeluConfig)
KYMO_READ(NoArgumentsConfig)
KYMO_READ(IdentityConfig)

} // namespace kymo::catalog
