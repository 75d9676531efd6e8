#pragma once

#include "core/catalog/configs/crdnn.h"
#include "core/model/container.h"

namespace earwright::model {

/// speechbrain.lobes.models.CRDNN.CRDNN: [batch, time, features] -> [batch, time', dnn_neurons].
/// Children: CNN.block_N.{conv_1,norm_1,conv_2,norm_2}, time_pooling, projection, RNN,
/// DNN.block_N.{linear,norm}; with use_rnnp the recurrent layers and their projections are called
/// by their place (3, 4, 6, 7, …), as upstream's are. Upstream leaves BatchNorm statistics soiled
/// by the zeros it infers shapes with; a fresh model here has 0 and 1.
class Crdnn final : public Sequential {
public:
    explicit Crdnn(const catalog::CrdnnConfig& config);

private:
    void appendConvolutions(const catalog::CrdnnConfig& config);
    void appendProjection(const catalog::CrdnnConfig& config);
    void appendRecurrent(const catalog::CrdnnConfig& config);
    void appendLinear(const catalog::CrdnnConfig& config);

    /// Of the output so far; the channels are 0 as long as it is 3-d.
    int64_t m_features;
    int64_t m_channels = 0;
};

} // namespace earwright::model
