# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The difference of two batches of the same items: which items are the same,
# what is computed of their scores, and what is refused.

use JSON::PP qw(decode_json);
use List::Util qw(sum);

use Judge::Docs;
use Judge::Test;

my $false = JSON::PP::false;

my $t = Judge::Test->new;

my $judge = $t->new_judge;
my ($plain, $slips) = $t->evening;

# A text with some sentences that have slips.

sub text {
    my ($i, $worse) = @_;
    my $n = $i % 3 + 3 * ($worse // 0);
    return join ' ', "This is evening $i.",
        map { ($_ < $n ? $slips : $plain)->[$_] } 0 .. 5;
}

sub items {
    my ($worse, $metadata, @n) = @_;
    return [ map {
        { name => $metadata ? "Run $worse of $_" : "Text $_",
          text_content => text($_, $worse),
          $metadata ? (metadata => { id => "no $_" }) : () }
    } @n ];
}

sub difference {
    my ($one, $two, $query) = @_;
    my $r = $t->get("/batches/$one/difference?against=$two" . ($query // ''));
    status_is($r, 200, 'two batches are compared') if $r->status != 200;
    return $r->json;
}

sub scores {
    return map { $_->{overall_score} }
           sort { $a->{evaluation_id} cmp $b->{evaluation_id} }
           @{ $t->get("/batches/$_[0]/results")->json->{results} };
}


# --- By their own identifiers: what was rewritten ----------------------------

my $before = $t->judged_batch($judge, items(0, 1, 1 .. 12));
my $after  = $t->judged_batch($judge, items(1, 1, reverse 1 .. 12));
my $d      = difference($after, $before);

my @now = reverse scores($after);
my @was = scores($before);
my @by  = map { $now[$_] - $was[$_] } 0 .. 11;

is_deeply([ @$d{qw(matched matched_by rewritten)} ], [ 12, 'identifier', 12 ],
          'rewritten items are matched by their own identifiers');
ok($d->{items}[0]{rewritten}, 'a rewritten item says so');
is_deeply([ @{ $d->{overall} }{qw(items clusters)} ], [ 12, 12 ],
          'each item has a score and stands for itself');
near_is($d->{overall}{mean}, sum(@now) / 12, 'mean is that of the batch');
near_is($d->{overall}{against_mean}, sum(@was) / 12,
        'against_mean is that of the other batch');
near_is($d->{overall}{difference}, sum(@by) / 12,
        'the difference is the mean of the differences');
near_is($d->{overall}{worse}, grep({ $_ < -0.005 } @by) / 12,
        'worse is the share of items that lost points');
near_is($d->{overall}{better}, grep({ $_ > 0.005 } @by) / 12,
        'better is the share of items that won points');
is($d->{overall}{verdict}, 'worse', 'more slips are worse');
cmp_ok($d->{overall}{low}, '<=', $d->{overall}{difference},
       'the interval begins below the difference');
cmp_ok($d->{overall}{high}, '<', 0, 'the interval of a loss ends below 0');
is($d->{engines_differ}, $false,
   'the same engine is no difference of engines');
is_deeply([ map { $_->{name} } @{ $d->{criteria} } ],
          [ qw(Grammar Spelling) ], 'each criterion is compared by itself');
ok(!grep({ $_->{p_adjusted} < $_->{p} } @{ $d->{criteria} }),
   'p-values that Holm adjusts only rise');

my $back = difference($before, $after);
is($back->{overall}{verdict}, 'better',
   'a loss is a gain the other way round');
is($back->{overall}{low}, -$d->{overall}{high},
   'the interval is mirrored the other way round');
is($back->{overall}{p}, $d->{overall}{p},
   'p stays the same the other way round');
is_deeply(difference($after, $before), $d,
          'a difference is the same each time')
    for 1 .. 4;

my @shown = @{ $d->{items} };
is(@shown, 12, 'items of a difference are listed');
is_deeply([ map { abs $_->{difference} } @shown ],
          [ sort { $b <=> $a } map { abs $_->{difference} } @shown ],
          'items that differ most are listed first');
near_is($shown[0]{difference},
        $shown[0]{batch}{score} - $shown[0]{against}{score},
        'an item shows both scores');
status_is($t->get("/evaluations/$shown[0]{$_}{evaluation_id}"), 200,
          "an item names its evaluation in $_") for qw(batch against);
is(@{ difference($after, $before, '&limit=3')->{items} }, 3,
   'limit bounds the listed items');
is(@{ difference($after, $before, '&limit=0')->{items} }, 0,
   'no item is listed with limit=0');


# --- By name and text, by content -------------------------------------------

my $first  = $t->judged_batch($judge, items(0, 0, 1 .. 8));
my $second = $t->judged_batch($judge, items(0, 0, 3 .. 10));
$d = difference($first, $second);
is($d->{matched_by}, 'name_and_text',
          'items without identifiers are matched by name and text');
is_deeply([ @{ $d->{overall} }{qw(difference p verdict)} ],
          [ 0, 1, 'undecided' ], 'nothing is decided by equal scores');
is($d->{overall}{better} + $d->{overall}{worse}, 0,
   'equal scores are neither better nor worse');

my $contents = $t->get("/batches/$first")->json->{content_ids};
my $stricter = $t->new_judge(name => 'Other', criteria => [
    { name => 'Spelling', description => 'Correct spelling.' },
    { name => 'Length', description => 'It has at most 40 words.' } ]);
my @same_texts = map { { content_id => $_ } } @$contents;
my $again = $t->judged_batch($stricter, \@same_texts);
$d = difference($again, $first);
is_deeply([ @$d{qw(matched matched_by rewritten)} ], [ 8, 'content', 0 ],
          'items that are the same contents are matched by them');
ok(!$d->{items}[0]{rewritten}, 'an item that is the same content says so');
is_deeply([ map { $_->{name} } @{ $d->{criteria} } ], [ 'Spelling' ],
          'criteria of two judges are matched by their names');

# A criterion that was renamed in another version is the same.

my $criteria = $t->get("/judges/$judge")->json->{criteria};
$t->put("/judges/$judge", json => { criteria => [
    { %{ $criteria->[0] }, name => 'Language' }, $criteria->[1] ] });
my $newer = $t->judged_batch($judge, \@same_texts);
$d = difference($newer, $first);
is_deeply([ map { $_->{name} } @{ $d->{criteria} } ],
          [ qw(Language Spelling) ],
          'a renamed criterion is matched between versions of a judge');
cmp_ok($d->{batch}{version_number}, '>', $d->{against}{version_number},
       'each side names the version of its judge');

# Two judges in one batch.

my $both = $t->judged_batch([ $judge, $stricter ], \@same_texts);
$d = difference($both, $both,
                "&judge_id=$judge&against_judge_id=$stricter");
is($d->{matched}, 8, 'two judges of one batch are compared');
is_deeply([ map { $d->{$_}{judge_id} } qw(batch against) ],
          [ $judge, $stricter ], 'each side names its judge');


# --- Clusters, identifiers that are none ------------------------------------

sub sourced {
    my ($worse) = @_;
    return [ map { my $i = $_; { name => "Answer $i", text_content =>
        text($i, $worse), metadata => { id => $i, source =>
        'Question ' . ($i % 3) } } } 1 .. 12 ];
}
$d = difference(map { $t->judged_batch($judge, sourced($_)) } 1, 0);
is($d->{matched_by}, 'identifier', 'numbers are identifiers of items, too');
is($d->{overall}{clusters}, 3, 'answers to a question count as one cluster');
ok(!exists $d->{overall}{low}, 'three clusters have no interval');
is($d->{overall}{verdict}, 'undecided', 'three clusters decide nothing');

my @same = map { { name => "N $_", text_content => text($_),
                   metadata => { id => 'x' } } } 1 .. 3;
$d = difference(map { $t->judged_batch($judge, \@same) } 1, 2);
is($d->{matched_by}, 'name_and_text',
          'an id that several items have is no identifier');


# --- Not judged -------------------------------------------------------------

my $failing = $t->new_batch($judge, items(0, 1, 1 .. 7), auto_start => $false);
$t->alter("update contents set text_content = null where id in
           (select content_id from evaluations where batch_id = '$failing'
            order by id limit 2)");
error_is($t->get("/batches/$failing/difference?against=$before"), 409,
         qr/^the batch $failing has not ended: it is created$/,
         'a batch that has not ended is not compared');
error_is($t->get("/batches/$before/difference?against=$failing"), 409,
         qr/^the batch $failing has not ended/,
         'nothing is compared against a batch that has not ended');
$t->post("/batches/$failing/start");
$t->batch_completed($failing);
$d = difference($failing, $before);
is($d->{matched}, 7, 'items that have failed are matched');
is($d->{overall}{items}, 5, 'items that have failed are not compared');
is_deeply($d->{overall}{not_judged}, { batch => 2, against => 0 },
          'items that were not judged are counted on each side');
ok(!exists $d->{items}[-1]{difference},
   'items that were not judged come last');


# Overall scores of different criteria.

my $german = $t->new_judge(name => 'Both', criteria => [
    { name => 'Grammar', description => 'Correct grammar.' },
    { name => 'Length', description => 'It has at most 8 words.' } ]);
sub lamps {
    my ($system, $text) = @_;
    return $t->judged_batch($german, [ map { { name => "Lamp $_ of $system",
        text_content => "$text $_.", metadata => { id => $_,
        system => $system } } } 1 .. 8 ]);
}
$d = difference(lamps('de', 'Die Lampe ist leider weg, Nummer'),
                lamps('en', 'We have sent the lamp to your house, and it is'
                      . ' number'));
is_deeply([ @$d{qw(matched matched_by)} ], [ 8, 'identifier' ],
          'items of two systems are matched by their identifier alone');
is_deeply([ @{ $d->{overall} }{qw(items not_judged verdict)} ],
          [ 0, { batch => 8, against => 0 }, 'undecided' ],
          'overall scores of different criteria are not compared');
is($d->{criteria}[1]{better}, 1, 'criteria that both sides have are compared');


# --- docs/batches.md ---------------------------------------------------------

# Runs commands in the folder of the test; their output and errors.

sub does {
    my ($name, $script, $wanted) = @_;
    local %ENV = (%ENV, JUDGE_URL => $t->url, JUDGE_API_KEY => $t->key,
                  LC_ALL => 'C.UTF-8', HOME => $t->dir);
    delete @ENV{qw(JUDGE_PROFILE GITHUB_STEP_SUMMARY)};
    my ($status, $out) = $t->run('bash', '-c', "cd '" . $t->dir . "';"
        . " judgectl() { '" . $t->repo . "/build/judgectl' \"\$@\"; };"
        . " { $script\n} 2>&1");
    is($status, $wanted // 0, $name) or diag($out);
    return $out;
}

my ($made, $compared) = map {
    Judge::Docs->blocks('docs/batches.md', $_, 'sh', 1)
} 'Batches', 'Two runs on the same items';
like(does('the commands of docs/batches.md succeed', "$made $compared"),
     qr/"matched":1,"matched_by":"name_and_text"/,
     'the batches of docs/batches.md have one text in common');


# --- judgectl gate ----------------------------------------------------------

# Twelve letters, with 0 to 5 slips and then one more each: they differ more
# among each other than from what they were.

sub letters {
    my ($worse) = @_;
    for my $i (1 .. 12) {
        my $n = $i % 6 + $worse;
        $t->write("letters/$i.txt", join ' ', "This is letter $i.",
            map { ($_ < $n ? $slips : $plain)->[$_] } 0 .. 5);
    }
}

mkdir $t->dir . '/letters';
letters(0);
$t->new_judge(name => 'Letters');
my ($gates) = Judge::Docs->blocks('docs/judgectl.md',
                                  'A gate between two runs', 'sh', 1);
my $out = does('a gate passes the same letters', $gates);
like($out, qr/^  overall: \+0\.0 .*, undecided$/m,
     'a gate finds no difference between the same letters');
like($out, qr/passed$/m, 'a gate passes what is undecided');

my $kept = decode_json(does('a gate without a batch to compare with makes one',
    'judgectl gate --judge Letters --batch --json letters/'));
letters(1);
my $gate = 'judgectl gate --judge Letters --against';
$out = does('a gate stops letters with more slips',
            "$gate $kept->{batch_id} --summary gate.md letters/", 2);
like($out, qr/overall: -[\d.]+ \(95 %: -.* to -.*\) over 12 texts,/,
     'a gate tells the lost points of letters with more slips');
like($out, qr/^✗ overall: .*, p (?:< 0\.001|= 0\.0[0-4]\d), worse$/m,
     'a gate tells that letters with more slips are worse');
unlike($out, qr/p = 0\.000/, 'a gate never says that chance has no part');
like(Judge::Nginx::read_file($t->dir . '/gate.md'), qr/\*\*overall: -/,
     'a gate writes its summary in Markdown');
my $seen = decode_json(does('a gate with --json stops letters, too',
    "$gate $kept->{batch_id} --json letters/", 2));
cmp_ok($seen->{difference}{overall}{p}, '<', 0.05,
       'a gate decides by pairs of letters');

my @sides = map { [ map { $_->{score} } values %{ $_->{items} } ] }
            $kept, $seen;
my @means = map { sum(@$_) / @$_ } @sides;
my $error = sqrt sum map { my $side = $_;
    map { ($_ - $means[$side]) ** 2 / 11 / 12 } @{ $sides[$side] } } 0, 1;
cmp_ok(abs($means[0] - $means[1]) / $error, '<', 2.07,
       'the same letters are undecided by means alone');

letters(0);
$t->write('letters/1.txt', 'This is letter 1. ' . join ' ', @$slips);
does('a gate passes one letter that is worse',
     "$gate $kept->{batch_id} letters/");
does('a gate stops what is undecided where asked to',
     "$gate $kept->{batch_id} --undecided fail letters/", 2);
my $batches = $t->sql1('select count(*) from batches');
like(does('a gate fails against an unknown batch',
          "$gate bat_none letters/", 1),
     qr/there is no such batch/, 'a gate names an unknown batch');
is($t->sql1('select count(*) from batches'), $batches,
   'a gate against an unknown batch makes no batch');
like(does('a gate with --undecided and no batch fails',
          'judgectl gate --judge Letters --undecided fail letters/', 1),
     qr/^judgectl: --undecided: --against/m,
     'a gate that compares nothing refuses --undecided');
like(does('a gate fails against a batch of other texts',
          "$gate $first letters/", 1),
     qr/none of its items is one of these texts/,
     'a gate refuses a batch of other texts');


# --- Bad requests -----------------------------------------------------------

$d = difference($t->judged_batch($judge, items(0, 0, 20)), $before);
is_deeply([ $d->{matched}, $d->{overall}{verdict}, $d->{items} ],
          [ 0, 'undecided', [] ], 'nothing is decided of no common items');
ok(!exists $d->{overall}{difference},
   'there is no difference without items in common');

$d = difference($t->judged_batch($judge, items(1, 1, 5)), $before);
is_deeply([ $d->{matched}, $d->{overall}{verdict} ], [ 1, 'undecided' ],
          'one item decides nothing');

my $path = "/batches/$after/difference";
error_is($t->get($path), 400, qr/^against: required/,
         'a difference needs a batch against which it is');
error_is($t->get("$path?against=$after"), 400,
         qr/^against: expected another batch/,
         'a batch has no difference against itself');
error_is($t->get("$path?against=bat_nothing"), 404,
         qr/^against: there is no such batch$/,
         'nothing is compared against an unknown batch');
error_is($t->get("/batches/bat_nothing/difference?against=$after"), 404,
         qr/^there is no such batch$/, 'an unknown batch is not compared');
error_is($t->get("$path?against=$both"), 400,
         qr/^against_judge_id: required/,
         'a batch of two judges needs one of them named');
error_is($t->get("$path?against=$both&against_judge_id=jdg_x"), 400,
         qr/^against_judge_id: expected one of the judges/,
         'a judge that is not of the batch is refused');
error_is($t->get("$path?against=$before&limit=1001"), 400, qr/^limit/,
         'a limit above 1,000 is refused');

$t->new_org("Another");
my $foreign = $t->judged_batch($t->new_judge(org => 1), items(0, 0, 1),
                               org => 1);
error_is($t->get("$path?against=$foreign"), 404,
         qr/^against: there is no such batch$/,
         'nothing is compared against a batch of another organization');
error_is($t->get("/batches/$foreign/difference?against=$after"), 404,
         qr/^there is no such batch$/,
         'a batch of another organization is not compared');
permission_is($t, 'evaluations:read',
              GET => "$path?against=$before");

done_testing;
