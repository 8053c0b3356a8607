/// Faults between the refunds of the orders and those of the account.
extension DirectAccount {
  func missingRefund() {
    let sale = sell(terms(seasonOfRefunds))
    let amount = dice.chance(50) ? sale.payment.captured : part(sale, 10...60)
    record(
      amount, of: sale, at: sale.payment.at + dice.number(3_600...80_000), reference: dice.pick([nil, sale.payment.id]))
    plant(.missingRefund, [sale], "a refund that the orders record and nobody made")
  }

  func unrecordedRefund() {
    let sale = sell(terms(seasonOfRefunds))
    let amount = dice.chance(50) ? sale.payment.captured : part(sale, 10...60)
    let made = refund(sale, amount, at: sale.payment.at + dice.number(3_600...80_000), isRecorded: false)
    plant(.unrecordedRefund, [sale], records: [made], "a refund that the orders do not record")
  }

  func refundAmountMismatch() {
    let sale = sell(terms(seasonOfRefunds))
    let amount = part(sale, 20...60) + 70
    let at = sale.payment.at + dice.number(3_600...80_000)
    let made = refund(sale, amount, at: at, isRecorded: false)
    record(dice.chance(50) ? amount + 100 : amount - 60, of: sale, at: at, reference: reference(to: made, of: sale))
    plant(.refundAmountMismatch, [sale], records: [made], "a refund recorded with another amount than was paid")
  }

  func overRefunded() {
    let sale = sell(terms(seasonOfRefunds))
    var records: [String] = []
    for (number, amount) in [part(sale, 55...70), part(sale, 71...90)].enumerated() {
      records.append(refund(sale, amount, at: sale.payment.at + 7_200 + Int64(number) * 30_000))
    }
    plant(.overRefunded, [sale], records: records, "two refunds that together exceed the capture")
  }

  func possibleDuplicateRefund() {
    let sale = sell(terms(seasonOfRefunds))
    let amount = part(sale, 15...45)
    let at = sale.payment.at + dice.number(3_600...80_000)
    let first = refund(sale, amount, at: at)
    let second = refund(sale, amount, at: at + dice.number(20...590), isRecorded: false)
    plant(
      .possibleDuplicateRefund, [sale], records: [first, second],
      "the same refund twice within minutes, one of them recorded")
  }
}
