#include <QFile>
#include <QTest>

#include "core/base/text.h"
#include "core/recipe/resolve.h"
#include "core/train/placement.h"
#include "tests/registry.h"

using namespace earwright;
using namespace earwright::train;

namespace {

const std::map<std::string, std::string> kPlaces { { "enc", "ctc.yaml:3" },
    { "ctc_lin", "ctc.yaml:9" } };

/// The layers of tests/cases/train/NAME.
ModuleSet modulesOf(const char* name)
{
    QFile file(QString(EARWRIGHT_CASES_DIR "/train/") + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no fixture %s", name);
    const recipe::Resolved resolved = recipe::resolve(file.readAll().toStdString(), name, {});
    Result<ModuleSet> modules
        = ModuleSet::build(*resolved.root, { "compute_features", "enc", "ctc_lin" });
    if (!modules)
        qFatal("%s", modules.error().message.c_str());
    return std::move(*modules);
}

std::string errorOf(const std::vector<Placement>& placements)
{
    const Status verified = verifyPlacement(placements, torch::kCPU);
    return verified ? "" : verified.error().message;
}

} // namespace

class TstPlacement : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyTensor_isInTheTableOnce();
    void layerOutsideModules_isNamedWithItsPlace();
    void otherDevice_isNamed();
    void halfWeights_areRefused();
    void toDevice_leavesWhatModulesDoesNotReach();
};

void TstPlacement::everyTensor_isInTheTableOnce()
{
    const ModuleSet modules = modulesOf("placement_sound.yaml");
    const std::vector<Placement> placements = placementsOf(modules, kPlaces);
    QCOMPARE(errorOf(placements), std::string());
    size_t numTensors = 0;
    for (const auto& [key, layer] : modules.modules())
        numTensors += layer->parameters().size() + layer->buffers().size();
    const auto buffers = modules.others().at("compute_features")->buffers().size();
    QCOMPARE(placements.size(), numTensors + buffers);
    const std::string table = placementTable(placements);
    QVERIFY2(table.find("ctc_lin\tctc.yaml:9\tw.weight\tparameter\t5x12\tFloat\tcpu\tTrue\n")
            != std::string::npos,
        table.c_str());
    QVERIFY2(table.find("running_mean\tbuffer\t12\tFloat\tcpu\tTrue\n") != std::string::npos,
        table.c_str());
}

void TstPlacement::layerOutsideModules_isNamedWithItsPlace()
{
    const std::string error = errorOf(placementsOf(modulesOf("placement_left.yaml"), kPlaces));
    QVERIFY2(error.starts_with("ctc.yaml:9: 'ctc_lin' (w.weight) is not reachable from 'modules'"),
        error.c_str());
    QCOMPARE(error.find('\n'), std::string::npos); // one line a layer, not one a tensor
}

void TstPlacement::otherDevice_isNamed()
{
    std::vector<Placement> placements = placementsOf(modulesOf("placement_sound.yaml"), kPlaces);
    for (Placement& row : placements) {
        if (row.key == "enc")
            row.device = torch::kMeta; // the one other device that every machine has
    }
    const std::string error = errorOf(placements);
    QVERIFY2(error.starts_with("ctc.yaml:3: 'enc' (")
            && error.find("is on meta, but this rank") != std::string::npos,
        error.c_str());
}

void TstPlacement::halfWeights_areRefused()
{
    const ModuleSet modules = modulesOf("placement_sound.yaml");
    modules.find("ctc_lin")->to(torch::kHalf);
    const std::string error = errorOf(placementsOf(modules, kPlaces));
    QVERIFY2(error.find("'ctc_lin' (w.weight) has dtype Half") != std::string::npos, error.c_str());
}

void TstPlacement::toDevice_leavesWhatModulesDoesNotReach()
{
    // C++ modules cannot go to the meta device, so a throw tells which ones would have moved.
    ModuleSet modules = modulesOf("placement_left.yaml");
    modules.to(torch::kCPU);
    QVERIFY(!modules.others().at("ctc_lin")->parameters().empty());
    QVERIFY_THROWS_EXCEPTION(c10::Error, modules.to(torch::kMeta));
    QVERIFY(modules.others().at("ctc_lin")->parameters().front().device().is_cpu());
}

EARWRIGHT_TEST(TstPlacement)
#include "tst_placement.moc"
