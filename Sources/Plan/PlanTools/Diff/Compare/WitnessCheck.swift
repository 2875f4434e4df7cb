/// Asks both validators about a document before it is shown.
struct WitnessCheck {
    let old: DiffJudge
    let new: DiffJudge
    /// In which order names are written.
    let order: [ExactText: Int]

    /// The document as a witness; nil if the validators do not disagree in that way.
    func witness(_ document: ExactJSON, for side: DiffWitness.Side, trail: [String] = []) -> DiffWitness? {
        let json = document.written(order: order)
        let (taking, refusing) = side == .old ? (old, new) : (new, old)
        guard taking.takes(json) == true, refusing.takes(json) == false else { return nil }
        return DiffWitness(side: side, json: json, refusals: refusing.refusals(of: json), trail: trail)
    }
}
