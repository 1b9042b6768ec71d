# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# judgectl import and export: the files of other tools.

use utf8;

use Judge::Docs;
use Judge::Judgectl;
use Judge::Test;

my $t    = Judge::Test->new;
my $repo = $t->repo;
my $dir  = work_in($t, PATH => "$repo/build:/usr/bin:$ENV{PATH}");

sub docs { Judge::Docs->blocks('docs/judgectl.md', @_) }

my %essays = $t->essays;
my @texts  = map { split /\n\n+/ } @essays{sort keys %essays};
$t->write('work/letters.csv', join '', "nr,answer,topic\n",
          map { "$_,\"" . $texts[$_] =~ s/"/""/gr . '",T' . $_ % 3 . "\n" }
          0 .. $#texts);
$t->write('work/letters.yaml', docs('Judges in git', 'yaml', 1));
does('a judge is made', 'judgectl apply letters.yaml');


# --- Other tools --------------------------------------------------------

my $data   = "$repo/t/data/judgectl";
my @cases  = (
    [ 'promptfoo', 'promptfoo promptfooconfig.yaml --content answer' ],
    [ 'promptfoo-tests', 'promptfoo answers.jsonl' ],
    [ 'promptfoo-variety', 'promptfoo variety.yaml' ],
    [ 'promptfoo-results', 'promptfoo results.json' ],
    [ 'openai', 'openai graders.json capitals.jsonl' ],
    [ 'openai-graders', 'openai graders.json' ],
    [ 'openai-registry', 'openai registry.yaml samples.jsonl --name Rivers' ],
    [ 'langfuse-dataset', 'langfuse dataset.json' ],
    [ 'langfuse-csv', 'langfuse dataset.csv' ],
    [ 'langfuse-traces', 'langfuse traces.jsonl' ],
    [ 'langfuse-scores', 'langfuse scores.csv --scale 0:5' ],
    [ 'inspect', 'inspect inspect.json --name Rivers' ],
    [ 'deepeval', 'deepeval deepeval.json' ],
    [ 'deepeval-latest', 'deepeval latest_test_run.json' ],
    [ 'mlflow', 'mlflow mlflow.json' ],
    [ 'promptfoo-reference', 'promptfoo weekdays.jsonl' ],
    [ 'csv', 'csv table.csv --content Answer --id Nr --metadata Who' ],
    [ 'jsonl', 'jsonl lines.jsonl --content body --id ref --metadata lang' ],
);

# What is written is what t/data/judgectl/out has; JUDGE_GOLDEN=write makes
# it anew.

sub golden {
    my ($name, $folder) = @_;
    my $write = ($ENV{JUDGE_GOLDEN} // '') eq 'write';
    $t->run('sh', '-c', "rm -rf '$data/out/$name'; mkdir -p '$data/out';"
            . " cp -r '$folder' '$data/out/$name'") if $write;
    my ($status, $diff) = $t->run('diff', '-ru', "$data/out/$name", $folder);
    is($status, 0, "$name makes the files that are kept") or diag($diff);
}

subtest 'judges and items of other tools come and go' => sub {
    for my $case (@cases) {
        my ($name, $args) = @$case;
        does("judgectl import $args ends well",
             "to='$dir/$name'; cd $data/in; judgectl import $args"
             . ' --to "$to" --report "$to.json";'
             . ' mv "$to.json" "$to/report.json"');
        golden($name, "$dir/$name");
    }

    my $out = does('items that expect something are imported', <<'SH');
for n in {1..60}; do
    echo '{"vars": {}, "providerOutput": "x", "assert": ['
    echo '{"type": "contains", "value": "'$n'"}, {"type": "is-json"}]}'
done | paste -d ' ' - - >many.jsonl
judgectl import promptfoo many.jsonl --to many --json 2>/dev/null
SH
    like($out,
         qr/"judges": 1, "items": 60,.*"expectations that differ from item/,
         'the report lists them, and what they share is a judge');

    does('the files of other tools are there', "cp $data/in/* .");
    $out = does('judges are imported as the docs have it',
                docs('From other tools', 'sh', 1));
    like($out, qr/^\+ Support answers: Refund  made, jdg_/m,
         'an imported judge is applied');
    like($out, qr/^Refund +\d+\.\d .*100\.0/m,
         'imported items get scores from the imported judge');
    does('diff finds no change of imported judges',
         'judgectl diff --exit-code support/judges.json');
    $out = does('judges are exported as the docs have it',
                docs('To other tools', 'sh', 1));
    prints('diff finds no change of an exported judge',
           'judgectl diff --exit-code letters-of-now.yaml',
           qr/\A= Letters  the same\n\z/);
    like(kept('batch.xml'), qr/<testcase classname="jdg_\w+" name="Row \d+" /,
         'an exported case has the name of its item');
    does('the table of results has all rows',
         '[ $(wc -l <batch.csv) -gt 20 ]');
    does('judges and results are exported for other tools', <<'SH');
mkdir -p export
judgectl export 'Support answers: Refund' --as promptfoo --to export/pf.yaml
judgectl apply capitals/judges.json >/dev/null
judgectl export 'Capitals: capitals.jsonl: line 1' Letters --as openai \
    --to export/graders.json --report export/graders-report.json 2>/dev/null
judgectl export judged.jsonl --as langfuse --to export/scores.json \
    --report export/scores-report.json 2>/dev/null
judgectl export judged.jsonl --as junit --to export/scores.xml
cat >weighed.json <<'J'
{"name": "Weighed", "criteria": [
    {"name": "Form", "description": "Decided by its checks.", "weight": 3,
     "checks": [{"type": "contains", "value": "a"},
                {"type": "contains", "value": "b", "weight": 0.5},
                {"type": "contains", "value": "c", "weight": 1.5}]},
    {"name": "Rest", "description": "Decided by its checks.",
     "checks": [{"type": "max_words", "value": 9}]}]}
J
judgectl apply weighed.json >/dev/null
judgectl export Weighed --as promptfoo --to export/weighed.yaml
SH
    golden('export', "$dir/export");
    does('what is a pipe or a link stays one', <<'SH');
mkfifo pipe; ln -s linked link; >linked
timeout 20 cat pipe >piped & judgectl export Letters --to pipe; wait
judgectl export Letters --to link
[ -p pipe ] && [ -L link ] && grep Letters piped && cmp piped linked
SH
    does('diff finds no change of a judge that is exported and imported',
         'judgectl import promptfoo export/pf.yaml --name "Support'
         . ' answers: Refund" --to back 2>/dev/null'
         . ' && judgectl diff --exit-code back/judges.json');
    does('weights of checks are the same when they come back',
         'judgectl import promptfoo export/weighed.yaml --name Weighed'
         . ' --to weighed 2>/dev/null'
         . ' && judgectl diff --exit-code weighed/judges.json');
    $t->write('work/learned.py', <<~'PY');
    import shutil, sys
    sys.path.insert(0, shutil.which('judgectl'))
    import openai_evals, promptfoo
    for tool in (openai_evals, promptfoo):
        tool.write([{'name': 'Learned', 'criteria': []},
                    {'name': 'Trained', 'criteria': [],
                     'trained': {'state': 'ready'}}], print)
    PY
    prints('what a judge has learned is listed as lost', 'python3 learned.py',
           qr/\A(?:Trained what it has learned from people .*\n){2}\z/);
    refused('a form for results', 1, 'judges are exported as',
            'judgectl export Letters --as csv');
    refused('a file of another tool', 1, 'not a file of',
            q(echo '{"results": {"results": [1]}}' >x.json;)
            . ' judgectl import promptfoo x.json');
    refused('a log of Inspect in a zip', 1, 'only logs in JSON are read',
            'cp lines.jsonl x.eval; judgectl import inspect x.eval');
    refused('a table that is none', 1, 'expected an object with data',
            'judgectl import mlflow tests.json');
    refused('a wrong scale', 1, '--scale',
            'judgectl import langfuse scores.csv --scale 5');
};

done_testing;
