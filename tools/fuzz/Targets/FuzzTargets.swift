/// All targets.
package enum FuzzTargets {
    package static var all: [any FuzzTarget.Type] {
        [
            LinesTarget.self, ValidatorTarget.self, SchemasTarget.self, ScannerTarget.self, ConditionsTarget.self,
            TimesTarget.self, FormatsTarget.self, RecordingsTarget.self, SpecsTarget.self, LogNamesTarget.self,
            GzipTarget.self, ZstdTarget.self, BodiesTarget.self, ProtobufTarget.self, SnowplowTarget.self,
            SegmentTarget.self, CloudEventsTarget.self,
        ]
    }

    /// The names, in the order of runs.
    package static var names: [String] { all.map { $0.name } }

    /// Creates the target with a name; nil if there is none.
    package static func make(_ name: String) throws -> (any FuzzTarget)? {
        try all.first { $0.name == name }?.init()
    }
}
