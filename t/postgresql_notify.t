# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Nodes on one store tell each other what has changed: a client that waits at
# one of them hears at once of what another one has done.

use Judge::Test;
use Time::HiRes qw(time);

# Who waits looks by himself after so many seconds (waiters.h).
use constant UNTOLD => 10;

my $server = Judge::Postgresql->start;
my $url    = $server->database;
my $front  = Judge::Test->new(address => $url, store => 'evaluate=off');
my $back   = Judge::Test->new(orgs => 0, address =>
    "$url&options=-csearch_path%3Dpublic,clock,pg_catalog");
$back->{orgs} = $front->{orgs};

my $judge = $front->new_judge;

sub notified {
    my ($node, $way) = @_;
    return $node->metric('judge_notifications_total', way => $way) // 0;
}

sub hears {
    my ($node, $what) = @_;
    my $heard = notified($node, 'received');
    my $other = $node == $front ? $back : $front;

    $node->wait_until(sub {
        $other->new_content('Something was committed.');
        notified($node, 'received') > $heard;
    }, "a node to hear the other one $what", 60);
    cmp_ok(notified($other, 'sent'), '>', 0,
           "$what: what happened was told, and heard");
}

# That it is slow proves nothing; once before it would have looked, that it
# was told.

sub told {
    my ($what) = @_;

    for (1 .. 6) {
        my $content = $front->new_content('The bridge was opened in 1932.');
        my $start   = time;
        my $r = $front->post('/evaluations/single', timeout => 90,
                             headers => [ Prefer => 'wait=60' ],
                             json => { judge_id => $judge,
                                       content_id => $content });
        is($r->json->{status}, 'completed', "$what: another node evaluates");
        return pass("$what: the client hears of it at once")
            if time - $start < UNTOLD - 0.5;
    }
    fail("$what: the client hears of it at once");
}

hears($front, 'the front');
hears($back,  'the back');
told('two nodes');

# --- A connection that is lost ----------------------------------------------

my $listens = "from pg_stat_activity where query ~ '^(SET sync|SELECT pg_no)'"
            . ' and pid <> pg_backend_pid()';

sub listeners { $server->psql($url, "select pid $listens order by pid") }

my $before;
$front->comes_true(sub { (my @pids = split ' ', $before = listeners()) == 2 },
                   'each node has a connection that listens');
$server->psql($url, "select pg_terminate_backend(pid, 10000) $listens");
$front->wait_until(sub { (my @now = split ' ', listeners()) == 2 },
                   'both to listen again', 60);
isnt(listeners(), $before, 'the connections were lost and are made again');
hears($front, 'after its connection was lost');
told('connections were lost');

# --- A process that dies ----------------------------------------------------

SKIP: {
    skip 'there is but one process' if $front->single;

    my $first = (sort { $a <=> $b } $front->workers)[0];
    $front->kill_worker(pid => $first);
    $front->wait_until(sub { (my @now = split ' ', listeners()) == 2 },
                       'another process to listen', 60);
    hears($front, 'after the process that listened was killed');
    told('a process was killed');
}

# --- A clock that goes wrong ------------------------------------------------

# A function of the same name hides the server's.

$server->psql($url, 'create schema clock');
$server->psql($url, 'create function clock.clock_timestamp()'
              . ' returns timestamptz language sql as $$ select'
              . " pg_catalog.clock_timestamp() - interval '30 s' \$\$");
$back->wait_until(sub {
    $back->new_content('Time goes by.');
    $back->log_text =~ /clock of this machine is \d+ ms ahead of the database/;
}, 'the log to say so', 60);
pass('a clock that goes wrong later is noticed');
$server->psql($url, 'drop function clock.clock_timestamp()');

$front->stop;
$back->stop;
done_testing();
