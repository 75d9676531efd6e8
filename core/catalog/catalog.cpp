#include "core/catalog/catalog.h"

#include "core/catalog/configs.h"
#include "core/catalog/read.h"
#include "core/catalog/signature_table.h"
#include "core/catalog/source.h"

#include <algorithm>
#include <map>

namespace kymo::catalog {

namespace {

using Table = std::map<std::string, ClassInfo, std::less<>>;

constexpr bool kParameters = true;

template <class Config>
void add(Table& table, const std::string& name, Role role, bool ownsParameters = false)
{
    ClassInfo info;
    info.name = name;
    info.role = role;
    info.ownsParameters = ownsParameters;
    info.acceptsAnyArgument = acceptsAnyArgument<Config>();
    info.fields = fieldsOf<Config>();
    info.checkArguments = [](const recipe::Node& node, std::vector<recipe::Diagnostic>& found) {
        readConfig<Config>(node, found);
    };
    table.emplace(name, std::move(info));
}

void addModules(Table& table)
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

void addParaformer(Table& table)
{
    add<WavFrontendConfig>(table, "funasr.frontends.wav_frontend.WavFrontend", Role::Features);
    add<SpecAugConfig>(table, "funasr.models.specaug.specaug.SpecAug", Role::Augmentation);
    add<SpecAugLfrConfig>(table, "funasr.models.specaug.specaug.SpecAugLFR", Role::Augmentation);
    add<SanmEncoderConfig>(
        table, "funasr.models.sanm.encoder.SANMEncoder", Role::Module, kParameters);
    add<CifPredictorConfig>(
        table, "funasr.models.paraformer.cif_predictor.CifPredictor", Role::Module, kParameters);
    add<CifPredictorV2Config>(
        table, "funasr.models.paraformer.cif_predictor.CifPredictorV2", Role::Module, kParameters);
    add<CifPredictorV3Config>(table, "funasr.models.bicif_paraformer.cif_predictor.CifPredictorV3",
        Role::Module, kParameters);
    add<ParaformerDecoderConfig>(
        table, "funasr.models.paraformer.decoder.ParaformerSANMDecoder", Role::Module, kParameters);
    add<FunasrCtcConfig>(table, "funasr.models.ctc.ctc.CTC", Role::Module, kParameters);
    add<TorchLinearConfig>(table, "torch.nn.Linear", Role::Module, kParameters);
    add<TorchLstmConfig>(table, "torch.nn.LSTM", Role::Module, kParameters);
}

void addActivations(Table& table)
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

void addFeatures(Table& table)
{
    add<FbankConfig>(table, "speechbrain.lobes.features.Fbank", Role::Features);
    add<InputNormalizationConfig>(
        table, "speechbrain.processing.features.InputNormalization", Role::Features);
    add<AugmenterConfig>(table, "speechbrain.augment.augmenter.Augmenter", Role::Augmentation);
    add<SpeedPerturbConfig>(
        table, "speechbrain.augment.time_domain.SpeedPerturb", Role::Augmentation);
    add<DropFreqConfig>(table, "speechbrain.augment.time_domain.DropFreq", Role::Augmentation);
    add<DropChunkConfig>(table, "speechbrain.augment.time_domain.DropChunk", Role::Augmentation);
    add<SpectrogramDropConfig>(
        table, "speechbrain.augment.freq_domain.SpectrogramDrop", Role::Augmentation);
    add<WarpingConfig>(table, "speechbrain.augment.freq_domain.Warping", Role::Augmentation);
    add<RandomShiftConfig>(
        table, "speechbrain.augment.freq_domain.RandomShift", Role::Augmentation);
    add<AddNoiseConfig>(table, "speechbrain.augment.time_domain.AddNoise", Role::Augmentation);
    add<AddReverbConfig>(table, "speechbrain.augment.time_domain.AddReverb", Role::Augmentation);
    add<DoClipConfig>(table, "speechbrain.augment.time_domain.DoClip", Role::Augmentation);
    add<RandAmpConfig>(table, "speechbrain.augment.time_domain.RandAmp", Role::Augmentation);
    add<DropBitResolutionConfig>(
        table, "speechbrain.augment.time_domain.DropBitResolution", Role::Augmentation);
    add<SignFlipConfig>(table, "speechbrain.augment.time_domain.SignFlip", Role::Augmentation);
    add<FastDropChunkConfig>(
        table, "speechbrain.augment.time_domain.FastDropChunk", Role::Augmentation);
}

void addTraining(Table& table)
{
    add<CtcLossConfig>(table, "speechbrain.nnet.losses.ctc_loss", Role::Loss);
    add<NllLossConfig>(table, "speechbrain.nnet.losses.nll_loss", Role::Loss);
    add<KldivLossConfig>(table, "speechbrain.nnet.losses.kldiv_loss", Role::Loss);
    add<AdamWConfig>(table, "torch.optim.AdamW", Role::Optimizer);
    add<AdamConfig>(table, "torch.optim.Adam", Role::Optimizer);
    add<AdadeltaConfig>(table, "torch.optim.Adadelta", Role::Optimizer);
    add<SgdConfig>(table, "torch.optim.SGD", Role::Optimizer);
    add<EpochCounterConfig>(table, "speechbrain.utils.epoch_loop.EpochCounter", Role::Utility);
    add<EpochCounterWithStopperConfig>(
        table, "speechbrain.utils.epoch_loop.EpochCounterWithStopper", Role::Utility);
    add<CtcTextEncoderConfig>(
        table, "speechbrain.dataio.encoder.CTCTextEncoder", Role::TextEncoder);
    add<SentencePieceConfig>(
        table, "speechbrain.tokenizers.SentencePiece.SentencePiece", Role::TextEncoder);
    add<SentencePieceProcessorConfig>(
        table, "sentencepiece.SentencePieceProcessor", Role::TextEncoder);
    add<ErrorRateStatsConfig>(table, "speechbrain.utils.metric_stats.ErrorRateStats", Role::Metric);
    add<CheckpointerConfig>(table, "speechbrain.utils.checkpoints.Checkpointer", Role::Utility);
    add<FileTrainLoggerConfig>(
        table, "speechbrain.utils.train_logger.FileTrainLogger", Role::Utility);
    add<SeedEverythingConfig>(table, "speechbrain.utils.seed.seed_everything", Role::Utility);
}

void addSchedules(Table& table)
{
    const std::string upstream = "speechbrain.nnet.schedulers.";
    add<WarmupHoldDecayConfig>(table, "kymo.schedulers.WarmupHoldDecay", Role::Scheduler);
    add<WarmupLrConfig>(table, "funasr.schedulers.warmup_lr.WarmupLR", Role::Scheduler);
    add<NewBobSchedulerConfig>(table, upstream + "NewBobScheduler", Role::Scheduler);
    add<NoamSchedulerConfig>(table, upstream + "NoamScheduler", Role::Scheduler);
    add<NoamIntervalSchedulerConfig>(table, upstream + "NoamIntervalScheduler", Role::Scheduler);
    add<LinearNoamSchedulerConfig>(table, upstream + "LinearNoamScheduler", Role::Scheduler);
    add<LinearWarmupSchedulerConfig>(table, upstream + "LinearWarmupScheduler", Role::Scheduler);
    add<WarmAndExpDecayLrScheduleConfig>(
        table, upstream + "WarmAndExpDecayLRSchedule", Role::Scheduler);
    add<WarmCoolDecayLrScheduleConfig>(
        table, upstream + "WarmCoolDecayLRSchedule", Role::Scheduler);
    add<TriStageLrScheduleConfig>(table, upstream + "TriStageLRSchedule", Role::Scheduler);
    add<InverseSquareRootSchedulerConfig>(
        table, upstream + "InverseSquareRootScheduler", Role::Scheduler);
    add<CyclicCosineSchedulerConfig>(table, upstream + "CyclicCosineScheduler", Role::Scheduler);
    add<CyclicLrSchedulerConfig>(table, upstream + "CyclicLRScheduler", Role::Scheduler);
    add<IntervalSchedulerConfig>(table, upstream + "IntervalScheduler", Role::Scheduler);
    add<LinearSchedulerConfig>(table, upstream + "LinearScheduler", Role::Scheduler);
    add<StepSchedulerConfig>(table, upstream + "StepScheduler", Role::Scheduler);
    add<ReduceLrOnPlateauConfig>(table, upstream + "ReduceLROnPlateau", Role::Scheduler);
}

void addDecoders(Table& table)
{
    add<GreedySearcherConfig>(
        table, "speechbrain.decoders.seq2seq.S2STransformerGreedySearcher", Role::Decoder);
    add<BeamSearcherConfig>(
        table, "speechbrain.decoders.seq2seq.S2STransformerBeamSearcher", Role::Decoder);
    add<ScorerBuilderConfig>(table, "speechbrain.decoders.scorer.ScorerBuilder", Role::Decoder);
    add<CtcScorerConfig>(table, "speechbrain.decoders.scorer.CTCScorer", Role::Decoder);
    add<LengthScorerConfig>(table, "speechbrain.decoders.scorer.LengthScorer", Role::Decoder);
    for (const char* name : { "speechbrain.decoders.ctc.CTCBeamSearcher",
             "speechbrain.decoders.ctc.CTCPrefixBeamSearcher" })
        add<CtcBeamSearcherConfig>(table, name, Role::Decoder, true); // torch.nn.Modules
}

/// The documentation of upstream's fits a hand-written config that says nothing itself.
void completeFrom(const ClassInfo& upstream, ClassInfo& info)
{
    info.help = upstream.help;
    for (Field& field : info.fields)
        for (const Field& documented : upstream.fields)
            if (field.name == documented.name && *field.facts.help == '\0')
                field.facts.help = documented.facts.help;
}

const Table& table()
{
    static const Table built = [] {
        Table entries;
        addModules(entries);
        addParaformer(entries);
        addActivations(entries);
        addFeatures(entries);
        addTraining(entries);
        addSchedules(entries);
        addDecoders(entries);
        for (auto& [name, info] : entries) {
            if (const ClassInfo* upstream = findSignature(name))
                completeFrom(*upstream, info);
            info.source = sourceOf(name);
        }
        return entries;
    }();
    return built;
}

} // namespace

const ClassInfo* findClass(std::string_view name)
{
    const auto entry = table().find(canonicalName(name));
    return entry == table().end() ? findSignature(name) : &entry->second;
}

const std::vector<std::string>& classNames()
{
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all = trainableClassNames();
        all.insert(all.end(), signatureNames().begin(), signatureNames().end());
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }();
    return names;
}

std::vector<std::string> trainableClassNames()
{
    std::vector<std::string> names;
    for (const auto& [name, info] : table())
        if (info.trainable)
            names.push_back(name);
    return names;
}

} // namespace kymo::catalog
