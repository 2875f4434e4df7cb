internal import SwiftSyntax

/// Says types without the generic parameters of a member: its calls are recorded in one place, whatever they stand for.
struct TypeEraser {
    /// The protocols of the standard library and of Foundation that parameters are often constrained to.
    private static let wellKnown: Set = [
        "Sendable", "AnyObject", "Error", "Equatable", "Hashable", "Comparable", "Codable", "Encodable", "Decodable",
        "Identifiable", "CustomStringConvertible", "CustomDebugStringConvertible", "LosslessStringConvertible",
        "RawRepresentable", "CaseIterable", "Sequence", "Collection", "BidirectionalCollection",
        "RandomAccessCollection", "Strideable", "Numeric", "BinaryInteger", "FixedWidthInteger", "SignedInteger",
        "UnsignedInteger", "FloatingPoint", "BinaryFloatingPoint", "StringProtocol", "DataProtocol", "LocalizedError",
        "AsyncSequence", "Clock", "Actor",
    ]

    /// The names of the parameters, each with what is known of it: `any Decodable`, or `Any`.
    private var parameters: [String: String] = [:]

    /// - Throws: ``SourceIssue`` for packs and for what cannot be copied.
    init(
        _ clause: GenericParameterClauseSyntax?, _ requirements: GenericWhereClauseSyntax?, library: ProtocolLibrary,
        location: SourcePosition
    ) throws(SourceIssue) {
        var bounds: [String: [String]] = [:]
        for parameter in clause?.parameters ?? [] {
            guard parameter.specifier == nil else {
                throw SourceIssue(
                    location, "the member has a parameter pack, which cannot be recorded: write this double by hand")
            }
            bounds[parameter.name.text] = []
            if let bound = parameter.inheritedType {
                bounds[parameter.name.text] = try Self.bounds(in: bound, library, location)
            }
        }
        for requirement in requirements?.requirements ?? [] {
            guard case .conformanceRequirement(let conformance) = requirement.requirement else { continue }
            let name = SourceText.plain(conformance.leftType)
            if let known = bounds[name] {
                bounds[name] = known + (try Self.bounds(in: conformance.rightType, library, location))
            }
        }
        parameters = bounds.mapValues { $0.isEmpty ? "Any" : "any \($0.joined(separator: " & "))" }
    }

    private static func bounds(
        in type: TypeSyntax, _ library: ProtocolLibrary, _ location: SourcePosition
    ) throws(SourceIssue) -> [String] {
        switch type.as(TypeSyntaxEnum.self) {
        case .compositionType(let all):
            var bounds: [String] = []
            for element in all.elements { bounds += try Self.bounds(in: element.type, library, location) }
            return bounds
        case .suppressedType: throw uncopied(location)
        case .identifierType(let type):
            // A class would have to be said without `any`: of what is not surely a protocol, nothing is known.
            let name = type.name.text
            return wellKnown.contains(name) || library.hasProtocol(named: name) ? [name] : []
        default: return []
        }
    }

    /// What is said of a member that takes or returns `some ~Copyable`, or a generic parameter of that kind.
    static func uncopied(_ location: SourcePosition) -> SourceIssue {
        SourceIssue(location, "the member has what cannot be copied, nor recorded: write this double by hand")
    }

    /// Whether `~` stands in a type.
    static func isSuppressing(_ type: TypeSyntax) -> Bool {
        type.tokens(viewMode: .sourceAccurate).contains { $0.parent?.is(SuppressedTypeSyntax.self) == true }
    }

    /// Whether a type has one of the parameters in it, or is one itself: `some P`.
    func mentions(_ type: some SyntaxProtocol) -> Bool {
        type.tokens(viewMode: .sourceAccurate).contains {
            parameters[$0.text] != nil || $0.tokenKind == .keyword(.some)
        }
    }

    /// The type as it is recorded. What has no name without the parameters is `Any`.
    func erased(_ type: TypeSyntax) -> String {
        switch type.as(TypeSyntaxEnum.self) {
        case .implicitlyUnwrappedOptionalType(let type): return optional(erased(type.wrappedType))
        case _ where !mentions(type): return SourceText.plain(type)
        case .identifierType(let type): return parameters[type.name.text] ?? "Any"
        case .someOrAnyType(let type):
            return type.someOrAnySpecifier.tokenKind == .keyword(.some)
                ? "any \(SourceText.plain(type.constraint))" : "Any"
        case .optionalType(let type): return optional(erased(type.wrappedType))
        case .arrayType(let type): return "[\(erased(type.element))]"
        case .dictionaryType(let type) where !mentions(type.key):
            return "[\(SourceText.plain(type.key)): \(erased(type.value))]"
        case .metatypeType(let type):
            let base = erased(type.baseType)
            return "\(base.contains("&") ? "any (\(base.dropFirst(4)))" : base).Type"
        case .tupleType(let type) where type.elements.count == 1 && type.elements.first?.firstName == nil:
            return type.elements.first.map { erased($0.type) } ?? "Any"
        default: return "Any"
        }
    }

    private func optional(_ type: String) -> String { "\(grouped(type))?" }

    /// In parentheses where something behind it would belong to a part only.
    private func grouped(_ type: String) -> String {
        let isWhole = !type.contains(" ") || type.hasPrefix("[") && type.hasSuffix("]")
        return isWhole ? type : "(\(type))"
    }
}
