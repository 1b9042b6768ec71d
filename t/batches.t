# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Batches: made, judged, started, tried again, deleted; their counts hold
# whatever happens to their contents, their evaluations and the workers.

use Judge::Test;

my $t = Judge::Test->new(orgs => 2, store => 'max_text=64k max_judges=3');
my $r;

my $true  = JSON::PP::true();
my $false = JSON::PP::false();

my $judge = $t->new_judge;
my $video = $t->new_judge(content_type => 'video');
my @texts = map { $t->new_content("This is text number $_. It is short.") }
            1 .. 3;

sub inline { { text_content => "A text. It is number $_[0].",
               name => "Text $_[0]" } }

sub batch_with {
    return { name => 'A batch', judge_ids => [$judge],
             content_items => [ map { { content_id => $_ } } @texts ], @_ };
}

sub new_batch {
    return $t->new_batch($judge, [ map { { content_id => $_ } } @texts ], @_);
}

# What the counts of a batch must be by its rows.

sub counts_are_right {
    my ($id, $name) = @_;

    my $b    = $t->get("/batches/$id")->json;
    my ($n)  = @{ $t->sql("select count(*) as total,
        count(*) filter (where status = 'completed') as completed,
        count(*) filter (where status = 'failed') as failed,
        count(overall_score) as scored,
        round(avg(round(overall_score * 100))) / 100 as average,
        count(batch_seq) as numbered, count(distinct batch_seq) as numbers
        from evaluations where batch_id = '$id'") };
    my $sum  = $b->{results_summary};
    my $all  = 0;

    $all += $_ for values %{ $sum->{score_distribution} };

    is("$b->{total_evaluations} $b->{completed_evaluations}"
       . " $b->{failed_evaluations} $all",
       "$n->{total} $n->{completed} $n->{failed} $n->{scored}",
       "$name: the counts are those of the rows");
    is($n->{numbered} . ' ' . $n->{numbers},
       join(' ', ($n->{completed} + $n->{failed}) x 2),
       "$name: each ended evaluation has a number of its own");
    cmp_ok(abs(($sum->{average_score} // 0) - ($n->{average} // 0)), '<',
           0.011, "$name: the average is that of the rows");

    return $b;
}

my ($id, $b);

subtest 'a batch is made and judged' => sub {
    $r = $t->post('/batches/evaluate', json => batch_with(
        name => 'First', description => 'Of three kinds.',
        content_items => [
            { content_id => $texts[0] },
            { name => "Gr\x{fc}\x{df}e", text_content => 'A text of its own.',
              metadata => { source => 'A source.', n => 1 } },
            { content_id => $texts[1] },
        ], priority => 'high'));
    status_is($r, 201, 'a batch is made');

    my $made = $r->json;
    $id   = $made->{batch_id};
    like($id, qr/^bat_[0-9A-HJKMNP-TV-Z]{26}$/,
         'the identifier of a batch has its form');
    is_deeply([ @$made{qw(name status total_evaluations)} ],
              [ 'First', 'evaluating', 3 ], 'a new batch is started at once');
    time_is($made->{created_at}, 'created_at is a time');

    $b = $t->batch_ended($id);
    is_deeply([ @$b{qw(id name description status priority judge_ids)} ],
              [ $id, 'First', 'Of three kinds.', 'completed', 'high',
                [$judge] ],
              'a batch is read as it was asked for, and is completed');
    is(scalar @{ $b->{content_ids} }, 3, 'a batch names each of its contents');
    is("@{ $b->{content_ids} }[0, 2]", "@texts[0, 1]",
       'the contents of a batch stand in their order');
    is_deeply([ @$b{qw(completed_evaluations failed_evaluations
                       progress_percentage)} ], [ 3, 0, 100 ],
              'a completed batch is at 100 per cent');
    ok(!exists $b->{failure_summary},
       'a batch without failures has no summary of them');
    time_is($b->{$_}, "$_ is a time")
        for qw(created_at started_at completed_at);
    is_deeply([ sort keys %{ $b->{results_summary}{score_distribution} } ],
              [ sort map({ $_ * 10 . '-' . ($_ * 10 + 9) } 0 .. 8), '90-100' ],
              'scores are counted in classes of ten');
    counts_are_right($id, 'a completed batch');

    my $inline = $t->get("/content/$b->{content_ids}[1]")->json;
    is_deeply([ @$inline{qw(name text_content metadata status)} ],
              [ "Gr\x{fc}\x{df}e", 'A text of its own.',
                { source => 'A source.', n => 1 }, 'ready' ],
              'a text of the batch is a content with all that it came with');

    # The results by job, page by page, and as evaluations.

    my @pages = $t->pages("/evaluations/results/$id?limit=2", 'results');
    is(join(' ', map { scalar @$_ } @pages), '2 1', 'results come in pages');

    my @results = map { @$_ } @pages;
    is(join(' ', sort map { $_->{content_id} } @results),
       join(' ', sort @{ $b->{content_ids} }),
       'each content of a batch has a result');
    is(scalar(grep { $_->{status} eq 'completed' && $_->{batch_id} eq $id
                     && defined $_->{overall_score} } @results), 3,
       'each result of a batch has a score');

    $r = $t->get("/v1/evaluations/results/$id");
    is_deeply([ @{ $r->json }{qw(job_id status total completed failed)} ],
              [ $id, 'completed', 3, 3, 0 ],
              'the results by job have the counts of the batch');
    lists_like($t, "/evaluations?batch_id=$id", 'evaluations',
               [ map { $_->{evaluation_id} } @results ],
               'evaluations are listed by batch');

    # Several judges; what is named twice counts once.

    my $second = $t->new_judge(name => 'Other');
    $r = $t->post('/batches/evaluate', json => batch_with(
        judge_ids     => [ $judge, $second, $judge ],
        content_items => [ map { { content_id => $_ } } @texts[0, 1, 0] ]));
    is($r->json->{total_evaluations}, 4,
       'a batch has an evaluation for each pair of judge and content');
    $b = $t->batch_ended($r->json->{batch_id});
    is("@{ $b->{content_ids} }", "@texts[0, 1]",
       'a content that is named twice counts once');
    is("@{ $b->{judge_ids} }", "$judge $second",
       'a judge that is named twice counts once');
    counts_are_right($b->{id}, 'a batch of two judges');
};

subtest 'what is wrong is refused, and leaves nothing behind' => sub {
    my $before = $t->sql1('select count(*) from contents');
    my @items  = map { inline($_) } 1 .. 20;
    my @wrong  = (
        [ { name => 'x' x 201 }, 400, qr/^name: .*at most 200 / ],
        [ { judge_ids => [ $judge, 'jdg_x' ] }, 404,
          qr/^judge_ids\[1\]: there is no such judge$/ ],
        [ { judge_ids => [ $judge, $video ] }, 400,
          qr/^judge_ids\[1\]: expected a judge of text, .*of video$/ ],
        [ { content_items => [ @items, { text_content => 'x' } ] }, 400,
          qr/^content_items\[20\]: expected a name with text_content$/ ],
        [ { content_items => [ @items, { content_id => 'cnt_x' } ] }, 404,
          qr/^content_items\[20\]\.content_id: there is no such content$/ ],
    );

    for (@wrong) {
        my ($fields, $status, $detail) = @$_;
        my $body = batch_with(%$fields);
        error_is($t->post('/batches/evaluate', json => $body), $status,
                 $detail, "a batch is refused: $detail");
    }

    $t->alter("update contents set status = 'error' where id = '$texts[2]'");
    error_is($t->post('/batches/evaluate', json => batch_with()), 409,
             qr/^content_items\[2\]\.content_id: .*its status is error$/,
             "a content that can't be read is refused");
    $t->alter("update contents set status = 'ready' where id = '$texts[2]'");

    error_is($t->post('/batches/evaluate', json => batch_with(), org => 1),
             404, qr/^judge_ids\[0\]: there is no such judge$/,
             'judges of another organization are not found');

    is($t->sql1('select count(*) from contents'), $before,
       'a refused batch leaves nothing behind');
    is($t->sql1('select count(*) from batches'), 2,
       'a refused batch is not made');

    permission_is($t, 'evaluations:write', POST => '/batches/evaluate',
                  json => batch_with(content_items => [ inline(1) ]));
    permission_is($t, 'evaluations:read', GET => "/batches/$id");
    permission_is($t, 'evaluations:read', GET => '/batches');
};

subtest 'a batch with a key is made once' => sub {
    my @key = (headers => [ 'Idempotency-Key' => 'b-1' ]);
    my $one = $t->post('/batches/evaluate', json => batch_with(), @key);
    status_is($one, 201, 'a batch with an Idempotency-Key is made');
    $r = $t->post('/batches/evaluate', json => batch_with(), @key);
    is($r->json->{batch_id}, $one->json->{batch_id},
       'a batch that is sent again is the same batch');
    is($r->header('Idempotency-Replayed'), 'true',
       'the answer to a batch that is sent again says so');
    error_is($t->post('/batches/evaluate', json => batch_with(name => 'X'),
                      @key),
             422, qr/^Idempotency-Key/, 'a key with another batch is refused');
    $t->batch_ended($one->json->{batch_id});
};

my $later;

subtest 'a batch can be started later' => sub {
    $r = $t->post('/batches/evaluate',
                  json => batch_with(auto_start => $false));
    is($r->json->{status}, 'created',
       'a batch with auto_start=false is not started');
    $later = $r->json->{batch_id};
    ok(!exists $r->json->{estimated_completion_time},
       'a batch that is not started has no estimate of its end');

    # A batch that comes behind it is judged, it is not.

    $t->batch_ended(new_batch());
    $b = $t->get("/batches/$later")->json;
    is("$b->{status} $b->{completed_evaluations} $b->{failed_evaluations}",
       'created 0 0',
       'a batch that is not started waits while others are judged');
    ok(!exists $b->{started_at} && !exists $b->{completed_at},
       'a batch that waits has no times of start and end');

    error_is($t->post("/batches/$later/start", org => 1), 404,
             qr/^there is no such batch$/,
             "another organization can't start a batch");
    $r = $t->post("/batches/$later/start");
    status_is($r, 200, 'a batch is started');
    like($r->json->{status}, qr/^(?:evaluating|completed)$/,
         'a started batch goes on');
    error_is($t->post("/batches/$later/start"), 409,
             qr/^the batch has been started already$/,
             'a batch is started once only');
    is($t->batch_ended($later)->{status}, 'completed',
       'a batch that was started later comes to its end');
    counts_are_right($later, 'a batch that was started later');
};

my $failed;

subtest 'failures are counted, and tried again' => sub {
    # What can't be judged fails: the text is taken away under way.

    $r = $t->post('/batches/evaluate', json => batch_with(auto_start => $false,
        content_items => [ map { inline($_) } 1 .. 4 ]));
    my $failing = $r->json->{batch_id};
    $t->alter("update contents set text_content = null where id in
               (select content_id from evaluations where batch_id = '$failing'
                order by id limit 3)");
    $t->post("/batches/$failing/start");
    $b = $t->batch_ended($failing);
    is($b->{status}, 'completed',
       'a batch is completed when only some evaluations have failed');
    is($b->{failed_evaluations}, 3, 'a batch counts its failures');
    is_deeply($b->{failure_summary}, { CONTENT_MISSING => 3 },
              'failure_summary counts failures by their codes');
    counts_are_right($failing, 'a batch with failures');

    error_is($t->post("/batches/$id/retry"), 409,
             qr/^no evaluation of the batch has failed$/,
             'a batch without failures has nothing to try again');
    error_is($t->post("/batches/$failing/retry", org => 1), 404,
             qr/^there is no such batch$/,
             "another organization can't try a batch again");

    # One of them by itself, then the others.

    $t->alter("update contents set text_content = 'Back again.'
               where text_content is null");
    my ($first) = map { $_->{evaluation_id} }
                  @{ $t->get("/evaluations?batch_id=$failing&status=failed")
                     ->json->{evaluations} };
    status_is($t->post("/evaluations/$first/retry"), 200,
              'one evaluation of a batch is tried again');
    is($t->evaluated($first)->{status}, 'completed',
       'one evaluation that is tried again is completed');
    $b = $t->batch_ended($failing);
    is("$b->{completed_evaluations} $b->{failed_evaluations}", '2 2',
       'a batch counts an evaluation that was tried again');
    counts_are_right($failing, 'a batch after one retry');

    $r = $t->post("/batches/$failing/retry");
    status_is($r, 200, 'what has failed in a batch is tried again');
    $b = $t->batch_ended($failing);
    is("$b->{status} $b->{completed_evaluations} $b->{failed_evaluations}",
       'completed 4 0',
       'all evaluations are completed after the retry of a batch');
    ok(!exists $b->{failure_summary},
       'a batch has no failure_summary when no failure is left');
    counts_are_right($failing, 'a batch after its retry');

    # All of them fail.

    $r = $t->post('/batches/evaluate', json => batch_with(auto_start => $false,
        content_items => [ inline(1), inline(2) ]));
    $failed = $r->json->{batch_id};
    $t->alter("update contents set text_content = null where id in
               (select content_id from evaluations
                where batch_id = '$failed')");
    $t->post("/batches/$failed/start");
    $b = $t->batch_ended($failed);
    is($b->{status}, 'failed', 'a batch of which all have failed has failed');
    ok(!exists $b->{results_summary}{average_score},
       'a batch without scores has no average');
};

# --- Media wait for a worker ----------------------------------------------

my $clip = $t->new_content('x');
$t->alter("update contents set file_type = 'video' where id = '$clip'");
my $media = new_batch(judge_ids => [$video],
                      content_items => [ { content_id => $clip } ]);
is($t->sql1("select queue_at = deadline and owner is null from evaluations
             where batch_id = '$media'"), 1,
   'what is not text is left to workers');
is($t->get("/batches/$media")->json->{status}, 'evaluating',
   'a batch of media waits for a worker');

subtest 'contents and batches are deleted' => sub {
    # A content of a batch that has ended, of one under way, of one that waits.

    my $gone = new_batch(content_items => [ map { inline($_) } 1 .. 3 ]);
    $b = $t->batch_ended($gone);
    status_is($t->delete("/content/$b->{content_ids}[0]"), 204,
              'a content of a batch is deleted');
    is(counts_are_right($gone, 'a batch that lost a content')
       ->{total_evaluations}, 2,
       'a batch counts what is left of its contents');
    status_is($t->delete("/content/$clip"), 204,
              'the last content of a batch is deleted');
    $b = counts_are_right($media, 'a batch that lost all contents');
    is("$b->{status} $b->{progress_percentage} $b->{error}{code}",
       'failed 100 CONTENTS_DELETED',
       'a batch of which nothing is left has failed, and says why');
    is($t->get("/evaluations/results/$media")->json->{error}{message},
       'all of its contents were deleted, and their evaluations with them',
       'the results of a batch of which nothing is left say why');

    my $waiting = new_batch(auto_start => $false,
                            content_items => [ inline(1), inline(2) ]);
    $b = $t->get("/batches/$waiting")->json;
    $t->delete("/content/$_") for @{ $b->{content_ids} };
    is(counts_are_right($waiting, 'a waiting batch that lost all contents')
       ->{status}, 'created', 'a batch that lost all contents can be started');
    is($t->post("/batches/$waiting/start")->json->{status}, 'completed',
       'a batch without contents is completed when it starts');

    # A batch with its results, but not the contents.

    my @left = @{ $t->batch_ended($gone)->{content_ids} };
    my @evaluations = map { $_->{evaluation_id} }
        @{ $t->get("/evaluations?batch_id=$gone")->json->{evaluations} };
    permission_is($t, 'evaluations:write', DELETE => "/batches/$later");
    error_is($t->delete("/batches/$gone", org => 1), 404,
             qr/^there is no such batch$/,
             "another organization can't delete a batch");
    status_is($t->delete("/batches/$gone"), 204, 'a batch is deleted');
    error_is($t->delete("/batches/$gone"), 404, qr/^there is no such batch$/,
             'a batch is deleted once');
    error_is($t->get("/batches/$gone"), 404, qr/^there is no such batch$/,
             'a deleted batch is gone');
    error_is($t->get("/evaluations/results/$gone"), 404,
             qr/^there is no such job$/,
             'the results of a deleted batch are gone');
    error_is($t->get("/evaluations/$evaluations[0]"), 404, undef,
             'the evaluations of a deleted batch are gone');
    status_is($t->get("/content/$left[1]"), 200,
              'the contents of a deleted batch stay');

    for (qw(x bat_x bat_01), $judge) {
        error_is($t->get("/batches/$_"), 404, qr/^there is no such batch$/,
                 "$_ is no batch");
    }

    # While it is judged: nobody writes into what is gone.

    my $big = new_batch(content_items => [ map { inline($_) } 1 .. 1500 ]);
    $t->wait_until(sub {
        $t->get("/batches/$big")->json->{completed_evaluations} > 0
    }, 'the first of them');
    status_is($t->delete("/batches/$big"), 204,
              'a batch is deleted while it is judged');
    $t->wait_until(sub { !$t->sql1('select count(*) from unfinished') },
                   'the slices of what is deleted');
    is($t->sql1("select count(*) from evaluations where batch_id = '$big'"), 0,
       'evaluations of a deleted batch are cancelled');
    is($t->batch_ended(new_batch())->{status}, 'completed',
       'a deleted batch does not disturb others');
    is($t->sql1("select count(*) from evaluations where batch_id = '$big'"), 0,
       'no evaluation of a deleted batch comes back');
};

subtest 'batches are listed' => sub {
    my @ids = map { $_->{id} } map { @$_ } $t->pages('/batches?limit=3',
                                                     'batches');
    is("@ids", join(' ', reverse sort @ids),
       'batches are listed with the newest first');
    is(scalar @ids, $t->sql1('select count(*) from batches'),
       'pages have all batches');
    lists_like($t, '/batches?status=failed', 'batches', [$media, $failed],
               'batches are listed by their status');
    is(scalar @{ $t->get('/batches', org => 1)->json->{batches} }, 0,
       'another organization has no batches');
    error_is($t->get('/batches?status=open'), 400,
             qr/^status: expected one of/,
             'a status that does not exist is refused');

    my ($listed) = @{ $t->get('/batches?limit=1')->json->{batches} };
    ok(!exists $listed->{content_ids}, 'a list has no lists of contents');
    is($listed->{name}, 'Texts', 'a list has the names of batches');
};

subtest '10,000 evaluations survive crashes, each counted once' => sub {
    my @many = map { inline($_) } 1 .. 10000;

    error_is($t->post('/batches/evaluate', json => batch_with(
                 content_items => [ @many, inline(10001) ])), 400,
             qr/^content_items: expected an array of 1 to 10000 items$/,
             '10,001 items are too many');
    error_is($t->post('/batches/evaluate', json => batch_with(
                 content_items => [ @many[0 .. 9998], {} ])), 400,
             qr/^content_items\[9999\]: expected either/,
             'an item that is wrong is found as the last of 10,000');

    my $whole = new_batch(name => 'Many', content_items => \@many);

    SKIP: {
        skip 'one process only', 2 if $t->single;

        for my $done (500, 4000) {
            $t->wait_until(sub {
                $t->get("/batches/$whole")->json->{completed_evaluations}
                    >= $done
            }, "$done of them", 300);
            ok($t->kill_worker, "a worker is killed after $done evaluations");
        }
    }

    $t->wait_until(sub {
        $t->get("/batches/$whole")->json->{status} eq 'completed'
    }, 'all of them', 600);        # some of them one by one
    $b = counts_are_right($whole, 'a batch whose workers were killed');
    is("$b->{completed_evaluations} $b->{failed_evaluations}", '10000 0',
       'all 10,000 evaluations are completed');
    is(scalar @{ $b->{content_ids} }, 10000,
       'a batch of 10,000 names its contents');

    # How fast it went is measured: the next one can be estimated.

    $r = $t->post('/batches/evaluate', json => batch_with());
    time_is($r->json->{estimated_completion_time},
            'a batch has an estimate of its end once speed is known');
    cmp_ok($r->json->{estimated_completion_time}, 'ge', $r->json->{created_at},
           'the estimate of an end is not in the past');
};

done_testing;
