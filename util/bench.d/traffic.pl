# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The parts of util/bench about judge_traffic and judge_detect: a location in
# front of another nginx with them and without, by turns.

use Bench;

use constant STREAMS => 10_000;

my %size = ('2k' => 2_048, '32k' => 32_768);

# What the locations have before proxy_pass; all is judged but where `rate`
# says otherwise.
my $who   = 'organization=$organization judge';
my %lines = (
    plain   => '',
    default => "judge_traffic $who=\$judge;",
    all     => "judge_traffic $who=\$judge rate=100000/s;",
    guard   => "judge_traffic $who=\$judge mode=guard min=0;",
    trained => "judge_traffic $who=\$trained mode=guard min=0;",
    detect  => 'judge_detect pii,secrets,insults,orders,links;',
);


sub bench_traffic {
    my $behind = answers();
    my $t = service(prefix => '/api/', connections => 3 * STREAMS,
        main   => 'worker_rlimit_nofile 65536;',
        http   => "proxy_http_version 1.1; proxy_set_header Connection '';"
            . ' upstream behind { server 127.0.0.1:' . $behind->port
            . '; keepalive 64; }' . join('', map {
                " map x \$$_ { include $_*.conf; }"
            } qw(judge trained organization)),
        server => join "\n", map {
            ("location /$_/ { proxy_pass http://behind/; $lines{$_} }",
             "location /streams-$_/ { proxy_buffering off; $lines{$_}"
             . ' proxy_pass http://127.0.0.1:' . $behind->port . '/; }')
        } sort keys %lines);

    # A judge, one that has learned and is in use, and their organization.
    my $trained = $t->new_judge;
    my $job     = $t->job_ended(learns($t, $trained, 300));
    my $version = $job->{results}{new_model_version}
        // die "bench     nothing was learned\n";
    $t->post("/judges/$trained/versions/$version/activate", json => {});
    $t->write('judge.conf', 'x ' . $t->new_judge . ';');
    $t->write('trained.conf', "x $trained;");
    $t->write('organization.conf', 'x ' . $t->org->{id} . ';');
    $t->reload;

    traffic_throughput($t);
    traffic_latency($t, $_) for qw(2k 32k);
    traffic_streams($t);
    $_->quit for $t, $behind;
}


# Another nginx, with answers of 2 and 32 KB of text, and streams of a word
# each two seconds.

sub answers {
    my $text = 'The committee met on Monday and agreed on a plan. ' x 700;
    my %body = map { $_ => encode({ choices => [ { index => 0,
        message => { role => 'assistant',
                     content => substr $text, 0, $size{$_} } } ] })
    } keys %size;
    my $word = 'data: ' . encode({ choices => [ { index => 0,
        delta => { content => 'The committee agreed. ' } } ] });
    my $words = "echo '$word'; echo ''; echo_flush; echo_sleep 2;" x 30;

    my $t = other_nginx(<<"CONF");
location = /2k { return 200 '$body{'2k'}'; }
location = /32k { root answers; open_file_cache max=10; }
location = /stream { default_type text/event-stream; $words }
CONF
    mkdir $t->dir . '/answers' or die "answers: $!";
    $t->write('answers/32k', $body{'32k'});
    return $t;
}


# What wrk finds by each of these ways, by turns.

sub by_ways($t, $size, $ways, %o) {
    my %of;

    @of{@$ways} = by_turns(map { my $path = "/$_/$size";
                                 sub { load($t, $path, %o) } } @$ways);
    return \%of;
}


sub traffic_throughput($t) {
    my $judged = $t->metric('judge_traffic_judged_total');
    my $all    = load($t, '/all/2k');
    my $share  = sprintf '%.1f', 100 / $all->{rate} / SECONDS
                 * ($t->metric('judge_traffic_judged_total') - $judged);
    my $of = by_ways($t, '2k', [qw(plain default all guard detect)]);

    for ([ 'observed, rate=100/s', 'default', 0.85 ],
         [ "observed, no rate ($share % judged)", 'all', 0.85 ],
         [ 'guard, all judged', 'guard' ], [ 'five detectors', 'detect' ])
    {
        my ($name, $way, $reach) = @$_;
        row_of("traffic $name, per s", $reach, @$of{$way, 'plain'});
    }

    # At half of that: each connection pauses as long as it takes a request.
    my $pause = 2000 * 64 / median(map { $_->{rate} } @{ $of->{plain} });
    $of = by_ways($t, '2k', [qw(plain default all)], pause => $pause);
    row_of('  p99 at half load, rate=100/s, ms', '+0.2',
           @$of{qw(default plain)}, 'p99');
    row_of('  p99 at half load, no rate, ms', '', @$of{qw(all plain)}, 'p99');
}


# What it adds where there is time: two connections that pause.

sub traffic_latency($t, $size) {
    my %name = (detect => 'five detectors', guard => 'guard, built-in engine',
                trained => 'guard, judge that has learned');
    my $of = by_ways($t, $size, [ 'plain', sort keys %name ],
                     connections => 2, pause => 2);

    for my $way (sort keys %name) {
        row_of("$name{$way}, $size, $_, ms", $_ eq 'p50' && $size eq '2k'
               ? '+1.0' : '', @$of{$way, 'plain'}, $_) for qw(p50 p99);
    }
}


# What the workers take for streams: with judge_traffic and without, when all
# are open and some events later.

sub traffic_streams($t) {
    my %mb;

    for my $way (qw(plain default)) {
        $t->restart;
        my $before = sum(megabytes($t));
        my $load = begin_load($t, "/streams-$way/stream",
                              connections => STREAMS, seconds => 25,
                              key => undef);
        $mb{$way} = [ map { sleep $_; sum(megabytes($t)) - $before } 8, 8 ];
        end_load($load);
    }
    row(STREAMS . ' streams observed, MB of all workers',
        map { $_->[0] } @mb{qw(default plain)});
    row('  the same 8 seconds later', map({ $_->[1] } @mb{qw(default plain)}),
        'flat');
}


# --- Detectors -------------------------------------------------------------

# What 250 KB take of a processor in a process that has just started, the least
# of five: prose, and what was slowest of all that was tried, repeated.

sub bench_detectors {
    my $t    = Judge::Test->prepare;
    my $long = 250 * 1024;
    my @hard = ('4111 ', "#'s ", 'a=sk-sk-sk-', ':tok1token', 'a. ', 'is ',
                "a\xe2\x80\x9c", '//a', 'a@', 'never tell anyone about ');
    my $find = sub ($name, $reach, $text, @which) {
        my $file = $t->write('text', substr $text x (1 + $long / length $text),
                                            0, $long);
        row($name, min(map {
            my (undef, $out) = $t->run('build/judge', 'detect', $file,
                                       'type=text/plain', @which);
            $out =~ /([\d.]+) ms of a processor\n\z/ ? $1 : die $out
        } 1 .. 5), undef, $reach);
    };
    my $prose = join '', map { Judge::Nginx::read_file($_) } glob 'docs/*.md';
    my $words = $t->write('words', "black box\nxyzzy\n");
    my @given = ("words=$words", 'leak=README.md', 'languages=fr');
    my @names = qw(pii secrets insults orders links);
    my @all   = (join(',', @names), 'hosts=example.com', @given);

    $find->(s/=.*//r . ', 250 KB of prose, ms', '', $prose, $_)
        for @names, @given;
    $find->('all detectors, 250 KB of prose, ms', 20, $prose, @all);
    $find->("all detectors, 250 KB of \"$_\", ms", 20, $_, @all) for @hard;
}

1;
