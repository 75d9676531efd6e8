#include "tests/model/parity/run_case.h"

#include "core/precision/tf32.h"
#include "tests/model/parity/left_out.h"
#include "tests/model/parity/runners.h"

#include <ATen/Context.h>
#include <QTest>
#include <torch/utils.h>

#include <algorithm>

namespace earwright::tests {

namespace {

/// No calls: what other cases are given.
constexpr std::string_view kInputs[] = { "sb_traj_data" };

/// Of what a runner left unread; the rest is counted.
constexpr size_t kMostNamed = 5;

Runners allRunners()
{
    Runners runners;
    for (const Runners& group : { featureRunners(), lossRunners(), layerRunners(),
             optimizerRunners(), scheduleRunners(), transformerRunners(), trajectoryRunners(),
             jointRunners(), augmentRunners(), paraformerRunners(), paraformerModelRunners(),
             funasrFeatureRunners(), decoderRunners(), languageModelRunners(), pretrainedRunners(),
             senseVoiceRunners(), searchRunners(), errorRateRunners(), dataRunners(),
             whisperRunners(), whisperSearchRunners(), adapterRunners() })
        runners.insert(group.begin(), group.end());
    return runners;
}

class CudnnOff final {
public:
    CudnnOff() { at::globalContext().setUserEnabledCuDNN(false); }
    ~CudnnOff() { at::globalContext().setUserEnabledCuDNN(true); }
    CudnnOff(const CudnnOff&) = delete;
    CudnnOff& operator=(const CudnnOff&) = delete;
};

/// cuDNN's recurrent layers have no backward in evaluation. Of such a case on a GPU the outputs are
/// compared alone, then all of it without cuDNN.
void runBy(const Runner& runner, const Case& test, Comparison& compare)
{
    const bool isEvaluation = test.json.contains("mode") && test.json.at("mode") == "eval";
    if (!isEvaluation || !parityDevice().is_cuda()) {
        runner(test, compare);
        return;
    }
    {
        const torch::NoGradGuard noGrad;
        runner(test, compare);
    }
    const CudnnOff withoutCudnn;
    runner(test, compare);
}

} // namespace

void addCaseRows()
{
    QTest::addColumn<QString>("name");
    const std::map<std::string, std::string> open = openCases();
    for (const std::filesystem::path& folder : parityFolders()) {
        const CaseList cases = storedCases(folder);
        QVERIFY2(!cases.empty(), ("no case in " + folder.string()).c_str());
        for (const auto& [name, hasTensors] : cases)
            if (std::ranges::find(kInputs, name) == std::end(kInputs) && !open.contains(name))
                QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
}

void runCase(const std::string& name, Comparison& compare)
{
    static const Runners kRunners = allRunners();
    const precision::Tf32Scope exact(false);
    const Case test = readCase(name);
    const std::string upstream = test.json.at("upstream").get<std::string>();
    const auto runner = kRunners.find(upstream);
    if (runner == kRunners.end())
        throw std::runtime_error("no runner for '" + upstream + "'");
    runBy(runner->second, test, compare);
    const std::vector<std::string> unread = unreadResults(test);
    for (size_t i = 0; i < std::min(unread.size(), kMostNamed); ++i)
        compare.check("never read: " + unread[i], false);
    if (unread.size() > kMostNamed)
        compare.check(std::to_string(unread.size()) + " were never read", false);
}

} // namespace earwright::tests
