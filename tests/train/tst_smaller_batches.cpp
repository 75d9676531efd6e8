#include "core/recipe/resolve.h"
#include "core/train/memory/smaller_batches.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;

/// What the recipe is to say so that its batches fit.
class TstSmallerBatches : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void settings_areThoseThatTheRecipeHolds_data();
    void settings_areThoseThatTheRecipeHolds();
};

void TstSmallerBatches::settings_areThoseThatTheRecipeHolds_data()
{
    QTest::addColumn<std::string>("recipe");
    QTest::addColumn<bool>("dynamic");
    QTest::addColumn<std::string>("path");
    QTest::addColumn<std::string>("size");
    const auto row = [](const char* name, const std::string& recipe, bool dynamic,
                         const std::string& path, const std::string& size) {
        QTest::newRow(name) << recipe << dynamic << path << size;
    };
    row("a key of the recipe", "batch_size: 8\n", false, "batch_size", "2");
    row("the default", "lr: 0.1\n", false, "batch_size", "2");
    row("the loader's own", "train_dataloader_opts:\n    batch_size: 8\n", false,
        "train_dataloader_opts.batch_size", "2");
    row("the loader's, from another key",
        "rows: 8\nbatch_size: !ref <rows>\n"
        "train_dataloader_opts:\n    batch_size: !ref <batch_size>\n",
        false, "rows", "2");
    row("computed from another key",
        "rows: 4\ntrain_dataloader_opts:\n    batch_size: !ref <rows> * 2\n", false,
        "train_dataloader_opts.batch_size", "2");
    row("a part of a mapping",
        "sizes:\n    train: 8\ntrain_dataloader_opts:\n    batch_size: !ref <sizes[train]>\n",
        false, "sizes.train", "2");
    row("dynamic batches",
        "max_batch_length: 90\n"
        "dynamic_batch_sampler:\n    max_batch_length: !ref <max_batch_length>\n",
        true, "max_batch_length", "22.5");
    row("dynamic batches of the training alone",
        "dynamic_batch_sampler:\n    max_batch_length: 30\n"
        "dynamic_batch_sampler_train:\n    max_batch_len: 90\n",
        true, "dynamic_batch_sampler_train.max_batch_len", "22.5");
}

void TstSmallerBatches::settings_areThoseThatTheRecipeHolds()
{
    QFETCH(std::string, recipe);
    QFETCH(bool, dynamic);
    QFETCH(std::string, path);
    QFETCH(std::string, size);
    plan::Plan plan;
    plan.recipeText = recipe;
    plan.setRecipe(recipe::resolve(recipe, "r.yaml", {}).root, {});
    plan.options.gradAccumulationFactor = 3;
    const data::Batching batching {
        .batchSize = 8, .dynamic = dynamic, .maxBatchLengthSeconds = 90
    };
    const auto settings = train::smallerBatches(plan, batching, 4);
    QCOMPARE(settings.size(), size_t { 2 });
    QCOMPARE(settings[0].first, path);
    QCOMPARE(settings[0].second, size);
    QCOMPARE(settings[1].first, std::string("grad_accumulation_factor"));
    QCOMPARE(settings[1].second, std::string("12"));
}

EARWRIGHT_TEST(TstSmallerBatches)
#include "tst_smaller_batches.moc"
