#include "ui/session/settings_dialog.h"

#include "ui/editor/recipe_editor.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFontComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>

namespace earwright::ui {

SettingsDialog::SettingsDialog(const WindowSettings& settings, QWidget* parent)
    : QDialog(parent)
    , m_family(new QFontComboBox(this))
    , m_points(new QSpinBox(this))
    , m_theme(new QComboBox(this))
    , m_runsRoot(new QLineEdit(this))
    , m_isNotifying(new QCheckBox(tr("Say on the &desktop when a run ends or fails"), this))
{
    setObjectName(QStringLiteral("settingsDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Settings"));
    build();
    fill(settings);
}

void SettingsDialog::build()
{
    m_theme->setObjectName(QStringLiteral("themeChoice"));
    m_theme->addItems({ tr("As the desktop"), tr("Light"), tr("Dark") }); // as ThemeMode
    m_isNotifying->setObjectName(QStringLiteral("notifies"));
    m_isNotifying->setToolTip(tr("Also when its numbers are not finite any more"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    connect(buttons, &QDialogButtonBox::accepted, this, &SettingsDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &SettingsDialog::reject);
    auto* form = new QFormLayout(this);
    form->addRow(tr("&Theme:"), m_theme);
    form->addRow(tr("Editor &font:"), buildFont());
    form->addRow(tr("&Runs folder:"), buildRunsRoot());
    form->addRow(m_isNotifying);
    form->addRow(buttons);
    resize(520, sizeHint().height());
}

QWidget* SettingsDialog::buildFont()
{
    m_family->setObjectName(QStringLiteral("editorFamily"));
    m_family->setFontFilters(QFontComboBox::MonospacedFonts);
    m_points->setObjectName(QStringLiteral("editorPoints"));
    m_points->setAccessibleName(tr("Size of the editor's font"));
    m_points->setRange(6, 48);
    m_points->setSuffix(tr(" pt"));
    auto* box = new QWidget(this);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_family, 1);
    row->addWidget(m_points);
    box->setFocusProxy(m_family);
    return box;
}

QWidget* SettingsDialog::buildRunsRoot()
{
    m_runsRoot->setObjectName(QStringLiteral("runsRoot"));
    auto* choose = new QPushButton(tr("&Choose…"), this);
    connect(choose, &QPushButton::clicked, this, &SettingsDialog::chooseRunsRoot);
    auto* box = new QWidget(this);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_runsRoot, 1);
    row->addWidget(choose);
    box->setFocusProxy(m_runsRoot);
    return box;
}

void SettingsDialog::fill(const WindowSettings& settings)
{
    const QFont font = editorFontOf(settings.editorFont);
    m_family->setCurrentFont(font);
    m_points->setValue(qRound(font.pointSizeF()));
    m_shownFont = settings.editorFont;
    m_shownFamily = m_family->currentText();
    m_shownPoints = m_points->value();
    m_theme->setCurrentIndex(static_cast<int>(settings.theme));
    m_runsRoot->setText(settings.runsRoot);
    m_isNotifying->setChecked(settings.isNotifying);
}

void SettingsDialog::chooseRunsRoot()
{
    auto* dialog = new QFileDialog(this, tr("Folder that holds the runs"), m_runsRoot->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, m_runsRoot, &QLineEdit::setText);
    dialog->open();
}

QString SettingsDialog::editorFont() const
{
    if (m_family->currentText() == m_shownFamily && m_points->value() == m_shownPoints)
        return m_shownFont;
    // The system's one stays the system's: another may be set there later.
    const QFont usual = editorFontOf({});
    const QString family = m_family->currentText();
    const bool isUsual = (family == usual.family() || family == QFontInfo(usual).family())
        && m_points->value() == qRound(usual.pointSizeF());
    QFont font(family);
    font.setPointSize(m_points->value());
    return isUsual ? QString() : font.toString();
}

void SettingsDialog::accept()
{
    Q_EMIT chosen({ .editorFont = editorFont(),
        .theme = static_cast<ThemeMode>(m_theme->currentIndex()),
        .runsRoot = m_runsRoot->text().trimmed(),
        .isNotifying = m_isNotifying->isChecked() });
    QDialog::accept();
}

} // namespace earwright::ui
