# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What the parts of util/bench share: services, load, batches, what processes
# take, and the rows of the table.
#
#   use Bench;                         # strict, warnings, signatures, this
#
#   my $t = service(workers => 1);     # a Judge::Test that logs nothing
#   my $r = load($t, '/judges');       # of wrk
#   row('GET judges, per s', $r->{rate}, $bound, 0.7);

package Bench;

use v5.36;

use Compress::Zlib ();
use feature ();
use JSON::PP ();
use List::Util qw(max min sum);
use POSIX ();
use Time::HiRes qw(sleep time);

use Judge::Test;
use Judge::Work;

use constant { SECONDS => 3, ROUNDS => 3, TIMES => 3000, SLOWER => 1.2 };

my @own = qw(SECONDS ROUNDS encode row row_of percent median by_turns timed
             aside over service other_nginx load begin_load end_load
             against_static essays text evaluated_one six batch_body
             send_batch batch_timed film_batch report megabytes processor
             key_of scored bare_rows max min sum sleep time);


sub import {
    my $caller = caller;

    strict->import;
    warnings->import;
    feature->import('signatures');
    no strict 'refs';
    *{"${caller}::$_"} = \&$_ for @own;
}


sub encode { return JSON::PP->new->utf8->canonical->encode($_[0]) }


# --- Figures ---------------------------------------------------------------

my ($of, @rows);


# What was measured, what bounds it, and what is to be reached by the ratio of
# both or by the figure.  What is indented belongs to the row before.

sub row($name, $measured, $bound = undef, $reach = undef, $ratio = undef) {
    $ratio //= $bound ? $measured / $bound : '';
    $of = $name if $name !~ /^ /;
    push @rows, [ $name eq $of ? $name : "$of:" . substr($name, 1),
                  sprintf '%.2f', $ratio ] if $ratio;
    printf "%-44s %12s %12s %8s %8s\n", $name, number($measured),
           number($bound), number($ratio, 2), $reach // '';
}

sub number($n, $digits = undef) {
    return $n // '' if ($n // '') !~ /^-?[\d.]+(?:e-?\d+)?$/;
    return sprintf "%.*f", $digits // ($n < 10 ? 2 : $n < 100 ? 1 : 0), $n;
}


# Medians of what was measured by turns, numbers or what load() gives; the
# ratio is the median of the turns'.

sub row_of($name, $reach, $ours, $bound, $field = 'rate') {
    my ($a, $b) = map { [ map { ref ? $_->{$field} : $_ } @$_ ] }
                  $ours, $bound;

    row($name, median(@$a), median(@$b), $reach,
        median(map { $a->[$_] / $b->[$_] } 0 .. $#$a));
}

sub by_turns(@subs) {
    my @got;

    for (1 .. ROUNDS) {
        push @{ $got[$_] }, $subs[$_]->() for 0 .. $#subs;
    }
    return @got;
}


# What so many of a hundred are at most.

sub percent($percent, @all) {
    return (sort { $a <=> $b } @all)[$percent / 100 * $#all];
}

sub median(@all) { return percent(50, @all) }


# --- Load ------------------------------------------------------------------

# Requests for a path by wrk, for some seconds or from begin_load() to
# end_load(): { rate, p50, p99, longest (ms) }.  Options:
#
#   connections (64), seconds, key (undef: none), headers, port
#   body     of a POST
#   pause    of each connection between two requests, ms on average
#   lua      more of wrk's script, with the argument `argument`

sub load($t, $path, %o) {
    return end_load(begin_load($t, $path, seconds => SECONDS, %o));
}

sub begin_load($t, $path, %o) {
    our $scripts;

    my $key  = exists $o{key} ? $o{key} : $t->key;
    my $n    = $o{connections} // 64;
    my $file = $t->write('wrk' . ++$scripts . '.lua', join "\n",
        $o{body} ? ('wrk.method = "POST"', "wrk.body = '$o{body}'",
                    'wrk.headers["Content-Type"] = "application/json"') : (),
        $o{pause} ? "function delay() return math.random() * 2 * $o{pause} end"
                  : (),
        $o{lua} // ());
    my $pid = open my $out, '-|', 'wrk', $n > 1 ? '-t2' : '-t1', "-c$n",
        '-d' . ($o{seconds} // 3600), qw(--latency --timeout 60 -s), $file,
        (map { ('-H', $_) } $key ? "X-API-Key: $key" : (),
                            @{ $o{headers} // [] }),
        'http://127.0.0.1:' . ($o{port} // $t->port) . $path,
        '--', $o{argument} // () or die "wrk: $!";

    return { path => $path, pid => $pid, out => $out, ends => $o{seconds} };
}

sub end_load($load) {
    my %in = (us => 0.001, ms => 1, s => 1000, m => 60_000);
    my %r;

    kill INT => $load->{pid} if !$load->{ends};
    my $said = do { local $/; readline $load->{out} };
    close $load->{out} or die "wrk: $said";

    ($r{rate}) = $said =~ /Requests\/sec:\s+([\d.]+)/;
    for ([ p50 => '50%' ], [ p99 => '99%' ],
         [ longest => 'Latency\s+\S+\s+\S+' ])
    {
        my ($name, $before) = @$_;
        my ($n, $unit) = $said =~ /^\s+$before\s+([\d.]+)(us|ms|s|m)\b/m;
        $r{$name} = $n * $in{$unit};
    }
    warn "bench     $load->{path}: $1 requests failed\n"
        if $said =~ /Non-2xx or 3xx responses: (\d+)/;

    return \%r;
}


# Requests of a path against `return 200` with the same body.

sub against_static($t, $name, $reach, $path, %o) {
    our $statics;

    my $static = '/static' . ++$statics;
    my $body   = $t->get($path)->body =~ s/([\\'])/\\$1/gr =~ s/\$/_/gr;

    $t->write("static$statics.conf", "location = $static { default_type"
              . " application/json; return 200 '$body'; }\n");
    $t->reload(gone => 1);

    my ($bound, $ours) = by_turns(sub { load($t, $static) },
                                  sub { load($t, $path, %o) });
    row_of("$name, per s", $reach, $ours, $bound);
}


# How many seconds a command takes.

sub timed {
    my $began = time;

    system(@_) == 0 or die "bench     @_: it failed\n";
    return time - $began;
}


# Does this in a process of its own, until it is over.

sub aside($code) {
    my $pid = fork // die "fork: $!";

    if (!$pid) {
        $SIG{TERM} = 'DEFAULT';
        $code->();
        POSIX::_exit(0);
    }
    return $pid;
}

sub over($pid) {
    kill TERM => $pid;
    waitpid $pid, 0;
}


# --- What is judged --------------------------------------------------------

sub service(%opt) {
    return Judge::Test->new(described => 0, access_log => 'off',
                            http => 'judge_tuning on;',
                            server => 'include static*.conf;', %opt);
}


# Another nginx, of one process, which has these locations and echoes.

sub other_nginx($server, %opt) {
    return service(prefix => '/judge/', workers => 1, orgs => 0,
        connections => 30_000, server => $server, %opt,
        main => 'load_module /usr/lib/nginx/modules/ngx_http_echo_module.so;'
                . ' worker_rlimit_nofile 65536;',
        http => 'keepalive_requests 1000000; default_type application/json;'
                . ($opt{http} // ''));
}


# So many texts of 2 KB, each of an essay of t/data.

sub essays($n) {
    my %essay = Judge::Test->essays;
    my @texts = map { $essay{$_} x 4 } sort keys %essay;

    return map { substr "$_ " . $texts[$_ % @texts], 0, 2000 } 1 .. $n;
}


# A text of so many bytes, of sentences of all essays in an order that none of
# them has.

sub text($bytes) {
    our ($next, @sentences);
    my $text = '';

    if (!@sentences) {
        my %essay = Judge::Test->essays;
        @sentences = map { split /(?<=[.!?])\s+/, $essay{$_} }
                     sort keys %essay;
    }
    while (length $text < $bytes) {
        $next = (($next // 1) * 1_103_515_245 + 12_345) % 2_147_483_648;
        $text .= $sentences[($next >> 8) % @sentences] . ' ';
    }
    return $text;
}


# A judge, a content, the path of what one says of the other, and the body that
# asks for it again; waits => 1: it has not said it yet.

sub evaluated_one($t, %opt) {
    my $judge   = $t->new_judge;
    my %essay   = $t->essays;
    my $content = $t->new_content($essay{'best-pet'});
    my $id      = $t->new_evaluation($judge, $content);

    $t->evaluated($id) if !$opt{waits};
    return ($judge, $content, "/evaluations/$id",
            qq({"judge_id":"$judge","content_id":"$content"}));
}


sub six($t, %opt) {
    return $t->new_judge(%opt, criteria => [six_criteria()]);
}

sub six_criteria {
    return map { { name => $_, description => "$_ of the text." } }
           qw(Cohesion Syntax Vocabulary Phraseology Grammar Conventions);
}


# What asks for a batch of texts or of items; one of 20 MB takes Perl seconds.

sub batch_body($judges, $texts, %fields) {
    my $n = 0;

    return encode({ name => 'Bench', judge_ids => $judges, %fields,
        content_items => [ map { ref() ? $_ : { text_content => $_,
            name => 'Text ' . ++$n } } @$texts ] });
}

sub send_batch($t, $body, %opt) {
    my $r = $t->post('/batches/evaluate', body => $body, timeout => 300, %opt,
                     headers => [ 'Content-Type' => 'application/json' ]);

    die 'bench     batch: ', $r->body if $r->status !~ /^20[0-2]$/;
    return $r->json->{batch_id};
}


# How many evaluations of a batch end a second, from its request on, since it
# is evaluated while it is accepted; how many seconds it took to accept it.

sub batch_timed($t, @batch) {
    my $body  = batch_body(@batch);
    my $began = time;
    my $id    = send_batch($t, $body);
    my $took  = time - $began;

    # Asked seldom, since who asks takes time from those who evaluate.
    sleep 1 while $t->get("/batches/$id")->json->{status} eq 'evaluating';

    my ($n, $ms) = map { $t->sql1("SELECT $_ FROM evaluations WHERE batch_id ="
        . " '$id'") } 'COUNT(*)', "MAX(evaluated_at) - "
        . int(1000 * $began);
    return (1000 * $n / $ms, $took);
}


# A batch of videos, which waits for a worker that never comes, and the work
# that Judge::Work may report.

sub film_batch($t, $judge, $n) {
    works($t, judge => $judge);

    my $id = $t->new_batch($judge, [ map { { content_id => $_->{content_id} } }
                                     clips($n) ]);
    my $of = $t->get("/judges/$judge")->json;

    return ($id, map {
        { evaluation_id => $_->{id}, content => $_, judge => $of }
    } @{ $t->sql('SELECT id, content_id FROM evaluations'
                 . " WHERE batch_id = '$id'") });
}


# --- What it takes ---------------------------------------------------------

# MB of each worker; kinds as in /proc.

sub megabytes($t, $kind = 'VmRSS') {
    return map {
        Judge::Nginx::read_file("/proc/$_/status") =~ /^$kind:\s+(\d+)/m
            ? $1 / 1024 : ()
    } $t->workers;
}


# Seconds of processors that the workers have had.

sub processor($t) {
    return 1e-9 * sum(0, map {
        split / .*/s, Judge::Nginx::read_file($_) // 0
    } map { glob "/proc/$_/task/*/schedstat" } $t->workers);
}


# Texts a second that these processes of scoring alone do together, by their
# processor time: said => 1, with feedback in words, or by a model in base64.

sub scored($t, $processes, $texts, %how) {
    my $in = $t->write('scored', encode({ criteria => [six_criteria()],
        rounds => TIMES, texts => [ map { { text => $_ } } @$texts ], %how }));
    my @pipes = map {
        open my $pipe, '-|', "build/quality speed <'$in'" or die "quality: $!";
        $pipe
    } 1 .. $processes;

    return sum(map {
        @$texts / JSON::PP::decode_json(scalar readline $_)->{seconds}
    } @pipes);
}


# How many evaluations of the store SQLite alone inserts a second, so many in a
# group, which is committed durably; a group is of these transactions, each of
# these tables.

sub bare_rows($t, $group, @transactions) {
    my $dir    = $t->dir . '/bare';
    my %rows   = map {
        $_ => min(100_000, $t->sql1("SELECT COUNT(*) FROM $_"))
    } map { @$_ } @transactions;
    my $groups = int $rows{evaluations} / $group;
    my $insert = sub ($table, $at) {
        my ($from, $to) = map { int($_ * $rows{$table} / $groups) }
                          $at, $at + 1;
        return "INSERT INTO main.$table SELECT * FROM of_$table"
               . " WHERE rowid > $from AND rowid <= $to;";
    };

    $t->run('build/judge', '--store', $dir, qw(org create Bare));
    my $sql = $t->write('bare.sql', join "\n",
        "ATTACH '" . $t->store_dir . "/judge.db' AS store;",
        'PRAGMA synchronous = FULL; PRAGMA cache_size = -32000;',
        'PRAGMA temp_store = MEMORY; DELETE FROM results_together;',
        (map { "CREATE TEMP TABLE of_$_ AS SELECT * FROM store.$_"
               . " LIMIT $rows{$_};" } sort keys %rows),
        'DETACH store;',
        "CREATE TEMP TABLE began AS SELECT julianday('now') AS at;",
        (map { my $at = $_; map {
             ('BEGIN IMMEDIATE;', (map { $insert->($_, $at) } @$_), 'COMMIT;')
         } @transactions } 0 .. $groups - 1),
        "SELECT $rows{evaluations} / 86400.0 / (julianday('now') - at)"
        . ' FROM began;');
    my ($status, $out) = $t->run('sqlite3', '-bail', "$dir/judge.db",
                                 ".read $sql");

    die "bench     bare rows: $out" if $status != 0;
    timed('rm', '-r', $dir);
    return (split /\n/, $out)[-1];
}


# A key: its letters and, in base 62, their CRC-32.

sub key_of($letters) {
    my $crc = Compress::Zlib::crc32($letters);

    return $letters . join '', map {
        (0 .. 9, 'A' .. 'Z', 'a' .. 'z')[int($crc / 62 ** $_) % 62]
    } reverse 0 .. 5;
}


# --- Releases --------------------------------------------------------------

# Writes the rows [name, ratio] of a release, by default those of this run, in
# place of what the file has of it, and tells which are slower than in the last
# release that has them: by so much, since ratios move by a tenth.

sub record($file, $release, @new) {
    my (@kept, %last, @slower);

    @new = @rows if !@new;
    if (open my $in, '<', $file) {
        @kept = grep { !/^\Q$release\E\t/ } <$in>;
        close $in;
    }
    for (@kept) {
        my (undef, undef, $name, $ratio) = split /[\t\n]/;
        $last{$name} = $ratio;
    }
    for (@new) {
        my ($name, $ratio) = @$_;
        my $was = $last{$name} || next;
        my $by  = $name =~ m{/s|per s$} ? $was / $ratio : $ratio / $was;
        push @slower, "$name: $ratio, was $was" if $by > SLOWER;
    }

    my $day = POSIX::strftime('%Y-%m-%d', gmtime);
    open my $out, '>', "$file.new" or die "$file.new: $!\n";
    print $out @kept, map { join("\t", $release, $day, @$_) . "\n" } @new;
    close $out or die "$file.new: $!\n";
    rename "$file.new", $file or die "$file: $!\n";

    return @slower;
}

1;
