/// Suggests valid names for names in another form.
enum NameSuggestion {
    /// Returns `checkout-completed` for `CheckoutCompleted`, `checkout_completed` and `Checkout completed`; nil if
    /// nothing is left.
    ///
    /// - Parameter separator: The separator between words.
    static func joined(_ text: String, by separator: Character) -> String? {
        let words = words(text)
        guard let first = words.first?.first, first.isLetter else { return nil }
        return words.joined(separator: String(separator))
    }

    /// Returns the runs of ASCII letters and digits in lower case, split where a capital letter starts a word:
    /// `URLOpened` becomes `url` and `opened`.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word = ""
        let letters = Array(text)
        for (index, letter) in letters.enumerated() {
            guard letter.isASCII, letter.isLetter || letter.isNumber else {
                words.append(word)
                word = ""
                continue
            }
            let before = index > 0 ? letters[index - 1] : " "
            let isFollowedByWord = index + 1 < letters.count && letters[index + 1].isLowercase
            if letter.isUppercase, before.isLowercase || before.isNumber || before.isUppercase && isFollowedByWord {
                words.append(word)
                word = ""
            }
            word += letter.lowercased()
        }
        return (words + [word]).filter { !$0.isEmpty }
    }
}
