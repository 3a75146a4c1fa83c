# SPDX-License-Identifier: MIT
# every JSON report agrees with libhp/report.schema.json
. "$top_srcdir/tests/lib.sh"

need_program python3
python3 -c 'import jsonschema' 2>/dev/null || skip "needs python3-jsonschema"

"$top_builddir/tests/print_reports" >"$tmp/reports" ||
	fail "print_reports ended with $?"

python3 - "$top_srcdir/libhp/report.schema.json" "$tmp/reports" <<'END' ||
import json, sys, jsonschema

def constant(name):
    raise ValueError(name + " is not JSON")

schema = json.load(open(sys.argv[1]))
validator = jsonschema.Draft7Validator(schema)
validator.check_schema(schema)
reports = [json.loads(line, parse_constant=constant)
           for line in open(sys.argv[2], encoding="utf-8")]
assert len(reports) == 7, len(reports)
for number, report in enumerate(reports):
    for error in validator.iter_errors(report):
        sys.exit(f"report {number}: {list(error.path)}: {error.message}")

# a report without one of its keys, or with a wrong figure, must not pass
for key in schema["required"]:
    short = {k: v for k, v in reports[0].items() if k != key}
    assert not validator.is_valid(short), key
assert not validator.is_valid({**reports[0], "verdict": "fine"})
assert not validator.is_valid({**reports[0], "reasons": {"bad luck": 1}})
END
	fail "a report and its schema disagree"
