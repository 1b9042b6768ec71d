# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# judgectl: docs/judgectl.md as it is written, then whatever may be wrong.

use utf8;

use Encode qw(encode);
use File::Temp;
use JSON::PP qw(decode_json);
use POSIX ();

use Judge::Docs;
use Judge::Judgectl;
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
CONF
my ($made, $why) = $t->run(qw(openssl req -x509 -newkey rsa:2048 -nodes -days 2
    -subj /CN=here -addext subjectAltName=IP:127.0.0.1), '-keyout',
    $t->dir . '/key.pem', '-out', $t->dir . '/cert.pem');
is($made, 0, 'a certificate is made') or diag($why);
$t->start;
$t->new_org('Organization');

my $dir    = work_in($t);
my $repo   = $t->repo;
my %essays = $t->essays;

sub docs { Judge::Docs->blocks('docs/judgectl.md', @_) }


# --- As docs/judgectl.md has it -------------------------------------------

prints('judgectl is installed and names its commands',
       docs('judgectl', 'sh', 1), qr/^ +evaluate +/m);

my ($profile) = docs('Service and key', 'sh', 1);
my $out = does('a profile is added', $profile);
like($out, qr/^\* work  \Q@{[ $t->url ]}\E/m, 'the new profile is in use');
like($out, qr/^judgectl \d+\.\d+\.\d+$/m, 'judgectl tells its version');
unlike($out, qr/\Q@{[ $t->key ]}\E/, 'the key is not shown');
is((stat "$dir/home/.config/judgectl/keys/work")[2] & 0777, 0600,
   'nobody else may read the file of the key');
leave_out(qw(JUDGE_URL JUDGE_API_KEY));     # the profile from here on

$t->write('work/letters.yaml', docs('Judges in git', 'yaml', 1));
$out = does('a judge is applied as the docs have it',
            docs('Judges in git', 'sh', 1));
like($out, qr/^\+ Letters  new\n    \+ criterion Readability: Short/m,
     'diff shows a new judge');
like($out, qr/^\+ Letters  made, jdg_/m, 'apply makes a new judge');
like($out, qr/^= Letters  the same$/m, 'diff finds nothing after apply');
like($out, qr/^jdg_\w+  ready +v1 +text +Letters$/m, 'list has the judge');
like($out, qr/^Form  judged by checks\n.*^  - max_words 80$/ms,
     'show says who judges each criterion');

$out = does('texts are judged as the docs have it', docs('Texts', 'sh', 1));
my @lines = map { decode_json(encode('UTF-8', $_)) }
            split /\n/, kept('results.jsonl');
is(join(' ', map { $_->{name} } @lines),
   join(' ', map { "$_.txt" } sort keys %essays),
   'results have the order of the names');
is(scalar(grep { $_->{status} eq 'completed' } @lines), 6,
   'all six results are completed');
like($out, qr/^\Q$_->{name}\E +\Q@{[sprintf '%.1f', $_->{overall_score}]}\E/m,
     "$_->{name} stands in the table with its score") for @lines;
like($out, qr/^standard input +\d+\.\d +\d+\.\d +100\.0$/m,
     'a text is read from standard input');
like($out, qr/^\| best-pet\.txt \| \d+\.\d \| \d+\.\d \| \d+\.\d \|$/m,
     'results come as Markdown');
my ($json) = $out =~ /^(\{"results":.*)/ms;
is(scalar @{ decode_json(encode('UTF-8', $json))->{results} }, 6,
   'results come as JSON');
like(kept('results.xml'),
     qr/<testsuite name="Letters" tests="6" failures="0" errors="0">/,
     'results come as JUnit');

$out = does('two gates end as the docs have it', docs('A gate', 'sh', 1),
            GITHUB_STEP_SUMMARY => "$dir/step.md");
is(() = $out =~ /^✓ passed$/mg, 2, 'two gates are passed');
like(kept('gate.md'), qr/^### ✅ Letters\n.*^\| best-pet\.txt \|/ms,
     'a gate comes as Markdown');
is(() = kept('step.md') =~ /^### /mg, 2, 'gates stand on the page of a step');
like(kept('gate.xml'), qr/tests="7" failures="0"/, 'a gate comes as JUnit');

prints('a text passes a rule', docs('What guards blocked', 'sh', 1),
       qr/^passes: \d[\d.]* of 30$/m);


# --- Judges ---------------------------------------------------------------

subtest 'judges are made, changed and refused' => sub {
    my $letters = kept('letters.yaml');
    $t->write('work/letters.yaml', $letters =~ s/weight: 2/weight: 3/r
              =~ s/plain words/clear words/r . "model: builtin\n");
    $out = does('a change ends diff by 2',
                'judgectl diff --exit-code letters.yaml', status => 2);
    is($out, <<~'END', 'diff shows what changes');
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
    does('apply --dry-run ends well', 'judgectl apply --dry-run letters.yaml');
    is($t->sql1('select count(*) from judge_versions'), 1,
       'apply --dry-run changes nothing');
    prints('apply makes version 2', 'judgectl apply letters.yaml',
           qr/version 2/);
    prints('a second apply changes nothing',
           'judgectl apply --json letters.yaml',
           qr/"change": "none".*"version_number": 2/);
    prints('a judge may be a file of JSON', 'judgectl judges show --json'
           . ' Letters >one.json && judgectl diff one.json', qr/^= Letters/);
    prints('a record of the service may be changed', <<~'SH', qr/^= Letters/m);
    sed 's/clear words/good words/' one.json >changed.json
    judgectl diff --exit-code changed.json; [ $? = 2 ] || exit 1
    judgectl apply changed.json && judgectl --profile work diff changed.json
    judgectl apply letters.yaml
    SH
    refused('an unknown profile in front of a command', 1, 'no profile home',
            'judgectl --profile home judges list');
    does('several judges may be one file', <<~'SH');
    cat >both.json <<'J'
    {"judges": [
        {"name": "A", "criteria": [{"name": "x", "description": "Clear."}]},
        {"name": "Ü \u001b[31m",
         "criteria": [{"name": "x", "description": "Clear."}]}]}
    J
    judgectl apply both.json && judgectl diff --exit-code both.json
    SH
    unlike(does('judges are listed', 'judgectl judges list'), qr/\e/,
           'no name of a judge moves the cursor');

    refused('an unknown field', 1, 'criteria\[0\]\.wieght; did',
            "sed 's/weight/wieght/' letters.yaml >x.yaml;"
            . ' judgectl apply x.yaml');
    refused('an unknown field in diff', 1, 'criteria\[0\]\.wieght; did',
            'judgectl diff x.yaml');
    refused('an unknown field of a new judge in diff', 1, 'desciption',
            q(echo '{"name": "New", "criteria": [{"name": "A",)
            . q( "description": "Clear.", "desciption": "x"}]}' >field.json;)
            . ' judgectl diff field.json');
    refused('a file that is no YAML', 1, 'x\.yaml: line 2: not YAML: ',
            "printf 'name: x\\n  - : : [\\n' >x.yaml; judgectl apply x.yaml");
    refused('a date without quotes', 1, 'x\.yaml: .*quotes',
            "printf 'name: x\\ndescription: 2026-01-01\\n' >x.yaml;"
            . ' judgectl apply x.yaml');
    refused('a judge without a name', 1, 'x\.yaml\.name: expected a name',
            "echo 'a: b' >x.yaml; judgectl apply x.yaml");
    refused('a judge that is given twice', 1, 'is there twice',
            'judgectl apply letters.yaml letters.yaml');
    refused('another type of content', 1, 'content_type: .*stays one',
            "sed 's/^name.*/&\\ncontent_type: image/' letters.yaml >x.yaml;"
            . ' judgectl apply x.yaml');
    refused('a missing file', 1, 'none\.yaml: No such file',
            'judgectl diff none.yaml');
    refused('an unknown judge', 1, 'there is no judge called None',
            'judgectl judges show None');
    refused('YAML without PyYAML', 1, 'python3-yaml', 'mkdir -p no/yaml;'
            . ' echo "raise ImportError" >no/yaml/__init__.py;'
            . ' PYTHONPATH=no judgectl diff letters.yaml');
};


# --- Texts that are none --------------------------------------------------

subtest 'what is no text is named' => sub {
    $t->write('work/letters/latin.txt', "\xff\xfe");
    $t->write('work/letters/empty.txt', '');
    symlink 'nowhere', "$dir/letters/away.md" or die "symlink: $!";
    ($json) = does('evaluate ends by 1 if a file is no text',
                   'judgectl evaluate --judge Letters --json letters/'
                   . ' none.txt', status => 1);
    my %failed = map { $_->{name} => $_->{error}{message} }
                 grep { $_->{status} eq 'failed' }
                 @{ decode_json(encode('UTF-8', $json))->{results} };
    is_deeply(\%failed, { 'latin.txt' => 'not a text in UTF-8',
                          'empty.txt' => 'there is no text in it',
                          'none.txt'  => 'No such file or directory' },
              'each file that is no text is named with its reason');
    does('a gate ends by 1 if a file is no text',
         'judgectl gate --judge Letters letters/', status => 1);
    does('evaluate ends by 1 if a line is not JSON', <<~'SH', status => 1);
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
         'results follow the lines of JSON Lines');
    refused('an empty folder', 1, 'no text in it',
            'mkdir -p bare; judgectl evaluate --judge Letters bare');
    refused('evaluate without a judge', 1, 'give --judge',
            'judgectl evaluate letters.yaml');
    unlink glob("$dir/letters/{latin,empty}.txt"), "$dir/letters/away.md";
};


# --- The gate -------------------------------------------------------------

subtest 'a gate passes or fails' => sub {
    prints('a gate fails by a mean below its minimum',
           'judgectl gate --judge Letters --min Readability=99 letters/',
           qr/^✗ the mean of Readability is [\d.]+, below 99$/m, status => 2);

    my $baseline = sub {
        my ($change) = @_;
        my $kept = decode_json(encode('UTF-8', kept('last.json')));
        $change->($kept->{items}{$_}) for sort keys %{ $kept->{items} };
        $t->write('work/was.json', JSON::PP->new->encode($kept));
    };

    my $n = 0;
    does('a baseline is written',
         'judgectl gate --judge Letters --baseline new.json'
         . ' --write-baseline letters/ && mv new.json last.json');
    $baseline->(sub { @{ $_[0] }{qw(score low)} = (100, 99) if !$n++ });
    prints('a gate fails by a text that fell below its interval',
           'judgectl gate --judge Letters --baseline was.json'
           . ' --write-baseline --junit gate.xml letters/',
           qr/^✗ best-pet\.txt fell from 100\.0 to [\d.]+, below its /m,
           status => 2);
    like(kept('gate.xml'), qr/failures="1".*<failure message="fell from/s,
         'JUnit has the text that fell as a failure');
    like(kept('was.json'), qr/"low":"?99/,
         'a gate that fails leaves the baseline as it was');

    $baseline->(sub { $_[0]{score} += 3 + $n++ % 2 });
    prints('a gate fails if all texts fell a little',
           'judgectl gate --judge Letters --baseline was.json letters/',
           qr/^✗ 6 texts changed by -3\.5 on average/m, status => 2);
    does('a gate passes what is within the tolerance', 'judgectl gate --judge'
         . ' Letters --baseline was.json --tolerance 4 letters/');
    refused('a missing baseline', 1, 'away\.json: No such file',
            'judgectl gate --judge Letters --baseline away.json letters/');
    refused('the baseline of another judge', 1,
            'the baseline of another judge, Letters',
            'judgectl gate --judge A --baseline last.json letters/');
    refused('a file that is no baseline', 1, 'not a baseline',
            'judgectl gate --judge Letters --baseline one.json letters/');

    # Only what a language model judges may get other scores, and is judged
    # again before it fails the gate.

    my $times = $t->sql1('select count(*) from evaluations');
    does('a gate fails by texts below their minimum',
         'judgectl gate --judge Letters --each-min 99 letters/', status => 2);
    is($t->sql1('select count(*) from evaluations') - $times, 6,
       'a text that is measured is judged once, whatever comes of it');
    mkdir "$dir/notes" or die "notes: $!";
    $t->write("work/notes/$_.txt", "It $_, as notes do.") for qw(wavers stays);
    $t->write('work/model.yaml', <<~'YAML');
    name: Wit
    model: m
    criteria: [ { name: Wit, description: It makes one laugh. } ]
    YAML
    does('a judge with a model is applied', 'judgectl apply model.yaml');
    prints('a score of a model by chance does not fail a gate',
           'judgectl gate --judge Wit --each-min 70 notes/',
           qr/mean 81\.7$(?s:.*)^  texts that a language .* 3 times, .*: 1$/m);
    my %requests;
    $requests{$_}++ for map { $_->{body} =~ /It (wavers|stays)/ }
                            $llm->requests;
    is_deeply(\%requests, { wavers => 3, stays => 1 },
              'what passes is judged once') or diag(explain(\%requests));
    prints('the mean of the scores of a model fails a gate',
           'judgectl gate --judge Wit --each-min 95 --repeat 1 notes/',
           qr/^✗ stays\.txt has 90\.0 overall/m, status => 2);
};


# --- Who judges, and what nothing does -----------------------------------

subtest 'what nothing judges is told' => sub {
    prints('show says why a criterion is measured',
           'judgectl judges show Letters',
           qr/^Readability  weight 3  measured\n.*\n  It asks for plain /m);
    $t->write('work/bare.yaml', <<~'YAML');
    judges:
      - name: Half
        criteria:
          - { name: Spelling, description: Correct spelling., weight: 3 }
          - { name: Wit, description: It makes one laugh. }
      - name: Bare
        criteria: [ { name: Wit, description: It makes one laugh. } ]
    YAML
    prints('check says of a file what nothing judges',
           'judgectl check --exit-code bare.yaml',
           qr/^Half\n[ ]+Spelling[ ]+measured\n.*\n[ ]+Wit[ ]+not[ ]judged\n
              [ ]+No[ ]measurement.*\nBare\n.*
              ^2[ ]criteria[ ]are[ ]judged[ ]by[ ]nothing$/msx, status => 2);
    does('check makes no judge', 'judgectl judges list | grep -c Half',
         status => 1);
    refused('a file with an unknown judge_by', 1,
            'x\.yaml: judges\[0\]: criteria\[0\]\.judge_by: ',
            "sed 's/Correct spelling.,/&judge_by: luck,/'"
            . ' bare.yaml >x.yaml; judgectl check x.yaml >/dev/null');
    does('judges of which nothing is judged are applied',
         'judgectl apply bare.yaml');
    prints('diff finds no change of them',
           'judgectl diff --exit-code bare.yaml',
           qr/\A= Half  the same\n= Bare  the same\n\z/);
    prints('check without a name looks at all judges', 'judgectl check --json',
           qr/"Half".*"not_judged": 4\}/);
    does('check ends well if all is judged',
         'judgectl check --exit-code Letters');

    $out = does('texts are judged by half of a judge', <<~'SH');
    judgectl evaluate --judge Half letters/best-pet.txt \
        --output jsonl --to half.jsonl
    judgectl evaluate --judge Half letters/best-pet.txt
    SH
    like($out, qr/^\S+best-pet\.txt +\d+\.\d .* — +75% judged$/m,
         'evaluate says which share is judged');
    like($out, qr/^Wit is not judged \(1\): No measurement/m,
         'evaluate says why a criterion is not judged');
    prints('a gate is undecided if too little is judged',
           'judgectl gate --judge Half --min 1 --min-coverage 0.8 letters/',
           qr/^[ ]{2}of[ ]the[ ]weights.*[ ]75%[ ]were[ ]judged,[ ]less[ ]than
            [ ]80%\n[ ]{2}Wit[ ]is[ ]not[ ]judged:[ ]No.*^\?[ ]undecided$/msx,
           status => 3);
    does('a gate passes if enough is judged',
         'judgectl gate --judge Half --min 1 --min-coverage 0.75 letters/');
    does('a gate fails by low scores before it is undecided',
         'judgectl gate --judge Half --min 99 --min-coverage 0.8 letters/',
         status => 2);
    prints('a gate fails by one text that is too low',
           'judgectl gate --judge Half --min 1 --each-min Spelling=100'
           . ' letters/',
           qr/^✗[ ]\S+[ ]has[ ]\d+\.\d[ ]of[ ]Spelling,[ ]below[ ]100\n
            (?s:.*)^✗[ ]failed$/mx, status => 2);
    does('a gate passes if no text is too low',
         'judgectl gate --judge Half --each-min 1 letters/');
    prints('reasons stand below the scores',
           'judgectl evaluate --judge Half --reasons letters/best-pet.txt',
           qr/^[ ]{4}Spelling[ ]\d+\.\d:[ ]\w.*\w/mx);
    prints('reasons in Markdown follow the table', 'judgectl evaluate --judge'
           . ' Half --reasons --output markdown letters/best-pet.txt',
           qr/^-[ ]\S+,[ ]Spelling[ ]\d+\.\d:[ ]\w/mx);
    prints('a gate is undecided if nothing is judged',
           'judgectl gate --judge Bare letters/',
           qr/of 6 texts no criterion could be judged/, status => 3);
    does('feedback is given on what nothing judges', <<~'SH');
    judgectl feedback "$(grep -o 'evl_[0-9A-Z]*' half.jsonl | head -n 1)" \
        --score Wit=20
    judgectl evaluate --judge Bare --output jsonl --to bare.jsonl \
        letters/best-pet.txt 2>/dev/null
    judgectl feedback "$(grep -o 'evl_[0-9A-Z]*' bare.jsonl | head -n 1)" \
        --score Wit=20
    SH
    is($t->sql1("select count(*) from feedback where type = 'correction'"), 2,
       'feedback on what nothing judges is stored');
};


# --- Tables, corrections, training --------------------------------------

my @texts = map { split /\n\n+/ } @essays{sort keys %essays};
$t->write('work/letters.csv', join '', "nr,answer,topic\n",
          map { "$_,\"" . $texts[$_] =~ s/"/""/gr . '",T' . $_ % 3 . "\n" }
          0 .. $#texts);
$out = does('a table is judged as the docs have it', docs('Tables', 'sh', 1));
like($out, qr/^answer +content +\S.*^topic +category +T0$/ms,
     'a preview says what each column is');
like($out, qr/^letters\.csv: completed, \d+ judged, 0 failed, mean \d/m,
     'a batch says how it ended');
is($t->sql1('select count(*) from batches'), 1, 'a preview makes no batch');

$t->write('work/corrections.jsonl', join '', map {
    JSON::PP->new->canonical->encode({ item => "$_", scores => {
        Readability => 30 + 7 * ($_ % 8) } }) . "\n" } 0 .. $#texts);
$out = does('a judge is trained as the docs have it',
            docs('Corrections and training', 'sh', 1));
like($out, qr/^@{[scalar @texts]} taken$/m, 'all corrections are taken');
like($out, qr/^Readability +@{[scalar @texts]} +[+-]\d+\.\d +\d+\.\d\d \(/m,
     'the agreement is told by criterion');
like($out, qr/^trj_\w+: Letters learns from @{[scalar @texts]} entries/m,
     'the training says what it learns from');
like($out, qr/^version 1 (?:was|is) .*active/m, 'version 1 is active again')
    or diag($out);

prints('suggest has nothing to go by where a later version was corrected',
       'judgectl suggest Letters',
       qr/^Nothing better is suggested: people have corrected no score of/m);
refused('a suggestion for an unknown criterion', 1,
        'the judge has the criteria Readability',
        'judgectl suggest Letters --criterion Wit >/dev/null');

my ($id) = kept('results.jsonl') =~ /(evl_\w+)/;
does('one result is watched, approved and rated', "judgectl watch $id"
     . " && judgectl feedback $id --approve"
     . " && judgectl feedback $id --rating 4 --comment 'Well done.'");
refused('feedback on an unknown criterion', 1,
        'has the criteria Readability, Form',
        "judgectl feedback $id --score Clarit=3 >/dev/null");
refused('feedback on nothing', 64, 'either an evaluation or --from',
        'judgectl feedback >/dev/null');
refused('a rating beside a score', 64, 'not allowed with argument --rating',
        "judgectl feedback $id --rating 5 --score Form=3 >/dev/null");
refused('feedback on an unknown item', 1, '--results', <<'SH');
echo '{"item": "x", "rating": 3}' >f.jsonl
judgectl feedback --from f.jsonl --results results.jsonl >/dev/null
SH
my $of = "/feedback/evaluation/$id";
my $correction = $t->made($of, 'feedback_id', json => {
    type => 'correction', content => { corrected_overall_score => 50 } });
prints('feedback is listed, the newest first', "judgectl feedback $id --list",
       qr/^$correction .* correction .*50.*^fbk_\w+ .* rating .*approval/ms);
does('a correction is changed', "judgectl feedback $correction --score"
     . " Readability=70 --comment 'Why.'");
does('another score is added to a correction',
     "judgectl feedback $correction --score Form=60 --severity high");
my $now = $t->get("/feedback/$correction")->json;
is(join(' ', sort { $a <=> $b } values %{ $now->{content}{corrected_scores} },
        $now->{content}{corrected_overall_score}),
   '50 60 70', 'a change keeps the other scores of a correction');
is("$now->{content}{explanation} $now->{severity}", 'Why. high',
   'a change keeps the comment of a correction');
refused('a rating of a correction', 1, 'is a correction, and no rating',
        "judgectl feedback $correction --rating 4 >/dev/null");
refused('a withdrawal of an evaluation', 64, 'expected an entry',
        "judgectl feedback $id --withdraw >/dev/null");
prints('a correction is withdrawn', "judgectl feedback $correction --withdraw",
       qr/^withdrawn$/m);
status_is($t->get("/feedback/$correction"), 404,
          'a correction that was withdrawn is gone');
refused('feedback without a word', 1, 'expected scores',
        "judgectl feedback $id >x");
refused('a name for an identifier', 1, 'bat_', 'judgectl watch Letters');
refused('a table without a column of texts', 1, '--content COLUMN', <<'SH');
printf 'a,b\n1,2\n3,4\n' >n.csv
judgectl batch n.csv --judge Letters >/dev/null
SH
# A worker dies while judgectl follows a batch on a connection to it.

sub followed {
    my $port = sprintf ':%04X', $t->port;
    return () = (Judge::Nginx::read_file('/proc/net/tcp') // '')
                =~ /^ *\d+: \S+$port \S+ 01 /mg;
}

($id) = does('a batch is held', <<'SH') =~ /(bat_\w+)/;
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
is($?, 0, 'a batch is followed to its end though workers die');
like(kept('watched.txt'), qr/^letters\.csv: completed, \d+ judged, 0 failed/,
     'watch says how the batch ended');

refused('an empty table', 1, 'empty', ': >n.csv;'
        . ' judgectl batch n.csv --judge Letters');


# --- What the service says ------------------------------------------------

subtest 'what a service answers is told in a sentence' => sub {
    my %other = (JUDGE_API_KEY => $t->key);
    refused('a port where nothing answers', 1, 'nothing answers there',
            'judgectl judges list', %other,
            JUDGE_URL => 'http://127.0.0.1:' . $t->port(5));
    refused('an address without a key', 1, 'JUDGE_API_KEY is not',
            'judgectl judges list', JUDGE_URL => $t->url);
    refused('an address that is none', 1, 'expected the address of a service',
            'judgectl judges list', %other, JUDGE_URL => 'judge.example');
    refused('a key with a line feed', 1, 'characters that no key has',
            'judgectl judges list', JUDGE_URL => $t->url,
            JUDGE_API_KEY => "a\nb");
    refused('a call without an address', 1, 'JUDGE_URL.*judgectl profile add',
            'judgectl judges list', HOME => '/nonexistent');
    refused('an unknown profile', 1, 'no profile x; there are: work',
            'judgectl judges list --profile x');
    refused('a key that all may read', 1, 'chmod 600',
            'echo x >open.key; chmod 644 open.key; judgectl profile add o'
            . ' --url http://127.0.0.1/ --key-file open.key');

    my ($key, $key_id) = $t->new_key;
    $t->tool('key', 'suspend', $key_id);
    $t->wait_until(sub { $t->get('/judges', key => $key)->status == 401 },
                   'the key to be refused');
    refused('a suspended key', 1, 'the key is refused: ',
            'judgectl judges list', JUDGE_URL => $t->url,
            JUDGE_API_KEY => $key);
    unlike(said(), qr/\Q$key\E/, 'a key that is refused is not shown');
    refused('a service with a fault', 1, 'answers 500', 'judgectl judges list',
            %other, JUDGE_URL => $t->url . '/broken');
    refused('a busy service', 1, '429; tried 2 times', 'judgectl judges list'
            . ' --retries 1', %other, JUDGE_URL => $t->url . '/busy');
    refused('a service that has moved', 1, 'has moved to http',
            'judgectl judges list', %other, JUDGE_URL => $t->url . '/moved');
    my $tls = 'https://127.0.0.1:' . $t->port(2);
    refused('a certificate of nobody', 1, 'is not trusted: .*--ca FILE',
            'judgectl judges list', %other, JUDGE_URL => $tls);
    prints('a certificate is trusted by --ca', 'judgectl judges list --ca '
           . $t->dir . '/cert.pem', qr/ Letters$/m, %other, JUDGE_URL => $tls);
    refused('another kind of service', 1, 'not JSON', 'judgectl judges list',
            %other, JUDGE_URL => $t->url . '/page');
};


# More than the rate allows: what is refused is sent again.

my $slow = Judge::Test->new(store => 'rate=5/s burst=2');
is(() = does('texts are judged within the rate', 'judgectl apply letters.yaml'
             . ' >/dev/null; judgectl evaluate --judge Letters --retries 20'
             . ' letters/ letters/',
             JUDGE_URL => $slow->url, JUDGE_API_KEY => $slow->key)
        =~ /^\S+\.txt +\d/mg, 12, 'all twelve texts get a score');


# --- Watching -------------------------------------------------------------

subtest 'a judge is watched' => sub {
    my ($watched) = does('the judge is listed', 'judgectl judges list')
                    =~ /^(jdg_\w+) .* Letters$/m;

    prints('watch tells what people would give, and no drift',
           'judgectl judges watch --exit-code Letters',
           qr/^Letters\nPeople[ ]would[ ]give[ ][\d.]+[ ]on[ ]average,.*\n\n
              Drift[ ]of[ ]the[ ]last[ ]day:[ ]none\n
              [ ][ ]There[ ]are[ ]too[ ]few/x);
    $t->alter('insert into score_hours select org, judge_id, route,'
              . " max(hour) - 48, '', 19, 100 from score_hours"
              . " where judge_id = '$watched' and route = ''"
              . ' group by 1, 2, 3');
    status_is($t->post("/judges/$watched/canary", json => { version => 2 }),
              201, 'a version is tried beside the active one');
    prints('watch ends by 2 if a strong drift is asked for',
           'judgectl judges watch --exit-code Letters',
           qr/day:[ ]strong\n[ ][ ]Overall[ ]score:[ ].*\n\nVersion[ ]2,[ ]
            tried[ ]beside[ ]it:[ ]running\n[ ][ ]\S/sx, status => 2);
    prints('watch has estimate, drift and canary as JSON',
           'judgectl judges watch --json Letters',
           qr/"estimate": \{.*"drift": \{.*"canary": \{/s);
};


# --- Usage ----------------------------------------------------------------

subtest 'usage that is wrong is refused' => sub {
    refused('judgectl without a command', 64, 'required: COMMAND', 'judgectl');
    refused('an unknown command', 64, 'invalid choice', 'judgectl destroy');
    refused('an unknown option', 64, 'unrecognized',
            'judgectl judges list --k');
    refused('a bad number', 64, '--at-once: invalid number from 1 to 64',
            'judgectl evaluate --judge A --at-once 0 x');
    refused('a bad score', 64, 'invalid score',
            'judgectl gate --judge A --min a=b x');
    # More than a pipe holds: it can't have been written before nobody reads.
    does('a pipe that nobody reads ends judgectl',
         'judgectl evaluate --judge Letters --json' . ' letters/' x 8
         . ' | head -c 1; exit "${PIPESTATUS[0]}"', status => 141);
    is(said(), '', 'a pipe that nobody reads is no error');
    does('an interrupt ends judgectl by 130', <<~'SH', status => 130);
    set -m
    mkfifo pipe
    judgectl evaluate --judge Letters pipe &
    exec 9>pipe                             # it reads
    while kill -INT $!; do sleep 2; done    # the first may come just before it
    wait $!
    SH
    unlike(said(), qr/Traceback/, 'an interrupt shows no traceback');
    does('texts are judged in a terminal',
         q(script -qec 'stty cols 100; judgectl evaluate --judge)
         . q( Letters letters' typescript >/dev/null));
    like(kept('typescript'), qr/━.*6 judged.*\e\[3[123]m/s,
         'a terminal shows a bar and colours');
    does('texts are judged without colours',
         q(NO_COLOR=1 script -qec 'judgectl evaluate --judge)
         . q( Letters letters' typescript >/dev/null));
    unlike(kept('typescript'), qr/\e\[\d+m/, 'NO_COLOR shows no colours');
};


# --- The completion and the manual ----------------------------------------

subtest 'the completion and the manual have it all' => sub {
    my $manual     = does('the manual is printed', 'judgectl manual')
                     =~ s/\\//gr;
    my $completion = does('the completion is printed', 'judgectl completion');
    my @commands   = $manual =~ /^\.SS judgectl (.+)$/mg;
    cmp_ok(@commands, '>=', 10, 'the manual has ten commands or more');
    # By one Python, as each takes long to begin.
    $t->write('work/helps.py', <<~'PY');
    import os, shutil, sys
    sys.path.insert(0, shutil.which('judgectl'))
    import cli
    for command in sys.argv[1:]:
        if os.fork() == 0:
            sys.argv = ['judgectl', *command.split(), '--help']
            cli.main()
        assert os.wait()[1] == 0, command
    PY
    my $helps = does('each command prints its help', join ' ',
                     'python3 helps.py', map { "'$_'" } @commands);
    for my $command (@commands) {
        my ($help) = $helps =~ /^usage:\ judgectl\ \Q$command\E\ (?#)
                                (.*?)(?=^usage:|\z)/msx;
        ok(defined $help, "$command prints its help") or next;
        my ($row) = $completion
                    =~ /^ +'\Q$command\E ?'\*?\) words='(.*)' ;;$/m;
        my %has   = map { $_ => 1 } split ' ', $row // '';
        my @named = $help =~ /^ +(?:-\w, )?(--[\w-]+)/mg;
        is(join(' ', grep { !$has{$_} } @named), '',
           "each option of $command is completed");
        is(join(' ', grep { $manual !~ /^\.B (?:-\w, )?\Q$_\E\b/m } @named),
           '', "each option of $command is in the manual");
    }
    prints('bash completes commands and options', <<~'SH',
    . <(judgectl completion)
    ask() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _judgectl
            printf '%s\n' "${COMPREPLY[@]}"; }
    ask judgectl prof; ask judgectl gate --min-; ask judgectl judges sh
    SH
           qr/\Aprofile\n--min-coverage\nshow\n\z/);

    my ($terminal) = Judge::Docs->blocks('docs/people.md', 'From a terminal',
                                         'sh', 1);
    does('what docs/people.md shows ends well', $terminal);
};


# --- People, queues, and who changed what ------------------------------------

subtest 'people, queues and changes are managed' => sub {
    prints('a person is registered',
           "judgectl person add 'Ann Example' ann\@example.com owner",
           qr/^per_\w+  owner      Ann Example/m);
    prints('a person with a login is registered',
           'judgectl person add Bo bo@example.com viewer --login bo',
           qr/login bo$/m);
    prints('a person found by the address gets another role',
           'judgectl person role bo@example.com annotator',
           qr/  annotator  Bo/);
    is(() = does('people are listed', 'judgectl person list') =~ /^per_/mg, 2,
       'the list has both people');
    prints('a person found by the name is removed',
           'judgectl person remove Bo', qr/\Aremoved\n\z/);
    refused('an unknown person', 1, 'no people have this',
            'judgectl person remove Nobody');
    my ($queue) = does('a queue is made',
                       'judgectl queue add May --judge Letters --items 2')
                  =~ /^(anq_\w+)  0 of [12]/;
    prints('a queue is shown', "judgectl queue show $queue", qr/May$/m);
    prints('queues are listed', 'judgectl queue list', qr/^$queue/);
    prints('a queue is deleted', "judgectl queue delete $queue",
           qr/\Adeleted\n\z/);
    prints('the log of changes is exported as lines of JSON',
           "judgectl audit export --object $queue",
           qr/^\{.*"DELETE \S+".*\}\n\{.*"POST \S+".*\}\n\z/);
    does('the log of changes is exported to a file',
         'judgectl audit export --to audit.jsonl');
    cmp_ok(() = kept('audit.jsonl') =~ /^\{.*\}$/mg, '>', 5,
           'the export has all changes');
};

done_testing;
