internal import JSONLines

/// A line of the file that the test kit's `FiringMatrix` writes.
package enum FiringMatrixLine: Equatable, Sendable {
    /// The app's route commands, in declaration order.
    case routes([String])
    case assertion(Assertion, ConsentTerms?)

    /// The terms of an asserted event.
    package struct ConsentTerms: Hashable, Sendable {
        /// The name of its purpose.
        package let purpose: String
        /// The consent of its person: `granted`, or `unknown` for an event that waits.
        package let consent: String

        package init(purpose: String, consent: String) {
            self.purpose = purpose
            self.consent = consent
        }
    }

    /// A test's assertion of an event.
    package struct Assertion: Hashable, Sendable {
        package let event: String
        /// The most recent route command; nil before the first one.
        package let route: String?
        /// The test's name; its place if the name is not known.
        package let test: String
        /// `AppTests/FiringTests.swift:31`.
        package let place: String
    }

    /// Reads a line without its line feed; nil if it has another form.
    package init?(_ bytes: some Collection<UInt8>) {
        guard let line = JSONValue(validating: Array(bytes)) else { return nil }
        if case .array(let declared)? = line["routes"] {
            self = .routes(declared.compactMap(\.stringValue))
            return
        }
        guard let event = line["event"]?.stringValue, let place = line["place"]?.stringValue else { return nil }
        // A former test kit has not written the terms.
        let terms = line["purpose"]?.stringValue.flatMap { purpose in
            line["consent"]?.stringValue.map { ConsentTerms(purpose: purpose, consent: $0) }
        }
        self = .assertion(
            Assertion(
                event: event, route: line["route"]?.stringValue, test: line["test"]?.stringValue ?? place,
                place: place), terms)
    }
}
