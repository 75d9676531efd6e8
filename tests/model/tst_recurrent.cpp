#include <QTest>

#include "core/precision/precision.h"
#include "tests/model/layers.h"
#include "tests/registry.h"

#include <torch/nn/modules/rnn.h>

using namespace earwright;

class TstRecurrent final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partWithoutTheLongestRow_hasAllFrames_data();
    void partWithoutTheLongestRow_hasAllFrames();
    void floatFrames_areTrainedUnderAutocast_data();
    void floatFrames_areTrainedUnderAutocast();
    void dropoutBetweenLayers_isTorchs_data();
    void dropoutBetweenLayers_isTorchs();
    void torchLstm_dropsInTrainingOnly();
};

void TstRecurrent::partWithoutTheLongestRow_hasAllFrames_data()
{
    QTest::addColumn<std::string>("name");
    for (const char* name : { "LSTM", "GRU", "RNN" })
        QTest::newRow(name) << std::string(name);
}

/// Lengths are shares of the whole batch's frames, so a part must have as many.
void TstRecurrent::partWithoutTheLongestRow_hasAllFrames()
{
    QFETCH(std::string, name);
    torch::manual_seed(7);
    const auto layer = tests::layerOf("x: !new:speechbrain.nnet.RNN." + name
        + "\n    input_size: 6\n    hidden_size: 4\n    bidirectional: True\n");
    const torch::Tensor rows = torch::randn({ 3, 20, 6 });
    const torch::Tensor lengths = torch::tensor({ 1.0F, 0.5F, 0.75F });
    const torch::Tensor whole = layer->forward(rows, lengths);
    const torch::Tensor part = layer->forward(rows.narrow(0, 1, 2), lengths.narrow(0, 1, 2));
    QCOMPARE(part.size(1), 20);
    QVERIFY(torch::allclose(part, whole.narrow(0, 1, 2), 1e-5, 1e-5));
    QVERIFY(torch::equal(part.slice(1, 15), torch::zeros({ 2, 5, 8 })));
}

void TstRecurrent::floatFrames_areTrainedUnderAutocast_data()
{
    partWithoutTheLongestRow_hasAllFrames_data();
}

/// As where no CNN is in front, whose output has autocast's type.
void TstRecurrent::floatFrames_areTrainedUnderAutocast()
{
    QFETCH(std::string, name);
    const auto layer = tests::layerOf("x: !new:speechbrain.nnet.RNN." + name
        + "\n    input_size: 6\n    hidden_size: 4\n    num_layers: 2\n    bidirectional: True\n");
    const torch::Tensor x = torch::randn({ 3, 20, 6 });
    const torch::Tensor expected = layer->forward(x).detach();
    const precision::Autocast autocast(precision::Type::Bf16, at::kCPU);
    const torch::Tensor got = layer->forward(x);
    got.to(torch::kFloat).sum().backward();
    QVERIFY(torch::allclose(got.to(torch::kFloat), expected, 0.05, 0.1));
    for (const torch::Tensor& parameter : layer->parameters())
        QVERIFY(parameter.grad().defined());
}

void TstRecurrent::dropoutBetweenLayers_isTorchs_data()
{
    QTest::addColumn<bool>("bidirectional");
    QTest::addColumn<bool>("isTraining");
    QTest::newRow("one direction, training") << false << true;
    QTest::newRow("both directions, training") << true << true;
    QTest::newRow("both directions, evaluation") << true << false;
}

/// Each layer is a call of its own there; torch.nn.GRU is one call for all.
void TstRecurrent::dropoutBetweenLayers_isTorchs()
{
    QFETCH(bool, bidirectional);
    QFETCH(bool, isTraining);
    const auto layer = tests::layerOf("x: !new:speechbrain.nnet.RNN.GRU\n    input_size: 6\n"
                                      "    hidden_size: 4\n    num_layers: 3\n    dropout: 0.3\n"
                                      "    bidirectional: "
        + std::string(bidirectional ? "True\n" : "False\n"));
    torch::nn::GRU torchs(
        torch::nn::GRUOptions(6, 4).num_layers(3).dropout(0.3).batch_first(true).bidirectional(
            bidirectional));
    {
        const torch::NoGradGuard noGrad;
        auto theirs = torchs->named_parameters();
        for (const auto& ours : layer->named_parameters())
            theirs[ours.key().substr(std::string("rnn.").size())].copy_(ours.value());
    }
    layer->train(isTraining);
    torchs->train(isTraining);
    const torch::Tensor x = torch::randn({ 3, 20, 6 });
    torch::manual_seed(11);
    const torch::Tensor got = layer->forward(x);
    torch::manual_seed(11);
    QVERIFY(torch::equal(got, std::get<0>(torchs->forward(x))));
}

void TstRecurrent::torchLstm_dropsInTrainingOnly()
{
    const auto layer
        = tests::layerOf("x: !new:torch.nn.LSTM\n    input_size: 6\n    hidden_size: 4\n"
                         "    num_layers: 2\n    dropout: 0.5\n    batch_first: True\n");
    const torch::Tensor x = torch::randn({ 3, 20, 6 });
    layer->train();
    QVERIFY(!torch::equal(layer->forward(x), layer->forward(x)));
    layer->eval();
    QVERIFY(torch::equal(layer->forward(x), layer->forward(x)));
}

EARWRIGHT_TEST(TstRecurrent)
#include "tst_recurrent.moc"
