# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The part of util/bench about many organizations: what one waits for while
# another has very many evaluations waiting; and what 10,000 of them, each with
# a judge, a queue and 100 keys, cost against one.

use strict;
use warnings;

use Digest::SHA qw(sha256_hex);
use List::Util qw(max);
use Time::HiRes qw(time sleep);

use constant { TEXTS => 10_000, BY_JUDGES => 20, SINGLES => 200, SMALL => 10,
               ORGANIZATIONS => 10_000, OF_EACH => 100 };


sub organizations {
    my ($n) = @_;

    organizations_beside($n);
    organizations_many();
}


# --- The small beside the big ----------------------------------------------

sub organizations_beside {
    my ($n) = @_;

    my $t = Judge::Test->new(described => 0, access_log => 'off');
    my $big   = $t->new_org('Big');
    my $small = $t->new_org('Small');
    my @judges = map { $t->new_judge(key => $big->{key}) } 1 .. BY_JUDGES;
    my %of = (key => $small->{key});
    my $judge   = $t->new_judge(%of);
    my $content = $t->new_content('A text of a few words.', %of);
    my $body    = JSON::PP->new->utf8->encode({
        name => 'Big', auto_start => JSON::PP::false(),
        judge_ids => \@judges, content_items => [
            map { { name => "T$_", text_content => 'A word. ' x 250 } }
            1 .. TEXTS ] });

    my @alone = organizations_singles($t, \%of, $judge, $content);
    my $alone = organizations_batch($t, \%of, $judge);

    my @batches;
    for (1 .. $n / (TEXTS * BY_JUDGES)) {
        my $r = $t->post('/batches/evaluate', key => $big->{key},
            body => $body, timeout => 300,
            headers => [ 'Content-Type' => 'application/json' ]);
        die 'bench     organizations: ', $r->body if $r->status != 201
                                                     && $r->status != 202;
        push @batches, $r->json->{batch_id};
    }

    # Starting goes on while the first ones are evaluated.
    my $pid = fork // die "fork: $!";
    if ($pid == 0) {
        $t->post("/batches/$_/start", key => $big->{key}, timeout => 300)
            for @batches;
        POSIX::_exit(0);
    }
    sleep 0.5;

    my @beside = organizations_singles($t, \%of, $judge, $content);
    my $beside = organizations_batch($t, \%of, $judge);

    my $left = 0;
    for my $batch (@batches) {
        my $b = $t->get("/batches/$batch", key => $big->{key})->json;
        $left += $b->{total_evaluations} - $b->{completed_evaluations};
    }
    kill 'TERM', $pid;
    waitpid $pid, 0;

    row("one evaluation beside $left of another's, ms", $beside[0],
        $alone[0], '', '+50 ms');
    row('  p99', $beside[1], $alone[1], '', '');
    row('a batch of ' . SMALL . ' beside them, ms', $beside, $alone, '', '');
    $t->quit;
}


# Median and p99 in ms from the request until the evaluation has ended.

sub organizations_singles {
    my ($t, $of, $judge, $content) = @_;

    my @took;
    for (1 .. SINGLES) {
        my $from = time;
        my $r = $t->post('/evaluations/single', %$of, timeout => 120,
            headers => [ Prefer => 'wait=60' ],
            json => { judge_id => $judge, content_id => $content });
        die 'bench     organizations: ', $r->body if $r->status != 200
                                                     && $r->status != 201;
        push @took, 1000 * (time - $from);
        sleep 0.005;
    }

    return map { sprintf '%.1f', part($_, @took) } 50, 99;
}


# ms from the request until a small batch has ended.

sub organizations_batch {
    my ($t, $of, $judge) = @_;

    my $from  = time;
    my $batch = $t->made('/batches/evaluate', 'batch_id', %$of, json => {
        name => 'Small', judge_ids => [$judge], content_items => [
            map { { name => "T$_", text_content => "A text $_." } }
            1 .. SMALL ] });
    sleep 0.002 while $t->get("/batches/$batch", %$of)->json->{status}
                      eq 'evaluating';

    return sprintf '%.1f', 1000 * (time - $from);
}


# --- Many ------------------------------------------------------------------

sub organizations_many {
    my $t = Judge::Test->new(described => 0, access_log => 'off',
                             store => 'evaluate=off', start => 0);
    $t->start;
    $t->new_org('Bench');
    my $judge   = $t->new_judge;
    my $content = $t->new_content('A text of a few words.');
    my $one     = $t->key;
    $t->quit;

    my @keys = organizations_filled($t);
    my $from = time;
    $t->start;
    row('start, s', sprintf('%.2f', time - $from), '', '', '1 s');

    $t->write('keys.txt', join "\n", @keys);
    my $script = organizations_script($t, $judge, $content);
    for my $round ('with empty caches', 'again') {
        my @r = map { wrk(t => $t, path => '/evaluations/single', seconds => 5,
                          connections => 64, script => $script,
                          argument => $_) } $one, '';
        row("creates by keys of all organizations, $round, per s",
            map({ int $_->{rate} } reverse @r),
            ratio($r[1]{rate}, $r[0]{rate}), '');
        row('  p99, ms', map({ sprintf '%.1f', $_->{p99} } reverse @r),
            '', '');
    }
    row('memory of a worker, MB',
        sprintf('%.1f', max(map { rss($_) } $t->workers) / 1024), '', '',
        '60 MB');
    $t->quit;
}


# Copies of all rows of the first organization, which have its identifiers
# but for the organization's, and keys; one key of each.

sub organizations_filled {
    my ($t) = @_;

    my $org = $t->org->{id};
    my @keys = map { $_ . crc($_) } map { sprintf 'jdgk_%030d', $_ }
               1 .. ORGANIZATIONS;
    my $name = "substr('$org', 1, 20) || printf('%010d', copy)";
    my $sql = 'BEGIN; CREATE TEMP TABLE copies'
        . " (copy INTEGER PRIMARY KEY, hash BLOB);\n"
        . join '', map { "INSERT INTO copies VALUES ($_, x'"
                         . sha256_hex($keys[$_ - 1]) . "');\n" } 1 .. @keys;

    for my $table ($t->column("SELECT m.name AS v FROM sqlite_master m,"
        . " pragma_table_info(m.name) c WHERE m.type = 'table'"
        . " AND c.name = 'org' AND m.name <> 'api_keys'"))
    {
        my @columns = map { $_->{v} } @{ $t->sql("SELECT name AS v"
                          . " FROM pragma_table_info('$table')") };
        my $values = join ', ', map { $_ eq 'org' ? $name : qq("$_") }
                                @columns;
        $sql .= "INSERT INTO $table SELECT $values FROM copies, $table"
                . " WHERE org = '$org';\n";
    }

    my $of = "FROM copies, api_keys k WHERE k.org = '$org'";
    $sql .= "INSERT INTO organizations (id, name, webhook_secret, created_at)"
        . " SELECT $name, 'Bench', webhook_secret, created_at"
        . " FROM copies, organizations WHERE id = '$org';\n"
        . "INSERT INTO api_keys (org, id, hash, name, status, permissions,"
        . " created_at) SELECT $name, 'key_' || copy, copies.hash, 'Bench',"
        . " status, permissions, k.created_at $of;\n"
        . 'WITH RECURSIVE m(m) AS (VALUES(2) UNION ALL SELECT m + 1 FROM m'
        . ' WHERE m < ' . OF_EACH . ') INSERT INTO api_keys (org, id, hash,'
        . ' name, status, permissions, created_at)'
        . " SELECT $name, 'key_' || copy || '_' || m, randomblob(32), 'Bench',"
        . ' status, permissions, k.created_at'
        . " FROM m, copies, api_keys k WHERE k.org = '$org'; COMMIT;";

    $t->write('fill.sql', $sql);
    my ($status, $out) = $t->run('sqlite3', $t->store_dir . '/judge.db',
                                 '.read ' . $t->dir . '/fill.sql');
    die "bench     organizations: $out" if $status != 0;

    return @keys;
}


# Lua for wrk: creates by each key in turn, or by the one of its argument.

sub organizations_script {
    my ($t, $judge, $content) = @_;

    my $file = $t->dir . '/keys.txt';
    return <<"LUA";
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"judge_id":"$judge","content_id":"$content"}'
local keys, at = {}, 0
function init(args)
    for key in io.lines("$file") do keys[#keys + 1] = key end
    if args[1] then keys = { args[1] } end
    at = math.random(#keys)
end
function request()
    at = at % #keys + 1
    wrk.headers["X-API-Key"] = keys[at]
    return wrk.format()
end
LUA
}

1;
