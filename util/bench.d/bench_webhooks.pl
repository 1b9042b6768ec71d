# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# util/bench webhooks: deliveries of a full outbox.

use strict;
use warnings;

use Time::HiRes ();

our ($t, $text);                       # of util/bench

use constant { DELIVERIES => 100_000 };

# A full outbox, emptied by one worker into an nginx of its own that takes
# everything; reads go on beside it.  Then all of the way: evaluations are
# stored and scored, their events stored, delivered and recorded.

sub webhooks {
    my $out  = 'judge_outbound allow=127.0.0.0/8; include '
             . Judge::Nginx->repo . '/conf/outbound.conf;';
    my $sink = Judge::Test->new(workers => 1, orgs => 0, server =>
        'location = /sink { access_log off; return 204; }');
    my $w = Judge::Test->new(workers => 1, server => "location /out { $out }");
    my $url  = $sink->url . '/sink';

    local $t = $w;
    my $w_judge = $t->new_judge;
    my $read    = $t->new_evaluation($w_judge, $t->new_content($text));
    $t->evaluated($read);
    $t->put('/config/webhooks', json => {
        url => $url, events => ['evaluation.completed'] });

    many($w_judge, 50);
    delivered();
    refill();

    my $began = Time::HiRes::time();
    due();
    my $p99 = reader("/evaluations/$read", 2.5);
    my $kb  = rss($t->workers);
    delivered();
    my $rate = DELIVERIES / (Time::HiRes::time() - $began);

    row('webhooks delivered by a worker, per s', int $rate, '', '', '5000');
    row('  reads meanwhile, p99 in ms', sprintf('%.2f', $p99), '', '',
        '5 ms');
    row(sprintf('  memory halfway and after %d000, MB', DELIVERIES / 1000),
        sprintf('%.1f', rss($t->workers) / 1024),
        sprintf('%.1f', $kb / 1024), ratio(rss($t->workers), $kb), '');

    $began = Time::HiRes::time();
    many($w_judge, 5000);
    delivered();
    row('  with their evaluations, per s',
        int(5000 / (Time::HiRes::time() - $began)), '', '', '');

    $w->quit;
    $sink->quit;
}


sub many {
    my ($judge, $n) = @_;

    $t->made('/batches/evaluate', 'batch_id', json => {
        name => 'Many', judge_ids => [$judge], content_items => [
            map { { name => "T$_", text_content => "Text $_. " . $text } }
            1 .. $n ] });
    $t->wait_until(sub {
        !$t->sql1('SELECT EXISTS (SELECT 1 FROM batches'
                  . " WHERE status = 'evaluating')") }, 'the batch', 300);
}


# The outbox holds DELIVERIES, made of those that are there; none is due.

sub refill {
    $t->alter('INSERT INTO delivery_bodies (org, id, data)'
        . ' WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n'
        . ' WHERE i < (SELECT ' . DELIVERIES . ' / COUNT(*) FROM deliveries))'
        . " SELECT b.org, substr(b.id, 1, 14) || printf('%08d', n.i)"
        . ' || substr(b.id, 23), b.data'
        . ' FROM n, delivery_bodies b WHERE n.i > 1');
    $t->alter('INSERT INTO deliveries (org, id, event_id, type, status,'
        . ' created_at, url) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL'
        . ' SELECT i + 1 FROM n WHERE i < (SELECT ' . DELIVERIES
        . ' / COUNT(*) FROM deliveries)) SELECT d.org, substr(d.id, 1, 14)'
        . " || printf('%08d', n.i) || substr(d.id, 23), d.event_id, d.type,"
        . " 'delivered',"
        . ' d.created_at, d.url FROM n, deliveries d WHERE n.i > 1');
}

sub due {
    $t->alter("UPDATE deliveries SET status = 'pending', queue_at = 1,"
              . ' attempts = 0');
    $t->alter('INSERT OR REPLACE INTO webhook_endpoints (org, url, queue_at)'
              . " SELECT DISTINCT org, '', 1 FROM deliveries");
}

sub delivered {
    $t->wait_until(sub {
        !$t->sql1('SELECT EXISTS (SELECT 1 FROM webhook_endpoints)')
    }, 'the deliveries', 300);

    my $failed = $t->sql1("SELECT COUNT(*) FROM deliveries"
                          . " WHERE status <> 'delivered'");
    die "bench     webhooks: $failed were not delivered\n" if $failed;
}

1;
