import Foundation

/// Prints the progress of a long run.
enum StandardOutput {
    static func note(_ text: String) {
        print(text)
        fflush(nil)
    }
}
