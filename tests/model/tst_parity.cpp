#include "tests/model/parity/left_out.h"
#include "tests/model/parity/runners.h"
#include "tests/registry.h"

#include <algorithm>
#include <QTest>

using namespace earwright::tests;

namespace {

/// No calls: what other cases are given.
constexpr std::string_view kInputs[] = { "sb_traj_data" };

/// Of what a runner left unread; the rest is counted.
constexpr size_t kMostNamed = 5;

Runners allRunners()
{
    Runners runners;
    for (const Runners& group :
        { featureRunners(), lossRunners(), layerRunners(), optimizerRunners(), scheduleRunners(),
            transformerRunners(), trajectoryRunners(), jointRunners(), augmentRunners(),
            paraformerRunners(), paraformerModelRunners(), funasrFeatureRunners(), decoderRunners(),
            searchRunners(), errorRateRunners(), dataRunners() })
        runners.insert(group.begin(), group.end());
    return runners;
}

void run(const std::string& name, Comparison& compare)
{
    static const Runners kRunners = allRunners();
    const Case test = readCase(name);
    const std::string upstream = test.json.at("upstream").get<std::string>();
    const auto runner = kRunners.find(upstream);
    if (runner == kRunners.end())
        throw std::runtime_error("no runner for '" + upstream + "'");
    runner->second(test, compare);
    const std::vector<std::string> unread = unreadResults(test);
    for (size_t i = 0; i < std::min(unread.size(), kMostNamed); ++i)
        compare.check("never read: " + unread[i], false);
    if (unread.size() > kMostNamed)
        compare.check(std::to_string(unread.size()) + " were never read", false);
}

/// "sb_linear", "sb_linear without tensors".
std::string described(const CaseList::value_type& one)
{
    return one.first + (one.second ? "" : " without tensors");
}

void expectAll(const CaseList& cases, const CaseList& present, const char* where)
{
    for (const auto& one : cases) {
        const auto found = present.find(one.first);
        QVERIFY2(found != present.end() && found->second == one.second,
            (described(one) + " is not " + where).c_str());
    }
}

} // namespace

/// Earwright against what upstream computed, case by case. See tests/cases/parity/README.md.
class TstParity : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void folder_holdsWhatItsReadmeLists()
    {
        const auto listed = listedCases();
        if (!listed)
            QSKIP("the folder of EARWRIGHT_PARITY_DIR has no README.md with a list");
        expectAll(*listed, storedCases(), "in the folder");
        expectAll(storedCases(), *listed, "listed");
    }

    void recordedCase_isReproduced_data()
    {
        QTest::addColumn<QString>("name");
        const CaseList cases = storedCases();
        QVERIFY2(!cases.empty(), ("no case in " + parityFolder().string()).c_str());
        for (const auto& [name, hasTensors] : cases)
            if (std::ranges::find(kInputs, name) == std::end(kInputs))
                QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }

    void recordedCase_isReproduced()
    {
        QFETCH(QString, name);
        Comparison compare;
        try {
            run(name.toStdString(), compare);
        } catch (const c10::Error& error) {
            QFAIL(error.what_without_backtrace());
        } catch (const std::exception& error) {
            QFAIL(error.what());
        }
        QVERIFY2(compare.count() > 0, "nothing was compared");
        QVERIFY2(compare.failures().empty(), compare.failures().c_str());
    }
};

EARWRIGHT_TEST(TstParity)
#include "tst_parity.moc"
