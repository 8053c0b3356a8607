/// A run's verdict on its range (docs/contract.md section 1.2); the raw value is the value in run.json.
package enum Verdict: String, Sendable, CaseIterable {
  case clean, discrepancies, incomplete
}
