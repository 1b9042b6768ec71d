# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# judgectl: docs/judgectl.md as it is written, then whatever may be wrong.

use utf8;

use Encode qw(decode encode);
use File::Temp;
use JSON::PP qw(decode_json);
use POSIX ();

use Judge::Docs;
use Judge::OpenAI;
use Judge::Test;

binmode Test::More->builder->$_, ':utf8' for qw(output failure_output);

# Of a text that wavers the first score is low, and later ones are high.  Each
# answer is of a process of its own.

my $asked = File::Temp->new;
my $llm = Judge::OpenAI->start(verdict => sub {
    my $v = Judge::OpenAI::verdict($_[0]);
    my ($which) = map { $_->{content} =~ /\bIt (wavers|stays)\b/ }
                  @{ $_[0]{messages} };
    my $score = $which eq 'stays' || -s "$asked" ? 90 : 40;
    $_->{score} = $score for values %{ $v->{criteria} };
    if ($which eq 'wavers') {
        open my $file, '>>', "$asked" or die "$asked: $!";
        print {$file} 'x';
    }
    return $v;
});
my $t = Judge::Test->new(start => 0, server => $llm->location('m') . <<'CONF');
    listen 127.0.0.1:@PORT2@ ssl;
    ssl_certificate cert.pem;
    ssl_certificate_key key.pem;
    location /broken/ { return 500; }
    location /busy/   { add_header Retry-After 1 always; return 429; }
    location /moved/  { return 301 http://127.0.0.1:@PORT@/; }
    location /page/   { default_type text/html; return 200 '<p>Hello</p>'; }
    location /live/   { proxy_pass http://127.0.0.1:@PORT@/page/;
                        judge_detect pii on=request keep_text=on
                        organization=$http_x_org; }
    location /quiet/  { proxy_pass http://127.0.0.1:@PORT@/page/;
                        judge_detect pii on=request
                        organization=$http_x_org; }
    location /trial/  { proxy_pass http://127.0.0.1:@PORT@/page/;
                        judge_detect secrets on=request; }
CONF
my ($made, $why) = $t->run(qw(openssl req -x509 -newkey rsa:2048 -nodes -days 2
    -subj /CN=here -addext subjectAltName=IP:127.0.0.1), '-keyout',
    $t->dir . '/key.pem', '-out', $t->dir . '/cert.pem');
is($made, 0, 'a certificate') or diag($why);
$t->start;
$t->new_org('Organization');

my $repo = $t->repo;
my $dir  = $t->dir . '/work';
mkdir $_ or die "$_: $!" for $dir, "$dir/home", "$dir/letters";

# Debian's Python, which has what Debian's packages bring.
my %env = (HOME => "$dir/home",
           PATH => "$dir/home/.local/bin:/usr/bin:$ENV{PATH}",
           JUDGE_URL => $t->url, JUDGE_API_KEY => $t->key, LC_ALL => 'C');
$SIG{INT} = 'DEFAULT';                  # also where it was ignored
delete @ENV{qw(XDG_CONFIG_HOME JUDGE_PROFILE GITHUB_STEP_SUMMARY NO_COLOR)};

# sh('script', NAME => value, …): (exit status, output, standard error) in
# the folder of the test, with these changes of the environment.

sub sh {
    my ($script, %more) = @_;
    local %ENV = (%ENV, %env, %more);
    delete @ENV{grep { !defined $ENV{$_} } keys %ENV};

    my ($status, $out) = $t->run('bash', '-c',
        "cd '$dir' && ln -sfn '$repo/build' build && { $script\n}"
        . " 2>'$dir/stderr'");
    return ($status, decode('UTF-8', $out), said());
}

sub said { decode('UTF-8', Judge::Nginx::read_file("$dir/stderr") // '') }
sub kept { decode('UTF-8', Judge::Nginx::read_file("$dir/$_[0]") // '') }

sub does {
    my ($name, $script, %more) = @_;
    my $expected = delete $more{status} // 0;
    my ($status, $out, $err) = sh($script, %more);
    is($status, $expected, $name) or diag("$out\n$err");
    return $out;
}

# One sentence on standard error, and never a traceback.

sub refused {
    my ($name, $status, $says, $script, %more) = @_;
    my ($got, $out, $err) = sh($script, %more);
    is($got, $status, "$name: exit code $status") or diag($out);
    like($err, qr/\Ajudgectl[^\n]*: [^\n]*$says[^\n]*\n\z/,
         "$name: one sentence");
}

sub docs { Judge::Docs->blocks('docs/judgectl.md', @_) }

my %essays = $t->essays;
$t->write("work/letters/$_.txt", $essays{$_}) for keys %essays;


# --- As docs/judgectl.md has it -------------------------------------------

like(does('installed', docs('judgectl', 'sh', 1)), qr/^ +evaluate +/m,
     'help names the commands');

my ($profile) = docs('Service and key', 'sh', 1);
my $out = does('a profile', $profile);
like($out, qr/^\* work  \Q$env{JUDGE_URL}\E/m, 'is in use');
like($out, qr/^judgectl \d+\.\d+\.\d+$/m, 'the version');
unlike($out, qr/\Q$env{JUDGE_API_KEY}\E/, 'the key is not shown');
is((stat "$dir/home/.config/judgectl/keys/work")[2] & 0777, 0600,
   'and its file is for nobody else');
@env{qw(JUDGE_URL JUDGE_API_KEY)} = ();     # the profile from here on

$t->write('work/letters.yaml', docs('Judges in git', 'yaml', 1));
$out = does('judges in git', docs('Judges in git', 'sh', 1));
like($out, qr/^\+ Letters  new\n    \+ criterion Readability: Short/m, 'diff');
like($out, qr/^\+ Letters  made, jdg_/m, 'apply');
like($out, qr/^= Letters  the same$/m, 'and nothing is left to change');
like($out, qr/^jdg_\w+  ready +v1 +text +Letters$/m, 'the list');
like($out, qr/^Form  judged by checks\n.*^  - max_words 80$/ms, 'the judge');

$out = does('texts', docs('Texts', 'sh', 1));
my @lines = map { decode_json(encode('UTF-8', $_)) }
            split /\n/, kept('results.jsonl');
is(join(' ', map { $_->{name} } @lines),
   join(' ', map { "$_.txt" } sort keys %essays), 'in their order');
is(scalar(grep { $_->{status} eq 'completed' } @lines), 6, 'with scores');
like($out, qr/^\Q$_->{name}\E +\Q@{[sprintf '%.1f', $_->{overall_score}]}\E/m,
     "$_->{name} in the table") for @lines;
like($out, qr/^standard input +\d+\.\d +\d+\.\d +100\.0$/m, 'a text');
like($out, qr/^\| best-pet\.txt \| \d+\.\d \| \d+\.\d \| \d+\.\d \|$/m,
     'in Markdown');
my ($json) = $out =~ /^(\{"results":.*)/ms;
is(scalar @{ decode_json(encode('UTF-8', $json))->{results} }, 6, 'as JSON');
like(kept('results.xml'),
     qr/<testsuite name="Letters" tests="6" failures="0" errors="0">/,
     'as JUnit');

$out = does('a gate', docs('A gate', 'sh', 1),
            GITHUB_STEP_SUMMARY => "$dir/step.md");
is(() = $out =~ /^✓ passed$/mg, 2, 'is passed');
like(kept('gate.md'), qr/^### ✅ Letters\n.*^\| best-pet\.txt \|/ms,
     'in Markdown');
is(() = kept('step.md') =~ /^### /mg, 2, 'and on the page of the step');
like(kept('gate.xml'), qr/tests="7" failures="0"/, 'and as JUnit');

like(does('guards', docs('What guards blocked', 'sh', 1)),
     qr/^passes: \d[\d.]* of 30$/m, 'a text that passes a rule');


# --- Judges ---------------------------------------------------------------

my $letters = kept('letters.yaml');
$t->write('work/letters.yaml', $letters =~ s/weight: 2/weight: 3/r
          =~ s/plain words/clear words/r . "model: builtin\n");
$out = does('a change', 'judgectl diff --exit-code letters.yaml', status => 2);
is($out, <<'END', 'is shown');
~ Letters  changes
    Readability, description
      - Short sentences and plain words.
      + Short sentences and clear words.
    Readability, weight
      - 2
      + 3
    model
      + builtin
END
does('dry', 'judgectl apply --dry-run letters.yaml');
is($t->sql1('select count(*) from judge_versions'), 1, 'changes nothing');
like(does('applied', 'judgectl apply letters.yaml'), qr/version 2/, 'once');
like(does('again', 'judgectl apply --json letters.yaml'),
     qr/"change": "none".*"version_number": 2/, 'is no change');
like(does('JSON', <<'SH'), qr/^= Letters/, 'is a form, too');
judgectl judges show --json Letters >one.json && judgectl diff one.json
SH
does('several', <<'SH');
cat >both.json <<'J'
{"judges": [
    {"name": "A", "criteria": [{"name": "x", "description": "Clear."}]},
    {"name": "Ü \u001b[31m",
     "criteria": [{"name": "x", "description": "Clear."}]}]}
J
judgectl apply both.json && judgectl diff --exit-code both.json
SH
unlike(does('names', 'judgectl judges list'), qr/\e/, 'move no cursor');

refused('an unknown field', 1, 'criteria\[0\]\.wieght; did',
        "sed 's/weight/wieght/' letters.yaml >x.yaml; judgectl apply x.yaml");
refused('bad YAML', 1, 'x\.yaml: line 2: not YAML: ',
        "printf 'name: x\\n  - : : [\\n' >x.yaml; judgectl apply x.yaml");
refused('a date', 1, 'x\.yaml: .*quotes',
        "printf 'name: x\\ndescription: 2026-01-01\\n' >x.yaml;"
        . ' judgectl apply x.yaml');
refused('no name', 1, 'x\.yaml\.name: expected a name',
        "echo 'a: b' >x.yaml; judgectl apply x.yaml");
refused('twice', 1, 'is there twice',
        'judgectl apply letters.yaml letters.yaml');
refused('another type', 1, 'content_type: .*stays one',
        "sed 's/^name.*/&\\ncontent_type: image/' letters.yaml >x.yaml;"
        . ' judgectl apply x.yaml');
refused('no file', 1, 'none\.yaml: No such file', 'judgectl diff none.yaml');
refused('no such judge', 1, 'there is no judge called None',
        'judgectl judges show None');
refused('without PyYAML', 1, 'python3-yaml', 'mkdir -p no/yaml;'
        . ' echo "raise ImportError" >no/yaml/__init__.py;'
        . ' PYTHONPATH=no judgectl diff letters.yaml');


# --- Texts that are none --------------------------------------------------

$t->write('work/letters/latin.txt', "\xff\xfe");
$t->write('work/letters/empty.txt', '');
symlink 'nowhere', "$dir/letters/away.md" or die "symlink: $!";
($json) = does('with what is no text',
               'judgectl evaluate --judge Letters --json letters/ none.txt',
               status => 1);
my %failed = map { $_->{name} => $_->{error}{message} }
             grep { $_->{status} eq 'failed' }
             @{ decode_json(encode('UTF-8', $json))->{results} };
is_deeply(\%failed, { 'latin.txt' => 'not a text in UTF-8',
                      'empty.txt' => 'there is no text in it',
                      'none.txt'  => 'No such file or directory' },
          'each is named, the others are judged');
does('nor is a gate passed', 'judgectl gate --judge Letters letters/',
     status => 1);
does('JSON Lines', <<'SH', status => 1);
cat >items.jsonl <<'J'
{"text": "Dear Anna, it left.", "name": "a\u001b]0;x", "judge": "Letters"}
{"text": "It is a dog.", "id": 7, "judge": "A", "metadata": {"k": 1}}

{"text": 5}
nothing
J
judgectl evaluate --output jsonl --to out.jsonl items.jsonl
SH
like(kept('out.jsonl'),
     qr/"a \]0;x".*\n.*"item": "7".*\n.*expected a text.*\n.*not JSON/,
     'line by line');
refused('nothing to judge', 1, 'no text in it',
        'mkdir -p bare; judgectl evaluate --judge Letters bare');
refused('no judge', 1, 'give --judge', 'judgectl evaluate letters.yaml');
unlink glob("$dir/letters/{latin,empty}.txt"), "$dir/letters/away.md";


# --- The gate -------------------------------------------------------------

like(does('below', 'judgectl gate --judge Letters --min Readability=99'
          . ' letters/', status => 2),
     qr/^✗ the mean of Readability is [\d.]+, below 99$/m, 'is said');

sub baseline {
    my ($change) = @_;
    my $kept = decode_json(encode('UTF-8', kept('last.json')));
    $change->($_) for map { $kept->{items}{$_} } sort keys %{ $kept->{items} };
    $t->write('work/was.json', JSON::PP->new->encode($kept));
}

my $n = 0;
does('a baseline', 'judgectl gate --judge Letters --baseline new.json'
     . ' --write-baseline letters/ && mv new.json last.json');
baseline(sub { @{ $_[0] }{qw(score low)} = (100, 99) if !$n++ });
$out = does('fallen', 'judgectl gate --judge Letters --baseline was.json'
            . ' --write-baseline --junit gate.xml letters/', status => 2);
like($out, qr/^✗ best-pet\.txt fell from 100\.0 to [\d.]+, below its /m,
     'below its interval');
like(kept('gate.xml'), qr/failures="1".*<failure message="fell from/s,
     'also in JUnit');
like(kept('was.json'), qr/"low":"?99/, 'the baseline stays');

baseline(sub { $_[0]{score} += 3 + $n++ % 2 });
like(does('all a little', 'judgectl gate --judge Letters --baseline was.json'
          . ' letters/', status => 2),
     qr/^✗ 6 texts changed by -3\.5 on average/m, 'is a fall, too');
does('tolerated', 'judgectl gate --judge Letters --baseline was.json'
     . ' --tolerance 4 letters/');
refused('no baseline', 1, 'away\.json: No such file',
        'judgectl gate --judge Letters --baseline away.json letters/');
refused('of another judge', 1, 'the baseline of another judge, Letters',
        'judgectl gate --judge A --baseline last.json letters/');
refused('not one', 1, 'not a baseline',
        'judgectl gate --judge Letters --baseline one.json letters/');

# Only what a language model judges may get other scores, and is judged again
# before it fails the gate.

my $times = $t->sql1('select count(*) from evaluations');
does('what is measured', 'judgectl gate --judge Letters --each-min 99'
     . ' letters/', status => 2);
is($t->sql1('select count(*) from evaluations') - $times, 6,
   'is judged once, whatever comes of it');
mkdir "$dir/notes" or die "notes: $!";
$t->write("work/notes/$_.txt", "It $_, as notes do.") for qw(wavers stays);
$t->write('work/model.yaml', <<'YAML');
name: Wit
model: m
criteria: [ { name: Wit, description: It makes one laugh. } ]
YAML
does('a judge with a model', 'judgectl apply model.yaml');
like(does('a score by chance', 'judgectl gate --judge Wit --each-min 70'
          . ' notes/'),
     qr/mean 81\.7$(?s:.*)^  texts that a language model .* 3 times, .*: 1$/m,
     'does not fail the gate');
my %requests;
$requests{$_}++ for map { $_->{body} =~ /It (wavers|stays)/ } $llm->requests;
is_deeply(\%requests, { wavers => 3, stays => 1 },
          'what passes is judged once') or diag(explain(\%requests));
like(does('the mean', 'judgectl gate --judge Wit --each-min 95 --repeat 1'
          . ' notes/', status => 2), qr/^✗ stays\.txt has 90\.0 overall/m,
     'counts');


# --- Who judges, and what nothing does -----------------------------------

like($out = does('who judges', 'judgectl judges show Letters'),
     qr/^Readability  weight 3  measured\n.*\n  It asks for plain language, /m,
     'is shown with the reason');
$t->write('work/bare.yaml', <<'YAML');
judges:
  - name: Half
    criteria:
      - { name: Spelling, description: Correct spelling., weight: 3 }
      - { name: Wit, description: It makes one laugh. }
  - name: Bare
    criteria: [ { name: Wit, description: It makes one laugh. } ]
YAML
like(does('a file', 'judgectl check --exit-code bare.yaml', status => 2),
     qr/^Half\n[ ]+Spelling[ ]+measured\n.*\n[ ]+Wit[ ]+not[ ]judged\n[ ]+No[ ]
        measurement.*\nBare\n.*^2[ ]criteria[ ]are[ ]judged[ ]by[ ]nothing$
       /msx,
     'is asked about');
does('nothing is made', 'judgectl judges list | grep -c Half', status => 1);
refused('a file that is wrong', 1, 'x\.yaml: judges\[0\]: criteria\[0\]\.'
        . 'judge_by: ', "sed 's/Correct spelling.,/&judge_by: luck,/'"
        . ' bare.yaml >x.yaml; judgectl check x.yaml >/dev/null');
does('half and nothing', 'judgectl apply bare.yaml');
is(does('they stay', 'judgectl diff --exit-code bare.yaml'),
   "= Half  the same\n= Bare  the same\n", 'what they were');
like(does('all judges', 'judgectl check --json'),
     qr/"Half".*"not_judged": 4\}/, 'of the organization');
does('one that is judged', 'judgectl check --exit-code Letters');

$out = does('half a judge', <<'SH');
judgectl evaluate --judge Half letters/best-pet.txt \
    --output jsonl --to half.jsonl
judgectl evaluate --judge Half letters/best-pet.txt
SH
like($out, qr/^\S+best-pet\.txt +\d+\.\d .* — +75% judged$/m,
     'says the share');
like($out, qr/^Wit is not judged \(1\): No measurement/m, 'and why');
like(does('too little is judged', 'judgectl gate --judge Half --min 1'
          . ' --min-coverage 0.8 letters/', status => 3),
     qr/^[ ]{2}of[ ]the[ ]weights.*[ ]75%[ ]were[ ]judged,[ ]less[ ]than[ ]80%
        \n[ ]{2}Wit[ ]is[ ]not[ ]judged:[ ]No.*^\?[ ]undecided$/msx,
     'leaves the gate undecided');
does('enough', 'judgectl gate --judge Half --min 1 --min-coverage 0.75'
     . ' letters/');
does('what is too low', 'judgectl gate --judge Half --min 99'
     . ' --min-coverage 0.8 letters/', status => 2);
like(does('one text is too low', 'judgectl gate --judge Half --min 1'
          . ' --each-min Spelling=100 letters/', status => 2),
     qr/^✗[ ]\S+[ ]has[ ]\d+\.\d[ ]of[ ]Spelling,[ ]below[ ]100\n
        (?s:.*)^✗[ ]failed$/mx, 'fails the gate and is named');
does('no text is too low', 'judgectl gate --judge Half --each-min 1 letters/');
like(does('reasons', 'judgectl evaluate --judge Half --reasons'
          . ' letters/best-pet.txt'),
     qr/^[ ]{4}Spelling[ ]\d+\.\d:[ ]\w.*\w/mx, 'stand below the scores');
like(does('reasons in Markdown', 'judgectl evaluate --judge Half --reasons'
          . ' --output markdown letters/best-pet.txt'),
     qr/^-[ ]\S+,[ ]Spelling[ ]\d+\.\d:[ ]\w/mx, 'follow the table');
like(does('nothing is judged', 'judgectl gate --judge Bare letters/',
          status => 3), qr/of 6 texts no criterion could be judged/,
     'is undecided, too');
does('feedback on what nothing judges', <<'SH');
judgectl feedback "$(grep -o 'evl_[0-9A-Z]*' half.jsonl | head -n 1)" \
    --score Wit=20
judgectl evaluate --judge Bare --output jsonl --to bare.jsonl \
    letters/best-pet.txt 2>/dev/null
judgectl feedback "$(grep -o 'evl_[0-9A-Z]*' bare.jsonl | head -n 1)" \
    --score Wit=20
SH
is($t->sql1("select count(*) from feedback where type = 'correction'"), 2,
   'is taken');


# --- Tables, corrections, training --------------------------------------

my @texts = map { split /\n\n+/ } @essays{sort keys %essays};
$t->write('work/letters.csv', join '', "nr,answer,topic\n",
          map { "$_,\"" . $texts[$_] =~ s/"/""/gr . '",T' . $_ % 3 . "\n" }
          0 .. $#texts);
$out = does('tables', docs('Tables', 'sh', 1));
like($out, qr/^answer +content +\S.*^topic +category +T0$/ms, 'its columns');
like($out, qr/^letters\.csv: completed, \d+ judged, 0 failed, mean \d/m,
     'is judged');
is($t->sql1('select count(*) from batches'), 1, 'once, not for a preview');

$t->write('work/corrections.jsonl', join '', map {
    JSON::PP->new->canonical->encode({ item => "$_", scores => {
        Readability => 30 + 7 * ($_ % 8) } }) . "\n" } 0 .. $#texts);
$out = does('corrections', docs('Corrections and training', 'sh', 1));
like($out, qr/^@{[scalar @texts]} taken$/m, 'are taken');
like($out, qr/^Readability +@{[scalar @texts]} +[+-]\d+\.\d +\d+\.\d\d \(/m,
     'agreement');
like($out, qr/^trj_\w+: Letters learns from @{[scalar @texts]} entries/m,
     'training');
like($out, qr/^version 1 (?:was|is) .*active/m, 'and back') or diag($out);

like(does('a clearer wording', 'judgectl suggest Letters'),
     qr/^Nothing better is suggested: people and the judge read no crit/m,
     'what is read otherwise');
refused('a criterion of nobody', 1, 'the judge has the criteria Readability',
        'judgectl suggest Letters --criterion Wit >/dev/null');

my ($id) = kept('results.jsonl') =~ /(evl_\w+)/;
does('one result', "judgectl watch $id && judgectl feedback $id --approve"
     . " && judgectl feedback $id --rating 4 --comment 'Well done.'");
refused('an unknown criterion', 1, 'has the criteria Readability, Form',
        "judgectl feedback $id --score Clarit=3 >/dev/null");
refused('no result', 1, '--results', <<'SH');
echo '{"item": "x", "rating": 3}' >f.jsonl
judgectl feedback --from f.jsonl --results results.jsonl >/dev/null
SH
my $of = "/feedback/evaluation/$id";
my $correction = $t->made($of, 'feedback_id', json => {
    type => 'correction', content => { corrected_overall_score => 50 } });
like(does('what was said', "judgectl feedback $id --list"),
     qr/^$correction .* correction .*50.*^fbk_\w+ .* rating .*approval/ms,
     'is listed, the newest first');
does('a correction', "judgectl feedback $correction --score Readability=70"
     . " --comment 'Why.'");
does('what is added to it', "judgectl feedback $correction --score Form=60"
     . ' --severity high');
my $now = $t->get("/feedback/$correction")->json;
is(join(' ', sort { $a <=> $b } values %{ $now->{content}{corrected_scores} },
        $now->{content}{corrected_overall_score}),
   '50 60 70', 'keeps what it said otherwise');
is("$now->{content}{explanation} $now->{severity}", 'Why. high', '… and why');
refused('what it is not', 1, 'is a correction, and no rating',
        "judgectl feedback $correction --rating 4 >/dev/null");
refused('no entry', 1, 'expected an entry',
        "judgectl feedback $id --withdraw >/dev/null");
like(does('taken back', "judgectl feedback $correction --withdraw"),
     qr/^withdrawn$/m, 'and said so');
status_is($t->get("/feedback/$correction"), 404, '… for good');
refused('nothing said', 1, 'expected scores', "judgectl feedback $id >x");
refused('no identifier', 1, 'bat_', 'judgectl watch Letters');
refused('no column of texts', 1, '--content COLUMN', <<'SH');
printf 'a,b\n1,2\n3,4\n' >n.csv
judgectl batch n.csv --judge Letters >/dev/null
SH
# A worker dies while judgectl follows a batch on a connection to it.

sub followed {
    my $port = sprintf ':%04X', $t->port;
    return () = (Judge::Nginx::read_file('/proc/net/tcp') // '')
                =~ /^ *\d+: \S+$port \S+ 01 /mg;
}

($id) = does('a batch that waits', <<'SH') =~ /(bat_\w+)/;
judgectl batch letters.csv --judge Letters --no-watch --json --hold
SH
my $watch = fork // die "fork: $!";
if (!$watch) {
    my ($status) = sh("judgectl watch $id >watched.txt");
    POSIX::_exit($status);
}
$t->wait_until(\&followed, 'judgectl to follow');
$t->kill_worker(pid => $_) for $t->workers;
$t->post("/batches/$id/start");
waitpid $watch, 0;
is($?, 0, 'it is followed to the end all the same');
like(kept('watched.txt'), qr/^letters\.csv: completed, \d+ judged, 0 failed/,
     'and seen');

refused('an empty table', 1, 'empty', ': >n.csv;'
        . ' judgectl batch n.csv --judge Letters');


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
    is($status, 0, "$name: as it was") or diag($diff);
}

for my $case (@cases) {
    my ($name, $args) = @$case;
    does($name, "to='$dir/$name'; cd $data/in; judgectl import $args"
         . ' --to "$to" --report "$to.json"; mv "$to.json" "$to/report.json"');
    golden($name, "$dir/$name");
}

$out = does('many that differ', <<'SH');
for n in {1..60}; do
    echo '{"vars": {}, "providerOutput": "x", "assert": ['
    echo '{"type": "contains", "value": "'$n'"}, {"type": "is-json"}]}'
done | paste -d ' ' - - >many.jsonl
judgectl import promptfoo many.jsonl --to many --json 2>/dev/null
SH
like($out, qr/"judges": 1, "items": 60,.*"expectations that differ from item/,
     'are listed, what they share is a judge');

does('their files', "cp $data/in/* .");
$out = does('from other tools', docs('From other tools', 'sh', 1));
like($out, qr/^\+ Support answers: Refund  made, jdg_/m, 'judges');
like($out, qr/^Refund +\d+\.\d .*100\.0/m, 'judge items');
does('and stand as they were written', 'judgectl diff --exit-code'
     . ' support/judges.json');
$out = does('to other tools', docs('To other tools', 'sh', 1));
is(does('what is exported', 'judgectl diff --exit-code letters-of-now.yaml'),
   "= Letters  the same\n", 'is what is there');
does('a table of results', '[ $(wc -l <batch.csv) -gt 20 ]');
does('exports', <<'SH');
mkdir -p export
judgectl export 'Support answers: Refund' --as promptfoo --to export/pf.yaml
judgectl apply capitals/judges.json >/dev/null
judgectl export 'Capitals: capitals.jsonl: line 1' Letters --as openai \
    --to export/graders.json --report export/graders-report.json 2>/dev/null
judgectl export judged.jsonl --as langfuse --to export/scores.json \
    --report export/scores-report.json 2>/dev/null
judgectl export judged.jsonl --as junit --to export/scores.xml
SH
golden('export', "$dir/export");
does('and back', 'judgectl import promptfoo export/pf.yaml --name "Support'
     . ' answers: Refund" --to back 2>/dev/null && judgectl diff --exit-code'
     . ' back/judges.json');
refused('a wrong form', 1, 'judges are exported as', 'judgectl export Letters'
        . ' --as csv');
refused('not of that tool', 1, 'not a file of',
        q(echo '{"results": {"results": [1]}}' >x.json;)
        . ' judgectl import promptfoo x.json');
refused('a log of Inspect in a zip', 1, 'only logs in JSON are read',
        'cp lines.jsonl x.eval; judgectl import inspect x.eval');
refused('a table that is none', 1, 'expected an object with data',
        'judgectl import mlflow tests.json');
refused('a wrong scale', 1, '--scale', 'judgectl import langfuse scores.csv'
        . ' --scale 5');


# --- What the service says ------------------------------------------------

my %other = (JUDGE_API_KEY => $t->key);
refused('no service', 1, 'nothing answers there', 'judgectl judges list',
        %other, JUDGE_URL => 'http://127.0.0.1:' . $t->port(5));
refused('no key', 1, 'JUDGE_API_KEY is not', 'judgectl judges list',
        JUDGE_URL => $t->url);
refused('no address', 1, 'expected the address of a service',
        'judgectl judges list', %other, JUDGE_URL => 'judge.example');
refused('a key with a line feed', 1, 'characters that no key has',
        'judgectl judges list', JUDGE_URL => $t->url,
        JUDGE_API_KEY => "a\nb");
refused('neither', 1, 'JUDGE_URL.*judgectl profile add',
        'judgectl judges list', HOME => '/nonexistent');
refused('an unknown profile', 1, 'no profile x; there are: work',
        'judgectl judges list --profile x');
refused('a key for all to read', 1, 'chmod 600',
        'echo x >open.key; chmod 644 open.key; judgectl profile add o'
        . ' --url http://127.0.0.1/ --key-file open.key');

my ($key, $key_id) = $t->new_key;
$t->tool('key', 'suspend', $key_id);
$t->wait_until(sub { $t->get('/judges', key => $key)->status == 401 },
               'the key to be refused');
refused('a suspended key', 1, 'the key is refused: ', 'judgectl judges list',
        JUDGE_URL => $t->url, JUDGE_API_KEY => $key);
unlike(said(), qr/\Q$key\E/, 'and not shown');
refused('a fault', 1, 'answers 500', 'judgectl judges list', %other,
        JUDGE_URL => $t->url . '/broken');
refused('too much', 1, '429; tried 2 times', 'judgectl judges list --retries'
        . ' 1', %other, JUDGE_URL => $t->url . '/busy');
refused('it has moved', 1, 'has moved to http', 'judgectl judges list', %other,
        JUDGE_URL => $t->url . '/moved');
my $tls = 'https://127.0.0.1:' . $t->port(2);
refused('a certificate of nobody', 1, 'is not trusted: .*--ca FILE',
        'judgectl judges list', %other, JUDGE_URL => $tls);
like(does('with --ca', "judgectl judges list --ca '@{[$t->dir]}/cert.pem'",
          %other, JUDGE_URL => $tls), qr/ Letters$/m, 'it is');
refused('another service', 1, 'not JSON', 'judgectl judges list', %other,
        JUDGE_URL => $t->url . '/page');


# More than the rate allows: what is refused is sent again.

my $slow = Judge::Test->new(store => 'rate=5/s burst=2');
is(() = does('a rate', 'judgectl apply letters.yaml >/dev/null; judgectl'
             . ' evaluate --judge Letters --retries 20 letters/ letters/',
             JUDGE_URL => $slow->url, JUDGE_API_KEY => $slow->key)
        =~ /^\S+\.txt +\d/mg, 12, 'is kept, and all are judged');


# --- Watching -------------------------------------------------------------

my ($watched) = does('its identifier', 'judgectl judges list')
                =~ /^(jdg_\w+) .* Letters$/m;

like(does('watched', 'judgectl judges watch --exit-code Letters'),
     qr/^Letters\nPeople[ ]would[ ]give[ ][\d.]+[ ]on[ ]average,.*\n\n
        Drift[ ]of[ ]the[ ]last[ ]day:[ ]none\n[ ][ ]There[ ]are[ ]too[ ]few/x,
     'what people would give, and that more is not known');
$t->alter('insert into score_hours select org, judge_id, route,'
          . " max(hour) - 48, '', 19, 100 from score_hours"
          . " where judge_id = '$watched' and route = '' group by 1, 2, 3");
status_is($t->post("/judges/$watched/canary", json => { version => 2 }), 201,
          'a canary');
like(does('drift', 'judgectl judges watch --exit-code Letters', status => 2),
     qr/day:[ ]strong\n[ ][ ]Overall[ ]score:[ ].*\n\nVersion[ ]2,[ ]tried
        [ ]beside[ ]it:[ ]running\n[ ][ ]\S/sx, 'ends a build, if asked for');
like(does('JSON', 'judgectl judges watch --json Letters'),
     qr/"estimate": \{.*"drift": \{.*"canary": \{/s, 'has all of it');


# --- Usage ----------------------------------------------------------------

refused('no command', 64, 'required: COMMAND', 'judgectl');
refused('an unknown one', 64, 'invalid choice', 'judgectl destroy');
refused('an unknown option', 64, 'unrecognized', 'judgectl judges list --k');
refused('a bad number', 64, '--at-once: invalid number from 1 to 64',
        'judgectl evaluate --judge A --at-once 0 x');
refused('a bad score', 64, 'invalid score', 'judgectl gate --judge A --min a=b'
        . ' x');
# More than a pipe holds: it can't have been written before nobody reads.
does('nobody reads', 'judgectl evaluate --judge Letters --json'
     . ' letters/' x 8 . ' | head -c 1; exit "${PIPESTATUS[0]}"',
     status => 141);
is(said(), '', 'and nobody is told');
does('interrupted', <<'SH', status => 130);
set -m
mkfifo pipe
judgectl evaluate --judge Letters pipe &
exec 9>pipe                             # it reads
while kill -INT $!; do sleep 2; done    # the first may come just before it
wait $!
SH
unlike(said(), qr/Traceback/, 'without a traceback');
does('a terminal', q(script -qec 'stty cols 100; judgectl evaluate --judge)
     . q( Letters letters' typescript >/dev/null));
like(kept('typescript'), qr/━.*6 judged.*\e\[3[123]m/s, 'has bar and colours');
does('no colours', q(NO_COLOR=1 script -qec 'judgectl evaluate --judge)
     . q( Letters letters' typescript >/dev/null));
unlike(kept('typescript'), qr/\e\[\d+m/, 'unless they are not wanted');

# --- What guards blocked --------------------------------------------------

my $locations = 'http://127.0.0.1:' . $t->port;
for my $sent ([ 'live', 'text/plain', 'To jo@mail.example.org.' ],
              [ 'quiet', 'text/plain', 'To bo@mail.example.org.' ],
              [ 'live', 'text/plain', 'x' x 5000 . ' a@mail.example.org' ],
              [ 'live', 'application/x-www-form-urlencoded',
                'a=jo%40mail.example.org' ])
{
    my ($where, $type, $body) = @$sent;
    $t->write('work/body', $body);
    does('a request', "curl -s -X POST -H 'X-Org: $t->{orgs}[0]{id}'"
         . " -H 'Content-Type: $type' --data-binary \@body"
         . " $locations/$where/");
}
my @blocked = split /\n/, does('what was blocked', 'judgectl guard list');
like($_, qr{^blk_\w+  20\S+Z  block  request  /\w+/  pii: EMAIL$}, 'a line')
    for @blocked;
my ($of_form, $long, $quiet, $plain) = map { /^(\w+)/ } @blocked;
is(@blocked, 4, 'each has one');
is(does('none was tagged', 'judgectl guard list --action tag'), '',
   'a filter');

sub tries {
    my ($name, $status, $says, $args) = @_;
    like(does($name, "judgectl guard try $args", status => $status), $says,
         "$name: what it says");
}

tries('the same rule', 2, qr/^blocked: \[EMAIL_1\]  jo\@mail\.example\.org$/m,
      "$plain --detect pii --tool '$repo/build/judge'");
tries('another', 0, qr/^passes: Nothing was found\.$/m,
      "$plain --detect secrets links hosts=a.example"
      . " --tool '$repo/build/judge'");
tries('a form', 2, qr/jo\@mail/,
      "$of_form --detect pii --tool '$repo/build/judge'");
tries('a location that lets it pass', 0, qr/^passes: 200$/m,
      "$plain --to $locations/trial/");
tries('one that does not', 2, qr/^blocked: 403 blk_\w+$/m,
      "$plain --to $locations/live/");
tries('a minimum that nothing reaches', 2, qr/^blocked: [\d.]+ of 100$/m,
      "$plain --judge Letters --min 100");
tries('for machines', 0, qr/^\{"passes": true, "why": /m,
      "$plain --judge Letters --min 0 --json");
like(does('a file of what is listed', "judgectl guard list --json | python3 -c"
          . " 'import json, sys; print(json.dumps(json.load(sys.stdin)"
          . "[\"blocked\"][3]))' >one.json\n"
          . "judgectl guard try one.json --to $locations/trial/"),
     qr/^passes: 200$/m, 'is taken, too');
refused('no minimum', 1, '--judge needs --min', "judgectl guard try $plain"
        . ' --judge Letters');
refused('no text', 1, 'it has no text; keep_text=on',
        "judgectl guard try $quiet --to $locations/trial/");
refused('a part', 1, 'longer than what is kept',
        "judgectl guard try $long --to $locations/trial/");
refused('one that is gone', 1, 'keeps it no more',
        "judgectl guard try blk_0 --to $locations/trial/");
refused('no tool', 1, 'none: No such file', "judgectl guard try $plain"
        . ' --detect pii --tool ./none');
refused('no location', 1, 'Connection refused',
        "judgectl guard try $plain --to http://127.0.0.1:1/");


# --- The completion and the manual ----------------------------------------

my $manual     = does('the manual', 'judgectl manual') =~ s/\\//gr;
my $completion = does('the completion', 'judgectl completion');
my @commands   = $manual =~ /^\.SS judgectl (.+)$/mg;
cmp_ok(@commands, '>=', 10, 'commands');
my $helps = does('their help', join '; ', map { "judgectl $_ --help" }
                                              @commands);
for my $command (@commands) {
    my ($help) = $helps =~ /^usage:\ judgectl\ \Q$command\E\ (?#)
                            (.*?)(?=^usage:|\z)/msx;
    my ($row) = $completion =~ /^ +'\Q$command\E ?'\*?\) words='(.*)' ;;$/m;
    my %has   = map { $_ => 1 } split ' ', $row // '';
    my @named = $help =~ /^ +(?:-\w, )?(--[\w-]+)/mg;
    is(join(' ', grep { !$has{$_} } @named), '', '… is completed');
    is(join(' ', grep { $manual !~ /^\.B (?:-\w, )?\Q$_\E\b/m } @named), '',
       '… is in the manual');
}
is(does('completed', <<'SH'), "profile\n--min-coverage\nshow\n", 'by bash');
. <(judgectl completion)
ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _judgectl
        printf '%s\n' "${COMPREPLY[@]}"; }
ask judgectl prof; ask judgectl gate --min-; ask judgectl judges sh
SH

my ($terminal) = Judge::Docs->blocks('docs/people.md', 'From a terminal', 'sh',
                                     1);
does('docs/people.md', $terminal);

# --- People, queues, and who changed what ------------------------------------

like(does('a person is registered', "judgectl person add 'Ann Example'"
          . ' ann@example.com owner'), qr/^per_\w+  owner      Ann Example/m,
     'and shown');
like(does('… with a login', "judgectl person add Bo bo\@example.com viewer"
          . ' --login bo'), qr/login bo$/m, 'which gets no key');
like(does('another role', 'judgectl person role bo@example.com annotator'),
     qr/  annotator  Bo/, 'by the address');
is(() = does('people', 'judgectl person list') =~ /^per_/mg, 2, 'are listed');
is(does('a person is removed', 'judgectl person remove Bo'), "removed\n",
   'by the name');
refused('nobody', 1, 'no people have this', 'judgectl person remove Nobody');
my ($queue) = does('a queue', 'judgectl queue add May --judge Letters'
                              . ' --items 2') =~ /^(anq_\w+)  0 of [12]/;
like(does('how far it is', "judgectl queue show $queue"), qr/May$/m, 'it is');
like(does('queues', 'judgectl queue list'), qr/^$queue/, 'are listed');
is(does('a queue goes', "judgectl queue delete $queue"), "deleted\n",
   'and is gone');
like(does('who changed what', 'judgectl audit export'
          . " --object $queue"), qr/^\{.*"DELETE \S+".*\}\n\z/,
     'in lines of JSON');
does('… to a file', 'judgectl audit export --to audit.jsonl');
cmp_ok(() = kept('audit.jsonl') =~ /^\{.*\}$/mg, '>', 5, 'of all');

done_testing;
