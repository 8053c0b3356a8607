#!/usr/bin/env python3
"""Runs both sides of the benchmark in turn and prints what they took.

    measure.py BINARY FOLDER FROM TO

Each side runs as a process of its own, from the same landing zone to CSV files and workbook; the operating system says what it used.
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

STORE = ("crossfoot.db", "crossfoot.db-wal", "crossfoot.db-shm")


def measured(command, **options):
    """Wall and processor seconds and peak memory of one process."""
    begun = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"{command[0]} ended with {os.waitstatus_to_exitcode(status)}")
    return {"wall": time.monotonic() - begun, "cpu": usage.ru_utime + usage.ru_stime, "mib": usage.ru_maxrss / 1024}, output


def ours(binary, folder, first, last):
    """A store from nothing, without a network."""
    for name in STORE:
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / "output", ignore_errors=True)
    command = [binary, "run", "--no-pull", "--quiet", "--from", first, "--to", last, "--config", str(folder / "crossfoot.yml")]
    figures, _ = measured(command, env={**os.environ, "STRIPE_API_KEY": "none-is-needed"})
    return figures, json.loads((folder / "output" / "latest" / "run.json").read_text())


def reference(folder, first, last):
    output = folder / "reference"
    shutil.rmtree(output, ignore_errors=True)
    script = pathlib.Path(__file__).with_name("reference.py")
    figures, text = measured([str(folder / "python" / "bin" / "python"), str(script), str(folder / "landing"), first, last, str(output)])
    return figures, json.loads(text)


def compare(run, totals):
    """Captured, fees and transferred per currency must be the same on both sides, to the minor unit."""
    for total in run["totals"]:
        theirs = totals.get(total["currency"], {})
        for name in ("captured", "fees", "transferred"):
            mine = int(total[name].replace(".", ""))
            if mine != theirs.get(name, 0):
                sys.exit(f"{total['currency']} {name}: {mine} here, {theirs.get(name, 0)} in the reference")


def main():
    binary, folder, first, last = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3], sys.argv[4]
    rounds = [(ours(binary, folder, first, last), reference(folder, first, last)) for _ in range(3)]
    run = rounds[0][0][1]
    compare(run, rounds[0][1][1])
    mix = {}
    for source in run["sources"]:
        mix[source["stream"]] = source["objects"]
    objects = sum(mix.values())
    print("objects: " + ", ".join(f"{count} {stream}" for stream, count in sorted(mix.items()) if count))
    for stage in run["stages"]:
        print(f"  {stage['stage']:<10} {stage['milliseconds'] / 1000:7.2f} s   {stage['processor_milliseconds'] / 1000:7.2f} s processor")
    reading = sum(stage["processor_milliseconds"] for stage in run["stages"] if stage["stage"] in ("catch up", "read")) / 1000
    print(f"read: {objects / reading:,.0f} objects per processor second, from compressed landing file to committed rows")
    for name, side in (("crossfoot", 0), ("reference", 1)):
        for figure in ("wall", "cpu", "mib"):
            values = sorted(round_[side][0][figure] for round_ in rounds)
            print(f"{name} {figure}: {values[1]:.1f} (of three: {values[0]:.1f} to {values[2]:.1f})")
    print("totals: the same on both sides, to the minor unit")


if __name__ == "__main__":
    main()
