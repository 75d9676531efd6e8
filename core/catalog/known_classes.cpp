#include "core/catalog/known_classes.h"

namespace kymo::catalog {

namespace {

constexpr bool kParameters = true;
constexpr bool kNone = false;

// clang-format off
constexpr KnownClass kKnownClasses[] = {
    { "sentencepiece.SentencePieceProcessor", Role::TextEncoder, kNone },
    { "speechbrain.alignment.aligner.HMMAligner", Role::Decoder, kNone },
    { "speechbrain.augment.codec.CodecAugment", Role::Augmentation, kNone },
    { "speechbrain.augment.freq_domain.RandomShift", Role::Augmentation, kNone },
    { "speechbrain.augment.preparation.prepare_dataset_from_URL", Role::Utility, kNone },
    { "speechbrain.augment.time_domain.AddNoise", Role::Augmentation, kNone },
    { "speechbrain.augment.time_domain.AddReverb", Role::Augmentation, kNone },
    { "speechbrain.augment.time_domain.ChannelDrop", Role::Augmentation, kNone },
    { "speechbrain.augment.time_domain.ChannelSwap", Role::Augmentation, kNone },
    { "speechbrain.augment.time_domain.CutCat", Role::Augmentation, kNone },
    { "speechbrain.augment.time_domain.DoClip", Role::Augmentation, kNone },
    { "speechbrain.augment.time_domain.DropBitResolution", Role::Augmentation, kNone },
    { "speechbrain.augment.time_domain.FastDropChunk", Role::Augmentation, kNone },
    { "speechbrain.augment.time_domain.RandAmp", Role::Augmentation, kNone },
    { "speechbrain.augment.time_domain.Resample", Role::Augmentation, kNone },
    { "speechbrain.augment.time_domain.SignFlip", Role::Augmentation, kNone },
    { "speechbrain.dataio.encoder.CategoricalEncoder", Role::TextEncoder, kNone },
    { "speechbrain.dataio.encoder.TextEncoder", Role::TextEncoder, kNone },
    { "speechbrain.dataio.legacy.ExtendedCSVDataset", Role::Utility, kNone },
    { "speechbrain.decoders.scorer.CTCScorer", Role::Decoder, kNone },
    { "speechbrain.decoders.scorer.CoverageScorer", Role::Decoder, kNone },
    { "speechbrain.decoders.scorer.KenLMScorer", Role::Decoder, kNone },
    { "speechbrain.decoders.scorer.LengthScorer", Role::Decoder, kNone },
    { "speechbrain.decoders.scorer.RNNLMScorer", Role::Decoder, kNone },
    { "speechbrain.decoders.scorer.ScorerBuilder", Role::Decoder, kNone },
    { "speechbrain.decoders.scorer.TransformerLMScorer", Role::Decoder, kNone },
    { "speechbrain.decoders.seq2seq.S2SRNNBeamSearcher", Role::Decoder, kNone },
    { "speechbrain.decoders.seq2seq.S2SRNNGreedySearcher", Role::Decoder, kNone },
    { "speechbrain.decoders.seq2seq.S2STransformerBeamSearcher", Role::Decoder, kNone },
    { "speechbrain.decoders.seq2seq.S2STransformerGreedySearcher", Role::Decoder, kNone },
    { "speechbrain.decoders.seq2seq.S2SWhisperBeamSearcher", Role::Decoder, kNone },
    { "speechbrain.decoders.seq2seq.S2SWhisperGreedySearcher", Role::Decoder, kNone },
    { "speechbrain.decoders.transducer.TransducerBeamSearcher", Role::Decoder, kNone },
    { "speechbrain.inference.ASR.EncoderDecoderASR.from_hparams", Role::Utility, kNone },
    { "speechbrain.integrations.huggingface.w2v_bert.W2VBert", Role::Module, kParameters },
    { "speechbrain.integrations.huggingface.wav2vec2.Wav2Vec2", Role::Module, kParameters },
    { "speechbrain.integrations.huggingface.wav2vec2.Wav2Vec2Pretrain", Role::Module, kParameters },
    { "speechbrain.integrations.huggingface.whisper.Whisper", Role::Module, kParameters },
    { "speechbrain.integrations.nlp.bgeM3_embeddings.BGEM3SentenceEmbeddings", Role::Module, kParameters },
    { "speechbrain.lobes.features.MFCC", Role::Features, kNone },
    { "speechbrain.lobes.models.ECAPA_TDNN.ECAPA_TDNN", Role::Module, kParameters },
    { "speechbrain.lobes.models.RNNLM.RNNLM", Role::Module, kParameters },
    { "speechbrain.lobes.models.Xvector.Classifier", Role::Module, kParameters },
    { "speechbrain.lobes.models.Xvector.Xvector", Role::Module, kParameters },
    { "speechbrain.lobes.models.conv_tasnet.MaskNet", Role::Module, kParameters },
    { "speechbrain.lobes.models.dual_path.Decoder", Role::Module, kParameters },
    { "speechbrain.lobes.models.dual_path.Encoder", Role::Module, kParameters },
    { "speechbrain.lobes.models.fairseq_wav2vec.FairseqWav2Vec2", Role::Module, kParameters },
    { "speechbrain.lobes.models.transformer.TransformerLM.TransformerLM", Role::Module, kParameters },
    { "speechbrain.nnet.RNN.AttentionalRNNDecoder", Role::Module, kParameters },
    { "speechbrain.nnet.complex_networks.c_CNN.CConv1d", Role::Module, kParameters },
    { "speechbrain.nnet.complex_networks.c_RNN.CLiGRU", Role::Module, kParameters },
    { "speechbrain.nnet.complex_networks.c_normalization.CLayerNorm", Role::Module, kParameters },
    { "speechbrain.nnet.embedding.Embedding", Role::Module, kParameters },
    { "speechbrain.nnet.losses.bce_loss", Role::Loss, kNone },
    { "speechbrain.nnet.losses.classification_error", Role::Loss, kNone },
    { "speechbrain.nnet.losses.compute_masked_loss", Role::Loss, kNone },
    { "speechbrain.nnet.losses.kldiv_loss", Role::Loss, kNone },
    { "speechbrain.nnet.losses.mse_loss", Role::Loss, kNone },
    { "speechbrain.nnet.losses.nll_loss", Role::Loss, kNone },
    { "speechbrain.nnet.losses.transducer_loss", Role::Loss, kNone },
    { "speechbrain.nnet.pooling.AttentionPooling", Role::Module, kParameters },
    { "speechbrain.nnet.pooling.StatisticsPooling", Role::Module, kNone },
    { "speechbrain.nnet.quaternion_networks.q_CNN.QConv1d", Role::Module, kParameters },
    { "speechbrain.nnet.quaternion_networks.q_RNN.QLiGRU", Role::Module, kParameters },
    { "speechbrain.nnet.schedulers.LinearScheduler", Role::Scheduler, kNone },
    { "speechbrain.nnet.schedulers.WarmAndExpDecayLRSchedule", Role::Scheduler, kNone },
    { "speechbrain.nnet.transducer.transducer_joint.Transducer_joint", Role::Module, kNone },
    { "speechbrain.processing.features.ISTFT", Role::Features, kNone },
    { "speechbrain.processing.features.STFT", Role::Features, kNone },
    { "speechbrain.processing.features.spectral_magnitude", Role::Features, kNone },
    { "speechbrain.processing.signal_processing.resynthesize", Role::Utility, kNone },
    { "speechbrain.tokenizers.SentencePiece.SentencePiece", Role::TextEncoder, kNone },
    { "speechbrain.utils.Accuracy.AccuracyStats", Role::Metric, kNone },
    { "speechbrain.utils.dynamic_chunk_training.DynChunkTrainConfig", Role::Utility, kNone },
    { "speechbrain.utils.dynamic_chunk_training.DynChunkTrainConfigRandomSampler", Role::Utility, kNone },
    { "speechbrain.utils.fetching.FetchFrom.HUGGING_FACE", Role::Utility, kNone },
    { "speechbrain.utils.fetching.FetchFrom.LOCAL", Role::Utility, kNone },
    { "speechbrain.utils.fetching.FetchFrom.URI", Role::Utility, kNone },
    { "speechbrain.utils.fetching.FetchSource", Role::Utility, kNone },
    { "speechbrain.utils.metric_stats.MetricStats", Role::Metric, kNone },
    { "speechbrain.utils.parameter_transfer.Pretrainer", Role::Utility, kNone },
    { "torch.hamming_window", Role::Utility, kNone },
    { "torch.sum", Role::Utility, kNone },
};

constexpr Alias kAliases[] = {
    { "speechbrain.decoders.S2SRNNBeamSearcher", "speechbrain.decoders.seq2seq.S2SRNNBeamSearcher" },
    { "speechbrain.decoders.S2SRNNGreedySearcher", "speechbrain.decoders.seq2seq.S2SRNNGreedySearcher" },
    { "speechbrain.decoders.S2STransformerBeamSearcher", "speechbrain.decoders.seq2seq.S2STransformerBeamSearcher" },
    { "speechbrain.utils.seed.seed_everything", "speechbrain.utils.seed_everything" },
    { "torch.nn.modules.activation.GELU", "torch.nn.GELU" },
    { "torch.nn.modules.activation.LeakyReLU", "torch.nn.LeakyReLU" },
    { "torch.nn.modules.activation.LogSoftmax", "torch.nn.LogSoftmax" },
    { "torch.nn.modules.activation.ReLU", "torch.nn.ReLU" },
    { "torch.nn.modules.activation.SiLU", "torch.nn.SiLU" },
    { "torch.nn.modules.activation.Sigmoid", "torch.nn.Sigmoid" },
    { "torch.nn.modules.activation.Tanh", "torch.nn.Tanh" },
    { "torch.nn.modules.container.ModuleList", "torch.nn.ModuleList" },
    { "torch.nn.modules.dropout.Dropout", "torch.nn.Dropout" },
    { "torch.nn.modules.linear.Identity", "torch.nn.Identity" },
    { "torch.optim.adadelta.Adadelta", "torch.optim.Adadelta" },
    { "torch.optim.adam.Adam", "torch.optim.Adam" },
    { "torch.optim.adamw.AdamW", "torch.optim.AdamW" },
    { "torch.optim.sgd.SGD", "torch.optim.SGD" },
};
// clang-format on

} // namespace

std::span<const KnownClass> knownClasses()
{
    return kKnownClasses;
}

std::span<const Alias> aliases()
{
    return kAliases;
}

} // namespace kymo::catalog
