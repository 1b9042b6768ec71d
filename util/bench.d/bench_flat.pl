# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The part of util/bench about many evaluations: whatever is asked of a store
# with so many costs what it costs with 1,000.  Both stores are made of the
# same rows by bench_fill.pl and asked by turns.

use strict;
use warnings;

use Digest::SHA qw(hmac_sha256_hex);
use IO::File ();
use MIME::Base64 ();
use List::Util qw(max min);
use Time::HiRes qw(time);

my $filled;                            # when the rows were made

use constant { FEW => 1_000, TURNS => 41 };


# The rows that fill() copies: texts of two judges in a batch, feedback,
# deliveries, videos that wait and one that failed.

sub fill_templates {
    my ($t) = @_;

    my @judges = map { $t->new_judge } 1 .. 2;
    my @essays = map { Encode::decode('UTF-8', Judge::Nginx::read_file($_)) }
                 (glob 't/data/essays/*.txt');

    $t->put('/config/webhooks', json => {
        url => 'https://example.com/hook', events => ['batch.completed',
        'evaluation.completed', 'feedback.processed'] });
    my $batch = $t->made('/batches/evaluate', 'batch_id', json => {
        name => 'Bench', judge_ids => \@judges, content_items => [
            map { { name => 'Essay', text_content => substr $_, 0, 500 } }
            @essays ] });
    $t->wait_until(sub { $t->get("/batches/$batch")->json->{status}
                         eq 'completed' }, 'the batch', 60);

    # Two people, so that there is agreement between them.
    for my $key ($t->org->{key}, scalar $t->new_key) {
        for my $e (@{ $t->get("/evaluations?batch_id=$batch&limit=50")
                        ->json->{evaluations} }) {
            my @ids = map { $_->{criterion_id} }
                      @{ $t->get("/judges/$e->{judge_id}")->json->{criteria} };
            my $r = $t->post("/feedback/evaluation/$e->{evaluation_id}",
                key => $key, json => { type => 'correction', content => {
                    corrected_scores => { map { $_ => 50 } @ids } } });
            die 'bench     flat: feedback: ', $r->body if $r->status != 201;
        }
    }

    my $films = $t->new_judge(content_type => 'video');
    my $items = $t->post('/v1/evaluations/social-media', json => {
        judge_id => $films, urls => [ map { "https://vimeo.com/7697987$_" }
                                      0 .. 3 ] })->json->{items};
    my $r = called($t, '', $t->org, @{ $items->[0] }{
        'evaluation_id', 'content_id' }, 'failed');
    die 'bench     flat: callback: ', $r->body if $r->status != 200;
    $t->wait_until(sub { !$t->sql1('SELECT COUNT(*) FROM feedback WHERE'
                                   . ' processed = 0') }, 'feedback', 60);

    return ($judges[0], $films);
}


# A callback of a worker; the answer.

sub called {
    my ($t, $prefix, $org, $id, $content, $status) = @_;

    my $body = JSON::PP->new->canonical->encode({
        evaluation_id => $id, content_id => $content // 'cnt_unknown',
        status => $status, error => { code => 'NO_SOUND',
        message => 'No sound.' } });

    return $t->post("$prefix/api/video-evaluations/callback", key => undef,
        body => $body, headers => [ 'Content-Type' => 'application/json',
        'X-Webhook-Signature' => 'sha256='
        . hmac_sha256_hex($body, $org->{secret}) ]);
}


# Both stores: made anew, or as an earlier run left them in JUDGE_BENCH_STORES.

sub flat_stores {
    my ($t, $many) = @_;

    my $kept = $ENV{JUDGE_BENCH_STORES};
    my $note = ($kept // $t->dir) . '/flat.json';
    my @dirs = map { ($kept // $t->dir) . "/$_" } 'few', 'many';

    if (!-e $note) {
        $t->start;
        $t->new_org('Flat');
        my @judges = fill_templates($t);
        $t->quit;
        for ([ $dirs[0], FEW ], [ $dirs[1], $many ]) {
            my ($dir, $n) = @$_;
            system('rm', '-rf', $dir) == 0
                && system('cp', '-a', $t->store_dir, $dir) == 0
                or die "bench     flat: the store could not be copied\n";
            my (undef, $rate) = fill($t, $dir, $n);
            row("rows filled in for $n evaluations, per s", $rate, '', '',
                '50000') if $n > FEW;
        }
        my $file = IO::File->new($note, 'w') or die "$note: $!\n";
        print $file JSON::PP::encode_json({ judges => \@judges,
            org => $t->org, filled => time });
    }

    my $of = JSON::PP::decode_json(Judge::Nginx::read_file($note));
    $t->{orgs} = [ $of->{org} ];
    $filled = $of->{filled};
    $t->conf(judge => 'few', http => "judge_store $dirs[0] name=few;"
             . " judge_store $dirs[1] name=many;",
             server => 'location /many/ { judge many; }');

    return @{ $of->{judges} };
}


sub flat {
    my ($many) = @_;

    my $t = Judge::Test->new(
        described => 0, access_log => 'off', start => 0);
    my ($judge, $films) = flat_stores($t, $many);

    my $began = time;
    $t->start;
    row('start, s', sprintf('%.2f', time - $began), '', '', '1 s');

    my $only = $ENV{JUDGE_BENCH_ONLY} // '';
    for my $case (grep { $_->[0] =~ /(?:$only)/ }
                  flat_cases($t, $judge, $films, $many))
    {
        flat_case($t, $many, @$case);
    }

    my $kb = max(map { rss($_) } $t->workers);
    row('memory of a worker, MB', sprintf('%.1f', $kb / 1024), '', '',
        '60 MB');
    $t->quit;
}


# What is asked: a name, and a sub that gets the prefix of a service and asks
# once.

sub flat_cases {
    my ($t, $judge, $films, $many) = @_;

    # So few that a page of the small store is full, too.
    my @types  = qw(text video audio image);
    my @states = qw(uploaded processing ready error);
    my @lists  = ('/v1/judges', '/v1/judges?content_type=video',
        '/v1/judges?status=ready', '/v1/judges?status=training', '/content',
        (map { "/content?file_type=$_" } @types),
        (map { my $s = $_; ("/content?status=$s",
               map { "/content?file_type=$_&status=$s" } @types) } @states),
        '/batches',
        (map { "/batches?status=$_" } qw(created evaluating completed
                                         failed)),
        '/webhooks/deliveries', '/webhooks/deliveries?type=webhook.test',
        '/webhooks/deliveries?event_id=evt_x',
        (map { my $s = $_; map { "/webhooks/deliveries?status=$s$_" } '',
             '&type=evaluation.completed', '&type=batch.completed' }
         qw(pending delivered failed)),
        "/judges/$judge/agreement", "/judges/$judge/review",
        "/judges/$judge/drift", "/judges/$judge/estimate",
        '/training/jobs', "/training/jobs?judge_id=$judge",
        (map {; "/training/jobs?status=$_",
               "/training/jobs?judge_id=$judge&status=$_" }
         qw(completed failed)));

    for my $status ('', map { "&status=$_" } qw(processing completed failed)) {
        for my $of ('', map { "&judge_id=$_" } $judge, $films, 'jdg_x') {
            push @lists, map { "/evaluations?$_$of$status" } 'limit=5',
                'limit=5&needs_review=true', 'limit=5&needs_review=false';
        }
    }

    # fill()'s large batch, of which half is completed.
    my %half = ('' => FEW / 100, '/many' => min($many / 100, 100_000));
    my %of = map { ($_->[0] => ($ENV{JUDGE_BENCH_STORES} // $t->dir)
                               . "/$_->[1]") } [ '', 'few' ],
                                               [ '/many', 'many' ];
    my %own;
    for my $prefix ('', '/many') {
        # Results name what they are copies of; rows don't.
        my ($status, $out) = $t->run('sqlite3', '-json', $of{$prefix}
            . '/judge.db', "SELECT id AS evaluation_id, content_id FROM"
            . " evaluations WHERE status = 'completed' AND org = '"
            . $t->org->{id} . "' AND judge_id = '$judge'"
            . ' ORDER BY id DESC LIMIT 1');
        my $one = JSON::PP::decode_json($out)->[0];
        $own{$prefix} = { %$one, ended => $t->get("$prefix/evaluations?limit=1"
            . "&status=failed")->json->{evaluations}[0]{evaluation_id},
            done => (sort map { $_->{batch_id} }
                     grep { $_->{total_evaluations} / 10 == 9.8 }
                     @{ $t->get("$prefix/batches?limit=50&status=completed")
                          ->json->{batches} })[0],
            large => (map { $_->{batch_id} }
                      grep { $_->{total_evaluations} == $half{$prefix} }
                      @{ $t->get("$prefix/batches?limit=50&status=completed")
                           ->json->{batches} })[0],
            waiting => [ map { [ @$_{qw(evaluation_id content_id)} ] }
                @{ $t->get("$prefix/evaluations?limit=50&status=processing")
                     ->json->{evaluations} } ] };
        die 'bench     flat: no batches' if grep { !defined $own{$prefix}{$_} }
                                            qw(done large ended);
    }

    return (
        (map { my $path = $_;
               [ $path, sub { flat_pages("$_[0]$path", $_[1]) } ] } @lists),
        (map { my ($name, $path) = @$_; [ $name, sub {
             my ($prefix) = @_;
             my $o = $own{$prefix};
             [ $prefix . $path =~ s/\{(\w+)\}/$o->{$1}/gr ] } ] }
         [ 'GET an evaluation', '/evaluations/{evaluation_id}' ],
         [ 'GET a content', '/content/{content_id}' ],
         [ 'GET a batch', '/batches/{done}' ],
         [ "a batch's results", '/batches/{done}/results' ],
         [ "an evaluation's feedback",
           '/feedback/evaluation/{evaluation_id}' ],
         [ '?content_id', '/evaluations?content_id={content_id}' ],
         [ "a batch's estimate", "/batches/{done}/estimate?judge_id=$judge" ],
         [ "a large batch", '/batches/{large}' ],
         [ 'GET metrics', '/metrics' ],
         (map { [ $_ =~ s/\{|\}//gr, "/evaluations?limit=5&$_" ] }
          map { my $of = $_; map { "$of$_" } '', '&status=completed',
                '&status=failed', '&status=processing', '&needs_review=true',
                '&needs_review=false' }
          map { my $of = $_; map { "$of$_" } '', "&judge_id=$judge",
                '&judge_id=jdg_x' }
          'batch_id={done}', 'batch_id={large}')),
        [ 'create and score', sub { [ "$_[0]/evaluations/single", json =>
            { judge_id => $judge, content_id => $own{$_[0]}{content_id} } ] },
        ],
        [ 'callback, unknown', sub { [ \1, $_[0], $t->org, 'evl_unknown',
                                       undef, 'failed' ] } ],
        [ 'callback, ended', sub { [ \1, $_[0], $t->org, $own{$_[0]}{ended},
           undef, 'failed' ] } ],
        [ 'finish (callback)', sub {
            my ($prefix) = @_;
            [ sub { (\1, $prefix, $t->org,
                     @{ shift @{ $own{$prefix}{waiting} } }, 'failed') } ]
        }, 9 ],
        [ 'idle claim (audio)', sub { [ "$_[0]/v1/work/claim", json =>
            { kinds => ['audio'] } ] } ],
        [ 'claim (video)', sub { [ "$_[0]/v1/work/claim", json =>
            { kinds => ['video'], limit => 1 } ] }, 9 ],
    );
}


# The first, middle and last page of a list: a cursor is an identifier, which
# begins with a time.

sub flat_pages {
    my ($path, $n) = @_;

    $path .= ($path =~ /\?/ ? '&' : '?') . 'limit=5'
        if $path =~ m{/(?:content|batches|deliveries)(?:\?|$)};
    my %prefixes = (evaluations => 'evl', content => 'cnt', batches => 'bat',
                    deliveries => 'whd');
    my ($prefix) = map { $prefixes{$_} // () } $path =~ m{(\w+)(?:\?|$)};
    return [$path] if !$prefix;

    my @digits = split //, '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
    my @pages  = ([$path]);
    for my $share (0.5, $n > FEW ? 0.02 : 0.3) {
        my $ms = int(1000 * $filled - 10 * $n * (1 - $share));
        my $id = '';
        for (1 .. 10) {
            $id = $digits[$ms % 32] . $id;
            $ms = int($ms / 32);
        }
        my $cursor = MIME::Base64::encode_base64url("${prefix}_$id"
                                                    . '0' x 16);
        push @pages, [ $path . ($path =~ /\?/ ? '&' : '?')
                       . "cursor=$cursor" ];
    }

    return @pages;
}


# What the workers have used of processors, in ns.

sub flat_cpu {
    my ($t) = @_;

    my $sum = 0;
    for (map { glob "/proc/$_/task/*/schedstat" } $t->workers) {
        $sum += (split ' ', Judge::Nginx::read_file($_) // 0)[0];
    }

    return $sum;
}


# The worst of its pages; and what that costs of processors, compared.

sub flat_case {
    my ($t, $many, $name, $ask, $turns) = @_;

    my @pages = ([ $ask->('', FEW) ], [ $ask->('/many', $many) ]);
    my ($worst, @row) = (0);

    for my $i (0 .. $#{ $pages[0] }) {
        my (@took, @cpu);
        for (1 .. $turns // TURNS) {
            for my $of (0, 1) {
                my ($path, @rest) = @{ $pages[$of][$i] };
                ($path, @rest) = $path->() if ref $path eq 'CODE';
                my ($cpu, $began) = (flat_cpu($t), time);
                my $r = ref $path ? called($t, @rest)
                      : @rest ? $t->post($path, @rest) : $t->get($path);
                push @{ $took[$of] }, 1000 * (time - $began);
                push @{ $cpu[$of] }, flat_cpu($t) - $cpu;
                die "bench     flat: $name: " . $r->status . "\n"
                    if !$r->status || $r->status >= 400
                       && $name !~ /^callback|jdg_x|drift/;
            }
        }
        my ($few, $most) = map { median(@$_) } @took;
        my @used = map { median(@$_) } @cpu;
        ($worst, @row) = ($most / $few, $most, $few,
                          $used[1] / ($used[0] || 1))
            if $most / $few > $worst;
    }

    $name =~ s/jdg_[0-9A-Z]{20,}/ID/g;
    row($name . ', ms', (map { sprintf '%.2f', $_ } @row[0, 1]),
        sprintf('%.2f', $worst), sprintf '1.3; cpu %.2f', $row[2]);
}


1;
