#include "ui/editor/new_recipe_dialog.h"

#include "core/base/file.h"
#include "core/data/fine_tuning.h"
#include "ui/widgets/text_tone.h"
#include "ui/widgets/when_done.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QtConcurrentRun>
#include <QToolButton>
#include <QVBoxLayout>

namespace earwright::ui {
namespace {

/// "" = written.
QString writeNew(const QString& path, const QString& text)
{
    if (QFileInfo::exists(path))
        return QCoreApplication::translate(
            "earwright", "'%1' is there already: choose another name.")
            .arg(path);
    QDir().mkpath(QFileInfo(path).path());
    const Status written = writeFileAtomically(path.toStdString(), text.toStdString());
    return written ? QString() : QString::fromStdString(written.error().message);
}

/// The same of a recipe that trains a pretrained model on.
QString writeTuned(const data::FineTuning& asked, const std::shared_ptr<std::atomic_bool>& goOn)
{
    const auto written = data::writeFineTuning(asked, data::GoOn([goOn] { return goOn->load(); }));
    return written ? QString() : QString::fromStdString(written.error().message);
}

QString labelOf(const QString& setting)
{
    const auto translated
        = [](const char* text) { return QCoreApplication::translate("earwright", text); };
    return setting == QStringLiteral("data_folder") ? translated("&Data folder:")
        : setting == QLatin1String(kTunedModel)     ? translated("&Model folder:")
        : setting == QLatin1String(kTunedData)      ? translated("&Data:")
        : setting == QLatin1String(kTunedLanguage)  ? translated("&Language:")
                                                    : QStringLiteral("&%1:").arg(setting);
}

/// Into the field, unless the choice was called off.
void take(QLineEdit* edit, const QString& path)
{
    if (!path.isEmpty())
        edit->setText(path);
}

} // namespace

NewRecipeDialog::NewRecipeDialog(const QString& folder, QWidget* parent)
    : QDialog(parent)
    , m_templates(recipeTemplates())
    , m_list(new QListWidget(this))
    , m_description(new QLabel(this))
    , m_settings(new QFormLayout)
    , m_name(new QLineEdit(this))
    , m_folder(new QLineEdit(QDir::toNativeSeparators(folder), this))
    , m_message(new QLabel(this))
    , m_keepVocabulary(new QCheckBox(tr("Keep the labels of the model's &vocab.json"), this))
    , m_keepText(new QCheckBox(tr("Keep the &texts of a list as they are"), this))
    , m_create(new QPushButton(tr("&Create"), this))
{
    setObjectName(QStringLiteral("newRecipeDialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("New recipe"));
    build();
    for (const RecipeTemplate& recipe : m_templates)
        m_list->addItem(recipe.name);
    connect(m_list, &QListWidget::currentRowChanged, this, &NewRecipeDialog::showTemplate);
    connect(m_name, &QLineEdit::textChanged, this, &NewRecipeDialog::refresh);
    connect(m_folder, &QLineEdit::textChanged, this, &NewRecipeDialog::refresh);
    connect(m_create, &QPushButton::clicked, this, &NewRecipeDialog::create);
    m_list->setCurrentRow(0);
    resize(720, 460);
}

NewRecipeDialog::~NewRecipeDialog()
{
    *m_isOpen = false;
}

void NewRecipeDialog::build()
{
    m_list->setObjectName(QStringLiteral("templateList"));
    m_list->setAccessibleName(tr("Templates"));
    m_list->setMaximumWidth(220);
    m_description->setWordWrap(true);
    m_description->setTextFormat(Qt::PlainText);
    m_description->setMinimumHeight(3 * fontMetrics().lineSpacing());
    m_description->setAlignment(Qt::AlignTop);
    m_name->setObjectName(QStringLiteral("recipeName"));
    m_name->setAccessibleName(tr("Name"));
    m_folder->setObjectName(QStringLiteral("recipeFolder"));
    m_folder->setAccessibleName(tr("Folder"));
    m_message->setObjectName(QStringLiteral("newRecipeMessage"));
    m_message->setWordWrap(true);
    m_settings->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    m_settings->addRow(tr("&Name:"), m_name);
    auto* folder = new QLabel(tr("&Folder:"), this);
    folder->setBuddy(m_folder);
    m_settings->addRow(folder, browsable(m_folder, PathKind::Folder));
    m_keepVocabulary->setObjectName(QStringLiteral("keepVocabulary"));
    m_keepText->setObjectName(QStringLiteral("keepText"));
    m_settings->addRow(QString(), m_keepVocabulary);
    m_settings->addRow(QString(), m_keepText);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_create->setObjectName(QStringLiteral("createRecipe"));
    m_create->setDefault(true);
    buttons->addButton(m_create, QDialogButtonBox::ActionRole);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* right = new QVBoxLayout;
    right->addWidget(m_description);
    right->addLayout(m_settings);
    right->addStretch(1);
    right->addWidget(m_message);
    auto* top = new QHBoxLayout;
    top->addWidget(m_list);
    top->addLayout(right, 1);
    auto* column = new QVBoxLayout(this);
    column->addLayout(top, 1);
    column->addWidget(buttons);
}

QWidget* NewRecipeDialog::browsable(QLineEdit* edit, PathKind kind)
{
    auto* holder = new QWidget(this);
    auto* row = new QHBoxLayout(holder);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(edit, 1);
    holder->setFocusProxy(edit);
    if (kind == PathKind::None)
        return holder;
    auto* browse = new QToolButton(holder);
    browse->setText(QStringLiteral("…"));
    const QString name
        = kind == PathKind::Folder ? tr("Choose a folder") : tr("Choose a file or folder");
    browse->setAccessibleName(name);
    browse->setToolTip(name);
    row->addWidget(browse);
    const auto file = [this, edit] {
        take(edit, QFileDialog::getOpenFileName(this, tr("Choose a file"), edit->text()));
    };
    const auto folder = [this, edit] {
        take(edit, QFileDialog::getExistingDirectory(this, tr("Choose a folder"), edit->text()));
    };
    if (kind == PathKind::Folder) {
        connect(browse, &QToolButton::clicked, edit, folder);
        return holder;
    }
    auto* menu = new QMenu(browse); // no dialog offers both
    menu->addAction(tr("&File…"), edit, file);
    menu->addAction(tr("F&older…"), edit, folder);
    browse->setMenu(menu);
    browse->setPopupMode(QToolButton::InstantPopup);
    return holder;
}

const RecipeTemplate& NewRecipeDialog::chosen() const
{
    return m_templates[static_cast<size_t>(std::max(0, m_list->currentRow()))];
}

void NewRecipeDialog::showTemplate()
{
    for (; !m_values.isEmpty(); m_values.erase(m_values.begin()))
        m_settings->removeRow(0);
    m_description->setText(chosen().description);
    for (const QString& key : chosen().settings)
        addSetting(chosen(), key);
    for (QCheckBox* choice : { m_keepVocabulary, m_keepText })
        m_settings->setRowVisible(choice, chosen().isFineTuning);
    orderTabs();
    m_name->setText(chosen().name.section(QLatin1Char('/'), -1));
    refresh();
}

void NewRecipeDialog::addSetting(const RecipeTemplate& recipe, const QString& key)
{
    auto* edit = new QLineEdit(recipe.values.value(key), this);
    edit->setObjectName(QStringLiteral("setting.") + key);
    edit->setAccessibleName(key);
    edit->setPlaceholderText(tr("to be filled in, here or later"));
    const auto row = static_cast<int>(m_values.size());
    m_values[key] = edit;
    const PathKind kind = key.endsWith(QStringLiteral("folder")) ? PathKind::Folder
        : key == QStringLiteral("init_param") || key == QLatin1String(kTunedData)
        ? PathKind::FileOrFolder
        : PathKind::None;
    auto* label = new QLabel(labelOf(key), this);
    label->setBuddy(edit);
    m_settings->insertRow(row, label, browsable(edit, kind));
}

/// The settings' fields, made anew with each template, come before the name's.
void NewRecipeDialog::orderTabs()
{
    QWidget* last = m_list;
    const auto add = [&last](QWidget* next) { setTabOrder(std::exchange(last, next), next); };
    for (int row = 0; row < m_settings->rowCount(); ++row) {
        QWidget* field = m_settings->itemAt(row, QFormLayout::FieldRole)->widget();
        add(field->focusProxy() ? field->focusProxy() : field);
        if (auto* browse = field->findChild<QToolButton*>())
            add(browse);
    }
}

QString NewRecipeDialog::path() const
{
    QString name = m_name->text().trimmed();
    if (!name.endsWith(QStringLiteral(".yaml")) && !name.endsWith(QStringLiteral(".yml")))
        name += QStringLiteral(".yaml");
    return QDir(m_folder->text()).absoluteFilePath(name);
}

void NewRecipeDialog::refresh()
{
    const bool isNamed = !m_name->text().trimmed().isEmpty() && !m_folder->text().isEmpty();
    const bool hasSlash = m_name->text().contains(QLatin1Char('/'));
    m_create->setEnabled(isNamed && !hasSlash);
    if (hasSlash)
        tell(tr("A name has no '/': say below in which folder the recipe goes."), true);
    else
        tell(isNamed ? tr("Writes %1").arg(path()) : tr("The recipe needs a name and a folder."));
}

void NewRecipeDialog::tell(const QString& message, bool isError)
{
    setTextTone(*m_message, isError ? std::optional(Tone::Bad) : std::nullopt);
    m_message->setText(message);
}

std::function<QString()> NewRecipeDialog::writing() const
{
    QMap<QString, QString> values;
    for (auto value = m_values.begin(); value != m_values.end(); ++value)
        values[value.key()] = (*value)->text().trimmed();
    if (!chosen().isFineTuning)
        return [path = path(), text = filledTemplate(chosen(), values)] {
            return writeNew(path, text);
        };
    const data::FineTuning asked { .source = values[QLatin1String(kTunedModel)].toStdString(),
        .data = values[QLatin1String(kTunedData)].toStdString(),
        .recipe = path().toStdString(),
        .keepsVocabulary = m_keepVocabulary->isChecked() ? std::optional(true) : std::nullopt,
        .keepsText = m_keepText->isChecked(),
        .language = values[QLatin1String(kTunedLanguage)].toStdString() };
    return [asked, goOn = m_isOpen] { return writeTuned(asked, goOn); };
}

void NewRecipeDialog::create()
{
    m_create->setEnabled(false);
    whenDone(QtConcurrent::run(writing()), this, [this, path = path()](const QString& error) {
        if (error.isEmpty()) {
            Q_EMIT created(path);
            return accept();
        }
        tell(error, true);
        m_create->setEnabled(true);
    });
}

} // namespace earwright::ui
