# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# build/judge: organizations and keys without a server, and beside one.

use File::Temp qw(tempdir);
use IO::Socket::INET;
use JSON::PP qw(decode_json);
use POSIX ();

use Judge::Stored qw(alter_criteria);
use Judge::Test;

my $tool = Judge::Nginx->repo . '/build/judge';
my $dir  = tempdir('judge-tool-XXXXXX', TMPDIR => 1, CLEANUP => 1);

chmod 0755, $dir;

# judge(ARGUMENT, …): what it prints; ran: (exit status, what it prints).

sub ran   { Judge::Nginx->run($tool, @_) }
sub judge { scalar +(ran(@_))[1] }

sub refused {
    my ($expected, $says, $name, @args) = @_;
    my ($status, $out) = ran(@args);

    is($status, $expected, "$name ends with status $expected");
    like($out, qr/\Ajudge: [^\n]*$says[^\n]*\n\z/,
         "$name is told in one sentence");
}

my @store = ("--store=$dir/store");

# --- Usage ----------------------------------------------------------------

my ($status, $out) = ran('--help');
is($status, 0, '--help is no failure');
like($out, qr/^ +key rotate +ID/m, '--help names the commands');
like($out, qr/^ +--permissions=/m, '--help names the options');

refused(2, 'a command is missing', 'a missing command', @store);
refused(2, 'no command "org destroy"', 'an unknown command', @store,
        qw(org destroy));
refused(2, 'no option --verbose', 'an unknown option', @store, '--verbose',
        qw(org list));
refused(2, '--store is missing', 'a missing --store', qw(org list));
refused(2, '--store needs a value', 'a missing value', qw(org list --store));
refused(2, 'no option --json=1', 'a value too many', @store, '--json=1',
        qw(org list));
refused(2, 'org create takes NAME', 'an argument too few', @store,
        qw(org create));
refused(2, 'org list takes no argument', 'an argument too many', @store,
        qw(org list x));
refused(2, 'too many arguments', 'a command with 18 arguments', @store,
        qw(key create), 'a' .. 'r');

ok(!-e "$dir/store", 'wrong usage makes nothing');

refused(1, 'cannot make', 'a directory that can\'t be made',
        "--store=$dir/no/store", qw(org list));

open my $plain, '>', "$dir/plain" or die "plain: $!";
close $plain;
refused(1, 'is not a directory', 'a file for a store', "--store=$dir/plain",
        qw(org list));

# --- Organizations --------------------------------------------------------

($status, $out) = ran(@store, qw(org create Erste));
is($status, 0, 'the first organization makes the store');
like($out, qr/^Organization +Erste$/m,
     'the tool prints the organization for people');
like($out, qr/^API key +jdgk_\w{36}$/m,
     'the tool prints the first key of an organization');
like($out, qr{^Webhook secret +whsec_[\w+/]{43}=$}m,
     'the tool prints the secret of webhooks');
is((stat "$dir/store")[2] & 0777, 0700, 'the directory is private');
is((stat "$dir/store/judge.db")[2] & 0777, 0600, 'the database is private');

my $org = decode_json(judge(@store, qw(--json org create), "Zwe\xc3\xafte"));
is($org->{name}, "Zwe\x{ef}te", 'the name of an organization is UTF-8');
like($org->{organization_id}, qr/^org_/, 'an organization has an identifier');
like($org->{api_key}, qr/^jdgk_/, 'an organization has a first key');
isnt($org->{api_key}, ($out =~ /(jdgk_\w+)/)[0],
     'each organization has another first key');

my @lines = split /\n/, judge(@store, qw(org list));
is(scalar @lines, 3, 'both organizations are listed');
like($lines[0], qr/^IDENTIFIER +CREATED +NAME$/,
     'a list begins with the names of its columns');
is(index($lines[1], 'Erste'), index($lines[0], 'NAME'),
   'the columns of a list are aligned');
unlike("@lines", qr/whsec_/, 'a list of organizations has no secrets');

my @orgs = map { decode_json($_) } split /\n/, judge(@store,
                                                     qw(--json org list));
is("$orgs[0]{name} $orgs[1]{organization_id}",
   "Erste $org->{organization_id}", 'organizations are listed as JSON');

refused(1, 'has 1 to 200 characters', 'an empty name', @store,
        qw(org create), '');
refused(1, 'has 1 to 200 characters', 'a long name', @store,
        qw(org create), 'x' x 201);
refused(1, 'has 1 to 200 characters', 'a name that is not UTF-8', @store,
        qw(org create), "\xff");
refused(1, 'no control characters', 'a name of two lines', @store,
        qw(org create), "a\nb");

# --- Keys -----------------------------------------------------------------

my $id = $org->{organization_id};
my $k  = decode_json(judge(@store, '--json', qw(key create), $id, 'reader',
                           '--permissions=judges:read,content:read',
                           '--expires=2100-02-28T12:00:00+02:00'));
is_deeply($k->{permissions}, [qw(judges:read content:read)],
          'a key has the permissions that were asked for');
is($k->{expires_at}, '2100-02-28T10:00:00.000Z',
   'a key has the end that was asked for, in UTC');
is($k->{status}, 'active', 'a new key is active');

my $by_name = decode_json(judge(@store, '--json', qw(key create Erste other),
                                '--expires', '2100-01-01'));
is($by_name->{organization_id}, $orgs[0]{organization_id},
   'an organization is found by its name');
is($by_name->{expires_at}, '2100-01-01T00:00:00.000Z',
   'a date is the beginning of a day');
is_deeply($by_name->{permissions}, ['*'],
          'a key has every permission by default');

refused(1, 'no organization "Dritte"', 'an unknown organization', @store,
        qw(key create Dritte key));
refused(1, 'no permission "judges:eat"', 'an unknown permission', @store,
        "key", "create", "Erste", "key",
        "--permissions=judges:read,judges:eat");
refused(1, 'not a time such as', 'an end that is none', @store,
        qw(key create Erste key --expires=tomorrow));
refused(1, 'not a time such as', 'the 30th of February', @store,
        qw(key create Erste key --expires=2100-02-30));
refused(1, 'already passed', 'an end in the past', @store,
        qw(key create Erste key --expires=2001-01-01));

judge(@store, qw(org create Erste));
refused(1, 'several organizations are called "Erste"', 'an ambiguous name',
        @store, qw(key create Erste key));

my %of = map { my $key = decode_json($_); $key->{api_key_id} => $key }
         split /\n/, judge(@store, qw(--json key list), $id);
is(join(' ', sort map { $_->{name} } values %of), 'first reader',
   'the keys of an organization are listed');
ok(!exists $of{ $k->{api_key_id} }{api_key},
   'a key that is listed is not shown again');
is_deeply($of{ $k->{api_key_id} }{usage_stats},
          { requests_this_month => 0, evaluations_this_month => 0 },
          'a new key has not been used');

is(scalar(() = judge(@store, qw(key list)) =~ /^key_/mg), 5,
   'the keys of all organizations are listed');

# More than are read at once.
for my $n (1 .. 4) {
    judge(@store, qw(key create), $id, "more $n");
}
is(scalar(() = judge(@store, qw(key list)) =~ /^key_/mg), 9,
   'a list of more keys than are read at once is whole');

# --- Suspending and rotating ----------------------------------------------

like(judge(@store, qw(key suspend), $k->{api_key_id}), qr/is suspended$/,
     'a key is suspended');
like(judge(@store, qw(key list), $id),
     qr/^\Q$k->{api_key_id}\E .* suspended /m,
     'the list shows that a key is suspended');
like(judge(@store, qw(key activate), $k->{api_key_id}), qr/is active$/,
     'a key is activated');

my $new = decode_json(judge(@store, qw(--json key rotate), $k->{api_key_id}));
is($new->{api_key_id}, $k->{api_key_id},
   'a key that is rotated keeps its identifier');
isnt($new->{api_key}, $k->{api_key}, 'a key that is rotated has a new secret');
is_deeply($new->{permissions}, $k->{permissions},
          'a key that is rotated keeps its permissions');

refused(1, 'no key "key_x"', 'an unknown key', @store, qw(key suspend key_x));
refused(1, 'no key ""', 'an empty key', @store, qw(key rotate), '');

my $lone = decode_json(judge(@store, qw(--json org create Lone)));
refused(1, 'last active key', 'the last key of an organization', @store,
        qw(key suspend), $lone->{api_key_id});
like(judge(@store, qw(--force key suspend), $lone->{api_key_id}),
     qr/is suspended/, '--force suspends the last key of an organization');

# --- A full disk, a newer store -------------------------------------------

($status, $out) = Judge::Nginx->run('sh', '-c',
                                    "$tool $store[0] org list >/dev/full");
is($status, 1, "what can't be printed is a failure");
like($out, qr/^judge: cannot print: /, "the tool says that it can't print");

system('sqlite3', "$dir/store/judge.db", 'pragma user_version = 9999') == 0
    or die 'sqlite3';
refused(1, 'newer than this program', 'a store of a newer program', @store,
        qw(org list));

# --- A full disk, a read-only one ------------------------------------------

SKIP: {
    my $disk = "$dir/disk";
    mkdir $disk or die "$disk: $!";
    my @alone = (qw(unshare -rm sh -c),
                 'mount -t tmpfs -o size=$1 judge "$0" || exit 77; shift;'
                 . 'eval "$1"', $disk);

    # On a disk of this size, in a namespace of its own.
    my $on = sub {
        my ($size, $command) = @_;
        return Judge::Nginx->run(@alone, $size, "$tool --store=$command");
    };

    my $made = "$dir/another";
    judge("--store=$made", qw(org create Another));

    ($status, $out) = $on->('200k', "$made backup $disk/backup");
    skip 'nothing can be mounted here', 8 if $status == 77 || $status == 1
        && $out =~ /unshare/;
    is($status, 1, 'a backup fails on a full disk');
    like($out, qr{cannot write ".*/backup/judge\.db\.part": the disk is full$},
         'the backup says whose disk is full');

    ($status, $out) = $on->('20k', "$disk/new org create New");
    is($status, 1, 'no store is made on a full disk');
    like($out, qr/: the disk is full$/, 'the tool says that the disk is full');

    for my $command (qw(stats check), 'key list') {
        ($status, $out) = $on->('9m', "$disk/s version; cp -r $made $disk/s;"
                                . " mount -o remount,ro $disk;"
                                . " $tool --store=$disk/s $command");
        like($out, qr{"$disk/s" is not .* writable .*Read-only file system},
             "$command says that the disk is read-only");
    }
}

# --- An address with a password --------------------------------------------

# A server that listens and says nothing: the tool waits for it, and what it
# was started with can be seen all the while.
{
    my $door = IO::Socket::INET->new(Listen => 1, Timeout => 60,
                                     LocalAddr => '127.0.0.1')
        or die "listen: $!";
    my $far = 'postgresql://judge:Secret9@127.0.0.1:' . $door->sockport
              . '/judge?sslmode=disable';

    (undef, $out) = ran("--store=$far", 'backup', "$dir/far");
    like($out, qr/\Ajudge: backup and restore are for a store in a directory/,
         'a store in a database has backups of its own');
    unlike($out, qr/Secret9/, 'the refusal does not show the password');

    for my $options (["--store=$far", qw(org list)],
                     ['--store', $far, qw(key list)],
                     ["--from=$far", "--to=$dir/to", 'copy'])
    {
        my $pid = fork // die "fork: $!";
        if ($pid == 0) {
            open STDERR, '>', '/dev/null';
            exec $tool, @$options or POSIX::_exit(127);
        }

        my $client = $door->accept;
        my $seen   = Judge::Nginx::read_file("/proc/$pid/cmdline");
        kill TERM => $pid;
        waitpid $pid, 0;

        ok($client, "@$options[1, 2] asks the server");
        like($seen, qr{postgresql://\*+\0},
             "@$options[1, 2] hides the address among its arguments");
        unlike($seen, qr/Secret9/,
               "@$options[1, 2] shows no password among its arguments");
    }
}

# --- Beside a server ------------------------------------------------------

my $t = Judge::Test->new;
my ($key, $key_id) = $t->new_key(permissions => 'judges:read');

status_is($t->get('/judges', key => $key), 200,
          'a new key is taken by a server that runs');
error_is($t->post('/api-key/judges', key => $key, json => {}), 403,
         qr/permission judges:write/,
         'a new key is good for its permissions only');

SKIP: {
    skip 'not root', 1 if $> != 0;

    my @foreign = grep { (stat)[4] != (stat $t->store_dir)[4] }
                  glob $t->store_dir . '/*';
    is("@foreign", '', 'every file belongs to the owner of the directory');
}

# Effects take JUDGE_AUTH_TTL at most, which the wait outlasts.

sub answers {
    my ($with, $wanted, $name) = @_;
    ok($t->wait_for(60 * $t->slow, sub {
        $t->get('/judges', key => $with)->status == $wanted;
    }), $name);
}

$t->tool(qw(key suspend), $key_id);
answers($key, 401, 'a suspended key is refused');
$t->tool(qw(key activate), $key_id);
answers($key, 200, 'a key that is activated is taken');

my ($rotated) = $t->tool(qw(key rotate), $key_id);
answers($key, 401, 'the former secret of a rotated key is refused');
answers($rotated->{api_key}, 200, 'the new secret of a rotated key is taken');

# --- Before an upgrade ------------------------------------------------------

sub checked {
    my ($status, $out) = ran('--store=' . $t->store, @_, 'check');
    is($status, 0, 'the store is whole');
    return $out;
}

status_is($t->post('/judges', json => { name => 'Letters', description => '',
    content_type => 'text', criteria => [
        { name => 'Spelling', description => 'Correct spelling.' },
        { name => 'Wit', description => 'It makes one laugh.' } ] }), 201,
    'a judge is made');
like(checked(), qr/^criteria\ of\ texts:\ 2\ \(judges:\ 1\);
                   .*\ 0\ would\ lose\ .*and\ 0\ gain\ one$/mx,
     'an upgrade changes nothing for a new judge');

# As an engine that scored all criteria left it.
alter_criteria($t, sub { delete $_[0]{judged_by} });
like($out = checked(), qr/^jdg_\w+\ of\ org_\w+,\ "Letters":\ "Wit"\ is\ not
                          \ judged\ any\ more:\ No\ measurement\ .*\ncriteria
                          \ of\ texts:.*\ 1\ would\ lose\ .*\ 0\ gain\ one$/mx,
     'what an upgrade takes away is named, with the reason');
unlike($out, qr/"Spelling"/,
       'an upgrade names no criterion that it leaves alone');

alter_criteria($t, sub { $_[0]{judged_by} = 'nothing' });
is_deeply([map { [@$_{qw(criterion change judged_by)}] }
           map { decode_json($_) } split /\n/, checked('--json')],
          [['Spelling', 'gained', 'measures']],
               'an upgrade names a criterion that is judged from then on');

# --- How a text is scored -------------------------------------------------

open my $letter, '>', "$dir/letter.txt" or die "letter.txt: $!";
print $letter 'I recieved your letter from a freind of mine.';
close $letter or die "letter.txt: $!";
my ($status_of, $shown) = ran('explain', "$dir/letter.txt",
                              'Spelling: Correct spelling.',
                              'Length: At most 5 words.', 'Wit: Funny.');
is($status_of, 0, 'a text is explained without a store');
like($shown, qr{^Spelling: [\d.]+\n +chosen .*\n +measured +[\d.]+ +Measured}m,
     'a criterion that is measured is explained by its measurement');
like($shown, qr/^Length: 0\.00\n +chosen .*\n +checked +0\.00 /m,
     'a criterion that is checked is explained by its check');
like($shown, qr/^Wit: not judged\n +\S/m,
     'a criterion that is not judged is explained by the reason');
refused(1, 'it can\'t be read', 'a text that is not there', 'explain',
        "$dir/none.txt", 'Grammar');
refused(2, 'explain takes FILE CRITERION', 'a text without a criterion',
        'explain', "$dir/letter.txt");

# --- What detectors find --------------------------------------------------

open my $ask, '>', "$dir/ask.json" or die "ask.json: $!";
print $ask '{"a":["To jo\u0040x.de, EMP-123456","black box"]}';
close $ask or die "ask.json: $!";
open my $words, '>', "$dir/words" or die "words: $!";
print $words "Black-Box\n";
close $words or die "words: $!";
($status_of, $shown) = ran('detect', "$dir/ask.json", 'pii,secrets',
                           "words=$dir/words", 'EMPLOYEE=EMP-[0-9]{6}');
is($status_of, 0, 'detectors are tried without a store');
my $took = qr/\n\d+\.\d{3} ms of a processor\n/;
like($shown, qr/^\Q[EMAIL_1]\E[ ]{2}jo\@x\.de\n
                \Q[EMPLOYEE_1]\E[ ]{2}EMP-123456\n
                \Q[WORD_1]\E[ ]{2}black[ ]box\n\n
                \{"a":\["To[ ]\[EMAIL_1\],[ ]\[EMPLOYEE_1\]",
                "\[WORD_1\]"\]\}\n\n
                pii=1,words=1,expressions=1\n$took$/x,
     'the tool prints what was found, the text that is masked, and the time');
($status_of, $shown) = ran('detect', "$dir/letter.txt", 'pii');
like($shown, qr/^Nothing was found\.\n$took$/,
     'the tool says that nothing was found');
open my $form, '>', "$dir/form" or die "form: $!";
print $form 'a=jo%40x.de&b=See+https://a.example/';
close $form or die "form: $!";
($status_of, $shown) = ran('detect', "$dir/form", 'pii', 'links',
                           'type=application/x-www-form-urlencoded',
                           'hosts=example.com');
like($shown, qr{^\Q[EMAIL_1]\E[ ]{2}jo\@x\.de\n
                \Q[LINK_1]\E[ ]{2}https://a\.example/\n\n
                It[ ]can't[ ]be[ ]written[ ]anew\.\n\npii=1,links=1\n$took$}x,
     'a form is read by its type');
($status_of, $shown) = ran('detect', "$dir/form", 'links',
                           'hosts=a.example');
like($shown, qr/^Nothing was found\.\n$took$/,
     'a link to a host that is allowed is not found');
my ($essay) = glob 't/data/essays/*.txt';
($status_of, $shown) = ran('detect', $essay, 'languages=de,fr');
like($shown, qr/^language=1\n$took$/, 'a text in another language is found');
($status_of, $shown) = ran('detect', $essay, 'languages=en', 'language',
                           'insults');
like($shown, qr/^Nothing was found\.\n$took$/,
     'a text in the language is not found');
refused(2, 'expected codes of languages', 'a language that is not known',
        'detect', "$dir/letter.txt", 'languages=xx');
refused(2, 'without scheme, port, path and *', 'a host that is none', 'detect',
        "$dir/letter.txt", 'links', 'hosts=*.example.com');
{
    open my $list, '>', "$dir/list.txt" or die "$dir/list.txt: $!";
    print {$list} "# letter\nZanzibar\n";
    close $list or die "$dir/list.txt: $!";
    open my $letter, '>', "$dir/said.txt" or die "$dir/said.txt: $!";
    print {$letter} 'A letter from Zanzibar.';
    close $letter or die "$dir/said.txt: $!";
}
($status_of, $shown) = ran('detect', "$dir/said.txt", 'words',
                           "words=$dir/list.txt");
like($shown, qr/\[WORD_1\]/, 'words of a file are found');
unlike($shown, qr/\[WORD_2\]/, 'a line of a file of words may be a comment');
refused(1, "it can't be read: type", 'a type that is not looked at', 'detect',
        "$dir/letter.txt", 'pii', 'type=image/png');
refused(2, 'expected detectors', 'an unknown detector', 'detect',
        "$dir/letter.txt", 'all');
refused(2, 'expected an expression', 'an expression that matches nothing',
        'detect', "$dir/letter.txt", 'A=a?');
refused(1, 'expected a file', 'a missing file', 'detect', "$dir/none", 'pii');

done_testing;
