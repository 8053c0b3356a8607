import Payments

/// Refunds and disputes at both snapshots.
extension Assembly {
  mutating func deriveRefunds() {
    let reversals = reversalsOfRefunds()
    for refund in resolution.refunds where !refund.isExpiredAuthorisation {
      guard let paymentID = directory.paymentID(named: refund.paymentID) else { continue }
      let row = resolution.row(refund.rowID)
      // The amount that a partial capture released is a row of the capture, not a refund.
      if let row, records.postings[row.postings].contains(where: { $0.kind == .capture }) { continue }
      let facts = RefundState.Facts(
        refund: refund, row: row, failureRow: resolution.row(refund.failureRowID), reversal: reversals[refund.refundID])
      do throws(MoneyError) {
        var states: [RefundState?] = []
        for instant in instants {
          states.append(refund.createdAt < instant ? try RefundState(of: facts, at: instant) : nil)
        }
        refunds.append((refund, paymentID, states))
      } catch {
        leaveOut(refund.refundID, error)
      }
    }
  }

  /// Which refund a reversal belongs to: the reversal names the refund, or the refund names the reversal.
  private mutating func reversalsOfRefunds() -> [Text: RefundState.ReversalTotal] {
    var namedBy: [Text: [Text]] = [:]
    for refund in resolution.refunds {
      if let reversalID = refund.reversalID { namedBy[reversalID, default: []].append(refund.refundID) }
    }
    var totals: [Text: RefundState.ReversalTotal] = [:]
    for reversal in records.reversals {
      let bookedAt = resolution.row(reversal.rowID)?.bookedAt ?? reversal.createdAt
      for refundID in reversal.refundID.map({ [$0] }) ?? namedBy[reversal.reversalID] ?? [] {
        do throws(MoneyError) {
          try RefundState.ReversalTotal.add(reversal, bookedAt, to: &totals[refundID])
        } catch {
          leaveOut(refundID, error)
        }
      }
    }
    return totals
  }

  mutating func deriveDisputes() {
    guard !resolution.disputes.isEmpty else { return }
    let entries = disputeEntries()
    let events = Dictionary(grouping: resolution.events.filter { $0.subject == .dispute }, by: \.recordID)
    for dispute in resolution.disputes {
      do throws(MoneyError) {
        var states: [[DisputeState]] = []
        for instant in instants {
          let isThere = dispute.createdAt < instant
          let (entries, events) = (entries[dispute.disputeID] ?? [], events[dispute.disputeID] ?? [])
          states.append(isThere ? try DisputeState.states(of: dispute, entries, events, at: instant) : [])
        }
        disputes.append((dispute, directory.paymentID(named: dispute.paymentID), states))
      } catch {
        leaveOut(dispute.disputeID, error)
      }
    }
  }

  private func disputeEntries() -> [Text: [Entry]] {
    var found: [Text: [Entry]] = [:]
    for entries in bundles.map(\.entries) + [accountEntries] {
      for entry in entries where entry.kind == .dispute || entry.kind == .disputeReversal {
        found[entry.recordID, default: []].append(entry)
      }
    }
    return found
  }
}

extension RefundState.ReversalTotal {
  fileprivate static func add(_ reversal: ReversalRecord, _ bookedAt: Int64, to total: inout RefundState.ReversalTotal?)
    throws(MoneyError)
  {
    guard let sum = total else {
      total = .init(
        reversalID: reversal.reversalID, currency: reversal.currency, amountMinor: reversal.amountMinor,
        bookedAt: bookedAt)
      return
    }
    total = .init(
      reversalID: min(sum.reversalID, reversal.reversalID), currency: min(sum.currency, reversal.currency),
      amountMinor: try Checked.sum(sum.amountMinor, reversal.amountMinor), bookedAt: min(sum.bookedAt, bookedAt))
  }
}
