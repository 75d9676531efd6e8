#pragma once

#include <QDialog>

class QListWidget;
class QPushButton;
class QTextBrowser;
class QUrl;

namespace earwright::ui {

/// The pages of docs/, which the program carries with it, beside the list of them. It stays beside
/// the window.
class HelpDialog final : public QDialog {
    Q_OBJECT
public:
    explicit HelpDialog(QWidget* parent = nullptr);

private:
    void build();
    void connectParts();
    void fillList();
    void follow(const QUrl& link);
    void selectPage(const QUrl& source);

    QPushButton* m_back;
    QListWidget* m_pages;
    QTextBrowser* m_text;
};

} // namespace earwright::ui
