#include "ui/monitor/run_header.h"

#include "core/run/test_scores.h"
#include "ui/monitor/elided_label.h"
#include "ui/monitor/hotword_figures.h"
#include "ui/monitor/run_facts.h"
#include "ui/runs/run_state.h"
#include "ui/runs/run_story.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/plot_colors.h"
#include "ui/widgets/plot_ticks.h"
#include "ui/widgets/theme.h"

#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace kymo::ui {

namespace {

const QString kNone = QStringLiteral("–");

QFont scaledFont(const QFont& font, double factor, bool isBold)
{
    QFont result = font;
    result.setPointSizeF(font.pointSizeF() * factor);
    result.setBold(isBold);
    return result;
}

QString nameOf(const QString& runPath, const run::RunStarted& started)
{
    return started.name.empty() ? QFileInfo(runPath).fileName()
                                : QString::fromStdString(started.name);
}

QString ofTotal(int64_t count, int64_t total)
{
    return total > 0 ? QStringLiteral("%1 / %2").arg(count).arg(total) : QString::number(count);
}

QString percentText(double value)
{
    return QString::number(value, 'f', 2) + QStringLiteral(" %");
}

/// A line of the rates, and a line each of all hotwords and of those in no training text.
QString tipOf(const run::Evaluated& score, const run::Snapshot& snapshot)
{
    QString tip = RunHeader::tr("%1, epoch %2: %3")
                      .arg(QString::fromStdString(score.split))
                      .arg(score.epoch)
                      .arg(ratesText(score));
    if (const QString all = hotwordText(hotwordsOf(snapshot, score, Phrases::All)); !all.isEmpty())
        tip += QLatin1Char('\n') + RunHeader::tr("    hotwords: %1").arg(all);
    if (const QString unseen = hotwordText(hotwordsOf(snapshot, score, Phrases::Unseen));
        !unseen.isEmpty())
        tip += QLatin1Char('\n') + RunHeader::tr("    in no training text: %1").arg(unseen);
    return tip;
}

QString noEventsText()
{
    return RunHeader::tr("Waiting for the run's first event…");
}

} // namespace

RunHeader::RunHeader(QWidget* parent)
    : QFrame(parent)
    , m_dot(new QLabel(this))
    , m_name(new ElidedLabel(this))
    , m_state(new QLabel(this))
    , m_setting(new ElidedLabel(this))
    , m_proof(new QLabel(this))
    , m_progress(new QProgressBar(this))
    , m_stop(new QPushButton(icon(QStringLiteral("media-playback-stop")), tr("St&op"), this))
{
    setObjectName(QStringLiteral("runHeader"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setFrameShape(QFrame::NoFrame);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(14, 10, 14, 10);
    layout->setSpacing(8);
    layout->addWidget(buildTitle());
    layout->addWidget(m_progress);
    layout->addWidget(buildFigures());
    connect(m_stop, &QPushButton::clicked, this, &RunHeader::stopRequested);
}

QWidget* RunHeader::buildTitle()
{
    auto* title = new QWidget(this);
    auto* grid = new QGridLayout(title);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(2);
    m_name->setFont(scaledFont(font(), 1.35, true));
    m_name->setObjectName(QStringLiteral("runName"));
    m_state->setFont(scaledFont(font(), 1.0, true));
    m_state->setObjectName(QStringLiteral("runState"));
    m_setting->setObjectName(QStringLiteral("runSetting"));
    m_setting->setForegroundRole(QPalette::PlaceholderText);
    m_proof->setObjectName(QStringLiteral("precisionProof"));
    m_progress->setObjectName(QStringLiteral("runProgress"));
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(8);
    m_progress->setAccessibleName(tr("Progress"));
    m_stop->setObjectName(QStringLiteral("stop"));
    m_stop->setToolTip(
        tr("Ends after the step in progress and writes a checkpoint to resume from."));
    auto* right = new QHBoxLayout;
    right->setSpacing(10);
    right->addStretch(1);
    right->addWidget(m_state);
    right->addWidget(m_stop);
    grid->addWidget(m_dot, 0, 0);
    grid->addWidget(m_name, 0, 1);
    grid->addLayout(right, 0, 2);
    grid->addWidget(m_setting, 1, 1);
    grid->addWidget(m_proof, 1, 2, Qt::AlignRight);
    grid->setColumnStretch(1, 1);
    return title;
}

QWidget* RunHeader::buildFigures()
{
    const std::array<QString, FigureCount> captions { tr("Epoch"), tr("Step"), tr("Speed"),
        tr("Elapsed"), tr("Remaining"), tr("Train loss"), tr("Valid WER of best"), tr("Test WER") };
    const std::array<const char*, FigureCount> names { "epoch", "step", "speed", "elapsed",
        "remaining", "trainLoss", "bestWer", "testWer" };
    auto* figures = new QWidget(this);
    auto* grid = new QGridLayout(figures);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(0);
    grid->setHorizontalSpacing(18);
    for (size_t i = 0; i < FigureCount; ++i) {
        const int column = static_cast<int>(i);
        auto* caption = new QLabel(captions[i], figures);
        caption->setFont(scaledFont(font(), 0.88, false));
        caption->setForegroundRole(QPalette::PlaceholderText);
        m_figures[i] = new QLabel(kNone, figures);
        m_figures[i]->setFont(scaledFont(font(), 1.15, true));
        m_figures[i]->setObjectName(QLatin1String(names[i]));
        m_figures[i]->setAccessibleName(captions[i]);
        caption->setBuddy(m_figures[i]);
        m_captions[i] = caption;
        grid->addWidget(caption, 0, column);
        grid->addWidget(m_figures[i], 1, column);
        grid->setColumnStretch(column, 1);
    }
    return figures;
}

void RunHeader::setRun(const QString& runPath, const QString& capsule)
{
    m_runPath = runPath;
    m_capsule = capsule;
    m_name->setText(nameOf(runPath, {}));
    m_setting->setText(noEventsText());
    m_proof->clear();
    m_progress->setRange(0, 1);
    m_progress->setValue(0);
    for (QLabel* figure : m_figures)
        figure->setText(kNone);
    setState(run::State::Unknown);
}

void RunHeader::setSnapshot(const QString& runPath, const run::Snapshot& snapshot)
{
    m_runPath = runPath;
    const run::RunStarted& started = snapshot.started;
    m_name->setText(nameOf(runPath, started));
    QStringList setting {
        m_capsule.isEmpty() ? QString() : tr("capsule %1").arg(QFileInfo(m_capsule).fileName()),
        QString::fromStdString(started.precision)
    };
    if (started.evalPrecision != started.precision)
        setting.append(tr("evaluated in %1").arg(QString::fromStdString(started.evalPrecision)));
    setting.append(devicesText(snapshot.started.devices));
    if (started.parameterCount > 0)
        setting.append(
            tr("%1 parameters").arg(countText(static_cast<double>(started.parameterCount))));
    if (started.attempt > 0)
        setting.append(tr("resumed at step %1").arg(started.resumedStep));
    setting.removeAll(QString());
    m_setting->setText(setting.isEmpty() ? noEventsText() : setting.join(QStringLiteral("  ·  ")));
    const PrecisionProof proof = precisionProof(snapshot, "train");
    m_proof->setText(proofText(proof));
    m_isProofBad = proof.share && !proof.holds();
    setState(snapshot.state);
    setProgress(snapshot);
    setFigures(snapshot);
}

void RunHeader::setState(run::State state)
{
    m_shownState = state;
    m_state->setText(stateText(state));
    m_stop->setEnabled(state == run::State::Running || state == run::State::Starting);
    m_stop->setVisible(isLive(state));
    recolor();
}

void RunHeader::setProgress(const run::Snapshot& snapshot)
{
    const int64_t total = std::max<int64_t>(1, snapshot.totalSteps);
    m_progress->setRange(0, 1000);
    m_progress->setValue(static_cast<int>(1000 * std::min(snapshot.step, total) / total));
    m_progress->setToolTip(QString::fromStdString(snapshot.phase));
}

void RunHeader::setFigures(const run::Snapshot& snapshot)
{
    const auto best = bestValidation(snapshot);
    const auto loss = latestValue(snapshot, "train/loss");
    const bool isGoing = !isOver(snapshot.state);
    m_figures[Epoch]->setText(ofTotal(snapshot.epoch, snapshot.started.numberOfEpochs));
    m_figures[Step]->setText(ofTotal(snapshot.step, snapshot.totalSteps));
    m_figures[Speed]->setText(
        snapshot.itPerSecond > 0 ? tr("%1 it/s").arg(snapshot.itPerSecond, 0, 'f', 2) : kNone);
    m_figures[Elapsed]->setText(
        snapshot.startTime > 0 ? durationText(snapshot.lastTime - snapshot.startTime) : kNone);
    m_figures[Remaining]->setText(
        isGoing && snapshot.etaSeconds >= 0 ? durationText(snapshot.etaSeconds) : kNone);
    m_figures[TrainLoss]->setText(loss ? valueText(*loss) : kNone);
    // Of the best checkpoint, which min_key may have chosen by another figure.
    showRate(BestWer, best ? std::vector { *best } : std::vector<run::Evaluated>(), snapshot,
        tr("Valid %1 of best"));
    showRate(TestWer, run::testScores(snapshot), snapshot, tr("Test %1"));
}

/// The rate that counts under its name, of several tests one beside the other; both in the tip,
/// with what is known of the hotwords.
void RunHeader::showRate(Figure figure, const std::vector<run::Evaluated>& scores,
    const run::Snapshot& snapshot, const QString& caption)
{
    const QString rate
        = scores.empty() ? QStringLiteral("WER") : QString::fromStdString(scores.front().rate);
    QStringList shown, tips;
    for (const run::Evaluated& score : scores) {
        shown.append(percentText(score.percent()));
        tips.append(tipOf(score, snapshot));
    }
    m_captions[figure]->setText(caption.arg(rate));
    m_figures[figure]->setAccessibleName(caption.arg(rate));
    m_figures[figure]->setText(shown.isEmpty() ? kNone : shown.join(QStringLiteral(" · ")));
    m_figures[figure]->setToolTip(tips.join(QLatin1Char('\n')));
}

void RunHeader::recolor()
{
    const auto paint = [this](QLabel* label, const QColor& color) {
        QPalette colors = palette();
        colors.setColor(label->foregroundRole(), color);
        label->setPalette(colors);
    };
    m_dot->setPixmap(colorDot(runColor(m_runPath), 14, devicePixelRatioF()));
    paint(m_state, stateColor(m_shownState, palette()));
    paint(m_proof, toneColor(m_isProofBad ? Tone::Bad : Tone::Muted, palette()));
}

void RunHeader::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !m_runPath.isEmpty())
        recolor();
}

} // namespace kymo::ui
