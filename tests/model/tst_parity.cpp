#include "tests/model/parity/runners.h"

#include <QTest>

using namespace kymo::test;

namespace {

/// Compared by another test program, which reads the same folder.
const std::map<std::string, const char*> kElsewhere = {
    { "speechbrain.utils.metric_stats.ErrorRateStats", "tst_error_rate" },
    { "ErrorRateStats(merge_tokens=True)", "tst_error_rate" },
    { "speechbrain.utils.edit_distance", "tst_error_rate" },
    { "speechbrain.decoders.ctc.{ctc_greedy_decode,filter_ctc_output}", "tst_ctc_greedy" },
    { "speechbrain.dataio.encoder.{CTCTextEncoder,TextEncoder,CategoricalEncoder}",
        "tst_text_encoder" },
    { "speechbrain.dataio.sampler.{DynamicBatchSampler,DistributedSamplerWrapper,"
      "ReproducibleRandomSampler}",
        "tst_batching" },
};

Runners allRunners()
{
    Runners runners;
    for (const Runners& group : { featureRunners(), lossRunners(), layerRunners(),
             optimizerRunners(), scheduleRunners(), transformerRunners(), trajectoryRunners(),
             jointRunners(), augmentRunners(), paraformerRunners(), paraformerModelRunners(),
             funasrFeatureRunners(), decoderRunners() })
        runners.insert(group.begin(), group.end());
    return runners;
}

} // namespace

/// Kymo against what upstream computed, case by case. See tests/cases/parity/README.md.
class TstParity : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void recordedCase_isReproduced_data()
    {
        QTest::addColumn<QString>("name");
        const std::vector<std::string> names = caseNames();
        QVERIFY2(!names.empty(), "no case in the folder of KYMO_PARITY_DIR");
        for (const std::string& name : names)
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }

    void recordedCase_isReproduced()
    {
        QFETCH(QString, name);
        static const Runners kRunners = allRunners();
        Comparison compare;
        try {
            const Case test = readCase(name.toStdString());
            if (!test.json.contains("upstream"))
                QSKIP("inputs of other cases");
            const std::string upstream = test.json.at("upstream").get<std::string>();
            const auto runner = kRunners.find(upstream);
            if (runner == kRunners.end() && kElsewhere.contains(upstream))
                QSKIP(kElsewhere.at(upstream));
            QVERIFY2(runner != kRunners.end(), ("no runner for '" + upstream + "'").c_str());
            runner->second(test, compare);
        } catch (const c10::Error& error) {
            QFAIL(error.what_without_backtrace());
        } catch (const std::exception& error) {
            QFAIL(error.what());
        }
        QVERIFY2(compare.count() > 0, "nothing was compared");
        QVERIFY2(compare.failures().empty(), compare.failures().c_str());
    }
};

QTEST_GUILESS_MAIN(TstParity)
#include "tst_parity.moc"
