#!/usr/bin/env python3
"""Measures the writing of reports of a large night: a fund flow a payment, as many payments as there are rows in a sheet.

    workbook.py BINARY FOLDER [PAYMENTS]      1000000 payments by default

Settlement files of Cash App Pay and the orders beside them are reconciled as on any night; run.json tells the processor time of the stage
that writes CSV files and workbook, the operating system the peak memory of the whole run. Then the workbook is opened by openpyxl in
read-only mode, and its rows are counted.
"""
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time
import zipfile

GOAL_CELLS, GOAL_MIB = 500_000, 400
DAYS = [f"2026-03-0{day}" for day in range(2, 9)]
HEADER = (
    "merchant_id,merchant_reference_id,settlement_batch_id,payment_id,payment_reference_id,refund_id,refund_reference_id,dispute_id,"
    "transaction_type,transaction_time,net_amount,gross_amount,fee_amount,fee_variable,fee_fixed,currency_code,settled_at\n")
CONFIGURATION = """landing: {directory: landing}
orders: [{name: shop, kind: csv, orders: orders.csv}]
providers: [{name: cash_app, kind: cash_app, client_id: CA-CI_1, settlement_directory: files}]
"""


def payments(count):
    """Number, day, moment and amount in cents of each payment."""
    dice = random.Random("workbook")
    for number in range(count):
        second = dice.randrange(86_400)
        day = DAYS[number * len(DAYS) // count]
        yield number, day, f"{day}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z", dice.randrange(500, 50_000)


def write(folder, count):
    """A settled payment for every order."""
    (folder / "files").mkdir(parents=True)
    batches = {day: ([], 0) for day in DAYS}
    with open(folder / "orders.csv", "w") as orders:
        orders.write("order_id,placed_at,status,currency,total,payment_references\n")
        for number, day, moment, amount in payments(count):
            orders.write(f"order-{number:07},{moment},fulfilled,USD,{amount // 100}.{amount % 100:02},PWC_{number:07}\n")
            lines, balance = batches[day]
            variable, fixed = amount // 100, 30
            net = amount - variable - fixed
            lines.append(
                f"MMI_1,shop-1,B{day[8:]},PWC_{number:07},order-{number:07},,,,CAPTURE,{moment},{net},{amount},{variable + fixed},{variable},{fixed},"
                f"USD,{day}T23:59:59Z\n")
            batches[day] = (lines, balance + net)
    for day, (lines, balance) in batches.items():
        date, batch = day.replace("-", ""), f"B{day[8:]}"
        for chunk in range(0, len(lines), 9_999):
            name = f"{date}_settlement_report_client_CA-CI_1_batch_{batch}_chunk_{chunk // 9_999}.csv"
            (folder / "files" / name).write_text(HEADER + "".join(lines[chunk:chunk + 9_999]))
        (folder / "files" / f"{date}_balance_summary_report_client_CA-CI_1_batch_{batch}.csv").write_text(
            "category,description,currency,net_amount\nstarting_balance,Starting,USD,0\nending_balance,Ending,USD,0\n"
            f"payout,Payout,USD,{balance}\nactivity,Activity,USD,{balance}\n")
    (folder / "crossfoot.yml").write_text(CONFIGURATION)


def run(binary, folder, *command):
    """Peak MiB of one process."""
    words = [binary, *command, "--quiet", "--from", DAYS[0], "--to", DAYS[-1], "--config", str(folder / "crossfoot.yml")]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1, 2):
        sys.exit(f"{command[0]} ended with {os.waitstatus_to_exitcode(status)}")
    return usage.ru_maxrss / 1024


def written_cells(path):
    """Cells of every sheet, counted in the sheets' XML."""
    cells = {}
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if not name.startswith("xl/worksheets/sheet"):
                continue
            count, end = 0, b""
            with archive.open(name) as part:
                while piece := part.read(1 << 22):
                    count += (end + piece).count(b"<c r=")
                    end = piece[-4:]
            cells[name] = count
    return cells


def rows_in_openpyxl(path, sheet):
    import openpyxl
    book = openpyxl.load_workbook(path, read_only=True)
    return sum(1 for _ in book[sheet].iter_rows(values_only=True))


def main():
    binary, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000
    folder = folder / str(count)
    if not (folder / "pulled").exists():
        shutil.rmtree(folder, ignore_errors=True)
        write(folder, count)
        run(binary, folder, "pull")
        (folder / "pulled").touch()
    mib = run(binary, folder, "run", "--no-pull")
    record = json.loads((folder / "output" / "latest" / "run.json").read_text())
    for stage in record["stages"]:
        print(f"  {stage['stage']:<10} {stage['milliseconds'] / 1000:7.2f} s   {stage['processor_milliseconds'] / 1000:7.2f} s processor")
    spent = next(stage["processor_milliseconds"] for stage in record["stages"] if stage["stage"] == "report") / 1000
    path = folder / "output" / "latest" / "reconciliation.xlsx"
    cells = sum(written_cells(path).values())
    print(f"workbook: {cells:,} cells in {path.stat().st_size / 1048576:,.0f} MiB, all CSV files beside it, {spent:.1f} s of processor time")
    print(f"workbook: {cells / spent:,.0f} cells per processor second, goal {GOAL_CELLS:,}; peak memory {mib:,.0f} MiB, goal below {GOAL_MIB}")
    begun = time.monotonic()
    rows = rows_in_openpyxl(path, "Fund flows")
    print(f"openpyxl, read-only: {rows:,} rows on Fund flows in {time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    main()
