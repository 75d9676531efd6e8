#include "core/catalog/catalog.h"
#include "core/model/augment/augmentation.h"
#include "core/model/layer_table.h"
#include "core/settings/search_setting.h"
#include "core/train/optim/optimizer.h"
#include "core/train/optim/schedule.h"
#include "core/train/task/ctc_search.h"
#include "tests/registry.h"

#include <QTest>
#include <set>

using namespace earwright;
using catalog::Role;

/// What the catalogue says that Earwright builds, and what the factories build.
class TstFactories final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void catalogue_namesWhatTheFactoryBuilds_data();
    void catalogue_namesWhatTheFactoryBuilds();
};

namespace {

using ClassNames = std::set<std::string>;

ClassNames builtBy(const std::vector<std::vector<std::string>>& factories)
{
    ClassNames names;
    for (const auto& classes : factories)
        names.insert(classes.begin(), classes.end());
    return names;
}

ClassNames trainableOf(const std::set<Role>& roles)
{
    ClassNames names;
    for (const std::string& name : catalog::trainableClassNames())
        if (roles.contains(catalog::findClass(name)->role))
            names.insert(name);
    return names;
}

QString without(const ClassNames& all, const ClassNames& others)
{
    QStringList left;
    for (const std::string& name : all)
        if (!others.contains(name))
            left << QString::fromStdString(name);
    return left.join(' ');
}

} // namespace

void TstFactories::catalogue_namesWhatTheFactoryBuilds_data()
{
    QTest::addColumn<ClassNames>("known");
    QTest::addColumn<ClassNames>("built");
    const auto factory = [](const char* name, const std::set<Role>& roles,
                             const std::vector<std::vector<std::string>>& factories) {
        QTest::newRow(name) << trainableOf(roles) << builtBy(factories);
    };
    // FunASR's augmentations of features are layers.
    factory("layers and augmentations",
        { Role::Module, Role::Container, Role::Activation, Role::Features, Role::Augmentation },
        { model::layerTable().classes(), model::augmentationClasses() });
    factory("optimizers", { Role::Optimizer }, { train::optimizerClasses() });
    factory("schedules", { Role::Scheduler }, { train::scheduleClasses() });
    factory(
        "searches", { Role::Decoder }, { train::ctcSearchClasses(), settings::searchClasses() });
}

void TstFactories::catalogue_namesWhatTheFactoryBuilds()
{
    QFETCH(const ClassNames, known);
    QFETCH(const ClassNames, built);
    QVERIFY(!built.empty());
    QCOMPARE(without(known, built), QString());
    QCOMPARE(without(built, known), QString());
}

EARWRIGHT_TEST(TstFactories)
#include "tst_factories.moc"
