internal import JSONSchema

extension ChangeFinder {
    /// Compares what is said of the members or elements that are not told apart.
    ///
    /// - Parameters:
    ///   - own: The keyword that is about those that no neighbour describes: where it stands, nothing is unevaluated.
    ///   - unevaluated: The keyword that also asks the schemas applied in place.
    mutating func compareRest(
        _ pair: SchemaPair, _ own: String, _ unevaluated: String, closed: String, opened: String, restricted: String,
        freed: String, what: String
    ) {
        func rest(_ view: SchemaView) -> (keyword: String, place: SchemaPlace)? {
            let keyword = view[own] == nil ? unevaluated : own
            return view[keyword].flatMap { $0.value.boolean == true ? nil : (keyword, $0) }
        }
        let (old, new) = (rest(pair.old), rest(pair.new))
        let wasClosed = old?.place.value.boolean == false
        let isClosed = new?.place.value.boolean == false
        // What other schemas evaluated was none of the old keyword's business.
        let isAboutMore = old?.keyword == unevaluated && new?.keyword == own && pair.old.hasApplicators
        guard old != nil || new != nil, !(wasClosed && isClosed) || isAboutMore else { return }
        let keyword = (new ?? old)?.keyword ?? own
        if isClosed {
            add(closed, keyword, old?.place, new?.place, pair.path, "\(what) are refused")
        } else if wasClosed {
            add(
                opened, keyword, old?.place, new?.place ?? pair.new.place, pair.path, "\(what) are taken",
                danger: isAboutMore ? "schemas that \(unevaluated) asks" : pair.watchAround)
        } else if let old, let new, !isAboutMore {
            compare(old.place, new.place, at: pair.path + ["*"])
        } else if new != nil {
            add(
                restricted, keyword, old?.place, new?.place, pair.path,
                "\(what) must look like \(Self.short(new?.place))")
        } else {
            add(
                freed, keyword, old?.place, pair.new.place, pair.path, "\(what) may look like anything",
                danger: pair.watchAround)
        }
    }
}
