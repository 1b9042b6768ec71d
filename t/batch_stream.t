# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Batches whose results are sent as they come, or all of them at once; and
# batches that come as tables.

use Encode ();

use Judge::Test;

my $t = Judge::Test->new(orgs => 2, store => 'max_text=64k max_items=5000');
my $r;

my $json  = JSON::PP->new->utf8->canonical;
my $false = JSON::PP::false();
my $judge = $t->new_judge;

sub inline { { text_content => "A text. It is number $_[0].",
               name => "Text $_[0]" } }

sub new_batch {
    return $t->made('/batches/evaluate', 'batch_id', json => {
        name => 'A batch', judge_ids => [$judge],
        content_items => [ map { inline($_) } 1 .. 5 ], @_ });
}

sub ended {
    my ($id) = @_;
    my $record;

    $t->wait_until(sub {
        $record = $t->get("/batches/$id")->json;
        return ($record->{status} // '') =~ /^(?:completed|failed)$/;
    }, "batch $id", 60);

    return $record;
}

# The events of a stream: [ name, id, data ].

sub events {
    my ($body) = @_;
    my @events;

    for my $block (split /\n\n/, $body) {
        my %field = map { /^(\w+): (.*)$/ ? ($1 => $2) : () }
                    split /\n/, $block;
        push @events, [ $field{event}, $field{id},
                        $json->decode($field{data}) ] if $field{event};
    }

    return @events;
}

sub named { my $name = shift; grep { $_->[0] eq $name } @_ }

# --- Events ---------------------------------------------------------------

my $id = new_batch();
$r = $t->get("/batches/$id/events");
status_is($r, 200, 'the events of a batch under way');
is($r->header('Content-Type'), 'text/event-stream', 'their type');
is($r->header('X-Accel-Buffering'), 'no', 'no proxy holds them back');

my @events = events($r->body);
my @items  = named(item => @events);
is(scalar @items, 5, 'an item for each evaluation');
is(join(' ', map { $_->[1] } @items),
   join(' ', sort { $a <=> $b } map { $_->[1] } @items), 'numbered upwards');

my %seen = map { $_->[2]{evaluation_id} => $_->[2] } @items;
is(scalar keys %seen, 5, 'each evaluation once');
my ($one) = sort keys %seen;
my $e = $t->get("/evaluations/$one")->json;
is_deeply($seen{$one}, { batch_id => $id, map { $_ => $e->{$_} }
          qw(evaluation_id content_id judge_id status overall_score) },
          'with its score');

my @progress = named(progress => @events);
is($progress[-1][2]{completed_evaluations}, 5, 'progress up to the end');
is($progress[-1][2]{progress_percentage}, 100, 'in per cent');
is($events[-1][0], 'done', 'the last one is done');
is($events[-1][2]{status}, 'completed', 'and says how it ended');
is($events[-1][2]{results_summary}{average_score},
   ended($id)->{results_summary}{average_score}, 'with the summary');

# Who comes back gets what follows.

my $last = $items[2][1];
$r = $t->get("/batches/$id/events", headers => [ 'Last-Event-ID' => $last ]);
is_deeply([ named(item => events($r->body)) ], [ @items[3, 4] ],
          'resumed behind the event that was seen last');
$r = $t->get("/batches/$id/events",
             headers => [ 'Last-Event-ID' => $items[-1][1] ]);
is(scalar named(item => events($r->body)), 0, 'nothing follows the last');
is((events($r->body))[-1][0], 'done', 'but the end');
$r = $t->get("/batches/$id/events", headers => [ 'Last-Event-ID' => 'x' ]);
is(scalar named(item => events($r->body)), 5, 'no number: all of them');

# A browser comes back whenever a stream has ended: with the identifier of the
# last event it is told to stay away.

is($events[-1][1], "$items[-1][1]-done", 'the end has an identifier');
for my $method (qw(get head)) {
    $r = $t->$method("/batches/$id/events",
                     headers => [ 'Last-Event-ID' => $events[-1][1] ]);
    status_is($r, 204, "$method: nothing follows the end");
    is($r->body, '', "$method: at all");
}
$r = $t->get("/batches/$id/events",
             headers => [ 'Last-Event-ID' => "$items[0][1]-done" ]);
is(scalar named(item => events($r->body)), 4, 'it was not the end after all');
for my $no ('-done', 'x-done', '-1-done', '1-done-done') {
    $r = $t->get("/batches/$id/events", headers => [ 'Last-Event-ID' => $no ]);
    is(scalar named(item => events($r->body)), 5, "$no: all of them");
}

# One that is not started yet: the stream waits, and ends with the batch.

my $later  = new_batch(auto_start => $false);
my $client = $t->connect;
$client->send($t->bytes(GET => "/batches/$later/events"));
ok($client->read_until(qr/event: progress\ndata: .*"created".*\n\n/),
   'at first it tells how things are');
$t->post("/batches/$later/start");
my $rest = $client->read_until(qr/event: done\ndata: .*\n\n/);
is(scalar(() = $rest =~ /^event: item$/mg), 5, 'then what happens');
ok($client->closed, 'then it ends');

# More than a page of items at once.

my $many = new_batch(content_items => [ map { inline($_) } 1 .. 1000 ]);
@events = events($t->get("/batches/$many/events")->body);
my %once = map { $_->[2]{evaluation_id} => 1 } named(item => @events);
is(scalar named(item => @events), 1000, '1,000 items are sent');
is(scalar keys %once, 1000, 'each once');

# Failures.

my $failing = new_batch(auto_start => $false);
$t->alter("update contents set text_content = null where id in
           (select content_id from evaluations where batch_id = '$failing')");
$t->post("/batches/$failing/start");
@events = events($t->get("/batches/$failing/events")->body);
is((named(item => @events))[0][2]{error_code}, 'CONTENT_MISSING',
   'a failed one has its code');
is($events[-1][2]{status}, 'failed', 'the batch has failed');

# Deleted while somebody listens.

my $gone = new_batch(auto_start => $false);
$client = $t->connect;
$client->send($t->bytes(GET => "/batches/$gone/events"));
$client->read_until(qr/event: progress\n/);
$t->delete("/batches/$gone");
ok($client->read_until(qr/event: done\ndata: .*"status":"deleted".*\n\n/),
   'who listens is told of the deletion');

error_is($t->get("/batches/$id/events", org => 1), 404,
         qr/^there is no such batch$/, 'another organization');
error_is($t->get('/batches/bat_x/events'), 404, undef, 'an unknown one');
permission_is($t, 'evaluations:read', GET => "/batches/$id/events");

# Many listeners that leave at once do no harm.

my @clients = map { $t->connect } 1 .. 20;
my $waits   = new_batch(auto_start => $false);
$_->send($t->bytes(GET => "/batches/$waits/events")) for @clients;
$_->read_until(qr/event: progress\n/) for @clients;
$_->reset for @clients;
status_is($t->post("/batches/$waits/start"), 200, 'all have left');
ended($waits);

# --- All results ----------------------------------------------------------

my $formula = $t->new_judge(name => 'Two', criteria => [
    { name => '=cmd|x', description => 'Grammar.' },
    { name => 'Structure, "order"', description => 'Links.' },
]);
my $two = $t->made('/batches/evaluate', 'batch_id', json => {
    name => 'Two judges', judge_ids => [ $judge, $formula ],
    content_items => [
        { name => '=1+1', text_content => 'The first text. It is short.' },
        { name => "\@SUM(A1)\r\nx", text_content => "A \"quoted\" text." },
        { name => "Gr\x{fc}\x{df}e, \"alle\"", text_content => 'Ein Text.' },
    ] });
my $record = ended($two);

$r = $t->get("/batches/$two/results");
status_is($r, 200, 'all results as JSON');
like($r->header('Content-Type'), qr{^application/json}, 'their type');
my $all = $r->json;
is_deeply([ @$all{qw(batch_id status total_evaluations)} ],
          [ $two, 'completed', 6 ], 'of which batch');
is(scalar @{ $all->{results} }, 6, 'every one');
is(join(' ', map { "$_->{content_id} $_->{judge_id}" } @{ $all->{results} }),
   join(' ', map { my $c = $_; map { "$c $_" } $judge, $formula }
             @{ $record->{content_ids} }), 'in the order of the items');

my @list = map { @$_ } $t->pages("/evaluations/results/$two", 'results');
is_deeply([ reverse @{ $all->{results} } ], \@list, 'as they are elsewhere');

$r = $t->get("/batches/$two/results?format=json");
is_deeply($r->json, $all, 'format=json is the same');

$r = $t->get("/batches/$two/results?format=jsonl");
is($r->header('Content-Type'), 'application/x-ndjson', 'as lines of JSON');
is($r->header('Content-Disposition'), "attachment; filename=\"$two.jsonl\"",
   'as a file');
is_deeply([ map { $json->decode($_) } split /\n/, $r->body ],
          $all->{results}, 'the same results');

# CSV by RFC 4180, read by a reader of our own.

sub csv {
    my ($text) = @_;
    my (@rows, @row);

    while ($text =~ /\G(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gc) {
        my ($quoted, $plain, $end) = ($1, $2, $3);
        push @row, defined $quoted ? $quoted =~ s/""/"/gr : $plain;
        next if $end eq ',';
        push @rows, [@row];
        @row = ();
    }

    return \@rows if !@row && (pos $text // 0) == length $text;
    return undef;
}

$r = $t->get("/batches/$two/results?format=csv");
is($r->header('Content-Type'), 'text/csv; charset=utf-8; header=present',
   'as CSV');
my $rows = csv(Encode::decode('UTF-8', $r->body));
ok($rows, 'which is well formed');
is(scalar @$rows, 7, 'a header and a row for each');
is(join('|', @{ $rows->[0] }),
   'evaluation_id|content_id|content_name|judge_id|status|overall_score|'
   . 'Grammar|Spelling|\'=cmd|x|Structure, "order"|summary|strengths|'
   . 'weaknesses|suggestions|error_code|error_message|evaluated_at'
   . '|coverage|not_judged',
   'a column for each criterion');
is(scalar(grep { @$_ != @{ $rows->[0] } } @$rows), 0, 'as many in each row');

my %at = map { $rows->[0][$_] => $_ } 0 .. $#{ $rows->[0] };
is($rows->[1][ $at{content_name} ], "'=1+1", 'a formula is none any more');
is($rows->[3][ $at{content_name} ], "'\@SUM(A1)\r\nx", 'nor is that one');
is($rows->[5][ $at{content_name} ], "Gr\x{fc}\x{df}e, \"alle\"",
   'other texts are as they were');

my ($x, $y) = @{ $all->{results} }[0, 1];
is($rows->[1][ $at{overall_score} ], $x->{overall_score}, 'the score');
is($rows->[1][ $at{Grammar} ], $x->{criteria_scores}[0]{score},
   'the score of a criterion');
is($rows->[1][ $at{"'=cmd|x"} ], '', 'empty for the judge that has it not');
is($rows->[2][ $at{"'=cmd|x"} ], $y->{criteria_scores}[0]{score},
   'and there for the one that has it');
is($rows->[1][ $at{summary} ], $x->{summary}, 'the summary');
is($rows->[1][ $at{strengths} ], join("\n", @{ $x->{strengths} }),
   'the strengths');
is_deeply([ map { $_->[ $at{not_judged} ] } @$rows[1 .. $#$rows] ],
          [ map { join '; ', map { $_->{name} } @{ $_->{not_judged} } }
                @{ $all->{results} } ], 'the names of what was not judged');

my $funny = $t->new_judge(name => 'Three', criteria => [
    map { { name => $_, description => 'Much of it.' } }
        qw(Humour Grammar Wit) ]);
my $three = $t->made('/batches/evaluate', 'batch_id', json => {
    name => 'Not judged', judge_ids => [$funny],
    content_items => [ { name => 'One', text_content => 'A good text.' } ] });
ended($three);
$rows = csv($t->get("/batches/$three/results?format=csv")->body);
is($rows->[0][-1], 'not_judged', 'the last column');
is($rows->[1][-1], 'Humour; Wit', 'has several names');
$rows = csv(Encode::decode('UTF-8',
            $t->get("/batches/$two/results?format=csv")->body));
is($rows->[1][ $at{evaluated_at} ], $x->{evaluated_at}, 'the time');
is($rows->[1][ $at{coverage} ], $x->{coverage}, 'the share that is judged');

$rows = csv($t->get("/batches/$failing/results?format=csv")->body);
is_deeply([ @{ $rows->[1] }[4, -5] ], [qw(failed CONTENT_MISSING)],
          'failures have their codes');

my $open = new_batch(auto_start => $false);
$all = $t->get("/batches/$open/results")->json;
is(scalar(grep { $_->{status} eq 'processing' } @{ $all->{results} }), 5,
   'what is not done yet is there, too');
$rows = csv($t->get("/batches/$open/results?format=csv")->body);
is(join(' ', map { $_->[4] } @$rows), 'status' . ' processing' x 5,
   'in the table as well');

error_is($t->get("/batches/$two/results?format=xml"), 400,
         qr/^format: expected one of json, jsonl, csv$/, 'no other format');
error_is($t->get("/batches/$two/results", org => 1), 404, undef,
         'another organization');
permission_is($t, 'evaluations:read', GET => "/batches/$two/results");
$r = $t->head("/batches/$two/results?format=csv");
status_is($r, 200, 'HEAD');
is($r->body, '', 'has no body');

# --- A big one, and memory stays as it is ---------------------------------

my $big = new_batch(auto_start => $false);
$t->alter("with recursive n (i) as (select 1 union all select i + 1 from n
               where i < 30000)
           insert into evaluations (org, id, status, priority, content_id,
               judge_id, judge_version, batch_id, created_at, deadline,
               overall_score, result)
           select e.org, 'evl_@{[ '0' x 18 ]}' || (10000000 + i),
               'completed', 1, e.content_id, e.judge_id, 1, '$big', 0, 0,
               50, e.result
           from evaluations e cross join n
           where e.org = '" . $t->org->{id} . "' and e.id = '$one'");

sub peak {
    my $sum = 0;
    for ($t->workers) {
        my $text = Judge::Nginx::read_file("/proc/$_/status") // '';
        $sum += $1 if $text =~ /^VmHWM:\s+(\d+) kB/m;
    }
    return $sum;
}

for my $format (qw(json jsonl csv)) {
    my $before = peak();
    $r = $t->get("/batches/$big/results?format=$format", timeout => 120);

    my $got = $format eq 'json'  ? scalar(() = $r->body =~
                                          /"evaluation_id":/g)
            : $format eq 'jsonl' ? ($r->body =~ tr/\n//)
            :                      ($r->body =~ tr/\r//) - 1;
    is($got, 30005, "30,005 results as $format");
    like(substr($r->body, -4), { json => qr/\}\]\}$/, jsonl => qr/\}\n$/,
                                 csv => qr/\r\n$/ }->{$format},
         'to the very end');

    my $grown = peak() - $before;
    my $sent  = int(length($r->body) / 1024);

    SKIP: {
        skip 'memory is not measured under these tools', 1
            if $t->asan || $t->single;
        # Two connections of each worker have a cache of 8 MB at most,
        # whatever is read.
        cmp_ok($grown, '<', 36864,
               "$sent kB are sent and memory has grown by $grown kB");
    }
}

# --- Tables ---------------------------------------------------------------

sub import_csv {
    my ($body, $query, %opt) = @_;
    my $type = delete $opt{type} // 'text/csv';
    utf8::encode($body) if utf8::is_utf8($body);

    $query = "name=Table&judge_ids=$judge" . ($query ? "&$query" : '');
    return $t->post("/batches/import?$query", body => $body,
                    headers => [ 'Content-Type' => $type,
                                 @{ delete $opt{headers} // [] } ], %opt);
}

sub imported {
    my ($r) = @_;
    my $b = ended($r->json->{batch_id});
    return map { $t->get("/content/$_")->json } @{ $b->{content_ids} };
}

$r = import_csv("content,name\r\nA text.,One\r\n\"Two, \"\"2\"\"\nlines\",Two"
                . "\r\n", 'title=name');
status_is($r, 201, 'a table becomes a batch');
is($r->json->{total_evaluations}, 2, 'of its rows');
my @contents = imported($r);
is(join('|', map { $_->{text_content} } @contents),
   "A text.|Two, \"2\"\nlines", 'whose texts are the contents');
is(join('|', map { $_->{name} } @contents), 'One|Two', 'with their titles');

my $german = "Nr;Antwort;Thema;Quelle;Punkte\n"
           . "1;Gr\x{fc}\x{df}e aus K\x{f6}ln.;Reise;Ein Brief.;3\n"
           . "2;Noch ein Text.;;;\n";
my $query  = 'content=antwort&category=Thema&id=Nr&metadata=Punkte,Quelle'
           . '&description=%234';
my @made;

for my $encoding (qw(UTF-8 UTF-16LE UTF-16BE cp1252)) {
    my $bytes = Encode::encode($encoding, ($encoding =~ /16/ ? "\x{feff}"
                                                             : '') . $german);
    @made = imported(import_csv($bytes, $query));
    is($made[0]{text_content}, "Gr\x{fc}\x{df}e aus K\x{f6}ln.",
       "a table in $encoding, with semicolons");
}

is_deeply($made[0]{metadata},
          { category => 'Reise', id => '1', Punkte => '3',
            Quelle => 'Ein Brief.' }, 'columns become metadata');
is_deeply($made[1]{metadata}, { id => '2' }, 'empty cells do not');
is($made[0]{description}, 'Ein Brief.', 'a column by its number');
is($made[1]{name}, 'Row 3', 'a row without a title is called by its number');

@made = imported(import_csv("A first text.\tx\nA second text.\ty\n",
                            'header=false&content=%231&metadata=%232'));
is(join('|', map { $_->{text_content} } @made), 'A first text.|A second text.',
   'without a header, with tabs');
is($made[1]{metadata}{'#2'}, 'y', 'columns are numbers then');

@made = imported(import_csv("sep=;\r\ncontent;b\r\nA, text;x\r\n"));
is($made[0]{text_content}, 'A, text', 'a file that names its delimiter');

@made = imported(import_csv("content\nOne column.\n\nAnd no other.\n"));
is(scalar @made, 2, 'one column, and an empty line');

$r = import_csv("content\n" . join('', map { "Text number $_.\n" } 1 .. 5000),
                'auto_start=false&priority=low', chunk => 4096);
is($r->json->{total_evaluations}, 5000, '5,000 rows, piece by piece');
is($r->json->{status}, 'created', 'not started');
is($t->get('/batches/' . $r->json->{batch_id})->json->{priority}, 'low',
   'with a priority');

@made = imported(import_csv("content,asks,from,good\nA text.,Q?,S.,R.\n",
                            'question=asks&source=from&reference=good'));
is_deeply($made[0]{metadata},
          { question => 'Q?', source => 'S.', reference => 'R.' },
          'what a text is judged beside');

# A row without a text fails by itself, where that is wanted, and is found
# before anything is stored.

my $gap = "content,b\nA text.,B\n \t,\nAnother one.,C\n";
my $were = $t->sql1('select count(*) from contents');
status_is($r = import_csv($gap, 'check=true'), 200, 'a table is looked at');
is_deeply($r->json, { items => 3, characters => 19, empty => 1,
                      empty_rows => [ 3 ] }, 'what it would become');
is($t->sql1('select count(*) from contents'), $were, 'nothing is stored');
error_is(import_csv("content,b\nA\n", 'check=true'), 400,
         qr/^row 2: expected as many columns/, 'faults are found, too');

status_is($r = import_csv($gap, 'empty=fail&metadata=b'), 201,
          'and becomes a batch');
my $gaps = ended($r->json->{batch_id});
is("$gaps->{completed_evaluations} $gaps->{failed_evaluations}", '2 1',
   'of which one row fails');
is_deeply($gaps->{failure_summary}, { CONTENT_MISSING => 1 }, 'as it says');

my @lines = map { JSON::PP::decode_json($_) } split /\n/,
    $t->get("/batches/$gaps->{batch_id}/results?format=jsonl&contents=true")
      ->body;
is_deeply([ map { $_->{content} } @lines ],
          [ { name => 'Row 2', metadata => { b => 'B' },
              excerpt => 'A text.' },
            { name => 'Row 3' },
            { name => 'Row 4', metadata => { b => 'C' },
              excerpt => 'Another one.' } ],
          'results say what was judged, if one asks');
ok(!grep({ $_->{content} } @{ $t->get("/batches/$gaps->{batch_id}/results")
                                ->json->{results} }), 'and only then');

my $long = 'x' x 65537;
my @bad  = (
    [ "content\n", '', qr/^body: expected a table with a header and at / ],
    [ '', '', qr/^body: expected a table with a header and at least one row/ ],
    [ "text\nA\n", '',
      qr/^content: the table has no column "content"; .*#1 to #1/ ],
    [ "content,b\nA,B\n", 'title=c', qr/^title: the table has no column "c"/ ],
    [ "content,b\nA,B\n", 'title=%233', qr/^title: the table has no column/ ],
    [ "content,b\nA,B\nB,\n,C\n", '',
      qr/^row 4, column "content": expected a text; the cell is empty$/ ],
    [ "content,b\nA,B\nC,D,E\n", '',
      qr/^row 3: expected as many columns .* there are 3$/ ],
    [ "content,b\nA,B\n\"C,D\n", '',
      qr/^row 3, column "content": the quotes are not closed$/ ],
    [ "content,b\nA,B\n$long,D\n", '',
      qr/^row 3, column "content": expected at most 65536 bytes$/ ],
    [ "content,b\nA," . 'x' x 256 . "\n", 'title=b',
      qr/^row 2, column "b": expected at most 255 characters$/ ],
    [ "content,id\nA,1\n", 'id=id&metadata=id',
      qr/^metadata: two columns would become "id"$/ ],
    [ "\x89PNG\r\n\x1a\n" . "\x00\x9d\x8d\xff\x01" x 50, '',
      qr/^body: expected a table as text$/ ],
    [ "\xef\xbb\xbfcontent\nA \xff text\n", '',
      qr/^body: it is not well-formed UTF-8$/ ],
    [ "content\n" . "A text.\n" x 5001, '',
      qr/^row 5002: expected at most 5000 rows below the header$/ ],
    [ "content\nA\n", 'priority=x', qr/^priority: expected one of/ ],
);

my $count = $t->sql1('select count(*) from batches');

for (@bad) {
    my ($body, $query, $detail) = @$_;
    error_is(import_csv($body, $query), 400, $detail, "refused: $detail");
}

error_is($t->post("/batches/import?judge_ids=$judge", body => "content\nA\n",
                  headers => [ 'Content-Type' => 'text/csv' ]), 400,
         qr/^name: required/, 'a name is needed');
error_is($t->post('/batches/import?name=x', body => "content\nA\n",
                  headers => [ 'Content-Type' => 'text/csv' ]), 400,
         qr/^judge_ids: required/, 'and judges');
error_is($t->post('/batches/import?name=x&judge_ids=jdg_x',
                  body => "content\nA\n",
                  headers => [ 'Content-Type' => 'application/csv' ]), 404,
         qr/^judge_ids\[0\]: there is no such judge$/, 'that are there');
error_is(import_csv("content\nA\n", '', type => 'application/json'), 415,
         qr{^Content-Type: expected text/csv$}, 'as CSV');
error_is(import_csv("content\nA\n", '', org => 1), 404, qr/^judge_ids\[0\]/,
         'of the same organization');

my $clips = $t->new_judge(content_type => 'video');
error_is($t->post("/batches/import?name=x&judge_ids=$clips",
                  body => "content\nA\n",
                  headers => [ 'Content-Type' => 'text/csv' ]), 400,
         qr/^judge_ids: expected judges of text/, 'and of text');
is($t->sql1('select count(*) from batches'), $count,
   'what is refused leaves nothing behind');
permission_is($t, 'evaluations:write',
              POST => "/batches/import?name=x&judge_ids=$judge",
              body => "content\nA\n",
              headers => [ 'Content-Type' => 'text/csv' ]);

my @key = (headers => [ 'Idempotency-Key' => 'table' ]);
my $first = import_csv("content\nA\n", '', @key);
is(import_csv("content\nA\n", '', @key)->json->{batch_id},
   $first->json->{batch_id}, 'the same table again is the same batch');

# A client that breaks off in the middle.

$client = $t->connect;
$client->send(join "\r\n", "POST /batches/import?name=x&judge_ids=$judge"
              . ' HTTP/1.1', 'Host: localhost', 'Content-Type: text/csv',
              'X-API-Key: ' . $t->key, 'Content-Length: 1000000', '',
              "content\n" . "A text.\n" x 20000);
$client->reset;
status_is($t->get('/healthz'), 200, 'does no harm');

done_testing;
