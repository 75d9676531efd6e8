#pragma once

#include "ui/utterances/error_table.h"

#include <functional>
#include <QWidget>

namespace earwright::ui {

class ErrorTableModel;
class FigureTable;

/// A table of errors, sorted by a click on a header. A click on a row, or Enter, asks for its
/// utterances. It is made in the thread pool, and only while it can be seen. GUI thread only.
class ErrorTablePanel final : public QWidget {
    Q_OBJECT
public:
    using Maker = std::function<ErrorTablePtr(const UtteranceSet& set)>; ///< safe in any thread

    /// `name`: the table's for tests and screen readers; its object name is `objectName`.
    ErrorTablePanel(const QString& objectName, const QString& name, QWidget* parent = nullptr);

    void setUtterances(const UtteranceSetPtr& set); ///< null = none
    void setMaker(Maker maker);

Q_SIGNALS:
    void filterWanted(const QString& filter);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void ask(const QModelIndex& index);

    ErrorTableModel* m_model;
    FigureTable* m_table;
    Maker m_maker;
    UtteranceSetPtr m_set;
    bool m_isStale = false; ///< what is shown is of another set, or made otherwise
    int m_number = 0; ///< of the latest making: what else comes is dropped
};

} // namespace earwright::ui
