#!/usr/bin/env python3
"""The same night as a good Python engineer would write it: DuckDB reads the landing zone, XlsxWriter writes the workbook.

    reference.py LANDING FROM TO OUTPUT          days inclusive, UTC

It makes entries, fund flows, fees, matches, the missing-payment and amount checks, payouts and connected accounts, as CSV files and as one
workbook in constant memory. It leaves out what would make it unfair the other way round: quarantine, proofs, states, explanations.
Prints the totals per currency as JSON, to be compared with run.json.
"""
import datetime
import json
import pathlib
import sys

import duckdb
import xlsxwriter

DIGITS = {**dict.fromkeys("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(), 0),
          **dict.fromkeys("BHD IQD JOD KWD LYD OMR TND".split(), 3)}

FIELDS = {
    "balance_transactions": "id varchar, amount bigint, fee bigint, net bigint, currency varchar, created bigint, available_on bigint, "
                            "reporting_category varchar, type varchar, source varchar, exchange_rate varchar, "
                            "fee_details struct(amount bigint, type varchar, description varchar)[]",
    "charges": "id varchar, amount bigint, amount_captured bigint, currency varchar, created bigint, captured boolean, status varchar, "
               "balance_transaction varchar, failure_balance_transaction varchar, payment_intent varchar, application_fee_amount bigint, "
               "transfer_data struct(amount bigint, destination varchar), metadata map(varchar, varchar)",
    "refunds": "id varchar, amount bigint, currency varchar, charge varchar, status varchar, balance_transaction varchar, "
               "failure_balance_transaction varchar",
    "transfers": "id varchar, amount bigint, currency varchar, destination varchar, source_transaction varchar, balance_transaction varchar, "
                 "reversals struct(data struct(id varchar, amount bigint, balance_transaction varchar)[])",
    "application_fees": "id varchar, amount bigint, account varchar, originating_transaction varchar, charge varchar, "
                        "balance_transaction varchar, refunds struct(data struct(id varchar, amount bigint, balance_transaction varchar)[])",
    "disputes": "id varchar, amount bigint, charge varchar, status varchar, balance_transactions struct(id varchar)[]",
    "payouts": "id varchar, amount bigint, currency varchar, created bigint, arrival_date bigint, status varchar, automatic boolean, "
               "balance_transaction varchar",
    "payout_lines": "payout varchar, balance_transaction struct(id varchar, net bigint)",
    "orders": "order_id varchar, placed_at varchar, status varchar, currency varchar, total varchar, tender varchar, "
              "seller_account varchar, application_fee varchar, payment_references varchar",
}


def load(db, landing, stream, columns):
    """One table per stream: the newest version of each record, in the order of the manifests."""
    manifests = [json.loads(path.read_text()) | {"folder": path.parent} for path in landing.glob(f"*/{stream}/*.manifest.json")]
    files = [str(m["folder"] / m["file"]) for m in sorted(manifests, key=lambda m: (m["observed_at"], m["file"])) if m["objects"]]
    spec = "{" + ", ".join(f"'{name}': '{kind}'" for name, kind in split(columns)) + "}"
    key = {"orders": "order_id", "payout_lines": "payout || balance_transaction.id"}.get(stream, "id")
    if not files:
        db.execute(f"create table {stream} ({columns})")
        return
    parts = " union all ".join(
        f"select *, {place} as place from read_json('{file}', format='newline_delimited', compression='zstd', columns={spec})"
        for place, file in enumerate(files))
    db.execute(f"create table {stream} as select * exclude (place) from ({parts}) qualify row_number() over (partition by {key} order by place desc) = 1")


def split(columns):
    """Name and type of each column; commas inside brackets do not count."""
    depth, start = 0, 0
    for place, letter in enumerate(columns + ","):
        depth += letter in "(" and 1 or letter in ")" and -1 or 0
        if letter == "," and depth == 0:
            name, kind = columns[start:place].strip().split(" ", 1)
            yield name, kind
            start = place + 1


STAGES = """
create table link as
  select id as row_id, source as payment_id, null as account from balance_transactions
    where reporting_category in ('charge', 'charge_failure') and source in (select id from charges)
  union all select failure_balance_transaction, id, null from charges where failure_balance_transaction is not null
    and failure_balance_transaction not in (select id from balance_transactions where source in (select id from charges))
  union all select balance_transaction, charge, null from refunds where balance_transaction is not null
  union all select failure_balance_transaction, charge, null from refunds where failure_balance_transaction is not null
  union all select balance_transaction, source_transaction, destination from transfers where balance_transaction is not null
  union all select r.balance_transaction, source_transaction, destination from (select *, unnest(reversals.data) as r from transfers)
  union all select balance_transaction, coalesce(originating_transaction, charge), account from application_fees where balance_transaction is not null
  union all select r.balance_transaction, coalesce(originating_transaction, charge), account from (select *, unnest(refunds.data) as r from application_fees)
  union all select b.id, charge, null from (select *, unnest(balance_transactions) as b from disputes);
create table entries as
  with row_ as (
    select b.*, upper(b.currency) as iso, l.payment_id, l.account from balance_transactions b left join link l on l.row_id = b.id where b.created < $end
  ), moved as (
    select id, 0 as ordinal, payment_id, iso, created, available_on, amount as inflow, null as fee_type, null as description, account,
      case reporting_category when 'charge' then 'capture' when 'partial_capture_reversal' then 'capture' when 'transfer' then 'transfer'
        when 'platform_earning' then 'application_fee' when 'platform_earning_refund' then 'application_fee_refund' when 'tax' then 'fee'
        when 'refund' then case when amount < 0 then 'refund' else 'refund_failure' end
        when 'refund_failure' then 'refund_failure' when 'charge_failure' then 'charge_failure' when 'transfer_reversal' then 'transfer_reversal'
        when 'dispute' then 'dispute' when 'dispute_reversal' then 'dispute_reversal' when 'fee' then 'fee' when 'payout' then 'payout'
        when 'payout_reversal' then 'payout_reversal' else 'other' end as kind,
      case when reporting_category in ('charge', 'partial_capture_reversal', 'refund', 'refund_failure', 'charge_failure', 'dispute', 'dispute_reversal')
          then 'customer'
        when reporting_category in ('transfer', 'transfer_reversal', 'platform_earning', 'platform_earning_refund') then 'connected:' || coalesce(account, 'unknown')
        when reporting_category in ('fee', 'tax') then 'provider' when reporting_category in ('payout', 'payout_reversal') then 'bank' else 'other' end as other
    from row_ where amount <> 0
    union all
    select id, 1 + d.n, payment_id, iso, created, available_on, -d.f.amount, d.f.type, d.f.description, null, 'fee', 'provider'
    from (select *, unnest(list_transform(range(len(fee_details)), lambda i: {'n': i, 'f': fee_details[i + 1]})) as d from row_)
    where d.f.amount <> 0
    union all
    select id, 99, payment_id, iso, created, available_on, net - amount + coalesce(list_sum(list_transform(fee_details, lambda f: f.amount)), 0),
      'other', 'difference between the fee and its lines', null, 'fee', 'provider'
    from row_ where net - amount + coalesce(list_sum(list_transform(fee_details, lambda f: f.amount)), 0) <> 0
  )
  select 'stripe:' || id || ':' || ordinal as entry_id, payment_id, kind, case when inflow > 0 then other else 'platform' end as from_party,
    case when inflow > 0 then 'platform' else other end as to_party, iso as currency, abs(inflow) as amount, created as booked_at,
    available_on as available_at, fee_type, description, account, id as record_id
  from moved;
create table flows as
  select payment_id, currency,
    sum(case when kind in ('capture', 'charge_failure') then case when to_party = 'platform' then amount else -amount end else 0 end)::bigint as gross,
    sum(case when kind in ('refund', 'refund_failure') then case when from_party = 'platform' then amount else -amount end else 0 end)::bigint as refunded,
    sum(case when kind in ('dispute', 'dispute_reversal') then case when from_party = 'platform' then amount else -amount end else 0 end)::bigint as disputed,
    sum(case when kind = 'transfer' then amount else 0 end)::bigint as transferred,
    sum(case when kind = 'transfer_reversal' then amount else 0 end)::bigint as transfer_reversed,
    sum(case when kind = 'application_fee' then amount else 0 end)::bigint as application_fee,
    sum(case when kind = 'application_fee_refund' then amount else 0 end)::bigint as application_fee_refunded,
    sum(case when to_party = 'provider' then amount when from_party = 'provider' then -amount else 0 end)::bigint as provider_fee,
    sum(case when to_party = 'platform' then amount when from_party = 'platform' then -amount else 0 end)::bigint as platform_net,
    min(case when kind = 'capture' then booked_at end) as captured_at, max(booked_at >= $start) as in_range
  from entries where payment_id is not null group by all;
create table matches as
  with wanted as (
    select order_id, status, upper(currency) as currency, total, coalesce(nullif(tender, ''), total) as tender from orders
    where epoch(placed_at::timestamptz) < $end
  ), claim as (
    select w.order_id, c.id as payment_id from wanted w join charges c on c.metadata['order_id'] = w.order_id where c.status <> 'failed'
    union
    select o.order_id, c.id from (select order_id, unnest(string_split(payment_references, ' ')) as reference from orders where payment_references <> '') o
    join charges c on o.reference in (c.id, c.payment_intent) where c.status <> 'failed'
  ), paid as (
    select p.order_id, sum(f.gross)::bigint as captured, string_agg(p.payment_id, ' ' order by p.payment_id) as payment_ids
    from claim p join flows f on f.payment_id = p.payment_id and f.captured_at is not null group by p.order_id
  )
  select w.*, coalesce(p.payment_ids, '') as payment_ids, coalesce(p.captured, 0) as captured from wanted w left join paid p using (order_id);
create table findings as
  select 'missing_payment' as type, order_id, payment_ids, currency, tender, captured from matches where captured = 0 and status in ('paid', 'fulfilled', 'refunded', 'partially_refunded')
  union all select 'amount_mismatch', order_id, payment_ids, currency, tender, captured from matches
    where captured > 0 and status not in ('pending', 'cancelled') and captured <> (tender::decimal(18, 3) * pow(10, case when currency in ('JPY', 'KRW') then 0 when currency in ('KWD', 'BHD') then 3 else 2 end))::bigint;
"""

TABLES = {
    "fund_flows": "select 'stripe' as provider, * exclude (in_range) from flows where in_range order by captured_at, payment_id, currency",
    "fee_breakdown": "select payment_id, record_id, fee_type, description, currency, case when from_party = 'platform' then amount else -amount end as amount, booked_at "
                     "from entries where kind in ('fee', 'application_fee', 'application_fee_refund') and booked_at >= $start order by booked_at, entry_id",
    "order_matches": "select * from matches order by order_id",
    "discrepancies": "select * from findings order by type, order_id",
    "connected_accounts": "select account, currency, count(distinct payment_id) as payments, sum(case when kind = 'transfer' then amount else 0 end)::bigint as transferred, "
                          "sum(case when to_party = 'platform' then -amount else amount end)::bigint as connected_net from entries "
                          "where account is not null and booked_at >= $start group by all order by all",
    "payouts": "select p.id, upper(p.currency) as currency, p.amount, p.created, p.arrival_date, p.status, count(l.payout) as entries, "
               "sum(l.balance_transaction.net)::bigint as entries_total from payouts p left join payout_lines l on l.payout = p.id "
               "where p.created >= $start and p.created < $end group by all order by p.created, p.id",
    "entries": "select * from entries where booked_at >= $start order by booked_at, entry_id",
}
MONEY = {"gross", "refunded", "disputed", "transferred", "transfer_reversed", "application_fee", "application_fee_refunded", "provider_fee",
         "platform_net", "amount", "captured", "connected_net", "entries_total"}
DATES = {"captured_at", "booked_at", "available_at", "created", "arrival_date"}


def write(db, output, bounds):
    """Each table once as CSV and as a sheet, row by row."""
    book = xlsxwriter.Workbook(output / "reconciliation.xlsx", {"constant_memory": True, "strings_to_urls": False, "strings_to_formulas": False})
    head = book.add_format({"bold": True})
    formats = {digits: book.add_format({"num_format": "#,##0" + ("." + "0" * digits if digits else "")}) for digits in (0, 2, 3)}
    date = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
    utc = datetime.timezone.utc
    for name, query in TABLES.items():
        sheet = book.add_worksheet(name)
        used = {key: value for key, value in bounds.items() if f"${key}" in query}
        cursor = db.execute(query, used)
        columns = [column[0] for column in cursor.description]
        money = [column in MONEY for column in columns]
        dates = [column in DATES for column in columns]
        currency = columns.index("currency") if "currency" in columns else None
        sheet.write_row(0, 0, columns, head)
        sheet.freeze_panes(1, 0)
        number = 0
        with open(output / f"{name}.csv", "w", encoding="utf-8", newline="") as csv:
            csv.write(",".join(columns) + "\n")
            while rows := cursor.fetchmany(10_000):
                for row in rows:
                    number += 1
                    digits = DIGITS.get(row[currency], 2) if currency is not None else 2
                    cells = []
                    for place, cell in enumerate(row):
                        if cell is None:
                            cells.append("")
                        elif money[place]:
                            sheet.write_number(number, place, cell / 10 ** digits, formats[digits])
                            sign, figures = ("-" if cell < 0 else ""), str(abs(cell)).zfill(digits + 1)
                            cells.append(sign + (figures[:-digits] + "." + figures[-digits:] if digits else figures))
                        elif dates[place]:
                            moment = datetime.datetime.fromtimestamp(cell, utc)
                            sheet.write_datetime(number, place, moment.replace(tzinfo=None), date)
                            cells.append(moment.strftime("%Y-%m-%dT%H:%M:%SZ"))
                        else:
                            sheet.write_string(number, place, str(cell))
                            text = str(cell)
                            cells.append('"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\n') else text)
                    csv.write(",".join(cells) + "\n")
        sheet.autofilter(0, 0, max(number, 1), len(columns) - 1)
    book.close()


def main():
    landing, first, last, output = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3], pathlib.Path(sys.argv[4])
    day = lambda text: int(datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.timezone.utc).timestamp())
    bounds = {"start": day(first), "end": day(last) + 86_400}
    output.mkdir(parents=True, exist_ok=True)
    db = duckdb.connect(str(output / "reference.duckdb"))
    for stream, columns in FIELDS.items():
        load(db, landing, stream, columns)
    for statement in STAGES.split(";"):
        if statement.strip():
            db.execute(statement, {key: value for key, value in bounds.items() if f"${key}" in statement})
    write(db, output, bounds)
    totals = db.execute(
        "select currency, sum(case when kind in ('capture', 'charge_failure') then case when to_party = 'platform' then amount else -amount end else 0 end)::bigint, "
        "sum(case when to_party = 'provider' then amount when from_party = 'provider' then -amount else 0 end)::bigint, "
        "sum(case when kind = 'transfer' then amount when kind = 'transfer_reversal' then -amount else 0 end)::bigint "
        "from entries where booked_at >= $start group by currency order by currency", {"start": bounds["start"]}).fetchall()
    print(json.dumps({currency: {"captured": captured, "fees": fees, "transferred": transferred} for currency, captured, fees, transferred in totals}))


if __name__ == "__main__":
    main()
