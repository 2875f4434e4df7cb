import Foundation

/// Says how far a long run is.
enum StandardOutput {
    static func note(_ text: String) {
        print(text)
        fflush(nil)
    }
}
