#pragma once

#include "core/catalog/configs/paraformer_loss.h"
#include "core/model/paraformer/cif_predictor.h"
#include "core/model/paraformer/sanm_decoder.h"
#include "core/model/paraformer/sanm_encoder.h"

// Shapes: B rows, T frames, F features, D width, L tokens of a text, U places of the decoder (L, or
// with predictor_bias L + 1), V labels.

namespace earwright::model {

/// The layers of a Paraformer, under upstream's names.
struct ParaformerLayers {
    std::shared_ptr<SanmEncoder> encoder;
    std::shared_ptr<CifPredictor> predictor; ///< a CifPredictorV3 makes it a BiCifParaformer
    std::shared_ptr<ParaformerDecoder> decoder;
};

/// What the decoder is to give: the texts, with predictor_bias 1 each with `eos` after it.
struct ParaformerTargets {
    torch::Tensor tokens_BU; ///< padded with -1
    torch::Tensor counts_B; ///< int64
    torch::Tensor valid_BU; ///< bool
};

/// Of tokens_BL (padded with anything) and counts_B, on one device. Reads nothing back from it.
ParaformerTargets targetsOf(const torch::Tensor& tokens_BL, const torch::Tensor& counts_B,
    const catalog::ParaformerConfig& config);

/// Terms of the loss, each a sum over the rows, so that the parts of a batch add up. float32 under
/// every precision.
struct ParaformerTerms {
    torch::Tensor attention; ///< label smoothing over the targets
    torch::Tensor length; ///< how far the predicted number of tokens is off
    torch::Tensor fineLength; ///< the same of a CifPredictorV3's finer frames; else undefined
    torch::Tensor firstScores_BUV; ///< of the decoder's first pass, for the accuracy

    /// attention + predictor_weight * (length + fineLength / 2).
    torch::Tensor weighed(const catalog::ParaformerConfig& config) const;
};

struct ParaformerDecoded {
    torch::Tensor logProbs_BUV; ///< float32
    torch::Tensor hidden_BUD; ///< of the decoder
    torch::Tensor embeds_BUD; ///< of the predictor
    torch::Tensor valid_BU;
    torch::Tensor counts_B; ///< int64
};

/// funasr.models.paraformer.model.Paraformer and bicif_paraformer's (Gao et al. 2022): an encoder,
/// a predictor that tells where tokens are, and a decoder that reads all of them at once. Without
/// CTC branch and shared embedding.
class Paraformer final {
public:
    Paraformer(ParaformerLayers layers, catalog::ParaformerConfig config)
        : m_layers(std::move(layers))
        , m_config(std::move(config))
    {
    }

    /// features [batch, time, input_size], valid_BT bool.
    Encoded encode(const torch::Tensor& features_BTF, const torch::Tensor& valid_BT) const;
    /// Acoustic embeddings for targets; of a CifPredictorV3 without the finer frames.
    CifPrediction align(const Encoded& encoded, const ParaformerTargets& targets) const;
    /// keys_BU: random numbers that say which wrong tokens of the first pass the decoder is told
    /// (the lowest); undefined: drawn.
    ParaformerTerms terms(const Encoded& encoded, const ParaformerTargets& targets,
        const torch::Tensor& keys_BU = {}) const;
    /// One token for each fire. Waits for the device. Where nothing fires in any row the counts and
    /// the embeddings are all there is.
    ParaformerDecoded decode(const Encoded& encoded) const;
    /// The best token of each valid place, without sos, eos and blank.
    std::vector<std::vector<int64_t>> texts(
        const torch::Tensor& logProbs_BUV, const torch::Tensor& counts_B) const;

    const ParaformerLayers& layers() const { return m_layers; }
    const catalog::ParaformerConfig& config() const { return m_config; }

private:
    struct Sampled {
        torch::Tensor embeds_BUD;
        torch::Tensor scores_BUV;
    };
    /// The glancing sampler: a share of the tokens that a first pass, without gradient, gets wrong
    /// are told to the decoder by their embeddings.
    Sampled sample(const Encoded& encoded, const ParaformerTargets& targets,
        const torch::Tensor& embeds_BUD, const torch::Tensor& keys_BU) const;

    ParaformerLayers m_layers;
    catalog::ParaformerConfig m_config;
};

} // namespace earwright::model
