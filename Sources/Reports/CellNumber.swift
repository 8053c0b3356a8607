import Foundation
import Payments

/// Exact amounts as numbers of a spreadsheet, which has only doubles.
enum CellNumber {
  /// The double nearest to an amount. Both operands of the division are exact up to 2^53; beyond that the decimal text
  /// is parsed.
  static func major(_ minor: Int64, digits: Int) -> Double {
    let exact: Int64 = 1 << 53
    if (-exact...exact).contains(minor) { return Double(minor) / Double(Currency.powersOfTen[digits]) }
    return Double(Money.decimalText(minor, digits: digits)) ?? 0
  }

  /// Days since 1899-12-30, as spreadsheets count them, times ten to the power of `digitsOfSerial`.
  static func serial(_ seconds: Int64) -> Int64 {
    let day = seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400)
    let second = seconds - day * 86_400
    return (day + 25_569) * 100_000_000_000 + (second * 100_000_000_000 + 43_200) / 86_400
  }

  /// The instants that a spreadsheet can show, and more.
  static let instants: ClosedRange<Int64> = -10_000_000_000...300_000_000_000

  /// The last digit is less than a microsecond.
  static let digitsOfSerial = 11

  /// `nil` if the bytes are not a date of the form `2026-03-01`, or one before spreadsheets begin to count.
  static func serial(date bytes: UnsafeRawBufferPointer) -> Int64? {
    guard bytes.count == 10, let day = BusinessDay(String(decoding: bytes, as: UTF8.self)) else { return nil }
    return day.date.year < 1901 ? nil : day.date.dayNumber + 25_569
  }
}

/// Remembers the serial number of the last date: neighbouring rows mostly have the same one.
struct LastDate {
  private var key: (UInt64, UInt16) = (0, 0)
  private var serial: Int64?

  /// `nil` if the bytes are not a date of the form `2026-03-01`, or one before spreadsheets begin to count.
  mutating func serial(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    guard bytes.count == 10 else { return nil }
    let asked = (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt16.self))
    if asked == key { return serial }
    (key, serial) = (asked, CellNumber.serial(date: bytes))
    return serial
  }
}
