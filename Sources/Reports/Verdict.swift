/// What a run says about its range (docs/contract.md section 1.2); the raw value is the word of run.json.
package enum Verdict: String, Sendable, CaseIterable {
  case clean, discrepancies, incomplete
}
