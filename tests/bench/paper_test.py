#!/usr/bin/env python3
"""Usage: paper_test.py BENCH_DIR SLM

The paper's experiments in their quick form on generated data: the files come out with the rows that
they should have, a second run takes everything from the journal, and mistakes are told. What the figures
say does not matter here: the data are random numbers.
"""

import csv
import json
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree

from harness import run  # first: it says where the next are

import datasets
import figures
import report

# name: rows of each table
EXPECTED = {
    "table1": [12] + 8 * [12],
    "table2": 3 * [7],
    "synthetic": 2 * [8],
    "ablation-mi": 7 * [2],
    "ablation-tempering": 7 * [2],
    "ablation-features": [3],
    "ames": None,  # as many rows as features were chosen
    "timing": [3, 3],
    "hsic": 2 * [5],
    "stg": 2 * [3],
    "collapse": [2],
}
SHORT = ["--quick", "--generated", "--settings", "2", "--rows", "400"]
FIGURES = ["ablation-mi", "ablation-tempering", "ablation-features", "collapse"]


def run_experiments(folder, *arguments):
    return run(folder, "paper/run.py", "--cache", str(folder / "cache"), *arguments)


class EveryExperiment(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.out = cls.folder / "out"
        cls.done = run_experiments(cls.folder, "all", *SHORT)
        cls.journal = (cls.out / "journal.jsonl").read_text() if cls.out.exists() else ""

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def read(self, name):
        return json.loads((self.out / f"{name}.json").read_text())

    def test_ends_well(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)

    def test_writes_json_and_markdown_with_the_rows_expected(self):
        for name, expected in EXPECTED.items():
            with self.subTest(name):
                data, text = self.read(name), (self.out / f"{name}.md").read_text()
                tables = [len(table["rows"]) for table in data["tables"]]
                self.assertEqual(data["experiment"], name)
                self.assertTrue(text.startswith("# ") and data["command"] in text)
                self.assertNotIn(str(self.folder), text)
                if expected is not None:
                    self.assertEqual(tables, expected)
                self.assertGreaterEqual(text.count("\n| "), sum(tables))

    def test_rows_have_mean_spread_runs_and_the_figure_of_the_paper(self):
        rows = self.read("table1")["tables"][1]["rows"]
        finished = [row for row in rows if not row["remark"]]  # xgboost needs its library
        self.assertGreaterEqual(len(finished), len(rows) - 1)
        for row in finished:
            self.assertTrue({"mean", "sd", "median", "runs", "seconds"} <= row.keys(), row)
            self.assertTrue(0 <= row["mean"] <= 1 and row["runs"] == 1)
            self.assertIsNotNone(row["paper"])

    def test_a_method_that_cannot_do_a_set_is_a_row_with_its_reason(self):
        table = next(t for t in self.read("table1")["tables"] if t["title"].startswith("Ames"))
        fisher = next(row for row in table["rows"] if row["method"] == "fisher")
        self.assertEqual(fisher["runs"], 0)
        self.assertIn("does not support regression", fisher["remark"])

    def test_ames_shows_the_ten_features_of_both_settings_and_the_errors(self):
        *features, errors = self.read("ames")["tables"]
        self.assertEqual(len(features), 2)
        for table in features:
            self.assertEqual(sum(row["times"] > 0 for row in table["rows"]), 10)
            self.assertAlmostEqual(sum(row["weight"] for row in table["rows"]), 1, places=4)
        self.assertEqual({(row["k"], row["metric"]) for row in errors["rows"]},
                         {(k, metric) for k in (10, 50) for metric in ("mae", "median_ae")})

    def test_the_support_collapses_without_scaling_alone(self):
        scaled, free = self.read("collapse")["tables"][0]["rows"]
        self.assertEqual((scaled["mean"], scaled["least"]), (30, 30))
        self.assertLess(free["mean"], 10)

    def test_figures_are_well_formed(self):
        for name in FIGURES:
            root = xml.etree.ElementTree.parse(self.out / f"{name}.svg").getroot()
            self.assertTrue(root.tag.endswith("svg"))
            self.assertNotIn("nan", (self.out / f"{name}.svg").read_text())

    def test_a_second_run_takes_everything_from_the_journal(self):
        again = run_experiments(self.folder, "table1", "ablation-features", "stg", *SHORT)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual((self.out / "journal.jsonl").read_text(), self.journal)

    def test_a_line_cut_off_in_the_journal_is_run_again(self):
        journal = self.out / "journal.jsonl"
        lines = self.journal.splitlines(keepends=True)
        try:
            journal.write_text("".join(lines[1:]) + lines[0][:40])
            again = run_experiments(self.folder, "table1", *SHORT)
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertEqual(again.stderr.count("slm compare"), 1)
            self.assertEqual(again.stderr.count("slm compare mice"), 1)
            third = run_experiments(self.folder, "table1", *SHORT)
            self.assertEqual(third.stderr.count("slm compare"), 0)
        finally:
            journal.write_text(self.journal)


class Tuning(unittest.TestCase):
    def test_trials_add_a_row_for_the_searched_slm(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            done = run_experiments(folder, "table1", "--sets", "mice", "--trials", "2", "--quick", "--generated")
            self.assertEqual(done.returncode, 0, done.stderr)
            data = json.loads((folder / "out" / "table1.json").read_text())
            self.assertEqual(data["tables"][1]["rows"][0]["method"], "slm, best of 2 by validation")


class Mistakes(unittest.TestCase):
    def check(self, code, message, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            done = run_experiments(pathlib.Path(folder), *arguments)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(message, done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_an_unknown_experiment_is_reported_with_those_there_are(self):
        self.check(2, "there is no experiment 'tabel1'; there are: all, table1", "tabel1")

    def test_no_experiment_is_reported(self):
        self.check(2, "name an experiment", "--quick")

    def test_a_set_that_does_not_exist_is_reported(self):
        self.check(2, "invalid choice: 'mouse'", "table1", "--sets", "mouse")

    def test_no_data_folder_is_reported(self):
        self.check(1, "table1: left out: name the folder with the data sets: --data-dir", "table1", "--quick")

    def test_a_data_folder_that_is_not_there_is_reported(self):
        self.check(1, "there is no folder nowhere", "table1", "--data-dir", "nowhere")

    def test_a_folder_without_the_set_is_reported(self):
        self.check(1, "ames: left out: it needs ames", "ames", "--data-dir", ".")


class Parts(unittest.TestCase):
    def test_identities_are_joined_to_their_transactions(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            source = folder / "ieee-fraud-detection"
            source.mkdir()
            (source / "train_transaction.csv").write_text("TransactionID,isFraud,amount\n7,0,1.5\n8,1,2.5\n")
            (source / "train_identity.csv").write_text('TransactionID,device\n8,"a phone, blue"\n')
            path = datasets.prepare("fraud", folder, folder / "cache")[0]
            with open(path, newline="") as file:
                self.assertEqual(list(csv.reader(file)), [["amount", "device", "target"], ["1.5", "", "no"],
                                                          ["2.5", "a phone, blue", "yes"]])

    def test_a_summary_counts_the_finished_runs_alone(self):
        runs = [{"test": 0.5, "seconds": 1.0}, {"failure": "out of memory"}, {"test": 0.7, "seconds": 3.0}]
        row = report.summary("method", runs, 0.9)
        self.assertEqual((row["runs"], row["remark"], row["paper"], row["seconds"]), (2, "out of memory", 0.9, 2.0))
        self.assertAlmostEqual(row["mean"], 0.6)
        self.assertAlmostEqual(row["sd"], 0.02 ** 0.5)

    def test_ticks_are_round_and_span_the_values(self):
        self.assertEqual(figures.ticks(0.71, 0.98), [0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0])
        self.assertEqual(figures.ticks(0, 30), [0, 5, 10, 15, 20, 25, 30])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
