#include "ui/widgets/plot_ticks.h"

#include "ui/widgets/qcp.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFontMetrics>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace earwright::ui {

namespace {

constexpr int kMostTicks = 5;
constexpr double kLabelGap = 8; ///< pixels

QString translatedAxis(const char* text)
{
    return QCoreApplication::translate("PlotView", text);
}

/// Steps are whole: none stands between two of them.
class StepTicker final : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override
    {
        return std::max(1.0, std::floor(QCPAxisTicker::getTickStep(range)));
    }
    int getSubTickCount(double tickStep) override
    {
        return tickStep < 10 ? static_cast<int>(tickStep) - 1
                             : QCPAxisTicker::getSubTickCount(tickStep);
    }
    QString getTickLabel(double tick, const QLocale&, QChar, int) override
    {
        return QString::number(std::llround(tick));
    }
};

/// 'g' writes some of an axis's numbers with a power of ten, some without: where one has it, all
/// have.
class ValueTicker final : public QCPAxisTicker {
protected:
    QVector<QString> createLabelVector(const QVector<double>& ticks, const QLocale& locale,
        QChar formatChar, int precision) override
    {
        QVector<QString> labels
            = QCPAxisTicker::createLabelVector(ticks, locale, formatChar, precision);
        const auto hasPower = [](const QString& label) { return label.contains(QLatin1Char('e')); };
        if (std::none_of(labels.cbegin(), labels.cend(), hasPower))
            return labels;
        for (qsizetype i = 0; i < labels.size(); ++i) {
            if (ticks[i] != 0 && !hasPower(labels[i]))
                labels[i] = withPower(ticks[i], locale);
        }
        return labels;
    }

private:
    static QString withPower(double value, const QLocale& locale)
    {
        const QString text = locale.toString(value, 'e', 4);
        const qsizetype power = text.indexOf(QLatin1Char('e'));
        static const QRegularExpression kZeros(QStringLiteral("[.,]?0+$"));
        return text.first(power).remove(kZeros) + text.sliced(power);
    }
};

QSharedPointer<QCPAxisTicker> tickerOf(XAxis kind)
{
    if (kind == XAxis::RelativeTime) {
        const auto ticker = QSharedPointer<QCPAxisTickerTime>::create();
        ticker->setTimeFormat(QStringLiteral("%h:%m:%s"));
        ticker->setFieldWidth(QCPAxisTickerTime::tuHours, 1);
        return ticker;
    }
    if (kind == XAxis::WallTime) {
        const auto ticker = QSharedPointer<QCPAxisTickerDateTime>::create();
        ticker->setDateTimeFormat(QStringLiteral("HH:mm:ss\nMM-dd"));
        return ticker;
    }
    if (kind == XAxis::Step)
        return QSharedPointer<StepTicker>::create();
    return QSharedPointer<QCPAxisTicker>::create();
}

/// Whether a horizontal axis's labels leave room between each two.
bool standApart(const QCPAxis& axis, int length)
{
    QVector<double> ticks;
    QVector<QString> labels;
    axis.ticker()->generate(
        axis.range(), QLocale(), QLatin1Char('g'), axis.numberPrecision(), ticks, nullptr, &labels);
    const QFontMetrics metrics(axis.tickLabelFont());
    double end = -kLabelGap;
    bool isFirst = true;
    for (qsizetype i = 0; i < labels.size() && i < ticks.size(); ++i) {
        const double at = (ticks[i] - axis.range().lower) / axis.range().size() * length;
        const int half = metrics.size(0, labels[i]).width() / 2;
        if (at < 0 || at > length)
            continue; // beside the axis, where nothing is written
        if (!isFirst && at - half < end + kLabelGap)
            return false;
        end = at + half;
        isFirst = false;
    }
    return true;
}

QString elapsedText(double seconds)
{
    const auto total = static_cast<long long>(std::llround(seconds));
    return QStringLiteral("%1:%2:%3")
        .arg(total / 3600)
        .arg(total / 60 % 60, 2, 10, QLatin1Char('0'))
        .arg(total % 60, 2, 10, QLatin1Char('0'));
}

} // namespace

QString axisLabel(XAxis axis)
{
    switch (axis) {
    case XAxis::RelativeTime:
        return translatedAxis(QT_TRANSLATE_NOOP("PlotView", "time since start (h:mm:ss)"));
    case XAxis::WallTime:
        return translatedAxis(QT_TRANSLATE_NOOP("PlotView", "wall time"));
    case XAxis::Epoch:
        return translatedAxis(QT_TRANSLATE_NOOP("PlotView", "epoch"));
    case XAxis::Step:
        break;
    }
    return translatedAxis(QT_TRANSLATE_NOOP("PlotView", "step"));
}

void applyXAxis(QCPAxis& axis, XAxis kind)
{
    axis.setTicker(tickerOf(kind));
    axis.ticker()->setTickCount(kMostTicks);
    axis.setLabel(axisLabel(kind));
}

void fitTicks(QCPAxis& axis, int length)
{
    QCPAxisTicker& ticker = *axis.ticker();
    for (int count = kMostTicks; count > 0; --count) {
        ticker.setTickCount(count);
        if (standApart(axis, length))
            return;
    }
}

void applyYScale(QCPAxis& axis, bool isLog)
{
    axis.setScaleType(isLog ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (isLog)
        axis.setTicker(QSharedPointer<QCPAxisTickerLog>::create());
    else
        axis.setTicker(QSharedPointer<ValueTicker>::create());
    axis.ticker()->setTickCount(4);
    axis.setNumberFormat(QStringLiteral("gbd"));
    axis.setNumberPrecision(5);
}

QString keyText(double key, XAxis axis)
{
    switch (axis) {
    case XAxis::RelativeTime:
        return elapsedText(key);
    case XAxis::WallTime:
        return QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(key * 1000))
            .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
    case XAxis::Epoch:
        return translatedAxis(QT_TRANSLATE_NOOP("PlotView", "epoch %1")).arg(key, 0, 'f', 2);
    case XAxis::Step:
        break;
    }
    return translatedAxis(QT_TRANSLATE_NOOP("PlotView", "step %1")).arg(std::llround(key));
}

QString valueText(double value)
{
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("Inf") : QStringLiteral("-Inf");
    return QString::number(value, 'g', 5);
}

} // namespace earwright::ui
