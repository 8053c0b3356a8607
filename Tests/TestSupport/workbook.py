"""A workbook as openpyxl sees it, and a workbook with one cell changed by hand: for tests, one JSON object or a file at a time.

    workbook.py compare SAVED RECALCULATED        what each cell of two workbooks shows, and where that differs
    workbook.py rows FILE SHEET                   the rows of a sheet as the saved values, blank cells as ""
    workbook.py formulas FILE SHEET               the formula of every cell that has one
    workbook.py change FILE OUTPUT SHEET CELL VALUE   the saved value of one cell replaced in the sheet's XML, everything else as it was
    workbook.py rules FILE SHEET CELL             the conditional formats over a cell, each with its condition and the colour it gives
    workbook.py filters FILE                      of each sheet the ranges that have a filter, and what the heading of each shows
    workbook.py unpack FILE FOLDER                every part as a file; prints their names
"""
import json
import pathlib
import re
import sys
import zipfile

import openpyxl


def shown(path):
    """What each cell shows, by sheet, row and column; blank ones are left out."""
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    return {
        (sheet.title, cell.row, cell.column): cell.value
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.value not in (None, "")
    }


def compare(saved_path, recalculated_path):
    """openpyxl opens the saved one whole, as somebody's script would; what cells show is read row by row."""
    book = openpyxl.load_workbook(saved_path)
    computed = {
        (sheet.title, cell.row, cell.column): cell.value
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    }
    saved, recalculated = shown(saved_path), shown(recalculated_path)
    places = sorted(place for place in saved.keys() | recalculated.keys() if saved.get(place) != recalculated.get(place))
    differences = [
        {
            "cell": f"{sheet}!{openpyxl.utils.get_column_letter(column)}{row}",
            "formula": computed.get((sheet, row, column), ""),
            "saved": str(saved.get((sheet, row, column), "")),
            "recalculated": str(recalculated.get((sheet, row, column), "")),
        }
        for sheet, row, column in places
    ]
    return {"sheets": book.sheetnames, "cells": len(saved), "formulas": len(computed), "differences": differences}


def rows(path, sheet):
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    return [["" if value is None else str(value) for value in row] for row in book[sheet].iter_rows(values_only=True)]


def formulas(path, sheet):
    book = openpyxl.load_workbook(path, read_only=True)
    return {cell.coordinate: cell.value for row in book[sheet].iter_rows() for cell in row if cell.data_type == "f"}


def change(path, output, sheet, cell, value):
    """Sheets lie in the archive in the order of the workbook."""
    part = f"xl/worksheets/sheet{openpyxl.load_workbook(path, read_only=True).sheetnames.index(sheet) + 1}.xml"
    changes = 0
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as target:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename == part:
                pattern = rf'(<c r="{cell}"[^>]*>(?:<f>[^<]*</f>)?<v>)[^<]*(</v>)'.encode()
                content, changes = re.subn(pattern, rb"\g<1>" + value.encode() + rb"\g<2>", content)
            target.writestr(entry, content)
    if changes != 1:
        sys.exit(f"{sheet}!{cell} holds no saved value")
    return output


def rules(path, sheet, cell):
    formats = openpyxl.load_workbook(path)[sheet].conditional_formatting
    return [
        f"{rule.operator} {' '.join(rule.formula)}: {rule.dxf.fill.bgColor.rgb[-6:]}"
        for over in formats
        if cell in over.sqref
        for rule in over.rules
    ]


def filters(path):
    """A table whose columns are not called as its heading shows is one that a spreadsheet repairs, so that it counts for none."""
    found = {}
    for sheet in openpyxl.load_workbook(path).worksheets:
        ranges = [sheet.auto_filter.ref] if sheet.auto_filter.ref else []
        for table in sheet.tables.values():
            heading = [str(cell.value) for cell in sheet[table.autoFilter.ref][0]] if table.autoFilter else []
            if heading == table.column_names and len(set(heading)) == len(heading):
                ranges.append(table.autoFilter.ref)
        found[sheet.title] = [
            {"range": ref, "heading": [str(cell.value or "") for cell in sheet[ref][0]]} for ref in sorted(ranges, key=row_of)
        ]
    return found


def row_of(ref):
    return openpyxl.utils.cell.range_boundaries(ref)[1]


def unpack(path, folder):
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
        return [str(pathlib.Path(folder) / name) for name in archive.namelist()]


if __name__ == "__main__":
    commands = {"compare": compare, "rows": rows, "formulas": formulas, "change": change, "rules": rules, "filters": filters, "unpack": unpack}
    print(json.dumps(commands[sys.argv[1]](*sys.argv[2:])))
