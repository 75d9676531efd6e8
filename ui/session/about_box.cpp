#include "ui/session/about_box.h"

#include "ui/launch/translated.h"

#include <QIcon>
#include <QMessageBox>

namespace earwright::ui {

void showAboutBox(QWidget& window)
{
    auto* box = new QMessageBox(QMessageBox::NoIcon, translated("About Earwright"),
        translated(
            "<h3>Earwright Studio %1</h3><p>Speech-recognition training runs on a workstation.</p>"
            "<p>Sources: Apache-2.0. This program as a whole: GPL-3, because QCustomPlot and "
            "QScintilla are.</p>")
            .arg(QStringLiteral(EARWRIGHT_VERSION)),
        QMessageBox::Ok, &window);
    box->setObjectName(QStringLiteral("aboutDialog"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setTextFormat(Qt::RichText);
    box->setIconPixmap(window.windowIcon().pixmap(64));
    box->open();
}

} // namespace earwright::ui
