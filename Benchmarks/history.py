#!/usr/bin/env python3
"""What a night costs as the history behind it grows: many nights one after another, from run.json of each.

    history.py BINARY FOLDER [NIGHTS] [ORDERS_A_NIGHT]

Processor time is that of every stage but the pull, which shares its process with the endpoint that serves it. Prints a table, and the
ratio of the last night to the tenth.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import time


def nights(output):
    """Each published night in order: its name, its processor seconds without the pull, and its groups."""
    for place in sorted(output.iterdir()):
        run = place / "run.json"
        if place.name == "latest" or not run.exists():
            continue
        told = json.loads(run.read_text())
        stages = {stage["stage"]: stage["processor_milliseconds"] / 1000 for stage in told["stages"]}
        yield place.name, stages, told["groups"], told["peak_memory_kib"] / 1024


def main():
    binary, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 60
    orders = int(sys.argv[4]) if len(sys.argv) > 4 else 2000
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    begun = time.monotonic()
    place = pathlib.Path(__file__).resolve().parent.parent
    subprocess.run(
        [binary, "demo", "--resources", str(place), "--account", "stripe", "--directory", str(folder), "--orders", str(orders * 10),
         "--faults", str(orders // 10), "--nights", str(count), "--quiet"], check=False, stdout=subprocess.DEVNULL)
    print(f"{count} nights of {orders} orders took {time.monotonic() - begun:.0f} s")
    told = list(nights(folder / "output"))
    print("night\tprocessor s\tof it read, assemble, match, check, prove, report, keep\tgroups derived\tof all")
    cost = {}
    for number, (name, stages, groups, _) in enumerate(told, start=1):
        cost[number] = sum(seconds for stage, seconds in stages.items() if stage != "pull")
        if number in (1, 2, 3, 10) or number % 10 == 0 or number == len(told):
            parts = " ".join(f"{stages.get(stage, 0):.1f}" for stage in ("read", "assemble", "match", "check", "prove", "report", "keep"))
            print(f"{number}\t{cost[number]:.2f}\t{parts}\t{groups['derived']}\t{groups['all']}")
    if len(told) > 10:
        print(f"night {len(told)} took {cost[len(told)] / cost[10]:.2f} times the processor time of night 10")
    size = sum(place.stat().st_size for place in folder.glob("crossfoot.db*"))
    print(f"the store has {size / (orders * (9 + len(told))):.0f} bytes an order")


if __name__ == "__main__":
    main()
