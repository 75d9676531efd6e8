#include "core/recipe/parse.h"
#include "core/train/weights/average.h"
#include "tests/registry.h"

#include <QTemporaryDir>
#include <QTest>

using namespace earwright;
using namespace earwright::train;

namespace {

namespace fs = std::filesystem;

Checkpoint checkpointOf(int64_t step, float weight, at::ScalarType type = at::kFloat)
{
    Progress progress;
    progress.step = step;
    return { .progress = progress,
        .model = { { "enc.w", torch::full({ 2, 3 }, weight, type) },
            { "enc.num_batches_tracked", torch::tensor(step * 10) } },
        .training = { { "lr", torch::tensor({ 0.1 }) } } };
}

} // namespace

class TstAverage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void floats_areMeansAndWholeNumbersTheNewests();
    void halfPrecision_isSummedInFull();
    void oneCheckpoint_isItself();
    void otherModels_areRefusedByName_data();
    void otherModels_areRefusedByName();
    void damagedOne_isAnError();
    void none_isAnError();
    void judged_isTheMeanOfTheBest();
    void judged_isMadeAnewForOtherCheckpoints();
    void judged_isTheBestWhereThereIsOne();

private:
    fs::path saved(const std::string& name, const Checkpoint& checkpoint)
    {
        const fs::path path = fs::path(m_folder.path().toStdString()) / name;
        return writeCheckpoint(path, checkpoint) ? path : fs::path();
    }
    QTemporaryDir m_folder;
};

void TstAverage::floats_areMeansAndWholeNumbersTheNewests()
{
    const auto mean = averageCheckpoints({ saved("c", checkpointOf(3, 7)),
        saved("b", checkpointOf(2, 1)), saved("a", checkpointOf(1, 2)) });
    QVERIFY2(mean, mean ? "" : mean.error().message.c_str());
    QVERIFY(torch::equal(mean->model.at("enc.w"), torch::full({ 2, 3 }, 10.0F / 3)));
    QCOMPARE(mean->model.at("enc.num_batches_tracked").item<int64_t>(), int64_t(30));
    QCOMPARE(mean->progress.step, int64_t(3));
    QVERIFY(mean->training.empty());
}

void TstAverage::halfPrecision_isSummedInFull()
{
    // 60000 + 60000 is infinite in float16; 1 + 2^-9 has no sum with 4 in bfloat16.
    const auto half = averageCheckpoints({ saved("h1", checkpointOf(1, 60000, at::kHalf)),
        saved("h2", checkpointOf(1, 60000, at::kHalf)) });
    QVERIFY(half && torch::equal(half->model.at("enc.w"), torch::full({ 2, 3 }, 60000, at::kHalf)));
    std::vector<fs::path> many;
    for (int i = 0; i < 9; ++i)
        many.push_back(saved("b" + std::to_string(i), checkpointOf(1, 1.0078125F, at::kBFloat16)));
    const auto brain = averageCheckpoints(many);
    QVERIFY(brain
        && torch::equal(brain->model.at("enc.w"), torch::full({ 2, 3 }, 1.0078125, at::kBFloat16)));
}

void TstAverage::oneCheckpoint_isItself()
{
    const auto mean = averageCheckpoints({ saved("one", checkpointOf(4, 0.1F)) });
    QVERIFY(mean && torch::equal(mean->model.at("enc.w"), torch::full({ 2, 3 }, 0.1F)));
}

void TstAverage::otherModels_areRefusedByName_data()
{
    QTest::addColumn<QString>("change");
    for (const char* change : { "missing", "more", "shape" })
        QTest::newRow(change) << change;
}

void TstAverage::otherModels_areRefusedByName()
{
    QFETCH(QString, change);
    Checkpoint other = checkpointOf(1, 1);
    if (change == "missing")
        other.model.erase("enc.w");
    else if (change == "more")
        other.model["enc.v"] = torch::zeros({ 1 });
    else
        other.model["enc.w"] = torch::zeros({ 1, 3 }); // would broadcast
    const fs::path path = saved("other", other);
    const auto mean = averageCheckpoints({ saved("sound", checkpointOf(1, 1)), path });
    QVERIFY(!mean);
    const QString said = QString::fromStdString(mean.error().message);
    QVERIFY2(said.contains(change == "more" ? "'enc.v'" : "'enc.w'"), qPrintable(said));
    QVERIFY2(said.contains(QString::fromStdString(path.string())), qPrintable(said));
}

void TstAverage::damagedOne_isAnError()
{
    const fs::path path = saved("damaged", checkpointOf(1, 1));
    fs::resize_file(path / "model.safetensors", 40);
    const auto mean = averageCheckpoints({ saved("whole", checkpointOf(1, 1)), path });
    QVERIFY(!mean && mean.error().message.find("model.safetensors") != std::string::npos);
}

void TstAverage::none_isAnError()
{
    QVERIFY(!averageCheckpoints({}));
}

namespace {

/// Steps of these metrics below a folder, each of weights that are its number.
void save(const fs::path& folder, const std::vector<double>& metrics)
{
    for (size_t i = 0; i < metrics.size(); ++i) {
        const auto step = static_cast<int64_t>(i) + 1;
        Checkpoint checkpoint = checkpointOf(step, static_cast<float>(step));
        checkpoint.metric = metrics[i];
        QVERIFY(saveCheckpoint(folder, checkpoint, step == 1, metrics.size()));
    }
}

float weightOf(const Result<fs::path>& path)
{
    const auto loaded = path ? loadCheckpoint(*path) : Result<Checkpoint>(path.error());
    return loaded ? loaded->model.at("enc.w")[0][0].item<float>() : -1;
}

} // namespace

void TstAverage::judged_isTheMeanOfTheBest()
{
    QTemporaryDir run;
    QTemporaryDir other;
    const fs::path folder = run.path().toStdString();
    save(folder, { 5, 30, 6, 20 });
    const auto elsewhere = judgedCheckpoint(folder, 3, other.path().toStdString());
    QVERIFY2(elsewhere, elsewhere ? "" : elsewhere.error().message.c_str());
    QCOMPARE(*elsewhere, fs::path(other.path().toStdString()) / "avg-3");
    QVERIFY(!fs::exists(folder / "avg-3"));
    const auto made = judgedCheckpoint(folder, 3, folder);
    QVERIFY(made && *made == folder / "avg-3");
    QCOMPARE(weightOf(made), (1 + 3 + 4) / 3.0F);
    const Checkpoint mean = *loadCheckpoint(*made);
    QCOMPARE(mean.model.at("enc.num_batches_tracked").item<int64_t>(), int64_t { 40 });
    QCOMPARE(mean.metric, -1.0);
    QCOMPARE(mean.averaged.size(), size_t { 3 });
    QCOMPARE(mean.averaged[0].name, std::string("step-4"));
    QCOMPARE(mean.averaged[2].name, std::string("step-1"));
    const auto found = judgedCheckpoint(folder, 3, other.path().toStdString());
    QVERIFY(found && *found == folder / "avg-3"); // as it is there
}

void TstAverage::judged_isMadeAnewForOtherCheckpoints()
{
    QTemporaryDir run;
    const fs::path folder = run.path().toStdString();
    save(folder, { 5, 30, 6 });
    QCOMPARE(weightOf(judgedCheckpoint(folder, 2, folder)), 2.0F);
    Checkpoint better = checkpointOf(4, 4);
    better.metric = 1;
    QVERIFY(saveCheckpoint(folder, better, true, 3));
    QCOMPARE(weightOf(judgedCheckpoint(folder, 2, folder)), 2.5F);
    Checkpoint changed = checkpointOf(4, 8); // the same name, of a run that went on otherwise
    changed.metric = 1;
    QVERIFY(saveCheckpoint(folder, changed, true, 3));
    QCOMPARE(weightOf(judgedCheckpoint(folder, 2, folder)), 4.5F);
}

void TstAverage::judged_isTheBestWhereThereIsOne()
{
    QTemporaryDir run;
    const fs::path folder = run.path().toStdString();
    QVERIFY(!judgedCheckpoint(folder, 3, folder));
    save(folder, { 5 });
    QCOMPARE(*judgedCheckpoint(folder, 3, folder), folder / "step-1");
    save(folder, { 5, 30 });
    QCOMPARE(*judgedCheckpoint(folder, 1, folder), folder / "step-1");
}

EARWRIGHT_TEST(TstAverage)
#include "tst_average.moc"
