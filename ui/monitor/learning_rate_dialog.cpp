#include "ui/monitor/learning_rate_dialog.h"

#include "ui/widgets/text_tone.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>

#include <cmath>

namespace earwright::ui {

double learningRateOf(const run::Snapshot& snapshot)
{
    const auto found = snapshot.series.find("train/lr");
    return found == snapshot.series.end() || found->second.points().empty()
        ? 0
        : found->second.points().back().value;
}

LearningRateDialog::LearningRateDialog(double now, QWidget* parent)
    : QDialog(parent)
    , m_rate(new QLineEdit(now > 0 ? QString::number(now, 'g', 6) : QString(), this))
    , m_problem(new QLabel(this))
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("learningRateDialog"));
    m_rate->setObjectName(QStringLiteral("learningRate"));
    m_rate->selectAll();
    auto* about = new QLabel(
        tr("It holds within a step; the schedule goes on from it in proportion."), this);
    about->setWordWrap(true);
    setTextTone(*m_problem, Tone::Bad);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &LearningRateDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &LearningRateDialog::reject);
    auto* form = new QFormLayout(this);
    form->addRow(about);
    form->addRow(tr("&New rate:"), m_rate);
    form->addRow(m_problem);
    form->addRow(buttons);
}

void LearningRateDialog::accept()
{
    bool isNumber = false;
    const double rate = m_rate->text().trimmed().toDouble(&isNumber); // "." whatever the locale
    if (!isNumber || !std::isfinite(rate) || rate <= 0) {
        m_problem->setText(tr("A number above 0, such as 0.0005 or 5e-4"));
        m_rate->setFocus();
        return;
    }
    Q_EMIT chosen(rate);
    QDialog::accept();
}

} // namespace earwright::ui
