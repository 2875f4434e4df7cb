internal import SwiftSyntax

/// Erases the generic parameters of a member from its types, so that calls with any types are recorded in one list.
struct TypeEraser {
    /// Protocols of the standard library and of Foundation that often constrain parameters.
    private static let wellKnown: Set = [
        "Sendable", "AnyObject", "Error", "Equatable", "Hashable", "Comparable", "Codable", "Encodable", "Decodable",
        "Identifiable", "CustomStringConvertible", "CustomDebugStringConvertible", "LosslessStringConvertible",
        "RawRepresentable", "CaseIterable", "Sequence", "Collection", "BidirectionalCollection",
        "RandomAccessCollection", "Strideable", "Numeric", "BinaryInteger", "FixedWidthInteger", "SignedInteger",
        "UnsignedInteger", "FloatingPoint", "BinaryFloatingPoint", "StringProtocol", "DataProtocol", "LocalizedError",
        "AsyncSequence", "Clock", "Actor",
    ]

    /// The names of the parameters with their erased types: `any Decodable`, or `Any`.
    private var parameters: [String: String] = [:]

    /// - Throws: ``SourceIssue`` for parameter packs and noncopyable types.
    init(
        _ clause: GenericParameterClauseSyntax?, _ requirements: GenericWhereClauseSyntax?, library: ProtocolLibrary,
        location: SourcePosition
    ) throws(SourceIssue) {
        var bounds: [String: [String]] = [:]
        for parameter in clause?.parameters ?? [] {
            guard parameter.specifier == nil else {
                throw SourceIssue(
                    location, "parameter packs are not supported; write this double by hand")
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
            // A class would need no `any`: a type that may not be a protocol becomes `Any`.
            let name = type.name.text
            return wellKnown.contains(name) || library.hasProtocol(named: name) ? [name] : []
        default: return []
        }
    }

    /// The error for a member with `some ~Copyable` or such a generic parameter.
    static func uncopied(_ location: SourcePosition) -> SourceIssue {
        SourceIssue(location, "noncopyable types are not supported; write this double by hand")
    }

    /// Whether a type contains `~`.
    static func isSuppressing(_ type: TypeSyntax) -> Bool {
        type.tokens(viewMode: .sourceAccurate).contains { $0.parent?.is(SuppressedTypeSyntax.self) == true }
    }

    /// Whether a type contains a parameter, or is an implicit one: `some P`.
    func mentions(_ type: some SyntaxProtocol) -> Bool {
        type.tokens(viewMode: .sourceAccurate).contains {
            parameters[$0.text] != nil || $0.tokenKind == .keyword(.some)
        }
    }

    /// The recorded type: `Any` if it has no name without the parameters.
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

    /// Adds parentheses if a suffix would apply only to a part of the type.
    private func grouped(_ type: String) -> String {
        let isWhole = !type.contains(" ") || type.hasPrefix("[") && type.hasSuffix("]")
        return isWhole ? type : "(\(type))"
    }
}
