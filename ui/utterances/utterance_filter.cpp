#include "ui/utterances/utterance_filter.h"

#include "core/score/error_groups.h"
#include "ui/widgets/plain_tip.h"

#include <algorithm>
#include <cmath>
#include <QCoreApplication>
#include <QRegularExpression>

namespace earwright::ui {

namespace {

using TextTest = std::function<bool(const QString&)>;
using Row = UtteranceRow;

QString filterText(const char* text)
{
    return QCoreApplication::translate("UtteranceFilter", text);
}

bool isQuoted(const QString& word, QChar quote)
{
    return word.size() > 1 && word.startsWith(quote) && word.endsWith(quote);
}

/// "ref:" or "ref=" where the word at `at` begins with it.
QRegularExpressionMatch nameAt(const QString& text, qsizetype at)
{
    static const QRegularExpression kName(QStringLiteral("(id|speaker|ref|hyp|missed)([:=])"),
        QRegularExpression::CaseInsensitiveOption);
    return kName.match(
        text, at, QRegularExpression::NormalMatch, QRegularExpression::AnchorAtOffsetMatchOption);
}

/// Where the word ends that begins at `at`: blanks within quotes and regular expressions stay.
qsizetype endOfWord(const QString& text, qsizetype at)
{
    const qsizetype blank = text.indexOf(u' ', at);
    const qsizetype value = at + nameAt(text, at).capturedLength();
    const QChar quote = value < text.size() ? text[value] : QChar();
    if (quote != u'"' && quote != u'/')
        return blank < 0 ? text.size() : blank;
    for (qsizetype end = value + 1; end < text.size(); ++end) {
        if (text[end] == quote)
            return end + 1;
        if (text[end] == u'\\')
            ++end; // the next one is a letter
    }
    // Not closed yet: a quotation goes on to the end, a slash is a letter.
    return quote == u'"' || blank < 0 ? text.size() : blank;
}

/// `isWhole`: the text is that and nothing more.
TextTest textTest(const QString& wanted, bool isWhole, QString& error)
{
    if (isQuoted(wanted, u'/')) {
        const QString inner = wanted.mid(1, wanted.size() - 2);
        QRegularExpression pattern(isWhole ? QRegularExpression::anchoredPattern(inner) : inner,
            QRegularExpression::CaseInsensitiveOption
                | QRegularExpression::UseUnicodePropertiesOption);
        if (!pattern.isValid())
            error
                = filterText("%1 is no regular expression: %2").arg(wanted, pattern.errorString());
        return [pattern](const QString& text) { return pattern.match(text).hasMatch(); };
    }
    QString plain = wanted;
    if (plain.startsWith(u'"'))
        plain.remove(0, 1);
    if (isQuoted(wanted, u'"'))
        plain.chop(1);
    if (wanted.startsWith(u'"')) {
        static const QRegularExpression kEscape(QStringLiteral(R"(\\(["\\]))"));
        plain.replace(kEscape, QStringLiteral("\\1"));
    }
    if (isWhole)
        return [plain](const QString& text) {
            return text.simplified().compare(plain, Qt::CaseInsensitive) == 0;
        };
    return [plain](const QString& text) { return text.contains(plain, Qt::CaseInsensitive); };
}

QString inQuotationMarks(const QString& text)
{
    QString quoted = text.simplified();
    quoted.replace(u'\\', QLatin1String("\\\\")).replace(u'"', QLatin1String("\\\""));
    return u'"' + quoted + u'"';
}

double figureNamed(const Row& row, const QString& name)
{
    if (name == u"errors")
        return static_cast<double>(row.substitutions + row.deletions + row.insertions);
    if (name == u"rate")
        return score::speakingRate(row.tokens, row.seconds);
    static const QHash<QString, int> kColumns { { QStringLiteral("wer"), Row::Wer },
        { QStringLiteral("cer"), Row::Cer }, { QStringLiteral("seconds"), Row::Seconds },
        { QStringLiteral("s"), Row::Substitutions }, { QStringLiteral("d"), Row::Deletions },
        { QStringLiteral("i"), Row::Insertions }, { QStringLiteral("diff"), Row::Difference },
        { QStringLiteral("sametext"), Row::SameTexts },
        { QStringLiteral("samesound"), Row::SameSounds },
        { QStringLiteral("silence"), Row::Silence }, { QStringLiteral("clipped"), Row::Clipped } };
    return row.figure(kColumns.value(name, Row::Id));
}

bool compares(double figure, const QString& sign, double limit)
{
    return sign == u"<" ? figure < limit
        : sign == u"<=" ? figure <= limit
        : sign == u">"  ? figure > limit
        : sign == u">=" ? figure >= limit
                        : std::abs(figure - limit) < 0.005; // as it is shown
}

} // namespace

UtteranceFilter::UtteranceFilter(const QString& text)
{
    const QString line = text.simplified();
    for (qsizetype at = 0; at < line.size();) {
        if (line[at] == u' ') {
            ++at;
            continue;
        }
        const qsizetype end = endOfWord(line, at);
        add(line.mid(at, end - at));
        at = end;
    }
}

void UtteranceFilter::add(const QString& word)
{
    if (addFlag(word) || addComparison(word) || addInOneText(word))
        return;
    m_terms.emplace_back([test = textTest(word, false, m_error)](const Row& row) {
        return test(row.id) || test(row.speaker) || test(row.reference) || test(row.hypothesis)
            || test(row.otherHypothesis) || test(row.corrected);
    });
}

bool UtteranceFilter::addFlag(const QString& word)
{
    const QString name = word.toLower();
    if (name == u"better")
        m_terms.emplace_back([](const Row& row) { return row.difference < 0; });
    else if (name == u"worse")
        m_terms.emplace_back([](const Row& row) { return row.difference > 0; });
    else if (name == u"missed")
        m_terms.emplace_back([](const Row& row) { return !row.missed.isEmpty(); });
    else if (name == u"corrected")
        m_terms.emplace_back([](const Row& row) { return !row.corrected.isEmpty(); });
    else if (name == u"strange")
        m_terms.emplace_back([](const Row& row) { return !row.strangeWords.isEmpty(); });
    else if (name == u"overlap")
        m_terms.emplace_back([](const Row& row) { return !row.inOther.isEmpty(); });
    else if (name == u"nonfinite")
        m_terms.emplace_back([](const Row& row) { return row.isOfBadStep; });
    else if (name == u"quarantined")
        m_terms.emplace_back([](const Row& row) { return !row.quarantine.isEmpty(); });
    else
        return false;
    return true;
}

bool UtteranceFilter::addComparison(const QString& word)
{
    static const QRegularExpression kComparison(
        QStringLiteral("^(wer|cer|seconds|s|d|i|errors|diff|rate|sametext|samesound|silence|"
                       "clipped)(<=|>=|<|>|=)(.*)$"),
        QRegularExpression::CaseInsensitiveOption);
    const QRegularExpressionMatch match = kComparison.match(word);
    if (!match.hasMatch())
        return false;
    bool isNumber = false;
    const double limit = match.captured(3).toDouble(&isNumber);
    if (!isNumber)
        m_error = filterText("%1 needs a number, as in %2")
                      .arg(match.captured(1) + match.captured(2),
                          match.captured(1) + match.captured(2) + QStringLiteral("5"));
    m_terms.emplace_back(
        [name = match.captured(1).toLower(), sign = match.captured(2), limit](
            const Row& row) { return compares(figureNamed(row, name), sign, limit); });
    return true;
}

bool UtteranceFilter::addInOneText(const QString& word)
{
    static const QHash<QString, int> kTexts { { QStringLiteral("id"), Row::Id },
        { QStringLiteral("speaker"), Row::Speaker }, { QStringLiteral("ref"), Row::Reference },
        { QStringLiteral("hyp"), Row::Hypothesis } };
    const QRegularExpressionMatch match = nameAt(word, 0);
    if (!match.hasMatch())
        return false;
    const QString name = match.captured(1).toLower();
    const QString wanted = word.mid(match.capturedLength());
    if (wanted.isEmpty())
        return true; // the rest is being typed
    const TextTest test = textTest(wanted, match.captured(2) == u"=", m_error);
    if (name == u"missed")
        m_terms.emplace_back([test](const Row& row) {
            return std::any_of(row.missed.begin(), row.missed.end(), test);
        });
    else
        m_terms.emplace_back(
            [test, column = kTexts.value(name)](const Row& row) { return test(row.text(column)); });
    return true;
}

bool UtteranceFilter::passes(const UtteranceRow& row) const
{
    return m_error.isEmpty()
        && std::all_of(m_terms.begin(), m_terms.end(), [&](const Term& term) { return term(row); });
}

QString UtteranceFilter::missedPhrase(const QString& phrase)
{
    return QStringLiteral("missed=") + inQuotationMarks(phrase);
}

QString UtteranceFilter::speakerNamed(const QString& speaker)
{
    return QStringLiteral("speaker=") + inQuotationMarks(speaker);
}

QString UtteranceFilter::confusion(const QString& said, const QString& heard, bool haveWords)
{
    const auto term = [haveWords](const QString& name, const QString& part) {
        return name
            + (haveWords
                    ? QStringLiteral("/(?<!\\S)%1(?!\\S)/").arg(QRegularExpression::escape(part))
                    : inQuotationMarks(part));
    };
    QStringList terms;
    if (!said.isEmpty())
        terms << term(QStringLiteral("ref:"), said);
    if (!heard.isEmpty())
        terms << term(QStringLiteral("hyp:"), heard);
    terms << (said.isEmpty()  ? QStringLiteral("i>0")
            : heard.isEmpty() ? QStringLiteral("d>0")
                              : QStringLiteral("s>0"));
    return terms.join(u' ');
}

QString UtteranceFilter::help()
{
    return plainTip(filterText(
        "Words, \"some words\" or /regex/ in any text of the row; all must be there.\n"
        "In one text: id: speaker: ref: hyp: as in speaker:anna or ref:/^open/; with = in place of "
        ": the text is that and nothing more\n"
        "Figures: wer cer seconds s d i errors diff, rate (words a second) with < <= > >= = as in "
        "wer>50 or seconds<2\n"
        "Hotwords spoken and not heard: missed, missed:part or missed=\"the phrase\"\n"
        "Of the manifest: corrected, quarantined; before a training strange (words outside the "
        "tokenizer), overlap, sametext>1, samesound>1, silence>50, clipped>0; of the run's "
        "training "
        "nonfinite\n"
        "Beside another evaluation: better, worse (B has fewer or more errors)"));
}

} // namespace earwright::ui
