#include <QTest>

#include "tests/model/layers.h"

using namespace kymo;

class TstRecurrent final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partWithoutTheLongestRow_hasAllFrames_data();
    void partWithoutTheLongestRow_hasAllFrames();
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

QTEST_GUILESS_MAIN(TstRecurrent)
#include "tst_recurrent.moc"
