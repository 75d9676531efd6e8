#include <QTest>

#include "core/base/file.h"
#include "core/model/drop_masks.h"
#include "core/recipe/resolve.h"
#include "core/train/load_weights.h"

using namespace kymo;
using namespace kymo::train;

class TstLoadWeights final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void dropMasksOfUpstream_mayBeThereOrNot_data();
    void dropMasksOfUpstream_mayBeThereOrNot();
};

namespace {

/// Of tests/cases/train/equal/crdnn.yaml, whose recurrent layer is a LiGRU.
std::unique_ptr<Task> crdnn()
{
    const Result<std::string> text = readFile(KYMO_CASES_DIR "/train/equal/crdnn.yaml");
    const recipe::Resolved resolved
        = recipe::resolve(*text, "t.yaml", *recipe::parseOverrides({ "--data_folder=/nowhere" }));
    auto task = makeTask(*resolved.root,
        std::make_shared<const data::TextEncoder>(
            data::TextEncoder::fromTexts({ "ABCDEF" }, { .blank = 0 })),
        torch::kCPU, "reduction");
    if (!task)
        qFatal("%s", task.error().message.c_str());
    return std::move(*task);
}

} // namespace

void TstLoadWeights::dropMasksOfUpstream_mayBeThereOrNot_data()
{
    QTest::addColumn<bool>("areThere");
    QTest::newRow("a checkpoint of Kymo") << false;
    QTest::newRow("an export, a checkpoint of SpeechBrain") << true;
}

void TstLoadWeights::dropMasksOfUpstream_mayBeThereOrNot()
{
    QFETCH(bool, areThere);
    const auto source = crdnn();
    std::map<std::string, torch::Tensor> tensors;
    for (const auto& list : { source->modules().weights(), source->modules().buffers() })
        for (const auto& [name, tensor] : list)
            tensors[name] = tensor.detach().clone();
    if (areThere) {
        model::addDropMasks(tensors);
        QVERIFY(tensors.contains("enc.RNN.rnn.0.drop_masks"));
    }
    const auto task = crdnn();
    QVERIFY(loadWeights(*task, tensors, "the file"));
    Unmatched unmatched;
    QVERIFY(loadWeights(*task, tensors, "the file", &unmatched));
    QVERIFY(unmatched.missing.empty());
    QVERIFY(unmatched.unexpected.empty());
    for (const auto& [name, tensor] : task->modules().weights())
        QVERIFY2(torch::equal(tensor, tensors.at(name)), name.c_str());
}

QTEST_GUILESS_MAIN(TstLoadWeights)
#include "tst_load_weights.moc"
