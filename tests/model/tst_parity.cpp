#include "tests/model/parity/run_case.h"
#include "tests/registry.h"

#include <ATen/Context.h>
#include <QTest>
#include <torch/utils.h>

using namespace earwright::tests;

namespace {

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

/// As a run with `deterministic` has it.
class Deterministic final {
public:
    Deterministic()
    {
        at::globalContext().setDeterministicAlgorithms(true, false);
        at::globalContext().setDeterministicCuDNN(true);
    }
    ~Deterministic()
    {
        at::globalContext().setDeterministicAlgorithms(false, false);
        at::globalContext().setDeterministicCuDNN(false);
    }
    Deterministic(const Deterministic&) = delete;
    Deterministic& operator=(const Deterministic&) = delete;
};

/// What of a case differs between two runs of it, in any bit.
std::string differences(const std::string& name)
{
    const Deterministic deterministic;
    Comparison runs[2];
    for (Comparison& run : runs) {
        torch::manual_seed(1);
        runCase(name, run);
    }
    std::string found;
    for (size_t i = 0; i < runs[0].actual().size(); ++i) {
        const auto& [what, first] = runs[0].actual()[i];
        const torch::Tensor& second = runs[1].actual().at(i).second;
        if (!first.equal(second) && !first.isnan().any().item<bool>())
            found += what + " differs by "
                + std::to_string(
                    (first.to(at::kDouble) - second.to(at::kDouble)).abs().max().item<double>())
                + "\n";
    }
    return found;
}

} // namespace

/// Earwright against what upstream computed, case by case. See tests/cases/parity/README.md.
class TstParity : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void folder_holdsWhatItsReadmeLists()
    {
        bool isListed = false;
        for (const std::filesystem::path& folder : parityFolders()) {
            const auto listed = listedCases(folder);
            if (!listed)
                continue;
            isListed = true;
            expectAll(*listed, storedCases(folder), "in the folder");
            expectAll(storedCases(folder), *listed, "listed");
        }
        if (!isListed)
            QSKIP("the folder of EARWRIGHT_PARITY_DIR has no README.md with a list");
    }

    /// A name on the list that is no case, or without a reason, is a mistake.
    void openCase_isOneOfTheSecondSet()
    {
        if (parityFolders().size() < 2)
            QSKIP("EARWRIGHT_PARITY2_DIR names no second set of cases");
        const CaseList stored = storedCases(parityFolders().back());
        for (const auto& [name, missing] : openCases()) {
            QVERIFY2(stored.contains(name), (name + " is no case").c_str());
            QVERIFY2(!missing.empty(), (name + " says not what is missing").c_str());
        }
    }

    void recordedCase_isReproduced_data() { addCaseRows(); }

    void recordedCase_isReproduced()
    {
        QFETCH(QString, name);
        Comparison compare;
        try {
            runCase(name.toStdString(), compare);
        } catch (const c10::Error& error) {
            QFAIL(error.what_without_backtrace());
        } catch (const std::exception& error) {
            QFAIL(error.what());
        }
        QVERIFY2(compare.count() > 0, "nothing was compared");
        QVERIFY2(compare.failures().empty(), compare.failures().c_str());
    }

    void deterministicCase_isTheSameTwice_data()
    {
        if (parityDevice().is_cpu())
            QSKIP(
                "a CPU adds in one order anyway: EARWRIGHT_PARITY_DEVICE=cuda:0 runs it on a GPU");
        addCaseRows();
    }

    void deterministicCase_isTheSameTwice()
    {
        if (parityDevice().is_cpu())
            QSKIP(
                "a CPU adds in one order anyway: EARWRIGHT_PARITY_DEVICE=cuda:0 runs it on a GPU");
        QFETCH(QString, name);
        try {
            const std::string found = differences(name.toStdString());
            QVERIFY2(found.empty(), found.c_str());
        } catch (const c10::Error& error) {
            QFAIL(error.what_without_backtrace());
        } catch (const std::exception& error) {
            QFAIL(error.what());
        }
    }
};

EARWRIGHT_TEST(TstParity)
#include "tst_parity.moc"
