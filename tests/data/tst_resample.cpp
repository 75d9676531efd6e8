#include "audio_fixture.h"

#include "core/data/resample.h"
#include "tests/registry.h"

#include <QTest>

#include <algorithm>

using namespace earwright;
using data::Ratio;

namespace {

/// torchaudio's definition, term by term in double precision.
std::vector<double> resampleByDefinition(const std::vector<float>& samples, Ratio ratio)
{
    const double base = std::min(ratio.from, ratio.to) * 0.99;
    const auto width = static_cast<int64_t>(std::ceil(6 * ratio.from / base));
    std::vector<double> result;
    for (int64_t i = 0; i < data::resampledLength(static_cast<int64_t>(samples.size()), ratio);
         ++i) {
        double sum = 0;
        for (int64_t k = -width; k < width + ratio.from; ++k) {
            const int64_t at = i / ratio.to * ratio.from + k;
            if (at < 0 || at >= static_cast<int64_t>(samples.size()))
                continue;
            const double phase = -static_cast<double>(i % ratio.to) / ratio.to;
            const double t
                = std::clamp((phase + static_cast<double>(k) / ratio.from) * base, -6.0, 6.0);
            const double x = t * std::numbers::pi;
            const double window = std::pow(std::cos(x / 12), 2);
            sum += samples[static_cast<size_t>(at)] * (x == 0 ? 1 : std::sin(x) / x) * window * base
                / ratio.from;
        }
        result.push_back(sum);
    }
    return result;
}

} // namespace

class TstResample : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anyRatio_isTheDefinition_data()
    {
        QTest::addColumn<int>("from");
        QTest::addColumn<int>("to");
        for (const auto& [from, to] : { std::pair(44100, 16000), std::pair(8000, 16000),
                 std::pair(16000, 8000), std::pair(9, 10), std::pair(11, 10),
                 std::pair(48000, 16000), std::pair(22050, 16000), std::pair(7, 3) })
            QTest::newRow(qPrintable(QString("%1 to %2").arg(from).arg(to))) << from << to;
    }

    void anyRatio_isTheDefinition()
    {
        QFETCH(int, from);
        QFETCH(int, to);
        std::vector<float> samples(997);
        for (size_t i = 0; i < samples.size(); ++i)
            samples[i] = static_cast<float>(i * 2654435761U % 2000) / 1000.0F - 1;
        const std::vector<float> actual = data::resample(samples, from, to);
        const std::vector<double> expected
            = resampleByDefinition(samples, data::rateRatio(from, to));
        QCOMPARE(actual.size(), expected.size());
        for (size_t i = 0; i < actual.size(); ++i)
            QVERIFY2(std::abs(actual[i] - expected[i]) < 2e-6, qPrintable(QString::number(i)));
    }

    void length_isRoundedUp()
    {
        QCOMPARE(data::resampledLength(3000, data::rateRatio(95, 100)), 3158);
        QCOMPARE(data::resampledLength(3000, data::rateRatio(105, 100)), 2858);
        QCOMPARE(data::resampledLength(3000, data::rateRatio(44100, 16000)), 1089);
        QCOMPARE(data::resampledLength(1, data::rateRatio(44100, 16000)), 1);
        QCOMPARE(data::resample(std::vector<float>(3000), 44100, 16000).size(), size_t(1089));
        QCOMPARE(data::resample({}, 44100, 16000).size(), size_t(0));
        QCOMPARE(data::resample({ 1.0F }, 44100, 16000).size(), size_t(1));
    }

    void speed_isASmallRatio()
    {
        QCOMPARE(data::speedRatio(0.9).from, 9);
        QCOMPARE(data::speedRatio(0.9).to, 10);
        QCOMPARE(data::speedRatio(1.05).from, 21);
        QCOMPARE(data::speedRatio(1.05).to, 20);
        QVERIFY(data::speedRatio(1).isIdentity());
        QCOMPARE(data::speedRatio(0.975).from, 39);
    }

    void sameRate_changesNothing()
    {
        const std::vector<float> samples = tests::sine(100, 440, 16000);
        QVERIFY(data::resample(samples, 16000, 16000) == samples);
    }
};

EARWRIGHT_TEST(TstResample)
#include "tst_resample.moc"
