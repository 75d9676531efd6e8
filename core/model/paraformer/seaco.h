#pragma once

#include "core/model/paraformer/paraformer.h"
#include "core/model/torch_layers.h"

// Shapes: B rows, U places of the recogniser's decoder, D width, H hotwords. L: a hotword's tokens
// behind H, a text's behind B.

namespace earwright::model {

/// The layers that SeACo adds, under upstream's names.
struct SeacoLayers {
    std::shared_ptr<TorchLstm> biasEncoder; ///< bias_encoder
    std::shared_ptr<TorchLinear>
        projection; ///< lstm_proj, of a bidirectional bias encoder; or null
    std::shared_ptr<ParaformerDecoder> decoder; ///< seaco_decoder
    std::shared_ptr<TorchLinear> output; ///< hotword_output_layer
};

/// A list of hotwords as tokens. The last of a list is [sos]: none of them.
struct Hotwords {
    torch::Tensor tokens_HL; ///< padded with anything
    torch::Tensor counts_H; ///< int64, on the CPU, at least 1
};
Hotwords hotwordsOf(const std::vector<std::vector<int64_t>>& words, at::Device device);

/// What funasr.models.seaco_paraformer.model.SeacoParaformer adds to a Paraformer (Shi et al.
/// 2023): hotwords become vectors, at which a decoder of its own looks from the acoustic
/// embeddings and from the recogniser's hidden states; it says a hotword's token or `seaco_id`.
class Seaco final {
public:
    Seaco(SeacoLayers layers, catalog::SeacoConfig config)
        : m_layers(std::move(layers))
        , m_config(config)
    {
    }

    /// [hotwords, width], by the embeddings of the recogniser's tokens.
    torch::Tensor represent(const Paraformer& recogniser, const Hotwords& hotwords) const;
    /// Sum over the labels that are not -1 of the label smoothing loss. labels_BL: for each token
    /// of the text itself where it belongs to a hotword, else seaco_id; without the text's eos.
    /// float32 under every precision.
    torch::Tensor loss(const Paraformer& recogniser, const Encoded& encoded,
        const ParaformerTargets& targets, const Hotwords& hotwords,
        const torch::Tensor& labels_BL) const;
    /// The hotwords that take part in decoding, as indices: all, or of more than `most` those that
    /// the first row's attention looks at most (attention score filtering; upstream decodes a row
    /// at a time) and, last, none.
    /// hotwords_HD: represent() of one hotword at least.
    torch::Tensor lookedAt(const ParaformerDecoded& decoded, const torch::Tensor& hotwords_HD,
        int64_t most = 50) const;
    /// Log probabilities with the hotwords of lookedAt(), by upstream's rule: where the bias
    /// decoder says a token, `weight` of it is mixed in.
    torch::Tensor decode(const ParaformerDecoded& decoded, const torch::Tensor& hotwords_HD,
        int64_t most = 50, double weight = 1) const;
    /// Log probabilities of tokens by both parts: what the bias decoder says and, as far as it says
    /// "none", what the recogniser does. float32.
    torch::Tensor mixture(const ParaformerDecoded& decoded, const torch::Tensor& hotwords_HD) const;

    void setHotwordWeight(double nats) { m_config.hotwordWeight = nats; }
    const SeacoLayers& layers() const { return m_layers; }
    const catalog::SeacoConfig& config() const { return m_config; }

private:
    torch::Tensor scores(const torch::Tensor& embeds_BUD, const torch::Tensor& hidden_BUD,
        const torch::Tensor& valid_BU, const torch::Tensor& hotwords_HD) const;
    torch::Tensor bias(const ParaformerDecoded& decoded, const torch::Tensor& hotwords_HD) const;

    SeacoLayers m_layers;
    catalog::SeacoConfig m_config;
};

} // namespace earwright::model
