/// A table with two columns: a label and a value.
struct SummaryTable {
    let title: String
    let rows: [(String, String)]

    var text: String {
        let width = rows.map(\.0.count).max() ?? 0
        let lines = rows.map { label, value in
            "  " + label + String(repeating: " ", count: width - label.count + 2) + value
        }
        return (["", title] + lines + [""]).joined(separator: "\n")
    }
}
