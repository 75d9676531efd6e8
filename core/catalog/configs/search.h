#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// speechbrain.decoders.seq2seq.S2STransformerGreedySearcher
struct GreedySearcherConfig {
    recipe::NodePtr modules;
    double temperature = 0.0;
    int64_t bosIndex = 0;
    int64_t eosIndex = 0;
    double minDecodeRatio = 0.0;
    double maxDecodeRatio = 1.0;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("modules", modules,
            { .help = "[Transformer, seq_lin]; more layers are not read", .required = true });
        field("temperature", temperature, { .help = "read by upstream's Whisper alone" });
        field("bos_index", bosIndex, { .min = 0, .required = true });
        field("eos_index", eosIndex, { .min = 0, .required = true });
        field("min_decode_ratio", minDecodeRatio,
            { .min = 0, .help = "fewest tokens over the encoder's frames", .required = true });
        field("max_decode_ratio", maxDecodeRatio,
            { .min = 0, .help = "most tokens over the encoder's frames", .required = true });
    }
};

/// speechbrain.decoders.seq2seq.S2STransformerBeamSearcher
struct BeamSearcherConfig {
    recipe::NodePtr modules;
    double temperature = 1.0;
    int64_t bosIndex = 0;
    int64_t eosIndex = 0;
    double minDecodeRatio = 0.0;
    double maxDecodeRatio = 1.0;
    int64_t beamSize = 1;
    recipe::NodePtr scorer;
    bool returnTopk = false;
    int64_t topk = 1;
    bool usingEosThreshold = true;
    double eosThreshold = 1.5;
    bool lengthNormalization = true;
    bool usingMaxAttnShift = false;
    int64_t maxAttnShift = 60;
    double minusInf = -1e20;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("modules", modules,
            { .help = "[Transformer, seq_lin]; more layers are not read", .required = true });
        field("temperature", temperature, { .min = 1e-6, .help = "above 1: softer scores" });
        field("bos_index", bosIndex, { .min = 0, .required = true });
        field("eos_index", eosIndex, { .min = 0, .required = true });
        field("min_decode_ratio", minDecodeRatio,
            { .min = 0, .help = "fewest tokens over the encoder's frames", .required = true });
        field("max_decode_ratio", maxDecodeRatio,
            { .min = 0, .help = "most tokens over the encoder's frames", .required = true });
        field("beam_size", beamSize, { .min = 1, .required = true });
        field("scorer", scorer, { .help = "a ScorerBuilder" });
        field("return_topk", returnTopk,
            { .help = "a run keeps the best; earwright transcribe --nbest tells more",
                .isFixed = true });
        field("topk", topk, { .min = 1 });
        field("using_eos_threshold", usingEosThreshold);
        field("eos_threshold", eosThreshold);
        field("length_normalization", lengthNormalization);
        field("using_max_attn_shift", usingMaxAttnShift,
            { .help = "a Transformer's attention has many peaks", .isFixed = true });
        field("max_attn_shift", maxAttnShift, { .unit = "frames", .min = 0 });
        field("minus_inf", minusInf, { .isFixed = true });
    }
};

/// speechbrain.decoders.seq2seq.S2SWhisperGreedySearcher
struct WhisperGreedySearcherConfig {
    recipe::NodePtr model;
    double temperature = 0.0;
    bool useKvCache = true;
    bool suppressBlank = true;
    recipe::NodePtr suppressTokens; ///< null: "-1"
    std::optional<int64_t> sampleLen;
    recipe::NodePtr prefix;
    recipe::NodePtr prompt;
    double minDecodeRatio = 0.0;
    double maxDecodeRatio = 1.0;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("model", model, { .help = "!ref <whisper>", .required = true });
        field("temperature", temperature,
            { .help = "above 0 upstream draws tokens, other ones each time", .isFixed = true });
        field("use_kv_cache", useKvCache,
            { .help = "keys and values are kept in any case: the texts are the same" });
        field("suppress_blank", suppressBlank, { .help = "no text begins with a blank or ends" });
        field("suppress_tokens", suppressTokens,
            { .help = "a list, or a text with commas; -1 = symbols that are not spoken" });
        field("sample_len", sampleLen, { .min = 1, .help = "tokens; shortens the prefix only" });
        field("prefix", prefix, { .help = "a text, or tokens, that the transcript begins with" });
        field("prompt", prompt, { .help = "a text, or tokens, that was said before" });
        field("min_decode_ratio", minDecodeRatio,
            { .min = 0, .help = "fewest tokens over the encoder's frames", .required = true });
        field("max_decode_ratio", maxDecodeRatio,
            { .min = 0, .help = "most tokens over the encoder's frames", .required = true });
    }
};

/// speechbrain.decoders.seq2seq.S2SWhisperBeamSearcher
struct WhisperBeamSearcherConfig {
    recipe::NodePtr module;
    double temperature = 1.0;
    bool useKvCache = true;
    bool suppressBlank = true;
    recipe::NodePtr suppressTokens; ///< null: "-1"
    std::optional<int64_t> sampleLen;
    recipe::NodePtr prefix;
    recipe::NodePtr prompt;
    double minDecodeRatio = 0.0;
    double maxDecodeRatio = 1.0;
    int64_t beamSize = 1;
    recipe::NodePtr scorer;
    bool returnTopk = false;
    int64_t topk = 1;
    bool usingEosThreshold = true;
    double eosThreshold = 1.5;
    bool lengthNormalization = true;
    bool usingMaxAttnShift = false;
    int64_t maxAttnShift = 60;
    double minusInf = -1e20;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("module", module, { .help = "[!ref <whisper>]", .required = true });
        field("temperature", temperature, { .min = 1e-6, .help = "scores are divided by it" });
        field("use_kv_cache", useKvCache,
            { .help = "keys and values are kept in any case: the texts are the same" });
        field("suppress_blank", suppressBlank, { .help = "no text begins with a blank or ends" });
        field("suppress_tokens", suppressTokens,
            { .help = "a list, or a text with commas; -1 = symbols that are not spoken" });
        field("sample_len", sampleLen, { .min = 1, .help = "tokens; shortens the prefix only" });
        field("prefix", prefix, { .help = "a text, or tokens, that the transcript begins with" });
        field("prompt", prompt, { .help = "a text, or tokens, that was said before" });
        field("min_decode_ratio", minDecodeRatio,
            { .min = 0, .help = "fewest tokens over the encoder's frames", .required = true });
        field("max_decode_ratio", maxDecodeRatio,
            { .min = 0, .help = "most tokens over the encoder's frames", .required = true });
        field("beam_size", beamSize, { .min = 1, .required = true });
        field("scorer", scorer, { .help = "a ScorerBuilder, without CTC and coverage" });
        field("return_topk", returnTopk,
            { .help = "a run keeps the best; earwright transcribe --nbest tells more",
                .isFixed = true });
        field("topk", topk, { .min = 1 });
        field("using_eos_threshold", usingEosThreshold);
        field("eos_threshold", eosThreshold);
        field("length_normalization", lengthNormalization);
        field("using_max_attn_shift", usingMaxAttnShift,
            { .help = "Whisper's searches look at no attention", .isFixed = true });
        field("max_attn_shift", maxAttnShift, { .unit = "frames", .min = 0 });
        field("minus_inf", minusInf, { .isFixed = true });
    }
};

/// speechbrain.decoders.scorer.ScorerBuilder
struct ScorerBuilderConfig {
    recipe::NodePtr weights;
    recipe::NodePtr fullScorers;
    recipe::NodePtr partialScorers;
    double scorerBeamScale = 2;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("weights", weights,
            { .help = "by the scorer's name: ctc, length, transformerlm, rnnlm, kenlm, coverage" });
        field("full_scorers", fullScorers, { .help = "score every token" });
        field("partial_scorers", partialScorers, { .help = "score the best tokens alone" });
        field("scorer_beam_scale", scorerBeamScale,
            { .min = 0, .help = "partial scorers see beam_size times this many tokens" });
    }
};

/// speechbrain.decoders.scorer.CTCScorer
struct CtcScorerConfig {
    recipe::NodePtr ctcFc;
    int64_t blankIndex = 0;
    int64_t eosIndex = 0;
    int64_t ctcWindowSize = 0;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("ctc_fc", ctcFc, { .help = "ctc_lin", .required = true });
        field("blank_index", blankIndex, { .min = 0, .required = true });
        field("eos_index", eosIndex, { .min = 0, .required = true });
        field("ctc_window_size", ctcWindowSize,
            { .unit = "frames",
                .help = "upstream's window follows no one head of a Transformer",
                .isFixed = true });
    }
};

/// speechbrain.decoders.scorer.LengthScorer
struct LengthScorerConfig {
    int64_t vocabSize = 0;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("vocab_size", vocabSize, { .min = 1, .required = true });
    }
};

/// speechbrain.decoders.scorer.TransformerLMScorer and RNNLMScorer
struct LanguageModelScorerConfig {
    recipe::NodePtr languageModel;
    double temperature = 1.0;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("language_model", languageModel,
            { .help = "an object that 'pretrainer' loads", .required = true });
        field("temperature", temperature, { .min = 1e-6, .help = "above 1: softer scores" });
    }
};

/// speechbrain.decoders.scorer.KenLMScorer
struct KenLmScorerConfig {
    std::string lmPath;
    int64_t vocabSize = 0;
    recipe::NodePtr tokenList;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("lm_path", lmPath,
            { .help = "an n-gram over tokens: ARPA or KenLM's binary form", .required = true });
        field("vocab_size", vocabSize, { .min = 1, .required = true });
        field("token_list", tokenList,
            { .help = "each token as the n-gram spells it", .required = true });
    }
};

/// speechbrain.decoders.scorer.CoverageScorer
struct CoverageScorerConfig {
    int64_t vocabSize = 0;
    double threshold = 0.5;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("vocab_size", vocabSize, { .min = 1, .required = true });
        field("threshold", threshold,
            { .min = 0,
                .help = "attention that a frame may get in total before a penalty begins" });
    }
};

/// speechbrain.decoders.ctc.CTCBeamSearcher and CTCPrefixBeamSearcher as a recipe's
/// `test_beam_search` says them: vocab_list comes from the label encoder.
struct CtcBeamSearcherConfig {
    int64_t blankIndex = 0;
    recipe::NodePtr vocabList;
    std::string spaceToken = " ";
    std::optional<std::string> kenlmModelPath;
    recipe::NodePtr unigrams;
    double alpha = 0.5;
    double beta = 1.5;
    double unkScoreOffset = -10.0;
    bool scoreBoundary = true;
    int64_t beamSize = 100;
    double beamPruneLogp = -10.0;
    double tokenPruneMinLogp = -5.0;
    bool pruneHistory = true;
    double blankSkipThreshold = 1.0;
    int64_t topk = 1;
    std::string spmToken = "▁";

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("blank_index", blankIndex,
            { .min = 0, .help = "the blank of ctc_cost", .required = true });
        field("vocab_list", vocabList,
            { .help = "left to the label encoder, whose labels they are", .required = true });
        field("space_token", spaceToken,
            { .help = "words are parted as the label encoder parts them", .isFixed = true });
        field("kenlm_model_path", kenlmModelPath,
            { .help = "an n-gram of `earwright lm`: ARPA or KenLM's binary form; null = without" });
        field("unigrams", unigrams, { .help = "known words are the model's", .isFixed = true });
        field("alpha", alpha, { .min = 0, .help = "weight of the language model" });
        field("beta", beta, { .unit = "nats", .help = "for each word" });
        field("unk_score_offset", unkScoreOffset,
            { .max = 0, .help = "log10 for a word out of the model" });
        field("score_boundary", scoreBoundary, { .help = "the first word follows <s>" });
        field("beam_size", beamSize, { .min = 1 });
        field("beam_prune_logp", beamPruneLogp,
            { .unit = "nats", .max = 0, .help = "beams further below the best are dropped" });
        field("token_prune_min_logp", tokenPruneMinLogp,
            { .unit = "nats", .max = 0, .help = "tokens below are not tried" });
        field("prune_history", pruneHistory,
            { .help = "of beams that the n-gram cannot tell apart, keep the best" });
        field("blank_skip_threshold", blankSkipThreshold,
            { .min = 0, .max = 1, .help = "frames with a more probable blank are passed over" });
        field("topk", topk,
            { .help = "a run keeps the best; earwright transcribe --nbest tells more",
                .isFixed = true });
        field("spm_token", spmToken,
            { .help = "words are parted as the label encoder parts them", .isFixed = true });
    }
};

} // namespace earwright::catalog
