#include "core/catalog/given.h"
#include "core/catalog/shape_rules.h"

namespace earwright::catalog {

using recipe::Node;

namespace {

/// A complex or quaternion layer gives its parts side by side.
template <int64_t kParts>
FrameShape recurrent(const Node& node, const FrameShape&)
{
    const Given given(node);
    return { given.integer("hidden_size") * (given.flag("bidirectional") ? 2 : 1) * kParts };
}

/// One step after another over the encoder's frames (`enc_dim`); its own input is the embedding.
FrameShape attentionalDecoder(const Node& node, const FrameShape&)
{
    return { Given(node).integer("hidden_size") };
}

} // namespace

void addRecurrentShapes(ShapeRules& rules)
{
    rules.insert({
        { "speechbrain.nnet.RNN.AttentionalRNNDecoder", { attentionalDecoder } },
        { "speechbrain.nnet.RNN.GRU", { recurrent<1> } },
        { "speechbrain.nnet.RNN.LSTM", { recurrent<1> } },
        { "speechbrain.nnet.RNN.LiGRU", { recurrent<1> } },
        { "speechbrain.nnet.RNN.QuasiRNN", { recurrent<1> } },
        { "speechbrain.nnet.RNN.RNN", { recurrent<1> } },
        { "speechbrain.nnet.RNN.SLiGRU", { recurrent<1> } },
        { "speechbrain.nnet.complex_networks.c_RNN.CLSTM", { recurrent<2> } },
        { "speechbrain.nnet.complex_networks.c_RNN.CLiGRU", { recurrent<2> } },
        { "speechbrain.nnet.complex_networks.c_RNN.CRNN", { recurrent<2> } },
        { "speechbrain.nnet.quaternion_networks.q_RNN.QLSTM", { recurrent<4> } },
        { "speechbrain.nnet.quaternion_networks.q_RNN.QLiGRU", { recurrent<4> } },
        { "speechbrain.nnet.quaternion_networks.q_RNN.QRNN", { recurrent<4> } },
        { "torch.nn.GRU", { recurrent<1> } },
        { "torch.nn.LSTM", { recurrent<1> } },
        { "torch.nn.RNN", { recurrent<1> } },
    });
}

} // namespace earwright::catalog
