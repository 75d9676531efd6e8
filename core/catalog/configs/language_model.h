#pragma once

#include "core/catalog/field.h"

namespace earwright::catalog {

/// speechbrain.lobes.models.RNNLM.RNNLM
struct RnnLmConfig {
    int64_t outputNeurons = 0;
    int64_t embeddingDim = 128;
    recipe::NodePtr activation;
    double dropout = 0.15;
    recipe::NodePtr rnnClass;
    int64_t rnnLayers = 2;
    int64_t rnnNeurons = 1024;
    bool rnnReInit = false;
    bool returnHidden = false;
    int64_t dnnBlocks = 1;
    int64_t dnnNeurons = 512;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("output_neurons", outputNeurons, { .min = 1, .help = "tokens", .required = true });
        field("embedding_dim", embeddingDim, { .min = 1 });
        field("activation", activation, { .help = "class; torch.nn.LeakyReLU if not given" });
        field("dropout", dropout, { .min = 0, .max = 1 });
        field("rnn_class", rnnClass,
            { .help = "LSTM, GRU or RNN of speechbrain.nnet.RNN; LSTM if not given" });
        field("rnn_layers", rnnLayers, { .min = 1 });
        field("rnn_neurons", rnnNeurons, { .min = 1 });
        field("rnn_re_init", rnnReInit, { .help = "orthogonal recurrent weights" });
        field("return_hidden", returnHidden, { .help = "RNNLMScorer needs True" });
        field("dnn_blocks", dnnBlocks, { .min = 0 });
        field("dnn_neurons", dnnNeurons, { .min = 1 });
    }

    std::vector<Misfit> misfits() const
    {
        if (dnnBlocks > 0 || dnnNeurons == rnnNeurons)
            return {};
        return { { "dnn_neurons",
            "rnn_neurons where dnn_blocks is 0, not " + std::to_string(dnnNeurons),
            std::to_string(rnnNeurons) } };
    }
};

/// speechbrain.lobes.models.transformer.TransformerLM.TransformerLM. `causal` changes nothing in
/// it: its tokens never see those behind them.
struct TransformerLmConfig {
    int64_t vocab = 0;
    int64_t dModel = 512;
    int64_t nhead = 8;
    int64_t numEncoderLayers = 12;
    int64_t numDecoderLayers = 0;
    int64_t dFfn = 2048;
    double dropout = 0.1;
    recipe::NodePtr activation;
    std::string positionalEncoding = "fixed_abs_sine";
    bool normalizeBefore = false;
    std::optional<int64_t> dEmbedding;
    int64_t maxLength = 2500;
    bool causal = true;
    std::string attentionType = "regularMHA";
    bool decoderUseMemory = false;

    template <class Visitor>
    void visit(Visitor&& field)
    {
        field("vocab", vocab, { .min = 1, .help = "tokens", .required = true });
        field("d_model", dModel, { .min = 1, .help = "width" });
        field("nhead", nhead, { .min = 1, .help = "must divide d_model" });
        field("num_encoder_layers", numEncoderLayers, { .min = 1 });
        field("num_decoder_layers", numDecoderLayers,
            { .help = "its layers are an encoder's", .isFixed = true });
        field("d_ffn", dFfn, { .min = 1 });
        field("dropout", dropout, { .min = 0, .max = 1 });
        field("activation", activation, { .help = "class; torch.nn.ReLU if not given" });
        field("positional_encoding", positionalEncoding, { .choices = { "fixed_abs_sine" } });
        field("normalize_before", normalizeBefore);
        field("d_embedding", dEmbedding, { .min = 1, .help = "d_model if not given" });
        field("max_length", maxLength, { .unit = "tokens", .min = 1 });
        field("causal", causal, { .help = "not read: a token sees none behind it" });
        field("attention_type", attentionType, { .choices = { "regularMHA" } });
        field("decoder_use_memory", decoderUseMemory,
            { .help = "not read: it has no decoder layers" });
    }

    std::vector<Misfit> misfits() const
    {
        if (dModel % 2 == 0)
            return {};
        return { { "d_model",
            "even, not " + std::to_string(dModel) + ": positions are pairs of sine and cosine" } };
    }
};

} // namespace earwright::catalog
