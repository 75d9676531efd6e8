#include "tests/model/parity/runners.h"

#include <QTest>

#include <set>

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

/// What Kymo does not have yet. A row leaves this table when its runner comes; a class in neither
/// place is a failure.
const std::set<std::string> kNotImplemented = {
    "speechbrain.augment.augmenter.Augmenter([SpeedPerturb 90/110, DropChunk])",
    "speechbrain.augment.freq_domain.SpectrogramDrop",
    "speechbrain.augment.freq_domain.{Warping,RandomShift}",
    "speechbrain.augment.time_domain.AddNoise / "
    "processing.signal_processing.{reverberate,compute_amplitude}",
    "speechbrain.augment.time_domain.DropChunk",
    "speechbrain.augment.time_domain.DropFreq / processing.signal_processing.notch_filter",
    "speechbrain.augment.time_domain.{DoClip,RandAmp,DropBitResolution,SignFlip,FastDropChunk}",
    "speechbrain.augment.time_domain.{Resample,SpeedPerturb}",
    "speechbrain.core.Brain.fit with recipes/LibriSpeech/ASR/transformer logic",
    "speechbrain.dataio.batch.PaddedBatch",
    "speechbrain.decoders.ctc.CTCBeamSearcher",
    "speechbrain.decoders.ctc.CTCPrefixBeamSearcher",
    "speechbrain.decoders.ctc.CTCPrefixScore",
    "speechbrain.decoders.seq2seq.S2STransformerBeamSearcher",
    "speechbrain.decoders.seq2seq.S2STransformerGreedySearcher",
    "funasr.frontends.wav_frontend.WavFrontend",
    "funasr.models.bicif_paraformer.model.BiCifParaformer",
    "funasr.models.paraformer.model.Paraformer",
    "funasr.models.seaco_paraformer.model.SeacoParaformer",
    "funasr.models.specaug.specaug.SpecAugLFR",
    "funasr.schedulers.warmup_lr.WarmupLR",
    "Paraformer encode -> calc_predictor -> cal_decoder_with_predictor",
    "SeacoParaformer._seaco_decode_with_ASF",
};

Runners allRunners()
{
    Runners runners;
    for (const Runners& group :
        { featureRunners(), lossRunners(), layerRunners(), optimizerRunners(), scheduleRunners(),
            transformerRunners(), trajectoryRunners(), paraformerRunners() })
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
            if (runner == kRunners.end() && kNotImplemented.contains(upstream))
                QSKIP(("Kymo does not have " + upstream + " yet").c_str());
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
