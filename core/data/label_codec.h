#pragma once

#include "core/data/label_table.h"
#include "core/data/seg_dict.h"
#include "core/data/text_codec.h"

#include <optional>
#include <string>
#include <vector>

namespace earwright::data {

/// Characters, words, phones or FunASR's tokens, as a label encoder's file lists them.
class LabelCodec final : public TextCodec {
public:
    enum class Unit { Character, Word };

    /// The labels of the texts, in order of first appearance around the special ones; `<unk>`
    /// before them with `hasUnknown`.
    LabelCodec(const std::vector<std::string>& texts, const settings::SpecialLabels& special,
        Unit unit, bool hasUnknown);
    /// The extras say what texts are cut into: characters where they say nothing.
    explicit LabelCodec(LabelTable table);

    void endWords();
    void cutAtBlanks();
    void addUnknown();
    void addLabels(const std::vector<std::string>& texts);

    bool isOfWords() const { return m_unit == Unit::Word; }
    bool hasSegDict() const { return m_segDict.has_value(); }

    const std::vector<std::string>& labels() const override { return m_table.labels; }
    std::optional<int64_t> indexOf(const std::string& label) const override;
    int64_t blankIndex() const override { return m_table.blankIndex; }
    int64_t unknownIndex() const override { return m_table.unknownIndex; }
    Vocabulary vocabulary() const override;
    std::string fileText() const override { return textOfLabels(m_table); }
    Result<std::vector<int64_t>> encode(const std::string& text) const override;
    std::string decode(const std::vector<int64_t>& tokens) const override;
    std::string asWritten(const std::string& text) const override;
    std::vector<std::string> searchLabels() const override;
    std::string sizeText() const override;

private:
    std::vector<std::string> unitsOf(const std::string& text) const;
    Error notKnown(const std::string& unit, const std::string& text) const;

    Unit m_unit = Unit::Character;
    bool m_endsWords = false;
    std::optional<SegDict> m_segDict; ///< cuts texts where there is one
    LabelTable m_table;
};

} // namespace earwright::data
