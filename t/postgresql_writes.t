# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Rows that PostgreSQL gets together, without waiting for one after another,
# and claims of external workers that one choice serves: as if each came alone.

use Judge::Test;

use Judge::Proxy;

use constant { ITEMS => 150, MOST => 64, CLAIMS => 24, ENOUGH => 60 };

my $server = Judge::Postgresql->start(options => '-c log_statement=all');
my $url    = $server->database;
my ($name) = $url =~ m{/(\w+)\?};
my $proxy  = Judge::Proxy->start($server->socket_path);
my $t = Judge::Test->new(workers => 1, orgs => 2, store => 'evaluate=off',
    address => 'postgresql://judge@127.0.0.1:' . $proxy->port . "/$name");
my $judge = $t->new_judge;
my $n     = 0;

sub posted {
    my ($what, @headers) = @_;

    return $t->post('/batches/evaluate', headers => [@headers], json => {
        name => $what, judge_ids => [$judge], content_items => [
            map { { name => "$what $_", text_content => "Text $_." } }
                1 .. ITEMS ] });
}

# How many contents, evaluations and batches there are of that name.

sub stored {
    my ($what) = @_;

    return $server->psql($url, <<"SQL") =~ s/\s+\z//r;
SELECT count(*), count(e.id), count(DISTINCT e.batch_id) FROM contents c
    LEFT JOIN evaluations e ON e.content_id = c.id WHERE c.name LIKE '$what %'
SQL
}

# What a trigger does to the row of a batch's content in the midst.

sub amid {
    my ($table, $does) = @_;

    $server->psql($url, "DROP TRIGGER IF EXISTS amid ON $_")
        for qw(contents evaluations);
    return if !$table;
    $server->psql($url, <<"SQL");
CREATE OR REPLACE FUNCTION amid() RETURNS trigger LANGUAGE plpgsql
    AS \$\$ BEGIN $does RETURN NEW; END \$\$;
CREATE TRIGGER amid BEFORE INSERT ON $table FOR EACH ROW
    EXECUTE FUNCTION amid();
SQL
}

# --- Rows -------------------------------------------------------------------

status_is(posted('First'), 201, 'a batch is made');
$proxy->pass;
status_is(posted('Second'), 201, 'another batch is made');
ok($proxy->together > MOST / 2, 'the rows of a batch are sent together');
is(stored('Second'), join('|', ITEMS, ITEMS, 1),
   'all rows that were sent together are there');

$t->allow(qr/broken amid/);
amid(contents => "IF NEW.name LIKE '% 100' THEN RAISE EXCEPTION"
                 . " 'broken amid'; END IF;");
is(posted('Third')->status, 500,
   'a row that fails amid the others is refused');
is(stored('Third'), '0|0|0',
   'nothing is stored of a request with a row that fails');

amid(evaluations => "IF NEW.id IN (SELECT e.id FROM evaluations e) THEN NULL;"
                    . " END IF; IF (SELECT c.name FROM contents c WHERE c.org"
                    . " = NEW.org AND c.id = NEW.content_id) LIKE '% 100' THEN"
                    . " NEW.judge_id := NULL; END IF;");
error_is(posted('Fourth'), 404, qr/judge/,
         'a judge that is gone amid the rows is told of');
like(stored('Fourth'), qr{\|0\|0\z},
     'no evaluation is made for a judge that is gone');
amid();

my $cuts = $proxy->cuts;
$proxy->amid(MOST / 2);
my @key = ('Idempotency-Key' => 'fifth');
status_is(posted('Fifth', @key), 503,
          'a connection that is cut amid the answers refuses the request');
is($proxy->cuts, $cuts + 1, 'the connection was cut once');
$proxy->pass;
status_is(posted('Fifth', @key), 201,
          'the request is taken when it is repeated');
is(stored('Fifth'), join('|', ITEMS, ITEMS, 1),
   'what was repeated is stored once');

# --- Claims -----------------------------------------------------------------

sub work {
    my ($org, $count) = @_;
    my $video = $t->new_judge(org => $org, content_type => 'video');

    return map { $_->{evaluation_id} }
           @{ $t->post('/v1/evaluations/social-media', org => $org, json => {
               judge_id => $video, urls => [ map {
                   'https://vimeo.com/' . (76_979_871 + $_) } 1 .. $count ] })
              ->json->{items} };
}

# How many statements the server has got that choose work.

sub choices {
    my $log = Judge::Nginx::read_file("$server->{dir}/log");
    return scalar(() = $log =~ /SELECT id FROM evaluations .*SKIP LOCKED/g);
}

# Lets all of these requests wait for the lane of writes, behind a lock.

sub at_once {
    my (@requests) = @_;

    open my $lock, '|-', 'psql', '-qd', $url or die "psql: $!";
    $lock->autoflush(1);
    print {$lock} "begin; lock table contents in share mode;\n";
    $t->wait_until(sub { locks('granted') }, 'the lock');

    my @clients = map { $t->connect } 0 .. @requests;
    $clients[-1]->send($t->bytes(POST => '/content', json => {
        file_type => 'text', name => 'First', text_content => 'A text.' }));
    $t->wait_until(sub { locks('not granted') }, 'a write that waits');
    for my $i (0 .. $#requests) {
        $clients[$i]->send($t->bytes(POST => '/v1/work/claim',
                                     %{ $requests[$i] }));
    }
    $t->wait_until(sub {
        @requests <= (() = Judge::Nginx::read_file("$server->{dir}/log")
                           =~ /SELECT EXISTS .*work_kind/g);
    }, 'all have looked');
    $t->get('/healthz', key => undef);     # and what they saw has been read

    print {$lock} "commit;\n";
    close $lock;
    return (map { $_->response } @clients)[0 .. $#requests];
}

sub locks {
    my ($how) = @_;
    return $server->psql($url, 'select count(*) from pg_locks where relation'
        . " = 'contents'::regclass and $how"
        . ($how eq 'granted' ? " and mode = 'ShareLock'" : '')) > 0;
}

my %of = (0 => [ work(0, 40) ], 1 => [ work(1, 10) ]);
my @asks = map { my $i = $_; { org => $i % 3 == 2 ? 1 : 0,
    json => { kinds => ['video'], max => 1 + $i % 2, lease => 60 + $i } } }
    0 .. CLAIMS - 1;
my $before  = choices();
my @answers = at_once(@asks);
my (%got, %lease, @wrong);

for my $i (0 .. $#answers) {
    my @work = @{ $answers[$i]->json->{work} };
    push @wrong, "$i: " . @work if @work != 1 + $i % 2 && $i % 3 != 2;
    for my $item (@work) {
        $got{ $item->{evaluation_id} }++;
        $lease{ $item->{lease_id} }{$i} = 1;
        push @wrong, "$i: another's" if !grep { $_ eq $item->{evaluation_id} }
                                        @{ $of{ $asks[$i]{org} } };
    }
}

is("@wrong", '', 'claims at once get as much as they want of their own');
ok(!(grep { $_ != 1 } values %got),
   'each evaluation goes to one of the claims at once');
ok(!(grep { keys %$_ != 1 } values %lease),
   'claims at once have leases of their own');
is((grep { exists $got{$_} } @{ $of{1} }) + 0, 10,
   'a claim that wants more than there is gets all that there is');
ok(choices() - $before <= CLAIMS / 3, 'few of the claims at once choose')
    or diag(choices() - $before);

done_testing;
