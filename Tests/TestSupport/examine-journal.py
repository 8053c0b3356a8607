"""Examines exported journals with beancount's and hledger's own programs, and against the reports of the same range.

    examine-journal.py BEANCOUNT HLEDGER CSV REPORTS [BEFORE]   prints what is wrong, one line each, and exits with 1; nothing and 0 when all is well
    examine-journal.py                                          the same for each line of standard input (TAB between paths), each answer ended by a "."

What is examined: beancount loads it without an error; `hledger check --strict` accepts it; all three have the same balances; the connected accounts
changed by what connected_accounts.csv says; each line of entries.csv is a transaction with its ids and its amount; the bank received what payouts.csv says; what the provider states beyond its rows is what discrepancies.csv
says of it; what is booked of closed periods is what prior_period_adjustments.csv says, on the first day, and with it the accounts close with what
roll_forward.csv says; where BEFORE is the beancount journal of the range just before, exported from the same store, accounts open with what they closed with there.
"""

import collections
import csv
import decimal
import json
import pathlib
import subprocess
import sys

from beancount import loader
from beancount.core import data

PAYOUTS = ("payout", "payout_reversal")
# What is booked of closed periods; rows may be adjustments of their own.
PRIOR = "adjustment of a closed period"
# The accounts whose balances a roll-forward has.
HELD = ("Assets:Provider:", "Liabilities:Connected:")
# What a payout that moves nothing may be called.
UNSENT = ("failed", "canceled", "pending")


def rows(reports, name):
    with open(f"{reports}/{name}.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def hledger(path):
    """What hledger has against it, and its balances."""
    check = subprocess.run(["hledger", "-f", path, "check", "--strict"], capture_output=True, text=True)
    if check.returncode != 0:
        return [f"hledger: {check.stderr.strip()}"], {}
    told = subprocess.run(["hledger", "-f", path, "balance", "--flat", "--no-total", "-O", "csv"], capture_output=True, text=True)
    if told.returncode != 0:
        return [f"hledger: {told.stderr.strip()}"], {}
    balances = {}
    for account, amount in list(csv.reader(told.stdout.splitlines()))[1:]:
        number, currency = amount.split(" ")
        balances[account, currency] = decimal.Decimal(number)
    return [], balances


def tagged(path):
    """What hledger has of entries with the tag period, by account."""
    told = subprocess.run(["hledger", "-f", path, "balance", "tag:period=.", "--flat", "--no-total", "-O", "csv"], capture_output=True, text=True)
    if told.returncode != 0:
        return {"hledger": told.stderr.strip()}
    rows = [(account, *amount.split(" ")) for account, amount in list(csv.reader(told.stdout.splitlines()))[1:] if amount != "0"]
    return {(account, currency): decimal.Decimal(number) for account, number, currency in rows}


def lines(path):
    """The balances of the lines that accounting packages import."""
    balances = collections.defaultdict(decimal.Decimal)
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            balances[row["account"], row["currency"]] += decimal.Decimal(row["debit"] or 0) - decimal.Decimal(row["credit"] or 0)
    return {key: amount for key, amount in balances.items() if amount != 0}


class Journal:
    """What beancount reads: sums of postings by account, entry kind and payout."""

    def __init__(self, path):
        entries, errors, _ = loader.load_file(path)
        self.problems = [f"beancount: {error.message}" for error in errors]
        self.balances = collections.defaultdict(decimal.Decimal)
        self.openings = collections.defaultdict(decimal.Decimal)
        self.by_kind = collections.defaultdict(decimal.Decimal)
        self.banked = collections.defaultdict(lambda: {kind: decimal.Decimal(0) for kind in PAYOUTS})
        self.unexplained = collections.defaultdict(decimal.Decimal)
        self.told = {}
        self.adjusted = collections.Counter()
        self.of_adjustments = collections.defaultdict(decimal.Decimal)
        self.held = collections.defaultdict(decimal.Decimal)
        self.first = min((entry.date for entry in entries), default=None)
        self.ids = {
            entry.account: tuple(entry.meta.get(name, "") for name in ("provider", "account", "currency"))
            for entry in entries if isinstance(entry, data.Open)
        }
        for entry in data.filter_txns(entries):
            kind = entry.narration.split(" ")[0]
            if "entry" in entry.meta:
                ids = tuple(entry.meta.get(name, "") for name in ("payment", "order", "record"))
                self.told[entry.meta["entry"]] = (kind, *ids, entry.postings[0].units.number, entry.postings[0].units.currency)
            if "entry" not in entry.meta and entry.narration.startswith("adjustment of "):
                kind = PRIOR
                self.adjust(entry)
            for posting in entry.postings:
                self.add(posting.account, posting.units, kind, entry.meta)
                if posting.account.startswith("Assets:Provider:") and entry.flag != "!":
                    self.held[self.ids[posting.account]] += posting.units.number

    def adjust(self, entry):
        """`adjustment of 2026-03 (captured)`: the account that it changes by so much, and its other side."""
        for posting in entry.postings:
            self.of_adjustments[posting.account, posting.units.currency] += posting.units.number
        own = next(posting for posting in entry.postings if posting.account.startswith(HELD))
        words = entry.narration.split(" ")
        period = words[2] if entry.tags and entry.meta.get("period") == words[2] else ""
        ids = tuple(entry.meta.get(name, "") for name in ("payment", "order", "record"))
        self.adjusted[entry.date, period, *self.ids[own.account], words[3].strip("()"), *ids, own.units.number] += 1

    def add(self, account, units, kind, meta):
        self.balances[account, units.currency] += units.number
        if kind == "Opening":
            self.openings[account, units.currency] += units.number
        provider, party, currency = self.ids.get(account, ("", "", ""))
        if account.startswith("Liabilities:Connected:"):
            self.by_kind[provider, party, currency, kind] += units.number
        if account.startswith("Equity:Unexplained:"):
            self.unexplained[provider, party, currency] -= units.number
        if account.startswith("Assets:Bank:") and kind in PAYOUTS:
            self.banked[provider, meta.get("payout", ""), units.currency][kind] += units.number


def entries(journal, reports):
    """Line by line; what a report writes before a text that a spreadsheet would run is no part of it."""
    listed = {}
    for row in rows(reports, "entries"):
        ids = (row[name].removeprefix("'") for name in ("payment_id", "order_id", "record_id"))
        listed[row["entry_id"]] = (row["kind"], *ids, decimal.Decimal(row["amount"]), row["currency"])
    for entry in {*listed, *journal.told}:
        if listed.get(entry) != journal.told.get(entry):
            yield f"{entry}: {journal.told.get(entry)} in the journal, {listed.get(entry)} in entries.csv"


def connected(journal, reports):
    """Each connected account changed by what the report says, kind by kind, and there is none beside."""
    changed = collections.defaultdict(decimal.Decimal)
    for (provider, party, currency, kind), amount in journal.by_kind.items():
        if kind not in PAYOUTS and kind not in ("Opening", PRIOR):
            changed[provider, party, currency] += amount
    columns = {"transferred": ("transfer", 1), "transfer_reversed": ("transfer_reversal", -1), "application_fee": ("application_fee", -1),
               "application_fee_refunded": ("application_fee_refund", 1)}
    for row in rows(reports, "connected_accounts"):
        key = row["provider"], row["connected_account"], row["currency"]
        found = changed.pop(key, decimal.Decimal(0))
        if found != decimal.Decimal(row["connected_net"]):
            yield f"{' '.join(key)}: changed by {found} in the journal, by {row['connected_net']} in connected_accounts.csv"
        for column, (kind, sign) in columns.items():
            found = sign * journal.by_kind.get((*key, kind), decimal.Decimal(0))
            if found != decimal.Decimal(row[column]):
                yield f"{' '.join(key)}: {column} {found} in the journal, {row[column]} in connected_accounts.csv"
    for key, amount in changed.items():
        yield f"{' '.join(key)}: changed by {amount} in the journal, and stands nowhere in connected_accounts.csv"


def payouts(journal, reports):
    """The bank received each payout, or nothing of it, and gave back what failed; what failed later may be older than the report, and what is booked later
    than it was made is in the report of an earlier day, which lies beside this one."""
    banked = dict(journal.banked)
    for row in rows(reports, "payouts"):
        key, amount = (row["provider"], row["payout_id"], row["currency"]), decimal.Decimal(row["amount"])
        moved = banked.pop(key, None)
        if moved is None and row["status"] not in UNSENT:
            yield f"payout {' '.join(key)}: {row['status']} and {amount} in payouts.csv, and stands nowhere in the journal"
        if moved and moved["payout"] != amount:
            yield f"payout {' '.join(key)}: the bank received {moved['payout']} in the journal, {amount} in payouts.csv"
        if moved and moved["payout_reversal"] not in (0, -amount):
            yield f"payout {' '.join(key)}: the bank gave back {moved['payout_reversal']} of {amount} in the journal"
    earlier = made_before(reports) if banked else set()
    for key, moved in banked.items():
        if moved["payout"] != 0 and (*key, moved["payout"]) not in earlier:
            yield f"payout {' '.join(key)}: the bank received {moved['payout']} in the journal, and it stands nowhere in payouts.csv"


def made_before(reports):
    """The payouts of the other reports, with their amounts."""
    folder = pathlib.Path(reports).resolve()
    return {(row["provider"], row["payout_id"], row["currency"], decimal.Decimal(row["amount"]))
            for other in folder.parent.iterdir() if other != folder and (other / "payouts.csv").exists() for row in rows(other, "payouts")}


def unexplained(journal, reports):
    """A night that was read in full has its mismatch in discrepancies.csv, and there are no others."""
    listed = {(row["provider"], row["account"], row["currency"]): decimal.Decimal(row["difference"])
              for row in rows(reports, "discrepancies") if row["type"] == "balance_mismatch" and row["state"] != "resolved"}
    with open(f"{reports}/run.json", encoding="utf-8") as file:
        verdict = json.load(file)["verdict"]
    for key in {*listed, *journal.unexplained}:
        if listed.get(key) != journal.unexplained.get(key) and verdict != "incomplete":
            yield f"{' '.join(key)}: {journal.unexplained.get(key)} unexplained in the journal, {listed.get(key)} in discrepancies.csv"


def adjustments(journal, reports):
    """Each line of the report is booked once, on the first day, and the balances end with those of the roll-forward."""
    listed = collections.Counter()
    for row in rows(reports, "prior_period_adjustments"):
        ids = (row[name].removeprefix("'") for name in ("payment_id", "order_id", "record_id"))
        listed[journal.first, row["period"], row["provider"], row["account"] or row["connected_account"], row["currency"], row["figure"], *ids,
               decimal.Decimal(row["change"])] += 1
    for line in {*listed, *journal.adjusted}:
        if listed[line] != journal.adjusted[line]:
            yield f"{' '.join(map(str, line))}: {journal.adjusted[line]} times in the journal, {listed[line]} in prior_period_adjustments.csv"
    for row in rows(reports, "roll_forward") if listed else []:
        key = row["provider"], row["account"], row["currency"]
        if row["scope"] == "platform" and journal.held[key] != decimal.Decimal(row["closing"]):
            yield f"{' '.join(key)}: closes with {journal.held[key]} in the journal, with {row['closing']} in roll_forward.csv"


def continued(journal, before):
    """Nothing happens between two ranges."""
    for account, currency in {*journal.openings, *before.balances}:
        opening, closing = journal.openings.get((account, currency), 0), before.balances.get((account, currency), 0)
        if account.startswith(("Assets:Provider:", "Liabilities:Connected:")) and opening != closing:
            yield f"{account}: opens with {opening} {currency}, and closed with {closing} before"


def problems(beancount, ledger, table, reports, before=None):
    journal = Journal(beancount)
    found, balances = hledger(ledger)
    found = journal.problems + found
    same = {key: amount for key, amount in journal.balances.items() if amount != 0}
    if not found and same != balances:
        found.append(f"beancount and hledger differ: {set(same.items()) ^ set(balances.items())}")
    if same != lines(table):
        found.append(f"beancount and the CSV lines differ: {set(same.items()) ^ set(lines(table).items())}")
    if journal.adjusted:
        ours = {key: amount for key, amount in journal.of_adjustments.items() if amount != 0}
        if ours != tagged(ledger):
            found.append(f"beancount and hledger differ in what is tagged with a period: {ours} {tagged(ledger)}")
    if before:
        found += continued(journal, Journal(before))
    for examine in (entries, connected, payouts, unexplained, adjustments):
        found += examine(journal, reports)
    return found


def main():
    if len(sys.argv) > 1:
        found = problems(*sys.argv[1:])
        print("\n".join(found))
        sys.exit(1 if found else 0)
    for line in sys.stdin:
        for problem in problems(*line.rstrip("\n").split("\t")):
            print(" ".join(problem.split()))
        print(".", flush=True)


main()
