# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The console: how it is served, its strings, and the way of a new user
# through it in a real browser (t/console/walk.mjs), after that of one who
# uses the keyboard and hears or enlarges what is shown (access.mjs);
# JUDGE_TEST_WALK=access runs that one alone.  With
# JUDGE_TEST_PICTURES=1 the pictures in docs/console are made anew, which takes
# a quarter of the time.

use Cwd qw(abs_path);
use File::Basename qw(dirname);
use IO::Uncompress::Gunzip qw(gunzip);
use JSON::PP ();

use Judge::OpenAI;
use Judge::Test;

my $WIRE = 300 * 1024;                 # bytes, compressed

my $repo = abs_path(dirname(__FILE__) . '/..');
my $site = "$repo/util/console/site";

# How warm a text is stands in it; only a new wording makes the model see it.

sub verdict {
    my ($q)  = @_;
    my $text = join "\n", map { $_->{content} } @{ $q->{messages} };

    return { description => 'How it greets.' }
        if $text =~ /write the criterion anew/;

    my $v = Judge::OpenAI::verdict($q);
    my ($warm, $other) = $text =~ /warm=(\d+) other=(\d+)/ or return $v;
    $_->{score} = ($text =~ /How it greets/ ? $warm : $other) + 0
        for values %{ $v->{criteria} };
    return $v;
}

my $llm = Judge::OpenAI->start(verdict => \&verdict, when => [ [
    qr/The text is polite\. It answers/ => { content => JSON::PP->new->encode({
        criteria => [ { name => 'Polite', description => 'The text is polite.',
            weight => 1, examples => [], thresholds => { excellent => 90,
                good => 75, fair => 50, poor => 25 } } ],
        confidence => 0.9, suggestions => [] }) } ] ]);
my $t = Judge::Test->new(orgs => 2, location => 'judge_console on;'
                                                . ' judge_openai on;',
                         described => 0, http => <<'END',
    map $cookie_session $who { ~^s-(?<name>\w+)$ $name; default ""; }
    map $cookie_of $of { default $cookie_of; }
END
                         server => $llm->location('m') . $llm->location('n')
                                   . <<"END");
        location /judging/ { judge on; judge_console on; }
        location /plain/ { judge on; }
        location = /session {
            internal;
            proxy_pass http://127.0.0.1:\@PORT\@/idp;
            proxy_pass_request_body off;
            proxy_set_header Content-Length "";
        }
        location = /idp { add_header X-Login \$who; return 204; }
        location /in/ {
            auth_request /session;
            auth_request_set \$login \$upstream_http_x_login;
            judge on;
            judge_console on;
            judge_login \$login organization=\$of;
        }
        location /guarded/ {
            proxy_pass http://127.0.0.1:\@PORT\@/console/;
            judge_detect pii on=request keep_text=on organization=\$http_x_org;
            judge_detect orders action=tag on=request;
        }
        location /judge-webhooks {
            judge_outbound allow=192.0.2.0/24;
            include $repo/conf/outbound.conf;
        }
END
my $r;

sub page {
    my ($path) = @_;
    my $text = '';

    $r = $t->get($path, key => undef);
    status_is($r, 200, "$path is served");
    gunzip(\$r->body, \$text);
    return $text;
}

subtest 'the console is served as a page without a key' => sub {
    like(page('/console/'), qr/<div id="app">/, 'the console needs no key');
    like(page('/judging/console/'), qr/<div id="app">/,
         'the console is served wherever it is mounted');
    is_deeply([ map { $r->header($_) } qw(Content-Type Content-Encoding
                                          X-Content-Type-Options) ],
              [ 'text/html; charset=utf-8', 'gzip', 'nosniff' ],
              'a page is HTML, compressed, and nothing is guessed');

    my $policy = $r->header('Content-Security-Policy');
    like($policy, qr/default-src 'none'; script-src 'self'; style-src 'self';/,
         'the policy allows the scripts and styles of the console');
    unlike($policy, qr/unsafe|https?:|\*|data:/,
           'the policy has no exceptions');

    $r = $t->get('/console/', key => undef,
                 headers => ['If-None-Match' => $r->header('ETag')]);
    status_is($r, 304, 'what a browser knows is not sent again');

    for (['/console', 'console/'], ['/judging/console', 'console/'],
         ['/console/reference', 'reference/'])
    {
        $r = $t->get($_->[0], key => undef);
        status_is($r, 301, "$_->[0] leads on");
        is($r->header('Location'), $_->[1],
           "$_->[0] leads to an address relative to it");
    }

    error_is($t->get('/console/none.js', key => undef), 404, undef,
             'a file that is not of the console is not found');
    error_is($t->get('/console/../../etc/passwd', key => undef), 400, undef,
             'nothing above the console is read');
    $r = $t->post('/console/', json => {});
    error_is($r, 405, qr/method; Allow names/,
             'the console is only read');
    is_deeply([ map { $_->header('Allow') } $r, $t->request(
                  OPTIONS => '/console/app.js', key => undef) ],
              [ ('GET, HEAD, OPTIONS') x 2 ],
              'the console says which methods it takes');
    $r = $t->get('/console/', key => undef,
                 headers => ['Accept-Encoding' => 'identity']);
    is_deeply([ map { $r->header($_) } qw(Content-Encoding Vary) ],
              [ 'gzip', undef ], 'a page is the same whatever is accepted');
    error_is($t->get('/plain/console/', key => undef), 404, undef,
             'the console is served only where nginx.conf wants it');
    status_is($t->head('/console/app.js', key => undef), 200,
              'the console answers HEAD');

    SKIP: {
        skip 'nginx leaves memory behind where nginx.conf is wrong', 1
            if Judge::Nginx->single;

        my ($fine, $out) = $t->check_conf(location => '} location /x/ {'
                                                      . ' judge_console on;');
        like($out,
             qr/judge_console: there is no service.*expected "judge on"/s,
             'judge_console needs a service beside it');
    }
};

my %source;

sub strings { join ' ', sort $source{"strings/$_[0].js"} =~ /\b(\w+): '/g }

sub holes {
    my %h = map { $_ => 1 } $_[0] =~ /\{\w+\}/g;
    return join ' ', sort keys %h;
}

subtest 'the console is light, alone and says all in each language' => sub {
    chomp(my @files = `find '$site' -type f -printf '%P\\n'`);
    s/\.po$/.js/ for @files;
    my $wire = 0;

    for my $file (@files) {
        $source{$file} = page("/console/$file");
        $wire += length $r->body;
    }
    note("$wire bytes in " . @files . ' files');
    cmp_ok($wire, '<=', $WIRE, "the whole console weighs at most $WIRE bytes");

    my $fine  = qr{github\.com/leeoniya|www\.w3\.org|^https://(?:192|\W|$)};
    my @named = map { my $f = $_; map { "$f: $_" } grep { !/$fine/ }
                      $source{$f} =~ m{\bhttps?://[^\s'"`)]*}g }
                grep { /\.(?:js|css|html|svg)$/ } sort @files;
    is("@named", '', 'no outside address is named');

    my @inline = grep {
        $source{$_} =~ m{<script(?![^>]*\bsrc=)|\bon\w+=|style=|<style}
    } grep { /\.html$/ } @files;
    is("@inline", '', 'no script and no style is inline');

    my @unescaped = grep {
        $source{$_} =~ /innerHTML|outerHTML|insertAdjacentHTML|document\.write/
    } grep { !m{^vendor/} } @files;
    is("@unescaped", '', 'no page is written as HTML');

    my @nameless = grep {
        $source{$_} !~ m{\A/\* Vendored by util/console/vendor: \w+ \d+\.}
    } grep { m{^vendor/.*\.(?:js|css)$} } @files;
    is("@nameless", '', 'each file from elsewhere says so, with its version');

    my @large = grep { -s > 100 * 1024 } glob "$repo/docs/console/*.png";
    is("@large", '', 'each picture of docs/console has at most 100 KB');

    my @own = grep { m{\.(?:js|css)$} && !m{^vendor/} } @files;
    is(join(' ', grep { $source{$_} !~ m{\A/\*\n \* Copyright} } @own), '',
       'each of our files says whose it is');

    is(strings('de'), strings('en'),
       'English and German have the same strings');

    # Translations (.po) have the same names, and the same holes.
    my %english = $source{'strings/en.js'}
        =~ /\b(\w+):\s*'((?:[^'\\]|\\.)*)'/g;
    for my $po (sort glob "$site/strings/*.po") {
        my ($language) = $po =~ m{(\w+)\.po$};
        my %said = $source{"strings/$language.js"} =~ /^    (\w+): "(.*)",$/mg;
        my @wrong = grep { my $name = $_; !defined $english{$name}
                           || grep { holes($_) ne holes($english{$name}) }
                                   $said{$name} } sort keys %said;
        is("@wrong", '', "$language has no other strings, nor other holes");
        is(join(' ', grep { !defined $said{$_} } sort keys %english), '',
           "$language has all of the strings");
    }

    # Templates: weights and numbers of words are the same in each language.
    my $shape = sub {
        my $file = $source{"templates/$_[0].js"} // '';
        return join ' ', map { /^    \{ name: / ? 'judge' : /^          '/
            ? 'sample' : /(?:,|^) +(\d)\]/ ? "weighs $1" : () }
            split /\n/, $file;
    };
    is($shape->($_), $shape->('en'), "the templates are there in $_")
        for map { m{(\w+)\.(?:po|js)$} } glob "$site/strings/*";

    my %spoken = reverse %english;
    my @called = `sed -n 's/^called: //p' $repo/src/analysis/aspects/*.txt`;
    chomp @called;
    cmp_ok(scalar @called, '>', 10, 'more than ten things are measured');
    is(join(', ', grep { ($spoken{$_} // '') !~ /^aspect_/ } @called), '',
       'what is measured is said in each language');

    my %times;
    is(join(' ', grep { $times{$_}++ } split ' ', strings('en')), '',
       'each string is there once');

    my $tables = Judge::Nginx::read_file("$repo/build/obj/gen/judge_tables.c");
    my %string = map { $_ => 1 } split ' ', strings('en');
    my @types  = grep { defined } $tables
        =~ /\{\ (?:"(\w+)"|NULL),\ (?:"(\w+)"|NULL),\s*JUDGE_TAKES_/gx;
    cmp_ok(scalar @types, '>', 100, 'checks have more than 100 types');
    is(join(' ', grep { !$string{"check_$_"}
                        && !(/^(?:has|no)_(\w+)$/ && $string{"thing_$1"}) }
                @types), '', 'each type of checks has a name');
};

subtest 'what is pressed and what comes is taken as it is meant' => sub {
    my ($letters) = $source{'views/correct.js'} =~ /LETTERS = '(\w+)'/;
    my @keys = $source{'views/correct.js'} =~ /event\.key === '([a-z])'/g;
    is_deeply([ sort @keys ], [ 'p', 's' ], 'two letters are other keys');
    is(join('', grep { $letters =~ /$_/ } @keys), '',
       'no letter of a criterion is another key');

    SKIP: {
        skip 'there is no node', 1 if system('node --version >/dev/null 2>&1');

        my $api = $t->dir . '/api.mjs';
        open my $file, '>:raw', $api or die "$api: $!";
        print {$file} $source{'lib/api.js'};
        close $file;
        is(`node '$repo/t/console/follow.mjs' '$api' 2>&1`,
           ", 1: progress 1, done 2\n",
           'an event whose end did not come is asked for again');
    }
};

subtest 'a new user finds the way in a browser' => sub {
    SKIP: {
        my $modules = "$repo/build/npm/node_modules";

        skip 'the browser looks at the usual build only', 1
            if Judge::Nginx->asan || Judge::Nginx->single;
        skip 'there is no node', 1 if system('node --version >/dev/null 2>&1');
        skip 'chromium is not installed: run util/dev/deps test', 1
            if !-x '/usr/bin/chromium';
        skip 'npm packages are not there: run util/dev/deps test', 1
            if !-d "$modules/playwright-core" || !-d "$modules/axe-core";

        # Whole essays, and each of them without one of its paragraphs.
        my %essays = $t->essays;
        my @texts  = map { $essays{$_} } 'best-pet', grep { $_ ne 'best-pet' }
                     sort keys %essays;
        for my $essay (@texts[0 .. 5]) {
            my @parts = split /\n\n/, $essay;
            push @texts, map {
                my $n = $_;
                join "\n\n", @parts[grep { $_ != $n } 0 .. $#parts]
            } 0 .. ($#parts > 2 ? 2 : $#parts);
        }

        # What waits of others is not the reader's to see.
        status_is($t->post('/evaluations/presigned-upload', org => 1, json => {
            name => 'File', file_type => 'text', file_extension => 'txt',
            judge_id => $t->new_judge(org => 1) }), 201,
            'an evaluation of another organization waits');

        my $set      = $t->dir . '/walk.json';
        my $pictures = $ENV{JUDGE_TEST_PICTURES} && "$repo/docs/console";

        open my $file, '>', $set or die "$set: $!";
        print {$file} JSON::PP->new->utf8->encode({
            console => $t->url . '/console/',
            inside => 'http://127.0.0.1:' . $t->port . '/in/console/',
            service => $t->url, key => $t->key,
            modules => $modules,
            guarded => 'http://127.0.0.1:' . $t->port . '/guarded/',
            org => $t->org->{id}, chromium => '/usr/bin/chromium',
            texts => \@texts, pictures => $pictures });
        close $file;

        for my $way (split / /, $ENV{JUDGE_TEST_WALK} // 'access walk') {
            my $done = 0;
            open my $walk, '-|',
                "nice node '$repo/t/console/$way.mjs' '$set' 2>&1"
                or die "node: $!";
            while (<$walk>) {
                chomp;
                if    (/^ok (.*)/)     { ok(1, $1) }
                elsif (/^not ok (.*)/) { ok(0, substr $1, 0, 1500) }
                elsif (/^done$/)       { $done = 1 }
                else                   { diag($_) }
            }
            close $walk;
            ok($done, "the browser has gone the whole way of $way");
        }
    }
};

done_testing;
