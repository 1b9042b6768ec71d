# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What nginx -t says to wrong lines, and that the files in conf/ are right.

use Judge::Docs;
use Judge::Test;

my $base = Judge::Test->prepare;

# fails({ part => text, … }, qr/what it says/, 'name')

sub fails {
    my ($parts, $says, $name) = @_;
    my ($fine, $out) = $base->check_conf(%$parts);

    ok(!$fine, "nginx -t refuses $name");
    like($out, $says, "nginx -t says why it refuses $name");
    like($out, qr{ in /\S+/check\.conf:\d+$}m, "nginx -t says where $name is");
}

sub works {
    my ($parts, $name) = @_;
    my ($fine, $out) = $base->check_conf(%$parts);

    ok($fine, "nginx -t takes $name") or diag($out);
}

subtest 'nginx -t reads judge_store' => sub {
    works({}, 'the least that serves');
    my $every = 'name=a zone=4m public_url=https://example.com/j'
                   . ' max_body=1m max_batch=2m max_text=64k deadline=10m'
                   . ' callback_deadline=1h rate=10/s burst=20'
                   . ' lease=30s attempts=3 aging=10s evaluate=off'
                   . ' model_attempts=4'
                   . ' max_bodies=32m max_unread=8m answers=1m keys=16'
                   . ' pages=1m'
                   . ' keep_contents=365d'
                   . ' keep_results=90d'
                   . ' keep_feedback=30d keep_deliveries=1w keep_logs=12h'
                   . ' keep_audit=90d max_items=1000 max_judges=9'
                   . ' max_upload=20m'
                   . ' upload_valid=10m progress=64 max_live=3m max_learned=8m'
                   . ' fleet=off';
    works({ store => $every, judge => 'a' }, 'every parameter');

    fails({ store => 'zone=1k' }, qr/zone=1k: expected a size of at least 3m/,
          'a zone that is too small');
    {
        my ($fine, $out) = $base->check_conf(store => 'zone=3m fleet=on'
                                                . ' progress=1536');
        ok(!$fine && $out =~ /zone=: .* at least 4m, for limits over nodes/,
           'a zone is too small for limits over nodes') or diag($out);
        ($fine, $out) = $base->check_conf(store => 'zone=3m progress=65536');
        ok(!$fine && $out =~ /zone=: .* 0\.6 KB for each batch of progress=/,
           'a zone is too small for the progress of many batches')
            or diag($out);
    }
    works({ store => 'zone=3m fleet=off' },
          'a small zone without limits over nodes');
    fails({ store => 'zone=many' }, qr/zone=many: expected a size/,
          'a zone without a size');
    fails({ store => 'speed=9' },
          qr/no parameter "speed"; there are name=, zone=, .*, fleet= in/,
          'an unknown parameter');
    fails({ store => 'sandbox' }, qr/of the form name=value, found "sandbox"/,
          'a parameter without a value');
    fails({ store => 'rate=9/s burst=9 rate=1/s' },
          qr/judge_store: expected only one rate= in/,
          'a parameter that is there twice');
    fails({ store => 'name=' }, qr/name=: expected a name/, 'an empty name');
    fails({ store => 'postgresql://u:hush@127.0.0.1/judge?sslmode=require' },
          qr/\A(?!.*hush).*expects the address as its first parameter/s,
          'an address behind the first, and keeps its password secret');
    fails({ store => 'max_body=big' }, qr/max_body=big: expected a size such/,
          'a size that is none');
    fails({ store => 'deadline=-1s' }, qr/deadline=-1s: expected a time such/,
          'a negative time');
    fails({ store => 'lease=soon' }, qr/lease=soon: expected a time/,
          'a time that is none');
    fails({ store => 'keep_results=59m' },
          qr/from 3600000 to \d+ milliseconds/,
          'results kept for less than an hour');
    fails({ store => 'keys=0' }, qr/keys=0: expected a whole number, from 1/,
          'a cache without keys');
    fails({ store => 'pages=4k' },
          qr/pages=4k: expected a size .* from 1048576 to/,
          'too few pages to work with');
    fails({ store => 'attempts=0' }, qr/attempts=0: expected a whole number/,
          'evaluations without an attempt');
    fails({ store => 'evaluate=maybe' },
          qr/judge_store: evaluate=maybe: expected on or off in/,
          'a flag that is none');
    fails({ store => 'public_url=example.com' },
          qr/public_url=example\.com: expected a URL such as/,
          'a public URL without a scheme');

    fails({ http => 'judge_store @DIR@/other;' },
          qr/there is a store "default" already.* name=/,
          'two services without a name');
    fails({ http => 'judge_store @DIR@/store name=other;' },
          qr/the directory ".*" has a store already/,
          'two services in one directory');
    fails({ http => 'judge_store;' },
          qr/invalid number of arguments in "judge_store"/,
          'a store without a directory');
    fails({ server => 'judge_store @DIR@/x name=x;' },
          qr/"judge_store" directive is not allowed here/,
          'a store in a server');

    # What docs/directives.md says: every parameter is taken with its default,
    # and none is left out.

    my $docs = Judge::Nginx::read_file($base->repo . '/docs/directives.md');
    my %parameters = $docs =~ /^\| `(\w+)=` \| (`\S+`|[\w ]+) \|/mg;

    works({ store => join ' ', map { "$_=" . ($parameters{$_} =~ tr/`//dr) }
                               grep { $parameters{$_} =~ /^`/ }
                               sort keys %parameters },
          'the documented defaults');

    my $conf  = Judge::Nginx::read_file(
                    $base->repo . '/src/ngx/ngx_http_judge_conf_service.c');
    my @known = ($conf =~ /^    ngx_http_judge_setting\(\w+, (\w+)/mg,
                 $conf =~ /^    \{ ngx_string\("(\w+)"\), n/mgi);

    cmp_ok(scalar @known, '>=', 30, 'the source has parameters');
    is(join(' ', grep { !$parameters{$_} } @known), '',
       'each parameter is documented');
    is(join(' ', grep { $every !~ /\b$_=/ } @known), 'files',
       'each parameter was given above, but for one of PostgreSQL');
};

subtest 'what can be configured and left out is listed' => sub {
    my $repo    = $base->repo;
    my $sources = join '', map { Judge::Nginx::read_file($_) }
                  split /\n/, qx(find $repo/src -name 'ngx_http_judge_*.c');
    my @known   = $sources =~ /\{\ ngx_string\("(judge\w*)"\),
                               \s+(?:NGX_HTTP_\w+_CONF
                               |ngx_http_judge_pages_switch)/gx;
    my @shown   = Judge::Nginx::read_file("$repo/docs/directives.md")
                  =~ /^ {4}(?:Syntax:| {7}) {3}(judge\w*) /mg;

    is_deeply([ sort @shown ], [ sort @known ],
              'docs/directives.md has the syntax of each directive');

    my ($parts) = Judge::Nginx::read_file("$repo/docs/quickstart.md")
                  =~ /^## Leaving parts out\n(.*?)^##/ms;
    is_deeply([ sort $parts =~ /^\| `(\w+)` \|/mg ],
              [ map { m{(\w+)/$} } glob "$repo/src/extensions/*/" ],
              'docs/quickstart.md has a row for each extension');
};

subtest 'nginx -t reads judge' => sub {
    works({ judge => 'default' }, 'the default service by its name');
    works({ judge => 'off' }, 'a location without the service');
    works({ http => 'judge_store @DIR@/other name=sandbox;',
            server => 'location /sandbox/ { judge sandbox; }' },
          'two services');

    my $queue = 'judge_store @DIR@/queue name=queue;';

    fails({ judge => 'sandbox', http => $queue },
          qr/\Qjudge: there is no store "sandbox"; there are: "default", \E
             \Q"queue"; name one of these or add "judge_store DIRECTORY \E
             \Qname=sandbox;" to http in\E/x,
          'a service that is not defined');
    fails({ store => 'name=a', http => $queue },
          qr/there is no store "default"; there are: "a", "queue"; name one/,
          'two services, none of which is the default');
    fails({ location => 'judge on;' }, qr/"judge" directive is duplicate/,
          'two services in one location');
    fails({ http => 'judge on;' }, qr/"judge" directive is not allowed here/,
          'judge outside of a location');

    # What else would answer in the same location.

    for my $other ('proxy_pass http://127.0.0.1:9;',
                   'fastcgi_pass 127.0.0.1:9;', 'empty_gif;')
    {
        my ($word) = $other =~ /(\w+)/;
        my $says = qr/\Q"judge" directive is beside "proxy_pass" or another \E
                      \Qdirective that answers: expected a location for \E
                      \Qeach\E/x;

        fails({ server => "location /a { judge on; $other }" }, $says,
              "$word behind judge");
        fails({ server => "location /a { $other judge on; }" }, $says,
              "$word before judge");
        works({ server => "location /a { judge off; $other }" },
              "$word where judge is off");
    }

    works({ server => 'location /a { judge on; if ($args) {'
                    . ' proxy_pass http://127.0.0.1:9; } }' },
          'proxy_pass under a condition');

    # A directive in another file is named by that one.

    $base->write('included.conf', "\n\nlocation /a { judge nosuch; }\n");
    my (undef, $out) = $base->check_conf(server => 'include included.conf;');
    like($out, qr{"nosuch"; there .* in /\S+/included\.conf:3$}m,
         'an error in an included file is told with that file');

    fails({ judge => '' }, qr/invalid number of arguments in "judge"/,
          'judge without an argument');
};

subtest 'nginx -t reads judge_model' => sub {
    my $pass = 'internal; proxy_pass http://127.0.0.1:9/;';

    works({ server => 'location /a { judge_model m served=x at_once=2'
                    . " timeout=9s images=on; $pass }"
                    . " location /b { judge_model n store=default images=off;"
                    . " $pass }" }, 'two models');

    fails({ server => "location /a { judge_model builtin; $pass }" },
          qr/judge_model "builtin": expected a name of at most 100 bytes/,
          'a name that is taken');
    fails({ server => 'location /a { judge_model ' . 'm' x 101 . "; $pass }" },
          qr/expected a name of at most 100 bytes/, 'a name that is too long');
    fails({ server => "location /a { judge_model m store=a store=a; $pass }" },
          qr/judge_model: expected only one store= in/,
          'a parameter that judge_model has twice');
    fails({ server => "location /a { judge_model m images=maybe; $pass }" },
          qr/judge_model: images=maybe: expected on or off in/,
          'a flag that is none');
    fails({ server => "location /a { judge_model m $_=; $pass }" },
          qr/judge_model: $_=: expected a name in/, "$_= without a name")
        for qw(store served);
    fails({ server => "location /a { judge_model m timeout=0; $pass }" },
          qr/judge_model: timeout=0: expected a time such as 30s/,
          'a timeout of 0');
    fails({ server => "location /a { judge_model m at_once=0; $pass }" },
          qr/judge_model: at_once=0: expected a whole number from 1/,
          'a model with no calls at once');
    fails({ server => "location /a { judge_model m store=x; $pass }" },
          qr/judge_model: there is no store "x"; there are: "default"; name/,
          'a store that is not there');
    fails({ server => "location /a { judge_model m; $pass }"
                    . " location /b { judge_model m; $pass }" },
          qr{has a location for "m" already, at /\S+:\d+; give it},
          'the same model twice');
};

subtest 'locations that calls go through are closed to clients' => sub {
    # With the provider's key in it, one that clients reach is everybody's
    # proxy.

    my $via = 'proxy_pass http://127.0.0.1:9;';

    for my $directive ('judge_model m', 'judge_outbound', 'judge_mail',
                       'judge_otel')
    {
        my ($word) = $directive =~ /(\w+)/;

        fails({ server => "location /a { $directive; $via }" },
              qr/$word: the location "\/a" can be reached by every/,
              "$word open to clients");
        fails({ server => "location = /a { internal; $directive; }" },
              qr/$word: the location "\/a" leads nowhere: add "proxy_pass"/,
              "$word without proxy_pass");
        fails({ server => "location = /a { internal; $directive;"
                        . " if (\$args) { $via } }" },
              qr/"\/a" leads nowhere/,
              "$word with proxy_pass under a condition");
        fails({ server => "location /a { internal; $directive; judge on; }" },
              qr/the location "\/a" has "judge", too: expected a location for/,
              "$word beside judge");
        fails({ server => "location \@a { $directive; $via }" },
              qr/$word:.* "\@a" cannot be called: expected a path, without ~/,
              "$word in a named location");
        fails({ server => "location ~ /a { internal; $directive; $via }" },
              qr/$word:.* "\/a" cannot be called/, "$word in an expression");
        fails({ server => "location /a { location /a/b { $directive; $via }"
                        . " location /a/c { internal; } }" },
              qr/the location "\/a\/b" can be .*: add "internal;"/,
              "$word in an open location within another");
        fails({ server => "location /a { if (\$args) { $directive; } }" },
              qr/"$word" directive is not allowed here/,
              "$word in a condition");

        works({ server => "location /a { $via $directive;"
                        . ' if ($args) { set $b 1; } internal; }' },
              "$word with internal behind it");
        works({ server => "location /a { internal;"
                        . " location /a/b { $directive; $via } }" },
              "$word with internal around it");
    }

    # Nothing was written by looking: a test must not change anything.

    ok(!-e $base->store_dir . '/judge.db', 'nginx -t makes no database');
};

# Their paths become those of this test; what they need is made.

sub ours {
    my ($name, %change) = @_;

    my $text = Judge::Nginx::read_file($base->repo . "/conf/$name");
    my $temp = join '', map { "${_}_temp_path temp/$_;\n" }
               qw(proxy fastcgi scgi uwsgi);

    $change{'modules/ngx_http_judge_module\.so'} = '@MODULE@';
    $change{'/var/lib/'} = '@DIR@/';

    for my $from (sort keys %change) {
        $text =~ s/$from/$change{$from}/g or die "$name: no $from";
    }

    $text =~ s/^http \{\n/http {\nclient_body_temp_path temp\/body;\n$temp/m;

    return $text;
}

sub balancer {
    my $text = Judge::Nginx::read_file($base->repo . '/conf/balancer.conf');
    my %change = (
        '/run/nginx.pid' => 'nginx.pid', '/var/log/nginx/' => 'logs/',
        'user             www-data;'        => '',
        '/etc/ssl/judge.example.com.pem'    => '@DIR@/cert.pem',
        '/etc/ssl/judge.example.com.key'    => '@DIR@/key.pem',
        'node1.example.com' => '127.0.0.1', 'node2.example.com' => '127.0.0.1',
        'listen 443'                        => 'listen 127.0.0.1:@PORT@');
    $text =~ s/\Q$_\E/$change{$_}/g for sort keys %change;
    return $text;
}

my ($front, $minimal, $outbound, $models);

subtest 'the files in conf/ are right' => sub {
    $front = "daemon off;\npid nginx.pid;\nerror_log logs/error.log info;\n"
              . ($> == 0 ? "user www-data;\n" : '');

    $minimal = $front . ours('minimal.conf',
        'listen 127\.0\.0\.1:8080' => 'listen 127.0.0.1:@PORT@');

    works({ conf => $minimal }, 'conf/minimal.conf');
    fails({ conf => $minimal =~ s/judge_store .*;//r },
          qr/judge: there is no store "default"; add "judge_store DIRECTORY;"/,
          'a service without a store');

    my $dir = $base->dir;
    my ($status, $said) = $base->run(
        qw(openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj
           /CN=localhost), '-keyout', "$dir/key.pem", '-out', "$dir/cert.pem");
    is($status, 0, 'a certificate for the gateway is made') or diag($said);

    $outbound = $base->repo . '/conf/outbound.conf';

    works({ conf => ours('gateway.conf',
        '/etc/nginx/judge/outbound\.conf' => $outbound,
        '/run/nginx\.pid'              => 'nginx.pid',
        '/var/log/nginx/'              => 'logs/',
        '/etc/ssl/example\.com\.pem'   => '@DIR@/cert.pem',
        '/etc/ssl/example\.com\.key'   => '@DIR@/key.pem',
        'user             www-data;'   => $> == 0 ? 'user www-data;' : '',
        'listen 80'                    => 'listen 127.0.0.1:@PORT1@',
        'listen 443'                   => 'listen 127.0.0.1:@PORT2@') },
        'conf/gateway.conf');

    my $fleet = ours('fleet.conf',
        '/run/nginx\.pid'              => 'nginx.pid',
        '/var/log/nginx/'              => 'logs/',
        'user             www-data;'   => $> == 0 ? 'user www-data;' : '',
        'listen 8080'                  => 'listen 127.0.0.1:@PORT@');

    works({ conf => $fleet }, 'conf/fleet.conf');

    # t/balancer.t runs it.

    works({ conf => balancer() }, 'conf/balancer.conf');

    $models = Judge::Nginx::read_file($base->repo . '/conf/llm.conf');
    $models =~ s{https://api\.openai\.com}{https://127.0.0.1} or die 'no host';
    $models =~ s{include +/etc/nginx/judge/openai\.key;}{} or die 'no key';

    works({ server => $models }, 'conf/llm.conf');

    my $mail = Judge::Nginx::read_file($base->repo . '/conf/mail.conf');
    $mail =~ s{https://mail\.example\.com}{https://127.0.0.1} or die 'no host';
    $mail =~ s{include +/etc/nginx/judge/mail\.key;}{} or die 'no key';

    works({ server => $mail }, 'conf/mail.conf');
    fails({ server => $mail =~ s/timeout=15s/served=m/r },
          qr/judge_mail: "served=m" is not one of its parameters: store=, ti/,
          'a parameter of judge_model in judge_mail');
    fails({ server => $mail . $mail =~ s{/judge/mail}{/also}r },
          qr{the store "default" has a location for "mail" already, at},
          'two ways out for e-mail');

    my $otel = Judge::Nginx::read_file($base->repo . '/conf/otel.conf');

    works({ server => $otel }, 'conf/otel.conf');
    for my $bad ('served=m', 'at_once=2', 'on', 'http://127.0.0.1:4318') {
        fails({ server => $otel =~ s/timeout=10s/$bad/r },
              qr/judge_otel: "\Q$bad\E" is not one of its parameters: store=/,
              "judge_otel $bad");
    }
    fails({ server => $otel =~ s/10s/soon/r },
          qr/judge_otel: timeout=soon: expected a time/,
          'a timeout of judge_otel that is none');
    fails({ server => $otel =~ s/timeout=10s/store=x/r },
          qr/judge_otel: there is no store "x"/,
          'judge_otel of an unknown store');
    fails({ server => $otel . $otel =~ s{/judge/otel}{/also}r },
          qr{the store "default" has a location for "otel" already, at},
          'two collectors');
};

sub bucket {
    my ($line) = @_;
    return { server => "location /b { judge_files $line;"
                       . ' internal; proxy_pass $judge_url; }' };
}

my $t;

subtest 'nginx -t reads judge_files' => sub {
    my $place = 'endpoint=https://127.0.0.1:9000 region=r';

    $base->write('good', "[x]\naws_access_key_id = a\n"
                         . "aws_secret_access_key = b\n");
    $base->write('half', "[default]\naws_access_key_id = a\n");

    delete @ENV{qw(AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN)};

    works(bucket("s3://abc/d/ $place credentials=\@DIR@/good profile=x"
                 . ' style=virtual public=https://f.example.com at_once=4'
                 . ' timeout=5s store=default'), 'files in a bucket');
    fails(bucket("s3://abc $place"),
          qr/no credentials: expected credentials=FILE, or AWS_ACCESS_KEY_ID/,
          'a bucket without credentials');
    {
        local @ENV{qw(AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY)} = qw(a b);
        works(bucket("s3://abc $place"), 'credentials of the environment');
    }
    fails(bucket("s3://abc $place credentials=\@DIR@/good"),
          qr/good profile=default: it has no section of that profile/,
          'a profile that is not there');
    fails(bucket("s3://abc $place credentials=\@DIR@/half"),
          qr/half profile=default: aws_secret_access_key is missing/,
          'credentials without a secret');
    fails(bucket("s3://abc $place credentials=\@DIR@/none"),
          qr/none profile=default: the file can't be read/,
          'a file of credentials that is not there');
    fails(bucket("s3://abc $place credentials=\@DIR@/good profile=x"
                 . ' events=@DIR@/none'),
          qr/events=\S+none: the file can't be read/,
          'a secret of events that is not there');
    $base->write('short', "short\n");
    fails(bucket("s3://abc $place credentials=\@DIR@/good profile=x"
                 . ' events=@DIR@/short'),
          qr/short: expected a secret of 16 characters or more/,
          'a short secret of events');
    fails(bucket("s3://Abc $place"),
          qr/"s3:\/\/Abc": expected s3:\/\/bucket or/,
          'a bucket that is none');
    fails(bucket("abc $place"), qr/"abc": expected s3:/,
          'an address without s3:');
    fails(bucket('s3://abc region=r'),
          qr/"s3:\/\/abc": expected endpoint=, such/,
          'a bucket without an endpoint');
    fails(bucket('s3://abc endpoint=https://h'), qr/expected region=, such as/,
          'a bucket without a region');
    fails(bucket('s3://abc endpoint=h region=r'),
          qr/endpoint=h: expected .* such as https:/,
          'an endpoint without http');
    fails(bucket('s3://abc endpoint=https://h/x region=r'),
          qr/expected a URL without a path, such as/,
          'an endpoint with a path');
    fails(bucket("s3://abc $place region=other"),
          qr/judge_files: expected only one region= in/,
          'a parameter that judge_files has twice');
    fails(bucket("s3://abc $place style=round"),
          qr/"style=round" is not one of its parameters: endpoint=, region=,/,
          'a style that is none');
    fails({ server => "location /b { judge_files s3://abc $place"
                      . ' credentials=@DIR@/good profile=x;'
                      . ' proxy_pass $judge_url; }' },
          qr/judge_files: the location "\/b" can be reached by every client/,
          'a bucket for everybody');

    # Those that the documents show, where they belong.

    my ($shown) = Judge::Docs->blocks('docs/judging.md', 'Language models',
                                      'nginx', 1);
    my ($server) = $shown =~ /^server \{\n(.*)^\}/ms;
    $server =~ s{/etc/nginx/judge/llm\.conf}{models.conf} or die 'no include';
    $base->write('models.conf', $models);
    works({ server => $server }, 'the model of docs/judging.md');

    my ($files) = Judge::Docs->blocks('docs/files.md', 'Uploaded files in S3',
                                      'nginx', 1);
    my $s3 = Judge::Nginx::read_file($base->repo . '/conf/s3.conf');
    $s3 =~ s{/etc/nginx/judge/s3\.credentials}{\@DIR@/good profile=x} or die;
    $s3 =~ s{/etc/nginx/judge/outbound\.conf}{$outbound} or die 'no include';
    ($files) = $files =~ /^server \{\n(.*)^\}/ms;
    $files =~ s{include /etc/nginx/judge/s3\.conf;}{$s3} or die 'no include';
    works({ server => $files }, 'the bucket of docs/files.md');

    my ($kept) = Judge::Docs->blocks('docs/scaling.md',
                                     'Connections to models', 'nginx', 1);
    my ($group, $model) = $kept =~ /^(upstream .*?^\}\n)(.*)/ms;
    works({ http => $group, server => $model },
          'the connections of docs/scaling.md');

    my ($calls) = Judge::Docs->blocks('docs/webhooks.md', 'Turning them on',
                                      'nginx', 1);
    $calls =~ s{/etc/nginx/judge/outbound\.conf}{$outbound}
        or die 'no include';
    works({ server => $calls }, 'the calls of docs/webhooks.md');

    my ($pages) = Judge::Docs->blocks('docs/console.md', 'The console',
                                      'nginx', 1);
    works({ server => $pages }, 'the console of docs/console.md');

    my ($least) = Judge::Docs->blocks('docs/directives.md', 'Directives',
                                      'nginx', 1);
    $least =~ s{modules/ngx_http_judge_module\.so}{\@MODULE\@}
        or die 'no module';
    $least =~ s{/var/lib/}{\@DIR\@/} or die 'no store';
    $least =~ s/server \{/server { listen 127.0.0.1:\@PORT\@;/;
    $least =~ s/^http \{/${front}events {}\nhttp {/m or die 'no http';
    works({ conf => $least }, 'the lines of docs/directives.md');

    my $run = Judge::Nginx::read_file($base->repo . '/conf/run.conf.in');
    my $user = $> == 0 ? 'user www-data;' : '';
    $run =~ s/^.*?\n\n//s;
    $run =~ s/^\@USER\@$/$user/m;
    $run =~ s/\@RESOLVER\@/resolver 127.0.0.1;/;
    $run =~ s{\@DIR\@/outbound\.conf}{$outbound};

    works({ conf => $run }, 'conf/run.conf.in');

    # The least of them serves.

    $t = Judge::Test->new(workers => 1,
        conf => $minimal =~ s{\@DIR\@/judge}{\@DIR\@/store}gr);
    my $e = $t->evaluated($t->new_evaluation(
        $t->new_judge, $t->new_content('A short text.')));
    is($e->{status}, 'completed', 'conf/minimal.conf serves');
    $t->quit;
};

subtest 'a service can be mounted anywhere' => sub {
    $t = Judge::Test->new(workers => 1, server => <<'CONF');
location /judging/ { judge on; }
location /bare { judge on; }
location /other/ { judge off; }
location ~ ^(?:/shaped)?/judges$ {
    judge on;
    if ($arg_name) { set $named 1; }
}
location /limited/ {
    judge on;
    if ($http_x_mark) { set $mark 1; }
    limit_except GET { deny 10.0.0.0/8; }
}
CONF

    my $r = $t->get('/judging?limit=1', key => undef);
    status_is($r, 301, 'a location is redirected without its slash');
    like($r->header('Location'), qr{^http://[^/]+/judging/\?limit=1$},
         'a redirect leads to the service and keeps the query');

    status_is($t->get('/bare/judges'), 200,
              'a location without a slash serves');
    status_is($t->get('/bare'), $t->get('/judging/')->status,
              'a location without a slash serves its own path');
    status_is($t->get('/other'), $t->get('/')->status,
              'no redirect is made where judge is off');

    # Blocks that nginx makes locations of serve as the one around them does.

    status_is($t->get('/limited/judges'), 200,
              'a location with limit_except and if serves');
    status_is($t->get('/limited/judges', headers => [ 'X-Mark' => 1 ]), 200,
              'a location serves within if');
    status_is($t->get('/judges?name=a'), 200,
              'a location by an expression serves within if');
    status_is($t->post('/limited/content', json => {
        name => 'small', file_type => 'text', text_content => 'x' }), 201,
        'a location serves within limit_except');
    status_is($t->post('/limited/judges', json => {
        name => 'x' x (2 << 20) }), 400,
              'a location within limit_except takes large bodies');
};

done_testing;
