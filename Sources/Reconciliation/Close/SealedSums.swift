/// Sums of sealed and later noted amounts, by seal, account, currency and figure.
struct SealedSums {
  struct Key: Hashable {
    let seal: String
    let place: SealedMovements.Key
  }
  var sums: [Key: (sealed: Int64, noted: Int64, derived: Int64)] = [:]

  init(_ state: ClosedState, _ closed: String) throws {
    for line in state.periods.effective {
      for figure in try Seal.figures("\(closed)/\(line.seal.folder)") {
        sums[Key(seal: line.seal.sha256, place: figure.key), default: (0, 0, 0)].sealed = figure.amountMinor
      }
    }
    let known = Set(state.periods.effective.map(\.seal.sha256))
    for line in state.adjustments where known.contains(line.seal) {
      let place = SealedMovements.Key(
        provider: line.provider, account: line.account, connectedAccount: line.connectedAccount,
        currency: line.currency, figure: line.figure, rowID: "")
      sums[Key(seal: line.seal, place: place), default: (0, 0, 0)].noted += line.change
    }
  }
}
