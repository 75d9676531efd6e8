#include "ui/utterances/utterance_views.h"

#include "ui/utterances/error_table_panel.h"

#include <QTabBar>

namespace earwright::ui {

UtteranceViews::UtteranceViews(QWidget* utterances, QWidget* parent)
    : QStackedWidget(parent)
    , m_tabs(new QTabBar(this))
{
    m_tabs->setObjectName(QStringLiteral("utteranceTabs"));
    m_tabs->setAccessibleName(tr("Utterances, and tables of their errors"));
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    m_tabs->addTab(tr("All"));
    addWidget(utterances);
    auto* confusions = new ErrorTablePanel(QStringLiteral("confusions"), tr("Confusions"), this);
    confusions->setMaker(confusionTable);
    add(tr("Confusions"), confusions);
    addGroups(tr("Speakers"), "errorsBySpeaker", score::GroupBy::Speaker);
    addGroups(tr("Lengths"), "errorsBySeconds", score::GroupBy::Seconds);
    addGroups(tr("Rates"), "errorsByRate", score::GroupBy::Rate);
    connect(m_tabs, &QTabBar::currentChanged, this, &QStackedWidget::setCurrentIndex);
}

void UtteranceViews::add(const QString& title, ErrorTablePanel* panel)
{
    m_tabs->addTab(title);
    addWidget(panel);
    m_errorTables.push_back(panel);
    connect(panel, &ErrorTablePanel::filterWanted, this, &UtteranceViews::filterWanted);
}

void UtteranceViews::addGroups(const QString& title, const char* objectName, score::GroupBy by)
{
    auto* groups = new ErrorTablePanel(QLatin1String(objectName), title, this);
    groups->setMaker([by](const UtteranceSet& set) { return groupTable(set, by); });
    add(title, groups);
}

void UtteranceViews::setUtterances(const UtteranceSetPtr& set)
{
    for (ErrorTablePanel* panel : m_errorTables)
        panel->setUtterances(set);
}

void UtteranceViews::showUtterances()
{
    m_tabs->setCurrentIndex(0);
}

} // namespace earwright::ui
