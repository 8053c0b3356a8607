#!/usr/bin/env python3
"""Measures how fast each provider's bulk format is read, from compressed landing file to committed rows.

    formats.py BINARY FOLDER [ROWS]      200000 rows of each format by default

Settlement files are delivered into folders and landed by the program itself; PayPal's rows, which come over its API, are written into the
landing zone as its pull would (this needs the module zstandard). Then a store is built from nothing out of the landing zone alone, three
times, and the stage's own processor time counts.
"""
import hashlib
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys

GOAL = 50_000
FIRST, LAST = "2026-03-02", "2026-03-08"
DAYS = [f"2026-03-0{day}" for day in range(2, 9)]
STORE = ("crossfoot.db", "crossfoot.db-wal", "crossfoot.db-shm")


def cents(amount):
    return f"{'-' if amount < 0 else ''}{abs(amount) // 100}.{abs(amount) % 100:02}"


def sales(rows, seed):
    """Number, day, seconds of that day, whether it is a refund, amount in cents."""
    dice = random.Random(seed)
    for number in range(rows):
        yield number, DAYS[number * len(DAYS) // rows], dice.randrange(36_000, 72_000), dice.random() < 0.1, dice.randrange(500, 50_000)


def clock(seconds):
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def adyen(folder, rows):
    """Settlement detail reports, interchange-plus pricing, a batch a day with its payout."""
    header = (
        "Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,Modification Reference,"
        "Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,Net Debit (NC),Net Credit (NC),Commission (NC),Markup (NC),"
        "Scheme Fees (NC),Interchange (NC),Payment Method Variant,Modification Merchant Reference,Batch Number,Reserved4,Reserved5,Reserved6,"
        "Reserved7,Reserved8,Reserved9,Reserved10,Booking Date,Booking Date TimeZone")
    batches = {}
    for number, day, seconds, is_refund, amount in sales(rows, "adyen"):
        batch = 200 + DAYS.index(day)
        lines, balance = batches.get(batch, ([header], 0))
        fees = 0 if is_refund else 20
        net = -amount if is_refund else amount - fees
        gross = (cents(amount), "") if is_refund else ("", cents(amount))
        moved = (cents(-net), "") if net < 0 else ("", cents(net))
        kind = "Refunded" if is_refund else "Settled"
        lines.append(",".join([
            "ShopCompany", "ShopECOM", f"PSP{number:013}", f"order-{number}", "mc", f"{day} {clock(seconds)}", "CET", kind, f"MOD{number:013}", "EUR",
            *gross, "1", "EUR", *moved, "", "" if is_refund else "0.05", "" if is_refund else "0.03", "" if is_refund else "0.12", "mccredit",
            "<auto>", str(batch), *[""] * 7, f"{day} 23:00:00", "CET"]))
        batches[batch] = (lines, balance + net)
    for batch, (lines, balance) in batches.items():
        day = DAYS[batch - 200]
        lines.append(",".join([
            "ShopCompany", "ShopECOM", "", "", "", f"{day} 23:10:00", "CET", "MerchantPayout", f"\"TX{batch}XT batch {batch}, ShopECOM\"", *[""] * 4, "EUR",
            cents(balance), "", *[""] * 6, str(batch), *[""] * 7, f"{day} 23:10:00", "CET"]))
        (folder / "files" / f"settlement_detail_report_batch_{batch}.csv").write_text("\n".join(lines) + "\n")
    return ("settlement_details", "{name: adyen, kind: adyen, merchant_account: ShopECOM, reports_directory: files, time_zone: Europe/Amsterdam}")


def afterpay(folder, rows):
    """The settlement export of Business Hub, one file a settlement date."""
    header = (
        "Settlement Date,Order Date and Time,Order Month,Order Year,Afterpay Order ID,Merchant Order ID,Merchant Refund ID,Order Amount,"
        "Settlement Amount,Merchant Fee excl Tax,Merchant Fee Tax,Merchant Fee incl Tax,Net Settlement Amount,Type,Channel,Store Name,Store Id,"
        "Device Name,Device Id,Afterpay Refund ID,Refund Date and Time,Acquirer Terminal ID,Consumer Country")
    files = {}
    for number, day, seconds, is_refund, amount in sales(rows, "afterpay"):
        american = f"{day[5:7]}/{day[8:]}/{day[:4]}"
        fee = 0 if is_refund else amount * 6 // 100 + 30
        sign = -1 if is_refund else 1
        refund = (f"rf-{number}", f"{american} {clock(seconds)[:5]}") if is_refund else ("", "")
        files.setdefault(day, [header]).append(",".join([
            american, f"{american} {clock(seconds)[:5]}", "March", "2026", str(400_000_000 + number), f"order-{number}", refund[0], f"${cents(amount)}",
            f"${cents(sign * amount)}".replace("$-", "-$"), f"${cents(fee)}", "$0.00", f"${cents(fee)}",
            f"${cents(sign * amount - fee)}".replace("$-", "-$"), "Refund" if is_refund else "Order", "Online", "Shop", "1", "", "", *refund, "", "US"]))
    for day, lines in files.items():
        (folder / "files" / f"settlement-{day}.csv").write_text("\n".join(lines) + "\n")
    return ("settlements", (
        "{name: afterpay, kind: afterpay, merchant_id: '32', secret_key: nobody-is-asked, currency: USD, base_url: 'http://127.0.0.1:1', "
        "settlement_directory: files, settlement_date_format: MM/dd/yyyy, retry: {attempts: 1, wait_at_most: 1s}}"))


def cash_app(folder, rows):
    """Activity files of at most 9,999 rows, and each batch's balance summary."""
    header = (
        "merchant_id,merchant_reference_id,settlement_batch_id,payment_id,payment_reference_id,refund_id,refund_reference_id,dispute_id,"
        "transaction_type,transaction_time,net_amount,gross_amount,fee_amount,fee_variable,fee_fixed,currency_code,settled_at")
    batches = {}
    for number, day, seconds, is_refund, amount in sales(rows, "cash_app"):
        lines, balance = batches.get(day, ([], 0))
        fees = (0, 0) if is_refund else (amount // 100, 30)
        gross = -amount if is_refund else amount
        lines.append(",".join(str(cell) for cell in [
            "MMI_1", "shop-1", f"B{day[8:]}", f"PWC_{number}", f"order-{number}", f"PWCR_{number}" if is_refund else "", "", "",
            "REFUND" if is_refund else "CAPTURE", f"{day}T{clock(seconds)}Z", gross - sum(fees), gross, sum(fees), *fees, "USD", f"{day}T23:00:00Z"]))
        batches[day] = (lines, balance + gross - sum(fees))
    for day, (lines, balance) in batches.items():
        date, batch = day.replace("-", ""), f"B{day[8:]}"
        for chunk in range(0, len(lines), 9_999):
            name = f"{date}_settlement_report_client_CA-CI_1_batch_{batch}_chunk_{chunk // 9_999}.csv"
            (folder / "files" / name).write_text("\n".join([header, *lines[chunk:chunk + 9_999]]) + "\n")
        (folder / "files" / f"{date}_balance_summary_report_client_CA-CI_1_batch_{batch}.csv").write_text(
            "category,description,currency,net_amount\nstarting_balance,Starting,USD,0\nending_balance,Ending,USD,0\n"
            f"payout,Payout,USD,{balance}\nactivity,Activity,USD,{balance}\n")
    return ("settlement", "{name: cash_app, kind: cash_app, client_id: CA-CI_1, settlement_directory: files}")


def paypal(folder, rows):
    """Rows of the reporting API, as its pull lands them."""
    import zstandard
    lines = []
    for number, day, seconds, is_refund, amount in sales(rows, "paypal"):
        moment = f"{day}T{clock(seconds)}+0000"
        row = {
            "transaction_id": f"P{number:016}", "transaction_event_code": "T1107" if is_refund else "T0006",
            "transaction_initiation_date": moment, "transaction_updated_date": moment,
            "transaction_amount": {"currency_code": "USD", "value": cents(-amount if is_refund else amount)}, "transaction_status": "S",
            "custom_field": f"order-{number}"}
        if is_refund:
            row |= {"paypal_reference_id": f"P{max(0, number - 1):016}", "paypal_reference_id_type": "TXN"}
        else:
            row |= {"fee_amount": {"currency_code": "USD", "value": cents(-(amount * 3 // 100 + 30))}}
        lines.append(json.dumps(row, separators=(",", ":")))
    stored = zstandard.ZstdCompressor(level=3).compress(("\n".join(lines) + "\n").encode())
    landing = folder / "landing" / "paypal" / "reporting"
    landing.mkdir(parents=True)
    (landing / "20260309T030000Z-001.jsonl.zst").write_bytes(stored)
    start, end, now = 1_772_409_600, 1_773_014_400, 1_773_025_200
    (landing / "20260309T030000Z-001.manifest.json").write_text(json.dumps({
        "version": 1, "file": "20260309T030000Z-001.jsonl.zst", "complete": True, "objects": rows, "dropped_fields": 0, "bytes": len(stored),
        "sha256": hashlib.sha256(stored).hexdigest(), "observed_at": now, "started_at": now, "pages": [{"objects": rows, "bytes": len(stored)}],
        "pull": {
            "provider": "paypal", "stream": "reporting", "request": "written by the benchmark", "window_from": start, "window_to": end,
            "covers_from": start, "watermark": end, "range_from": start, "range_to": end}}))
    return ("reporting", "{name: paypal, kind: paypal, client_id: nobody, client_secret: nobody-is-asked, base_url: 'http://127.0.0.1:1', account: M1}")


def crossfoot(binary, folder, *options):
    """Runs a night; reports are published whatever could not be read."""
    command = [binary, "run", "--quiet", "--from", FIRST, "--to", LAST, "--config", str(folder / "crossfoot.yml"), *options]
    status = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return status.returncode, status.stderr


def measure(binary, folder, make, rows):
    """Rows and rows a processor second, the middle of three."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "files").mkdir(parents=True)
    stream, provider = make(folder, rows)
    (folder / "orders.csv").write_text("order_id,placed_at,status,currency,total\n")
    (folder / "crossfoot.yml").write_text(
        f"landing: {{directory: landing}}\nproviders: [{provider}]\norders: [{{name: shop, kind: csv, orders: orders.csv}}]\n")
    if not (folder / "landing").exists():
        crossfoot(binary, folder)
    speeds = []
    for _ in range(3):
        for name in STORE:
            (folder / name).unlink(missing_ok=True)
        status, words = crossfoot(binary, folder, "--no-pull")
        if status not in (0, 1, 2):
            sys.exit(f"{make.__name__}: the run ended with {status}: {words[-2000:]}")
        run = json.loads((folder / "output" / "latest" / "run.json").read_text())
        count = sum(source["objects"] for source in run["sources"] if source["stream"] == stream)
        if count < rows:
            sys.exit(f"{make.__name__}: {count} records of {rows} were landed")
        spent = sum(stage["processor_milliseconds"] for stage in run["stages"] if stage["stage"] in ("catch up", "read"))
        speeds.append(count * 1000 / max(spent, 1))
    return count, sorted(speeds)


def main():
    binary, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    rows = int(sys.argv[3]) if len(sys.argv) > 3 else 200_000
    for make in (adyen, paypal, afterpay, cash_app):
        count, speeds = measure(binary, folder / make.__name__, make, rows)
        print(
            f"{make.__name__}: {speeds[1]:,.0f} records per processor second (of three: {speeds[0]:,.0f} to {speeds[2]:,.0f}), {count:,} records, "
            f"goal {GOAL:,}")


if __name__ == "__main__":
    main()
