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
    return $t->new_batch($judge, [ map { inline($_) } 1 .. 5 ], @_);
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
status_is($r, 200, 'the events of a batch under way can be read');
is_deeply([ map { $r->header($_) } qw(Content-Type X-Accel-Buffering) ],
          [qw(text/event-stream no)],
          'the answer is an event stream that no proxy holds back');

my @events = events($r->body);
my @items  = named(item => @events);
is(scalar @items, 5, 'a stream has an item for each evaluation');
is(join(' ', map { $_->[1] } @items),
   join(' ', sort { $a <=> $b } map { $_->[1] } @items),
   'identifiers of items only go up');

my %seen = map { $_->[2]{evaluation_id} => $_->[2] } @items;
is(scalar keys %seen, 5, 'each evaluation comes once in a stream');
my ($one) = sort keys %seen;
my $e = $t->get("/evaluations/$one")->json;
is_deeply($seen{$one}, { batch_id => $id, map { $_ => $e->{$_} }
          qw(evaluation_id content_id judge_id status overall_score) },
          'an item says which evaluation has ended, and how');

my @progress = named(progress => @events);
is_deeply([ @{ $progress[-1][2] }{qw(completed_evaluations
                                     progress_percentage)} ], [ 5, 100 ],
          'the last progress is 5 evaluations and 100 per cent');
is($events[-1][0], 'done', 'the last event of a stream is done');
is((events($t->get("/batches/$id/events")->body))[0][0], 'progress',
   'the first event of a batch that has ended is progress');
is($events[-1][2]{status}, 'completed', 'done says how the batch ended');
is($events[-1][2]{results_summary}{average_score},
   $t->batch_ended($id)->{results_summary}{average_score},
   'done has the average score');

# Who comes back gets what follows.

my $last = $items[2][1];
$r = $t->get("/batches/$id/events", headers => [ 'Last-Event-ID' => $last ]);
is_deeply([ named(item => events($r->body)) ], [ @items[3, 4] ],
          'a stream goes on behind the event that was seen last');
is((events($r->body))[0][1], $last,
   'progress at the beginning keeps the place of a client that comes back');
$r = $t->get("/batches/$id/events",
             headers => [ 'Last-Event-ID' => $items[-1][1] ]);
is(scalar named(item => events($r->body)), 0, 'no item follows the last one');
is((events($r->body))[-1][0], 'done',
   'done is sent also to those who have seen all items');
$r = $t->get("/batches/$id/events", headers => [ 'Last-Event-ID' => 'x' ]);
is(scalar named(item => events($r->body)), 5,
   'a Last-Event-ID that is no number sends all items');

# A browser comes back whenever a stream has ended: with the identifier of the
# last event it is told to stay away.

is($events[-1][1], "$items[-1][1]-done",
   'the event done has an identifier of its own');
for my $method (qw(get head)) {
    $r = $t->$method("/batches/$id/events",
                     headers => [ 'Last-Event-ID' => $events[-1][1] ]);
    status_is($r, 204, "$method: 204 tells a browser to stay away");
    is($r->body, '', "$method: a 204 has no body");
}
$r = $t->get("/batches/$id/events",
             headers => [ 'Last-Event-ID' => "$items[0][1]-done" ]);
is(scalar named(item => events($r->body)), 4,
   'the identifier of an end sends what has ended since');
for my $no ('-done', 'x-done', '-1-done', '1-done-done') {
    $r = $t->get("/batches/$id/events", headers => [ 'Last-Event-ID' => $no ]);
    is(scalar named(item => events($r->body)), 5,
       "$no: an unknown identifier sends all items");
}

# One that is not started yet: the stream waits, and ends with the batch.

my $later  = new_batch(auto_start => $false);
my $client = $t->connect;
$client->send($t->bytes(GET => "/batches/$later/events"));
ok($client->read_until(qr/event: progress\ndata: .*"created".*\n\n/),
   'a stream of a batch that is not started tells its state');
$t->post("/batches/$later/start");
my $rest = $client->read_until(qr/event: done\ndata: .*\n\n/);
is(scalar(() = $rest =~ /^event: item$/mg), 5,
   'a waiting stream gets the items of the batch once it runs');
ok($client->closed, 'a stream ends with its batch');

# More than a page of items at once.

my $many = new_batch(content_items => [ map { inline($_) } 1 .. 1000 ]);
@events = events($t->get("/batches/$many/events")->body);
my %once = map { $_->[2]{evaluation_id} => 1 } named(item => @events);
is(scalar named(item => @events), 1000, '1,000 items are sent in one stream');
is(scalar keys %once, 1000, 'each of 1,000 items is sent once');

# Failures.

my $failing = new_batch(auto_start => $false);
$t->alter("update contents set text_content = null where id in
           (select content_id from evaluations where batch_id = '$failing')");
$t->post("/batches/$failing/start");
@events = events($t->get("/batches/$failing/events")->body);
is((named(item => @events))[0][2]{error_code}, 'CONTENT_MISSING',
   'the item of a failed evaluation has its error code');
is($events[-1][2]{status}, 'failed', 'done says that a batch has failed');

# Deleted while somebody listens.

my $gone = new_batch(auto_start => $false);
$client = $t->connect;
$client->send($t->bytes(GET => "/batches/$gone/events"));
$client->read_until(qr/event: progress\n/);
$t->delete("/batches/$gone");
ok($client->read_until(qr/event: done\ndata: .*"status":"deleted".*\n\n/),
   'who listens to a batch is told of its deletion');

error_is($t->get("/batches/$id/events", org => 1), 404,
         qr/^there is no such batch$/,
         'another organization cannot listen to a batch');
error_is($t->get('/batches/bat_x/events'), 404, undef,
         'the events of an unknown batch are not found');
permission_is($t, 'evaluations:read', GET => "/batches/$id/events");

# Many listeners that leave at once do no harm.

my @clients = map { $t->connect } 1 .. 20;
my $waits   = new_batch(auto_start => $false);
$_->send($t->bytes(GET => "/batches/$waits/events")) for @clients;
$_->read_until(qr/event: progress\n/) for @clients;
$_->reset for @clients;
status_is($t->post("/batches/$waits/start"), 200,
          'a batch starts although 20 listeners have left it');
$t->batch_ended($waits);

# --- All results ----------------------------------------------------------

my $formula = $t->new_judge(name => 'Two', criteria => [
    { name => '=cmd|x', description => 'Grammar.' },
    { name => 'Structure, "order"', description => 'Links.' },
]);
my $two = $t->new_batch([ $judge, $formula ], [
    { name => '=1+1', text_content => 'The first text. It is short.' },
    { name => "\@SUM(A1)\r\nx", text_content => "A \"quoted\" text." },
    { name => "Gr\x{fc}\x{df}e, \"alle\"", text_content => 'Ein Text.' },
]);
my $record = $t->batch_ended($two);

$r = $t->get("/batches/$two/results");
status_is($r, 200, 'all results of a batch are read as JSON');
like($r->header('Content-Type'), qr{^application/json},
     'results are application/json without a format');
my $all = $r->json;
is_deeply([ @$all{qw(batch_id status total_evaluations)} ],
          [ $two, 'completed', 6 ],
          'results name their batch, its status and how many there are');
is(scalar @{ $all->{results} }, 6,
   'each evaluation of a batch is in its results');
is(join(' ', map { "$_->{content_id} $_->{judge_id}" } @{ $all->{results} }),
   join(' ', map { my $c = $_; map { "$c $_" } $judge, $formula }
             @{ $record->{content_ids} }),
   'results are in the order of contents and judges');

my @list = map { @$_ } $t->pages("/evaluations/results/$two", 'results');
is_deeply([ reverse @{ $all->{results} } ], \@list,
          'results are those that the paged list has');

$r = $t->get("/batches/$two/results?format=json");
is_deeply($r->json, $all, 'format=json gives what no format gives');

$r = $t->get("/batches/$two/results?format=jsonl");
is_deeply([ map { $r->header($_) } qw(Content-Type Content-Disposition) ],
          [ 'application/x-ndjson', "attachment; filename=\"$two.jsonl\"" ],
          'format=jsonl gives lines of JSON as a file');
is_deeply([ map { $json->decode($_) } split /\n/, $r->body ],
          $all->{results}, 'lines of JSON have the same results');

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
   'format=csv gives text/csv with a header');
my $rows = csv(Encode::decode('UTF-8', $r->body));
ok($rows, 'the CSV of results is well formed');
is(scalar @$rows, 7, 'CSV has a header and a row for each result');
is(join('|', @{ $rows->[0] }),
   'evaluation_id|content_id|content_name|judge_id|status|overall_score|'
   . 'Grammar|Spelling|\'=cmd|x|Structure, "order"|summary|strengths|'
   . 'weaknesses|suggestions|error_code|error_message|evaluated_at'
   . '|coverage|not_judged',
   'CSV has a column for each criterion');
is(scalar(grep { @$_ != @{ $rows->[0] } } @$rows), 0,
   'each row of CSV has as many cells as the header');

my %at = map { $rows->[0][$_] => $_ } 0 .. $#{ $rows->[0] };
is($rows->[1][ $at{content_name} ], "'=1+1",
   'a cell that begins with = is quoted and no formula');
is($rows->[3][ $at{content_name} ], "'\@SUM(A1)\r\nx",
   'a cell that begins with @ is quoted and no formula');
is($rows->[5][ $at{content_name} ], "Gr\x{fc}\x{df}e, \"alle\"",
   'CSV leaves other texts as they are');

my $nameless = $t->new_key(permissions => 'evaluations:read');
$r = $t->get("/batches/$two/results?format=csv", key => $nameless);
is_deeply([ map { $_->[ $at{content_name} ] }
            @{ csv(Encode::decode('UTF-8', $r->body)) } ],
          [ 'content_name', ('') x 6 ],
          'CSV names no contents to a key that may not read them');

my ($x, $y) = @{ $all->{results} }[0, 1];
is($rows->[1][ $at{overall_score} ], $x->{overall_score},
   'CSV has the overall score');
is($rows->[1][ $at{Grammar} ], $x->{criteria_scores}[0]{score},
   'CSV has the score of a criterion');
is($rows->[1][ $at{"'=cmd|x"} ], '',
   'a cell is empty where a judge has not the criterion');
is($rows->[2][ $at{"'=cmd|x"} ], $y->{criteria_scores}[0]{score},
   'a cell has the score where a judge has the criterion');
is($rows->[1][ $at{summary} ], $x->{summary}, 'CSV has the summary');
is($rows->[1][ $at{strengths} ], join("\n", @{ $x->{strengths} }),
   'CSV has the strengths, one a line');
is_deeply([ map { $_->[ $at{not_judged} ] } @$rows[1 .. $#$rows] ],
          [ map { join('; ', map { $_->{name} } @{ $_->{not_judged} })
                  =~ s/^(?==)/'/r } @{ $all->{results} } ],
          'CSV has the names of what was not judged, and no formula');

my $funny = $t->new_judge(name => 'Three', criteria => [
    map { { name => $_, description => 'Much of it.' } }
        qw(Humour Grammar Wit) ]);
my $three = $t->new_batch($funny, ['A good text.']);
$t->batch_ended($three);
$rows = csv($t->get("/batches/$three/results?format=csv")->body);
is($rows->[0][-1], 'not_judged', 'the last column of CSV is not_judged');
is($rows->[1][-1], 'Humour; Wit',
   'a cell names what was not judged, separated by semicolons');
$rows = csv(Encode::decode('UTF-8',
            $t->get("/batches/$two/results?format=csv")->body));
is($rows->[1][ $at{evaluated_at} ], $x->{evaluated_at},
   'CSV has the time of the evaluation');
is($rows->[1][ $at{coverage} ], $x->{coverage},
   'CSV has the share that was judged');

$rows = csv($t->get("/batches/$failing/results?format=csv")->body);
is_deeply([ @{ $rows->[1] }[4, -5] ], [qw(failed CONTENT_MISSING)],
          'failed evaluations have their codes in CSV');

my $open = new_batch(auto_start => $false);
$all = $t->get("/batches/$open/results")->json;
is(scalar(grep { $_->{status} eq 'processing' } @{ $all->{results} }), 5,
   'results have what is not done yet, too');
$rows = csv($t->get("/batches/$open/results?format=csv")->body);
is(join(' ', map { $_->[4] } @$rows), 'status' . ' processing' x 5,
   'CSV has what is not done yet, too');

error_is($t->get("/batches/$two/results?format=xml"), 400,
         qr/^format: expected one of json, jsonl, csv$/,
         'a format that is not known is refused');
error_is($t->get("/batches/$two/results", org => 1), 404, undef,
         'another organization cannot read the results of a batch');
permission_is($t, 'evaluations:read', GET => "/batches/$two/results");
$r = $t->head("/batches/$two/results?format=csv");
status_is($r, 200, 'HEAD of results is answered');
is($r->body, '', 'HEAD of results has no body');

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

for my $format (qw(json jsonl csv)) {
    my $before = $t->peak_memory;
    $r = $t->get("/batches/$big/results?format=$format", timeout => 120);

    my $got = $format eq 'json'  ? scalar(() = $r->body =~
                                          /"evaluation_id":/g)
            : $format eq 'jsonl' ? ($r->body =~ tr/\n//)
            :                      ($r->body =~ tr/\r//) - 1;
    is($got, 30005, "$format: all 30,005 results are sent");
    like(substr($r->body, -4), { json => qr/\}\]\}$/, jsonl => qr/\}\n$/,
                                 csv => qr/\r\n$/ }->{$format},
         "$format: results are sent to the very end");

    my $grown = $t->peak_memory - $before;
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
    my $b = $t->batch_ended($r->json->{batch_id});
    return map { $t->get("/content/$_")->json } @{ $b->{content_ids} };
}

$r = import_csv("content,name\r\nA text.,One\r\n\"Two, \"\"2\"\"\nlines\",Two"
                . "\r\n", 'title=name');
status_is($r, 201, 'a table becomes a batch');
is($r->json->{total_evaluations}, 2,
   'a batch of a table has an evaluation for each row');
my @contents = imported($r);
is(join('|', map { $_->{text_content} } @contents),
   "A text.|Two, \"2\"\nlines", 'the texts of rows are the contents');
is(join('|', map { $_->{name} } @contents), 'One|Two',
   'a column of titles names the contents');

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
       "a table in $encoding with semicolons is read");
}

is_deeply($made[0]{metadata},
          { category => 'Reise', id => '1', Punkte => '3',
            Quelle => 'Ein Brief.' }, 'a column becomes metadata');
is_deeply($made[1]{metadata}, { id => '2' }, 'empty cells become no metadata');
is($made[0]{description}, 'Ein Brief.', 'a column can be named by its number');
is($made[1]{name}, 'Row 3', 'a row without a title is called by its number');

@made = imported(import_csv("A first text.\tx\nA second text.\ty\n",
                            'header=false&content=%231&metadata=%232'));
is(join('|', map { $_->{text_content} } @made), 'A first text.|A second text.',
   'a table without a header, with tabs, is read');
is($made[1]{metadata}{'#2'}, 'y',
   'columns without a header have numbers as names');

for my $more ('', '&metadata=Question', '&question=b') {
    @made = imported(import_csv("content,Question,b\nA text.,Why?,x\n",
                                "title=Question$more"));
    is_deeply([ $made[0]{name}, $made[0]{metadata} ],
              [ 'Why?', { $more eq '&question=b' ? (question => 'x')
                          : $more ? (Question => 'Why?')
                          : (question => 'Why?') } ],
              "a title that is a question is one, with title=Question$more");
}

@made = imported(import_csv("sep=;\r\ncontent;b\r\nA, text;x\r\n"));
is($made[0]{text_content}, 'A, text',
   'a file may name its delimiter with sep=');

@made = imported(import_csv("content\nOne column.\n\nAnd no other.\n"));
is(scalar @made, 2, 'a table of one column may have empty lines');

$r = import_csv("content\n" . join('', map { "Text number $_.\n" } 1 .. 5000),
                'auto_start=false&priority=low', chunk => 4096);
is_deeply([ @{ $r->json }{qw(total_evaluations status)} ], [ 5000, 'created' ],
          '5,000 rows that come piece by piece are not started if so asked');
is($t->get('/batches/' . $r->json->{batch_id})->json->{priority}, 'low',
   'a batch of a table has the priority that the query names');

@made = imported(import_csv("content,asks,from,good\nA text.,Q?,S.,R.\n",
                            'question=asks&source=from&reference=good'));
is_deeply($made[0]{metadata},
          { question => 'Q?', source => 'S.', reference => 'R.' },
          'columns become what a text is judged beside');

# A row without a text fails by itself, where that is wanted, and is found
# before anything is stored.

my $gap = "content,b\nA text.,B\n \t,\nAnother one.,C\n";
my $were = $t->sql1('select count(*) from contents');
status_is($r = import_csv($gap, 'check=true'), 200,
          'check=true only looks at a table');
is_deeply($r->json, { items => 3, characters => 19, empty => 1,
                      empty_rows => [ 3 ] },
          'a check says what a table would become');
is_deeply(import_csv("a,b\nA text.,\n,\n", 'check=true&systems=a,b')->json,
          { items => 4, characters => 7, empty => 3,
            empty_rows => [ 2, 3 ] },
          'a check names each row with texts that are empty once');
is($t->sql1('select count(*) from contents'), $were,
   'a check of a table stores nothing');
error_is(import_csv("content,b\nA\n", 'check=true'), 400,
         qr/^row 2: expected as many columns/,
         'a check of a table finds its faults');

status_is($r = import_csv($gap, 'empty=fail&metadata=b'), 201,
          'empty=fail takes a table with a row that has no text');
my $gaps = $t->batch_ended($r->json->{batch_id});
is("$gaps->{completed_evaluations} $gaps->{failed_evaluations}", '2 1',
   'only the row without a text fails');
is_deeply($gaps->{failure_summary}, { CONTENT_MISSING => 1 },
          'a summary of failures says CONTENT_MISSING for an empty row');

my @lines = map { JSON::PP::decode_json($_) } split /\n/,
    $t->get("/batches/$gaps->{batch_id}/results?format=jsonl&contents=true")
      ->body;
is_deeply([ map { $_->{content} } @lines ],
          [ { name => 'Row 2', metadata => { b => 'B' },
              excerpt => 'A text.' },
            { name => 'Row 3' },
            { name => 'Row 4', metadata => { b => 'C' },
              excerpt => 'Another one.' } ],
          'contents=true adds to results what was judged');
ok(!grep({ $_->{content} } @{ $t->get("/batches/$gaps->{batch_id}/results")
                                ->json->{results} }),
   'results have no contents unless one asks');

my $reader = $t->new_key(permissions => 'evaluations:read');
error_is($t->get("/batches/$gaps->{batch_id}/results?contents=true",
                 key => $reader), 403,
         qr/^contents: the API key lacks the permission content:read$/,
         'what was judged needs the permission to read contents');
status_is($t->get("/batches/$gaps->{batch_id}/results", key => $reader), 200,
          'results without contents need no such permission');

my $long = 'x' x 65537;
my @bad  = (
    [ "content\n", '', qr/^body: expected a table with a header and at / ],
    [ '', '', qr/^body: expected a table with a header and at least one row/ ],
    [ "text\nA\n", '',
      qr/^content: the table has no column "content"; .*#1 to #1/ ],
    [ "content,b\nA,B\n", 'title=c', qr/^title: the table has no column "c"/ ],
    [ "content,b,content\nA,B,C\n", '',
      qr/^content: two columns are called that; .* one, #1 or #3$/ ],
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
    error_is(import_csv($body, $query), 400, $detail,
             "a table is refused: $detail");
}

error_is($t->post("/batches/import?judge_ids=$judge", body => "content\nA\n",
                  headers => [ 'Content-Type' => 'text/csv' ]), 400,
         qr/^name: required/, 'a batch of a table needs a name');
error_is($t->post('/batches/import?name=x', body => "content\nA\n",
                  headers => [ 'Content-Type' => 'text/csv' ]), 400,
         qr/^judge_ids: required/, 'a batch of a table needs judges');
error_is($t->post('/batches/import?name=x&judge_ids=jdg_x',
                  body => "content\nA\n",
                  headers => [ 'Content-Type' => 'application/csv' ]), 404,
         qr/^judge_ids\[0\]: there is no such judge$/,
         'a batch of a table needs judges that exist');
error_is(import_csv("content\nA\n", '', type => 'application/json'), 415,
         qr{^Content-Type: expected text/csv, .*application/jsonl, \S+$},
         'only CSV and lines of JSON are imported');
error_is(import_csv("content\nA\n", '', org => 1), 404, qr/^judge_ids\[0\]/,
         'a batch of a table needs judges of the same organization');

my $clips = $t->new_judge(content_type => 'video');
error_is($t->post("/batches/import?name=x&judge_ids=$clips",
                  body => "content\nA\n",
                  headers => [ 'Content-Type' => 'text/csv' ]), 400,
         qr/^judge_ids: expected judges of text/,
         'a batch of a table needs judges of text');
is($t->sql1('select count(*) from batches'), $count,
   'a refused table leaves no batch behind');
permission_is($t, 'evaluations:write',
              POST => "/batches/import?name=x&judge_ids=$judge",
              body => "content\nA\n",
              headers => [ 'Content-Type' => 'text/csv' ]);

my @key = (headers => [ 'Idempotency-Key' => 'table' ]);
my $first = import_csv("content\nA\n", '', @key);
is(import_csv("content\nA\n", '', @key)->json->{batch_id},
   $first->json->{batch_id},
   'the same table with the same key is the same batch');

# A client that breaks off in the middle.

$client = $t->connect;
$client->send(join "\r\n", "POST /batches/import?name=x&judge_ids=$judge"
              . ' HTTP/1.1', 'Host: localhost', 'Content-Type: text/csv',
              'X-API-Key: ' . $t->key, 'Content-Length: 1000000', '',
              "content\n" . "A text.\n" x 20000);
$client->reset;
status_is($t->get('/healthz'), 200,
          'a client that breaks off in the middle of a table does no harm');

done_testing;
