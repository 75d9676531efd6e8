#pragma once

#include "core/base/result.h"
#include "core/decode/ctc_vocabulary.h"
#include "core/decode/hotword.h"

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace earwright::decode {

/// What a letter is to the words of a text.
enum class LetterKind : int8_t {
    Word, ///< part of a word between blanks
    Ideograph, ///< a word by itself: no blank is needed beside it
    Boundary, ///< a blank
};

/// Where a beam stands among the phrases.
struct HotwordState {
    int32_t node = 0;
    LetterKind last = LetterKind::Word; ///< of what was spelled; of blanks between ideographs none
    double earned = 0; ///< nats for phrases that are complete
};

/// What a list of phrases adds to a beam: for a phrase begun, its letters so far times its weight,
/// taken back when the beam goes on otherwise; for a complete one its whole weight, for good. Where
/// the vocabulary has words, a phrase begins and ends with a word: "art" is not heard in "start".
/// An ideograph is a word by itself there, as hotwords are counted (hotword_rate.h): 京 is heard in
/// 北京, "AI" in 用AI吗, and blanks beside an ideograph make no difference. All of it is a function
/// of what a beam spells, by whatever tokens, so that merged beams agree. (Aho and Corasick 1975
/// over code points.) Safe from any thread.
class Hotwords final {
public:
    /// A phrase with a letter that no output of the vocabulary spells, or with a word that a
    /// vocabulary of words has not, is left out; blanks between its ideographs are no such letters,
    /// and words are whole where several with ideographs at the joints make them.
    /// Of equal phrases the last one counts. Errors: one without a letter; none is left.
    static Result<Hotwords> make(
        const std::vector<Hotword>& phrases, const CtcVocabulary& vocabulary);

    const std::vector<std::string>& leftOut() const { return m_leftOut; }
    /// Of the last of them that could be spelled otherwise: what to try. "" = none could.
    const std::string& hint() const { return m_hint; }

    HotwordState start() const { return m_start; }
    /// The beam goes on by a token.
    HotwordState advance(HotwordState state, int32_t token) const
    {
        return follow(state, m_letters[static_cast<size_t>(token)]);
    }
    /// The beam ends.
    HotwordState finish(HotwordState state) const
    {
        return m_isBounded ? follow(state, { kBoundary }) : state;
    }
    double bonus(HotwordState state) const { return state.earned + at(state.node).begun; }

private:
    static constexpr char32_t kBoundary = U' ';
    struct Node {
        int32_t fallback = 0; ///< the longest other beginning of a phrase that ends here too
        double complete = 0; ///< nats for all phrases that end here
        double begun = 0; ///< nats for the longest one begun, less what is complete of it
    };

    Hotwords() = default;
    void readLetters(const CtcVocabulary& vocabulary);
    /// As the vocabulary can spell it.
    std::string spellable(const std::string& phrase) const;
    /// The first letter of a text that no output spells, of a model of words the first word; ""
    /// where all are.
    std::string unspelled(const std::string& text) const;
    /// Whether outputs that are words spell a word, one or several that meet at an ideograph.
    bool isOfOutputs(const std::string& word) const;
    void leaveOut(const std::string& phrase);
    /// The letters that a text goes through where the phrase is in it.
    std::u32string pathOf(const std::string& phrase) const;
    void add(const std::u32string& path, double weight);
    void linkFallbacks();
    const Node& at(int32_t node) const { return m_nodes[static_cast<size_t>(node)]; }
    int32_t child(int32_t node, char32_t letter) const; ///< -1: none
    /// What the phrases see of a letter behind `last`, which becomes its kind: words between single
    /// boundaries, none between ideographs.
    std::u32string seen(LetterKind& last, char32_t letter) const;
    HotwordState follow(HotwordState state, const std::u32string& letters) const;
    HotwordState step(HotwordState state, char32_t letter) const;

    std::vector<Node> m_nodes { Node {} };
    std::vector<std::pair<int32_t, char32_t>> m_cameFrom { {} }; ///< by node: parent and letter
    std::unordered_map<uint64_t, int32_t> m_children; ///< of (node, letter)
    std::vector<std::u32string> m_letters; ///< by token, with the boundary it sets
    std::set<char32_t> m_spelled; ///< letters of all tokens
    std::set<std::string> m_words; ///< where every token is a whole word, else none
    std::vector<std::string> m_leftOut;
    std::string m_hint;
    bool m_isBounded = false;
    HotwordState m_start;
};

} // namespace earwright::decode
