#!/usr/bin/env python3
"""Usage: kinds_test.py BENCH_DIR SLM

The table of generated kinds in its quick form: every set has its row, a second run takes everything from
the journal, and what is marked is behind. How good the figures are does not matter here.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

from harness import SLM, run  # first: it says where the next are

import kinds
import synthetic


class Table(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.done = run(cls.folder, "kinds.py", "--quick", "--json", "rows.json")
        cls.journal = cls.folder / "out" / "journal.jsonl"

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_every_set_has_its_row_and_its_command(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        rows = json.loads((self.folder / "rows.json").read_text())
        self.assertEqual([row["set"] for row in rows], list(kinds.SETS))
        for row in rows:
            with self.subTest(row["set"]):
                self.assertIn(f"\n| {row['set']} | {row['k']} |", self.done.stdout)
                self.assertIn(f"slm synth {kinds.SETS[row['set']].kind} --rows", self.done.stdout)
                self.assertTrue({"slm", "random", "all-features", row["best"]} <= row["means"].keys())
                self.assertTrue(0 <= row["found"] <= row["salient"])
        self.assertNotIn(str(self.folder), self.done.stdout)

    def test_every_kind_of_synth_is_measured(self):
        help_text = subprocess.run([SLM, "synth", "--help"], capture_output=True, text=True).stdout
        listed = set(re.findall(r"^  ([a-z][a-z0-9-]*)  +\S", help_text, re.MULTILINE))
        measured = {shape.kind for shape in kinds.SETS.values()} | {"paper300"}  # paper100 with other numbers
        self.assertEqual(listed, measured)

    def test_a_second_run_takes_everything_from_the_journal(self):
        before = self.journal.read_text()
        again = run(self.folder, "kinds.py", "--quick", "--sets", "xor", "linear")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual((self.journal.read_text(), again.stderr), (before, ""))
        row = next(line for line in self.done.stdout.splitlines() if line.startswith("| linear"))
        self.assertIn(row, again.stdout)

    def test_more_draws_run_only_what_is_missing(self):
        more = run(self.folder, "kinds.py", "--quick", "--sets", "xor", "--seeds", "2")
        self.assertEqual(more.returncode, 0, more.stderr)
        self.assertEqual(more.stderr.count("slm compare"), 2)  # all columns, and the true ones
        self.assertIn(" ± ", more.stdout)

    def test_the_true_columns_are_cut_out_of_both_files(self):
        made = synthetic.make(SLM, "friedman", {"rows": 20, "test-rows": 10, "features": 9}, 1, self.folder / "cut")
        data, _, _, _, test = made.truth()
        salient = [names[0] for names in made.salient]
        for path, rows in ((data, 21), (test, 11)):
            lines = pathlib.Path(path).read_text().splitlines()
            self.assertEqual((sorted(lines[0].split(",")), len(lines)), (sorted(salient + ["y"]), rows))


class Mistakes(unittest.TestCase):
    def check(self, code, message, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            done = run(pathlib.Path(folder), "kinds.py", *arguments)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn(message, done.stderr)
            self.assertNotIn("Traceback", done.stderr)

    def test_a_set_that_does_not_exist_is_reported(self):
        self.check(2, "invalid choice: 'xnor'", "--sets", "xnor")

    def test_a_method_that_does_not_exist_is_reported(self):
        self.check(1, "anovva", "--quick", "--sets", "xor", "--methods", "slm,anovva")

    def test_a_program_that_is_not_there_is_reported(self):
        self.check(1, "there is no program nowhere", "--slm", "nowhere")


class Summary(unittest.TestCase):
    def draws(self, slm, other):
        return [{"test": {"slm": a, "anova": b, "random": 0.99, "all-features": 0.99}, "late": [], "found": 3,
                 "truth": 1} for a, b in zip(slm, other)]

    def test_accuracy_is_better_when_more_and_an_error_when_less(self):
        for shape, sign in ((kinds.SETS["xor"], 1), (kinds.SETS["linear"], -1)):
            row = kinds.summary("set", shape, self.draws([0.5, 0.6], [0.6, 0.8]))
            self.assertEqual(row["best"], "anova")
            self.assertAlmostEqual(row["ahead"], -0.15 * sign)
            self.assertAlmostEqual(row["error"], 0.05)
            self.assertEqual(row["behind"], sign > 0)

    def test_a_point_is_not_behind_and_more_is(self):
        self.assertFalse(kinds.summary("set", kinds.SETS["xor"], self.draws([0.97], [0.98]))["behind"])
        self.assertTrue(kinds.summary("set", kinds.SETS["xor"], self.draws([0.97], [0.981]))["behind"])

    def test_a_method_that_failed_once_is_not_the_best(self):
        draws = self.draws([0.5, 0.5], [0.4, 0.4])
        draws[0]["test"]["rf"] = 0.9
        self.assertEqual(kinds.summary("set", kinds.SETS["xor"], draws)["best"], "anova")

    def test_a_method_that_was_cut_off_says_so(self):
        draws = self.draws([0.5, 0.5], [0.4, 0.4])
        draws[1]["late"] = ["anova"]
        line = kinds.line(kinds.summary("set", kinds.SETS["xor"], draws))
        self.assertIn("| 0.500 | anova (late) | 0.400 | +0.100 ± 0.000 |", line)

    def test_a_copy_counts_for_its_original_once(self):
        made = synthetic.Synthetic(None, None, [["x1", "x5", "x6"], ["x2"], ["x3", "x7"]])
        self.assertEqual(made.found(iter(["x5", "x6", "x2", "x9"])), 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
