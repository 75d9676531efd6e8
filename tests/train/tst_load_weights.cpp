#include <QTest>

#include "core/base/file.h"
#include "core/model/drop_masks.h"
#include "core/recipe/resolve.h"
#include "core/train/weights/load_weights.h"
#include "tests/registry.h"

using namespace earwright;
using namespace earwright::train;

class TstLoadWeights final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void dropMasksOfUpstream_mayBeThereOrNot_data();
    void dropMasksOfUpstream_mayBeThereOrNot();
    void statisticsThatDoNotFit_areNamed_data();
    void statisticsThatDoNotFit_areNamed();
    void statistics_mayBeOfAnotherType();
};

namespace {

/// Of tests/cases/train/equal/crdnn.yaml, whose recurrent layer is a LiGRU.
std::unique_ptr<Task> crdnn()
{
    const Result<std::string> text = readFile(EARWRIGHT_CASES_DIR "/train/equal/crdnn.yaml");
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
    QTest::newRow("a checkpoint of Earwright") << false;
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

namespace {

using Tensors = std::map<std::string, torch::Tensor>;

/// Of a normalisation over 16 features, and the task's own weights.
Tensors withStatistics(Task& task)
{
    Tensors tensors { { "normalize.count", torch::tensor(int64_t { 50 }) },
        { "normalize.glob_mean", torch::full({ 16 }, 2.0) },
        { "normalize.glob_std", torch::full({ 16 }, 3.0) } };
    for (const auto& list : { task.modules().weights(), task.modules().buffers() })
        for (const auto& [name, tensor] : list)
            tensors[name] = tensor.detach().clone();
    return tensors;
}

Tensors statisticsOf(const Task& task)
{
    Tensors tensors;
    for (const auto& [name, tensor] : task.extraState())
        tensors[name] = tensor;
    return tensors;
}

} // namespace

void TstLoadWeights::statisticsThatDoNotFit_areNamed_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<std::vector<int64_t>>("shape"); // none: not in the file
    QTest::addColumn<QString>("said");
    QTest::newRow("another width") << "normalize.glob_std" << std::vector<int64_t> { 80 }
                                   << "'normalize.glob_std' has the shape [80] there and [16] here";
    QTest::newRow("no mean") << "normalize.glob_mean" << std::vector<int64_t> {}
                             << "'normalize.glob_mean' is not in it";
    QTest::newRow("no count") << "normalize.count" << std::vector<int64_t> {}
                              << "'normalize.count' is not in it";
    QTest::newRow("two counts") << "normalize.count" << std::vector<int64_t> { 2 }
                                << "'normalize.count' has the shape [2] there and [1] here";
}

void TstLoadWeights::statisticsThatDoNotFit_areNamed()
{
    QFETCH(const QString, name);
    QFETCH(const std::vector<int64_t>, shape);
    QFETCH(const QString, said);
    const auto task = crdnn();
    Tensors tensors = withStatistics(*task);
    tensors.erase(name.toStdString());
    if (!shape.empty())
        tensors[name.toStdString()] = torch::ones(shape);
    tensors["normalize.bogus"] = torch::ones({});
    const Status loaded = loadWeights(*task, tensors, "the file");
    QVERIFY(!loaded);
    const QString message = QString::fromStdString(loaded.error().message);
    QVERIFY2(message.contains(said), qPrintable(message));
    Unmatched unmatched;
    QVERIFY(loadWeights(*task, tensors, "the file", &unmatched));
    QCOMPARE(unmatched.missing.size() + unmatched.misshapen.size(), size_t { 1 });
    QCOMPARE(unmatched.unexpected, std::vector<std::string> { "normalize.bogus" });
    QCOMPARE(statisticsOf(*task).size(), size_t { 1 }); // none but the count, which is 0
}

void TstLoadWeights::statistics_mayBeOfAnotherType()
{
    const auto task = crdnn();
    Tensors tensors = withStatistics(*task);
    for (const char* name : { "normalize.glob_mean", "normalize.glob_std" })
        tensors[name] = tensors[name].to(torch::kDouble);
    QVERIFY(loadWeights(*task, tensors, "the file"));
    const Tensors found = statisticsOf(*task);
    QCOMPARE(found.at("normalize.count").item<int64_t>(), 50);
    QVERIFY(found.at("normalize.glob_mean").equal(torch::full({ 16 }, 2.0)));
}

EARWRIGHT_TEST(TstLoadWeights)
#include "tst_load_weights.moc"
