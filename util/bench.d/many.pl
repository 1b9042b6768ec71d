# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The parts of util/bench about much of something: training, organizations and
# flat.

use Bench;

use Digest::SHA qw(sha256_hex);
use MIME::Base64 qw(encode_base64 encode_base64url);

use constant { SINGLES => 200, ORGANIZATIONS => 10_000, OF_EACH => 100,
               FEW => 1_000, TURNS => 21 };


# --- Judges that learn -----------------------------------------------------

# A judge learns from so many corrected texts of 400 bytes while others read,
# and then scores as it has learned.

sub bench_training($n = 10_000) {
    my $t = service();
    my (undef, undef, $read) = evaluated_one($t);
    my $idle  = load($t, $read, connections => 8);
    my $judge = six($t);
    my $job   = learns($t, $judge, $n);
    my $state = sub { $t->get("/training/jobs/$job")->json->{status} };
    my @p99;

    $t->wait_until(sub { $state->() ne 'pending' }, 'the training');
    push @p99, load($t, $read, connections => 8)->{p99}
        while !@p99 || $state->() !~ /ed$/;
    die "bench     training: it failed\n" if $state->() ne 'completed';

    row("$n examples x 6 criteria learned in s",
        $t->sql1('SELECT (completed_at - started_at) / 1000.0 FROM'
                 . " training_jobs WHERE id = '$job'"));
    row('  peak memory of the worker, MB', max(megabytes($t, 'VmHWM')));
    row('  reads meanwhile, p99 in ms (idle)', median(@p99), $idle->{p99},
        '5 ms');
    row('  the worst of ' . @p99 . ' times 3 s', max(@p99));

    my @texts = map { text(400) } 1 .. 50;
    my $model = encode_base64(pack('H*', $t->sql1(
        'SELECT hex(model) FROM judge_calibrators')), '');
    my ($trained, $plain) = by_turns(
        map { my @how = @$_; sub { 1e6 / scored($t, 1, \@texts, @how) } }
            [ model => $model ], []);
    row_of('a text of 400 bytes scored as learned, us', 1.5, $trained, $plain);
    $t->quit;
}


# A job that learns from so many corrected texts has begun.

sub learns($t, $judge, $n) {
    while ($n > 0) {
        my $part  = min($n, 10_000);
        my $batch = send_batch($t, batch_body([$judge],
                               [ map { text(400) } 1 .. $part ]));
        $t->batch_completed($batch);
        corrected($t, $batch, $part);
        $n -= $part;
    }

    my $job = $t->made('/training/jobs', 'job_id', json => {
        judge_id => $judge, training_type => 'full_retrain',
        training_config => { early_stopping => JSON::PP::false() } });
    $t->post("/training-jobs/$job/execute", json => {});
    return $job;
}


# Somebody's corrections of evaluations of a batch.

sub corrected($t, $batch, $n, %opt) {
    my %criteria;

    my @entries = map {
        my $of = $criteria{ $_->{judge_id} } //= [
            map { $_->{criterion_id} }
            @{ $t->get("/judges/$_->{judge_id}")->json->{criteria} } ];
        my $score = $_->{overall_score} / 2;
        { evaluation_id => $_->{id}, type => 'correction', content => {
            corrected_scores => { map { $of->[$_] => $score + 5 * $_ }
                                  0 .. $#$of } } }
    } @{ $t->sql('SELECT id, judge_id, overall_score FROM evaluations'
                 . " WHERE batch_id = '$batch' LIMIT $n") };

    while (my @some = splice @entries, 0, 2000) {
        my $r = $t->post("/batches/$batch/feedback", %opt,
                         json => { feedback_entries => \@some });
        die 'bench     feedback: ', $r->body if $r->status >= 300;
    }
}


# --- Organizations ---------------------------------------------------------

# What one waits for while another has very many evaluations waiting; what
# 10,000 of them, each with a judge, a queue and 100 keys, cost against one.

sub bench_organizations($n = 1_000_000) {
    beside_another($n);
    organizations_many();
}

sub beside_another($n) {
    my $t     = service();
    my %big   = (key => $t->new_org('Big')->{key});
    my $small = $t->new_judge;
    my (undef, undef, undef, $body) = evaluated_one($t);
    my @judges = map { $t->new_judge(%big) } 1 .. 20;
    my $batch  = batch_body(\@judges, [ ('A word. ' x 250) x 10_000 ],
                            auto_start => JSON::PP::false());
    my $tiny   = batch_body([$small], [ map { "A text $_." } 1 .. 10 ]);
    my $asks   = sub {
        my @took = map { milliseconds(sub {
            $t->post('/evaluations/single', body => $body, timeout => 120,
                headers => [ Prefer => 'wait=60',
                             'Content-Type' => 'application/json' ])->status
        }) } 1 .. SINGLES;
        return (median(@took), percent(99, @took), milliseconds(sub {
            my $id = send_batch($t, $tiny);
            sleep 0.002 while $t->get("/batches/$id")->json->{status}
                              eq 'evaluating';
        }));
    };

    my @alone   = $asks->();
    my @batches = map { send_batch($t, $batch, %big) } 1 .. $n / 200_000;
    # Starting goes on while the first ones are evaluated.
    my $starts  = aside(sub {
        $t->post("/batches/$_/start", %big, timeout => 300) for @batches;
    });
    sleep 0.5;
    my @beside = $asks->();
    my $left   = $t->sql1('SELECT COUNT(*) FROM evaluations WHERE'
                          . " queue_at IS NOT NULL");
    over($starts);

    row("one evaluation beside $left of another's, ms", $beside[0], $alone[0],
        '+50 ms');
    row('  p99', $beside[1], $alone[1]);
    row('a batch of 10 beside them, ms', $beside[2], $alone[2]);
    $t->quit;
}

sub milliseconds($do) {
    my $began = time;

    $do->();
    return 1000 * (time - $began);
}


sub organizations_many {
    my $t = service(store => 'evaluate=off');
    my (undef, undef, undef, $body) = evaluated_one($t, waits => 1);
    my $one = $t->key;
    $t->quit;

    my $keys  = $t->write('keys.txt', join "\n", organizations_filled($t));
    my $began = time;
    $t->start;
    row('start, s', time - $began, undef, '1 s');

    # By each key in turn, or by the one of the argument.
    my $lua = <<"LUA";
local keys, at = {}, 0
function init(args)
    for key in io.lines("$keys") do keys[#keys + 1] = key end
    if args[1] then keys = { args[1] } end
    at = math.random(#keys)
end
function request()
    at = at % #keys + 1
    wrk.headers["X-API-Key"] = keys[at]
    return wrk.format()
end
LUA
    for my $round ('with empty caches', 'again') {
        my ($ours, $alone) = map { load($t, '/evaluations/single', @$_,
            seconds => 5, body => $body, lua => $lua)
        } [], [ argument => $one ];
        row("creates by keys of all organizations, $round, per s",
            $ours->{rate}, $alone->{rate});
        row('  p99, ms', $ours->{p99}, $alone->{p99});
    }
    row('memory of a worker, MB', max(megabytes($t)), undef, '60 MB');
    $t->quit;
}


# Copies of all rows of the first organization, which have its identifiers
# but for the organization's, and keys; one key of each.

sub organizations_filled($t) {
    my $of   = "org = '" . $t->org->{id} . "'";
    my @keys = map { key_of(sprintf 'jdgk_%030d', $_) } 1 .. ORGANIZATIONS;
    my $copy = "printf('%.20s%010d', '" . $t->org->{id} . "', copy)";
    my $key  = "status, permissions, created_at";
    my $sql  = join "\n", 'BEGIN; CREATE TEMP TABLE copies'
        . ' (copy INTEGER PRIMARY KEY, hash BLOB);',
        map { "INSERT INTO copies VALUES ($_, x'" . sha256_hex($keys[$_ - 1])
              . "');" } 1 .. @keys;

    for my $table ($t->column("SELECT m.name AS v FROM sqlite_master m,"
        . " pragma_table_info(m.name) c WHERE m.type = 'table'"
        . " AND c.name = 'org' AND m.name <> 'api_keys'"))
    {
        my $values = join ', ', map { $_ eq 'org' ? $copy : qq("$_") }
                                $t->columns($table);
        $sql .= "INSERT INTO $table SELECT $values FROM copies, $table"
                . " WHERE $of;\n";
    }

    $sql .= 'INSERT INTO organizations (id, name, webhook_secret, created_at)'
        . " SELECT $copy, 'Bench', webhook_secret, created_at FROM copies,"
        . ' organizations WHERE id = \'' . $t->org->{id} . "';"
        . ' WITH RECURSIVE m(m) AS (VALUES(1) UNION ALL SELECT m + 1 FROM m'
        . ' WHERE m < ' . OF_EACH . ") INSERT INTO api_keys (org, id, hash,"
        . " name, $key) SELECT $copy, printf('key_%d_%d', copy, m),"
        . ' iif(m = 1, copies.hash, randomblob(32)),'
        . " 'Bench', $key FROM m, copies, api_keys WHERE $of; COMMIT;";
    my ($status, $out) = $t->run('sqlite3', $t->store_dir . '/judge.db',
                                 '.read ' . $t->write('fill.sql', $sql));
    die "bench     organizations: $out" if $status != 0;
    return @keys;
}


# --- Very many evaluations -------------------------------------------------

# Each list with its filters, at the first page and near the end, and single
# resources of a store with so many cost what they do with 1,000.  Both stores
# are filled by the service itself and asked by turns.

sub bench_flat($n = 1_000_000) {
    my ($few, $many) = map { flat_filled($_) } FEW, $n;
    my $t = $many->{t};

    $t->quit;
    my $began = time;
    $t->start;
    row("start with $n evaluations, s", time - $began, undef, '1 s');

    for my $path (flat_paths()) {
        my @took = ([], []);
        for (1 .. TURNS) {
            for my $i (0, 1) {
                my $of = ($many, $few)[$i];
                my $r = $of->{t}->get($path =~ s/\{(\w+)\}/$of->{$1}/gr);
                push @{ $took[$i] }, 1000 * $r->seconds;
                die "bench     flat: $path: ", $r->status, "\n"
                    if !$r->status || $r->status >= 500;
            }
        }
        row("$path, ms", map({ median(@$_) } @took), 1.3);
    }
    row('memory of a worker, MB', max(megabytes($t)), undef, '60 MB');
    $_->{t}->quit for $few, $many;
}


sub flat_paths {
    my $with = sub ($path, $field, @values) {
        return ($path, map { "$path&$field=$_" } @values);
    };
    my @lists = (
        (map { $with->($_, 'status', qw(ready training)) }
         $with->('/v1/judges?limit=5', 'content_type', 'video')),
        (map { $with->($_, 'status', qw(uploaded ready error)) }
         $with->('/content?limit=5', 'file_type', qw(text video))),
        $with->('/batches?limit=5', 'status', qw(evaluating completed)),
        (map { $with->($_, 'type', 'feedback.processed') }
         $with->('/webhooks/deliveries?limit=5', 'status',
                 qw(pending delivered))),
        (map { $with->($_, 'needs_review', qw(true false)) }
         map { $with->($_, 'status', qw(processing completed failed)) }
         map { $with->($_, 'batch_id', qw({small} {large})) }
         $with->('/evaluations?limit=5', 'judge_id', qw({judge} {film}))));

    return (@lists, (map { /evaluations/ ? "$_&cursor={late}" : () } @lists),
        (map { "/judges/{judge}/$_" } qw(agreement review drift estimate)),
        '/evaluations/{id}', '/evaluations?content_id={content_id}',
        '/content/{content_id}', '/feedback/evaluation/{id}',
        '/batches/{small}', '/batches/{large}', '/batches/{small}/results',
        '/batches/{small}/estimate?judge_id={judge}', '/metrics');
}


# A service with so many evaluations by 20 judges, in a small batch and large
# ones, one in 40 corrected by two people, deliveries of that, videos that wait
# and one that failed; and what a request may name of it.

sub flat_filled($n) {
    my $t   = service();
    my @judges = map { $t->new_judge } 1 .. 20;
    my %of = (t => $t, judge => $judges[0],
              film => $t->new_judge(content_type => 'video'));

    $t->put('/config/webhooks', json => { url => 'https://example.com/hook',
        events => [qw(batch.completed feedback.processed)] });
    for (my $left = $n / @judges; $left > 0; $left -= 10_000) {
        my @texts = map { text(500) } 1 .. min($left, 10_000);
        $of{small} //= $t->new_batch([ @judges[0, 1] ], [ @texts[0 .. 19] ]);
        $of{large} = send_batch($t, batch_body(\@judges, \@texts));
        $t->batch_completed($of{large});
    }
    for my $key ($t->key, scalar $t->new_key) {
        corrected($t, $of{small}, 40, key => $key);
        corrected($t, $of{large}, min($n, 1_000_000) / 40, key => $key);
    }
    $t->feedback_processed;

    my (undef, $film) = film_batch($t, $of{film}, 50);
    report($film, undef);
    my ($one) = @{ $t->sql('SELECT id, content_id FROM evaluations WHERE'
        . " batch_id = '$of{small}' AND judge_id = '$of{judge}' LIMIT 1") };
    my $late  = $t->sql1('SELECT id FROM evaluations ORDER BY id LIMIT 1'
                         . ' OFFSET ' . int($n / 50));

    return { %of, %$one, late => encode_base64url($late) };
}

1;
