#include "audio_fixture.h"

#include "core/data/silent_cuts.h"
#include "tests/registry.h"

#include <QTest>

using namespace earwright;
using data::cutAtSilence;
using data::SilentCuts;

/// Where long recordings are cut.
class TstSilentCuts : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void shortSound_isOneSegment();
    void pauses_areCutInTheirMiddle();
    void quieterSpeech_isNoPause();
    void noPause_isCutWhereItIsQuietest();
    void silence_isCutByLengthAlone();
    void cuts_areAtFrames();

private:
    static constexpr int kRate = 8000;
    /// Noise of so many seconds.
    static std::vector<float> noiseOf(double seconds)
    {
        return tests::noise(static_cast<size_t>(seconds * kRate));
    }
    /// Times these samples by a factor.
    static void scale(std::vector<float>& samples, double from, double to, float factor)
    {
        for (auto i = static_cast<size_t>(from * kRate); i < static_cast<size_t>(to * kRate); ++i)
            samples[i] *= factor;
    }
    static std::vector<double> secondsOf(const std::vector<int64_t>& begins)
    {
        std::vector<double> seconds;
        for (const int64_t begin : begins)
            seconds.push_back(std::round(100.0 * static_cast<double>(begin) / kRate) / 100);
        return seconds;
    }
    static std::vector<double> cuts(const std::vector<float>& samples, double maxSeconds)
    {
        return secondsOf(
            cutAtSilence(samples, { .sampleRateHz = kRate, .maxSeconds = maxSeconds }));
    }
};

void TstSilentCuts::shortSound_isOneSegment()
{
    QCOMPARE(cuts(noiseOf(10), 10), (std::vector<double> { 0 }));
    QCOMPARE(cuts({}, 10), (std::vector<double> { 0 }));
}

/// The longer of two; the next is looked for from there on.
void TstSilentCuts::pauses_areCutInTheirMiddle()
{
    std::vector<float> samples = noiseOf(25);
    scale(samples, 6, 6.4, 0.001F);
    scale(samples, 8, 9, 0.001F);
    scale(samples, 16, 16.6, 0.001F);
    const std::vector<double> found = cuts(samples, 10);
    QCOMPARE(found.size(), size_t(3));
    QVERIFY2(std::abs(found[1] - 8.5) <= 0.03, std::to_string(found[1]).c_str());
    QVERIFY2(std::abs(found[2] - 16.3) <= 0.03, std::to_string(found[2]).c_str());
}

void TstSilentCuts::quieterSpeech_isNoPause()
{
    std::vector<float> samples = noiseOf(12);
    scale(samples, 5, 8, 0.5F); // 6 dB less
    scale(samples, 8.5, 8.9, 0.1F); // 20 dB less
    QVERIFY(std::abs(cuts(samples, 10)[1] - 8.7) <= 0.03);
}

void TstSilentCuts::noPause_isCutWhereItIsQuietest()
{
    std::vector<float> samples = noiseOf(12);
    scale(samples, 0, 12, 0.9F);
    scale(samples, 7, 7.3, 0.6F);
    QVERIFY(std::abs(cuts(samples, 10)[1] - 7.15) <= 0.06);
}

/// Below -80 dB all is alike; no segment is longer than asked for, none shorter than a quarter.
void TstSilentCuts::silence_isCutByLengthAlone()
{
    for (const double seconds : { 10.1, 12.5, 31.0, 100.0 }) {
        std::vector<float> samples = noiseOf(seconds);
        scale(samples, 0, seconds, 1e-5F);
        std::vector<double> ends = cuts(samples, 10);
        ends.push_back(seconds);
        for (size_t i = 1; i < ends.size(); ++i) {
            QVERIFY2(ends[i] - ends[i - 1] <= 10.01, std::to_string(ends[i]).c_str());
            QVERIFY2(ends[i] - ends[i - 1] >= 2.49, std::to_string(ends[i]).c_str());
        }
    }
}

void TstSilentCuts::cuts_areAtFrames()
{
    for (const int64_t begin :
        cutAtSilence(noiseOf(60), { .sampleRateHz = kRate, .maxSeconds = 7, .stepSamples = 333 }))
        QCOMPARE(begin % 333, int64_t(0));
}

EARWRIGHT_TEST(TstSilentCuts)
#include "tst_silent_cuts.moc"
