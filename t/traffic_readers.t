# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Whatever a guard passes is read by servers as the guard read it: Flask,
# Django and Python's cgi behind gunicorn, PHP, Rack behind puma, and Express
# each say what they read in requests that are made by chance of pieces which
# readers take differently.  Each request has the word that is not wanted.
# Where the guard writes a request anew, each of them reads the same, too.
# JUDGE_TEST_SEED and JUDGE_TEST_CASES in the environment make other requests,
# and more of them; at night there are 5,000.

use Judge::Test;
use Judge::Nginx;
use Judge::Traffic;
use Compress::Zlib ();
use Encode ();
use File::Temp ();

my $data  = Judge::Nginx->repo . '/t/data/readers';
my $npm   = Judge::Nginx->repo . '/build/npm/node_modules';
my $cases = $ENV{JUDGE_TEST_CASES} // ($ENV{JUDGE_TEST_EVERY} ? 5000 : 300);
my $seed  = $ENV{JUDGE_TEST_SEED} // 1;

plan skip_all => 'the readers are not installed (util/dev/deps test does it)'
    if !-d "$npm/express"
       || grep { system("which $_ >/dev/null 2>&1") != 0 }
               qw(gunicorn php puma node);

my $words = File::Temp->new;
print {$words} "casino\n";
$words->flush;

my %port = map { $_ => Judge::Nginx::free_port() } qw(python php rack node);

sub starts {
    my ($name, @command) = @_;
    serves($port{$name}, 'sh', '-c', 'exec "$0" "$@" 2>/dev/null', @command);
}

starts('python', 'gunicorn', '--chdir', $data, '-w', 2, '-b',
       "127.0.0.1:$port{python}", 'readers:readers');
starts('php', 'php', '-q', '-d', 'display_errors=0', '-S',
       "127.0.0.1:$port{php}", "$data/reader.php");
starts('rack', 'puma', '-q', '-b', "tcp://127.0.0.1:$port{rack}",
       "$data/reader.ru");
starts('node', 'node', "$data/reader.mjs", $npm, $port{node});

my %reader = ((map { $_ => $port{python} } qw(flask django cgi)),
              php => $port{php}, rack => $port{rack}, express => $port{node});

my $files = 'pass_types=image/png';
my $locations = join '', map { my $name = $_;
    my $to = "proxy_pass http://127.0.0.1:$reader{$name}/$name;";
    <<"CONF" } sort keys %reader;
location /open/$name  { $to }
location /asked/$name { $to judge_request $JUDGED min=50 $files; }
location /field/$name { $to judge_request $JUDGED min=50 field=text
                        format=\$.text $files; }
location /anew/$name  { $to judge_request $JUDGED min=50 format=\$.text
                        $files; }
location /found/$name { $to judge_detect words words=$words on=request
                        $files; }
location /as_is/$name { $to judge_request $JUDGED min=50 rewrite=off
                        format=\$.text $files; }
CONF

my $t = Judge::Test->new(described => 0, prefix => '/api/',
                         server => "proxy_http_version 1.1;\n$locations");
my $judge = $t->new_judge(criteria => [
    { name => 'No offers', description => 'Nothing is sold.', checks => [
        { type => 'not_contains', value => 'casino' } ] } ]);
asks($t, judge => $judge);


# --- Requests made by chance -------------------------------------------------

srand $seed;

sub one { $_[rand @_] }

# Mostly the first, at times another one.

sub most { rand() < 0.7 ? $_[0] : one(@_) }

sub utf16 { Encode::encode($_[0], $_[1]) }

# A word as some reader or other decodes it.

sub word {
    return most('casino', one(
        "cas\0ino", 'Y2FzaW5v', '=63asino', '+AGM-asino', "cas\r\nino",
        utf16('UTF-16LE', 'casino'), utf16('UTF-16BE', 'casino'),
        "\xEF\xBB\xBFcasino", "\xFF\xFEcasino", "\xFE\xFFx\ncasino",
        "casino\0", ' casino ', "casino\r\n--y", "casino\n--x--",
        "\r\ncasino"));
}

sub form {
    my @pairs = map {
        most('text=', one('te%78t=', 'text%00=', 'text[]=', 'text[0]=',
                          ' text=', 'text.=', 'x=1;text=', "text\r\n=",
                          '_charset_=utf-16le&text=', 'text', '=text=',
                          'text=a&text=', 'te+xt=', '%74%65%78%74=', 'x='))
        . one('casino', '%63asino', 'c%61sino', '%u0063asino', '+AGM-asino',
              'casin%6', '%c1%a3asino', 'casino%', 'ca%73ino%00',
              'c%00a%00s%00i%00n%00o%00', 'cas%0Aino', '%ff%fecasino',
              '%fe%ffx')
    } 1 .. one(1, 1, 2);
    my $type = 'application/x-www-form-urlencoded';

    return ([ 'Content-Type: ' . most($type, one(
                "$type; charset=utf-8", "$type; charset=utf-7", "$type;",
                "$type; charset=utf-16le", uc $type, " $type ",
                "$type; charset=iso-8859-1; charset=utf-16", "$type, text/x",
                'text/plain', "$type; boundary=x", "$type\t; x=y")) ],
            join one('&', '&', ';', '&&', '&amp;'), @pairs);
}

sub disposition {
    return 'Content-Disposition: ' . most('form-data; name="text"', one(
        'form-data; name=text', "form-data; name='text'",
        'form-data; name="te\\xt"', 'form-data;name="text";filename=""',
        'form-data; name="text"; filename="a.txt"', 'attachment; name="text"',
        "form-data; filename*=utf-8''a; name=\"text\"",
        'form-data; name="x"; name="text"', 'form-data; name="text"; name="x"',
        "form-data; name*=utf-8''text", 'FORM-DATA; NAME="text"',
        'form-data ; name = "text"', 'form-data; name="text" ; x=y',
        'form-data; name="text', 'form-data; name="text";',
        "form-data;\r\n name=\"text\"", "form-data; name=\"text\0x\"",
        'form-data; name="text[]"', 'form-data; name=" text"',
        'form-data; name="x%22; name=%22text"', 'name="text"',
        'form-data; name="x\\"; name=\\"text"', 'form-data', '',
        'form-data; name=text; filename', 'form-data, x; name="text"',
        'form-data; name="x', 'form-data; Filename="a"; name="text"',
        'form-data; name="text"; filename="a"; filename=""'));
}

sub part {
    my @head = (disposition());

    push @head, one(
        'Content-Type: text/plain; charset=utf-16le', 'X: y', ': y',
        'Content-Type: text/plain; charset=utf-7', "X: y\r\n\tz", 'X',
        'Content-Type: multipart/mixed; boundary=y', 'Content-Length: 3',
        'Content-Transfer-Encoding: base64', 'content-type: image/png',
        'Content-Transfer-Encoding: quoted-printable', "X: \0",
        'Content-Disposition : form-data; name="text"', "X: y\rz: a",
        'Content-Disposition: form-data; name="x"', 'Content-Type:')
        if rand() < 0.35;
    @head = reverse @head if rand() < 0.3;

    my $nl = most("\r\n", one("\n", "\r", "\r\n\t"));
    return join($nl, @head) . most("\r\n\r\n", one("\n\n", "\r\n",
                "\r\n\n", "\n\r\n", "\r\r", "\r\n \r\n")) . word();
}

sub multipart {
    my $type = 'multipart/form-data';
    my $nl   = sub { most("\r\n", one("\n", "\r", "\n\r\n", ' ', "\r\n\r\n",
                                      " \r\n", "\t\r\n", '')) };
    my $line = sub { most('--x', one('--X', '-- x', '--xy', '--x--', "--x\0",
                                     ' --x', '-x', '--"x"')) };
    my $body = most('', one("\r\n", 'casino', "junk\r\n", "\n", "--x--\r\n"));

    $body .= $line->() . $nl->() . part() . $nl->() for 1 .. one(1, 1, 2, 3);
    $body .= most("--x--\r\n", one('--x--', '', '--x', "--x--\r\ncasino",
                                   "--x-- \r\n", "--x\r\n" . part()));

    return ([ map { "Content-Type: $_" } split /\|/, most(
                "$type; boundary=x", one(
                "$type; boundary=\"x\"", "$type; boundary=x; boundary=y",
                "$type; boundary=y; boundary=x", "$type; BOUNDARY=x",
                "$type; boundary='x'", "$type;boundary=x ", "$type",
                "$type; boundary=x; charset=utf-16le", "$type boundary=x",
                "$type; boundary = x", "$type; boundary*0=x",
                "multipart/mixed; boundary=x", "$type, x; boundary=x",
                "$type; boundary=x, $type; boundary=y", "$type; x=\"; "
                . 'boundary=x', "$type; x=y boundary=x", "text/plain|$type; "
                . 'boundary=x', "$type; boundary=x|text/plain",
                'multipart/related; boundary=x', "$type; boundary=\"x\\\"")) ],
            $body);
}

sub as_json {
    my $value = one('"casino"', '"\u0063asino"', '"ca\u0073ino"', '["casino"]',
                    '{"a":"casino"}', '"cas\u0000ino"', '{"casino":1}',
                    "'casino'", '"casino\ud800"', "\"casino\n\"", '"c\asino"');
    my $body = most("{\"text\":$value}", one(
        "{\"text\":\"x\",\"text\":$value}", "{\"text\":$value,\"text\":1}",
        "\xEF\xBB\xBF{\"text\":$value}", "{\"te\\u0078t\":$value}",
        "/* */{\"text\":$value}", "{\"text\":$value,}", "{text:$value}",
        "{\"text\":$value} x", "\f{\"text\":$value}", $value, "[$value]",
        "{\"Text\":$value}", "{\"a\":NaN,\"text\":$value}", "{\"text\":$value",
        utf16('UTF-16LE', "{\"text\":$value}"), "text=casino",
        utf16('UTF-16BE', "{\"text\":$value}"), "{\"text\":{\"text\":$value}}",
        ('[' x 40) . $value . (']' x 40), "{\"text\":$value}\n{\"a\":1}",
        utf16('UTF-32LE', "{\"text\":$value}"), "{\"text\0\":$value}"));
    my $type = 'application/json';

    return ([ 'Content-Type: ' . most($type, one(
                "$type; charset=utf-16", "$type; charset=utf-16le",
                "$type; charset=utf-8", 'text/json', 'application/x+json',
                "$type, text/plain", 'Application/JSON', "$type;", "$type; x",
                'application/json5', "$type; charset=utf-7",
                "$type; charset=\"utf-16be\"", "$type; charset=utf-32")) ],
            $body);
}

sub text {
    return ([ 'Content-Type: text/' . most('plain', one(
                'plain; charset=utf-16le', 'plain; charset=utf-7', 'html',
                'plain; charset=utf-16', 'x; charset=ibm037', 'plain, x')) ],
            word());
}

sub squeezed { Compress::Zlib::memGzip($_[0]) }

sub coded {
    my ($head, $body) = @_;
    my $how = one('gzip', 'GZIP', 'x-gzip', 'deflate', 'br', 'identity',
                  'gzip, gzip', 'gzip, identity', 'none', '', 'zstd');

    return ([ @$head, "Content-Encoding: $how" ],
            one($body, squeezed($body), Compress::Zlib::compress($body),
                squeezed('') . squeezed($body), squeezed(squeezed($body)),
                squeezed($body) . 'x', substr(squeezed($body), 0, -4)));
}

sub case {
    my @case = one(\&form, \&multipart, \&multipart, \&as_json, \&text)->();
    return rand() < 0.12 ? coded(@case) : @case;
}


# --- What is read ------------------------------------------------------------

# What a reader says that it read; nothing: it was not asked, or failed.

sub read_by {
    my ($location, $name, $head, $body) = @_;
    my @headers = map { /^([^:]+): ?(.*)\z/s } @$head;
    my $r = ask(POST => "/$location/$name", headers => \@headers,
                body => $body);

    my $said = $r->status == 200 ? eval { $r->json } : undef;

    return ($r, ref $said eq 'HASH' ? $said : { });
}

sub shown {
    my ($head, $body) = @_;
    return "JUDGE_TEST_SEED=$seed: " . join(' | ', @$head) . "\n"
         . $body =~ s/([^\n -~])/sprintf '\\x%02x', ord $1/ger;
}

# A word of its own: what stands in "fecasino" is another one.
my $word = qr/(?<![\p{L}\p{N}])casino(?![\p{L}\p{N}])/;
my (%reads, %passes, %refused, $alike);

# The others read what Flask reads, where that is written anew.  PHP and Rack
# take only the last value of a name.

sub alike {
    my (@case) = @_;
    my %all;

    for my $name (sort keys %reader) {
        my ($r, $said) = read_by(anew => $name, @case);
        $all{$name} = [ sort @{ $said->{all} } ] if $r->status == 200;
    }
    my $first = $all{flask} or return;

    $alike++ if @$first;
    for my $name (sort keys %all) {
        my %left;
        $left{$_}++ for @$first;
        my @else = grep { !$left{$_}-- } @{ $all{$name} };
        next if !@else && (@{ $all{$name} } == @$first
                           || $name =~ /^(?:php|rack)\z/ && @$first > 1
                              && $case[0][0] =~ /form/);
        fail("$name reads what Flask does"), diag(shown(@case));
    }
}

for my $n (1 .. $cases) {
    my @case = case();

    for my $name (sort keys %reader) {
        my ($r, $said) = read_by(open => $name, @case);
        my %has = map { $_ => (grep { /$word/ } @{ $said->{$_} // [] }) > 0 }
                      qw(text all);
        $reads{$name}++ if $has{all};

        for (qw(asked field found as_is)) {
            my ($guarded, $now) = read_by($_ => $name, @case);
            my $of = $_ eq 'field' ? 'text' : 'all';
            my @found = grep { /$word/ } @{ $now->{$of} // [] };

            $refused{$name}++ if $guarded->status == 422
                                 || $guarded->status == 403;
            $passes{$name}++ if $guarded->status == 200;
            fail("$name reads what $_ passed"), diag(shown(@case)) if @found;
        }
    }

    # Without the word more of them pass.
    alike($case[0], $case[1] =~ s/casino/river/gr);
}

cmp_ok($alike, '>', $cases / 10,
       'many requests that pass are read alike by all');

for my $name (sort keys %reader) {
    cmp_ok($reads{$name} // 0, '>', $cases / 20,
           "$name reads the word where nothing guards");
    cmp_ok($refused{$name} // 0, '>', $reads{$name} // 0,
           "more is refused than $name reads of the word unguarded");
    note("$name: of $cases requests $reads{$name} have the word unguarded; of"
         . ' ' . 4 * $cases . " guarded ones $passes{$name} pass");
}

# What is as browsers and programs send it passes, and is read as it was sent:
# values, their order, and files.
my @parts = map { "--x\r\nContent-Disposition: form-data; $_" }
    (qq{name="text"\r\n\r\nHello you}, qq{name="b"\r\n\r\n\xC3\xA4\r\n--},
     qq{name="a"; filename="\xC3\xA4.png"\r\nContent-Type: image/png\r\n\r\n}
     . join('', map { chr } 1 .. 255), qq{name="c"; filename=""\r\n}
     . "Content-Type: application/octet-stream\r\n\r\n",
     qq{name="d"\r\nContent-Type: application/json\r\n\r\n{ "a": 1 }});
my @ordinary = (
    [ 'application/x-www-form-urlencoded',
      'text=Hello+you&x=%C3%A4%26%3D+%2B*-._~&%C3%A4b=1&e=' ],
    [ 'multipart/form-data; boundary=x',
      join("\r\n", @parts, "--x--\r\n") ],
    [ 'multipart/form-data; boundary="--a=_b.c"', join("\r\n", @parts, '--x--')
      =~ s/^--x/----a=_b.c/gmr ],
    [ 'application/json', '{"text":"Hello you"}' ],
    [ 'application/json;charset=UTF-8', '{ "text" : "Hello \u0079ou", "n":'
      . ' [1.50, 1e2, 12345678901234567890, true, null], "s": "\ud83d\ude00'
      . ' \" \\\\ \n \u0000\u0022 \/' . "\xC3\xA4\" }" ],
    [ 'text/plain', 'Hello you' ],
    [ 'text/plain; charset=utf-8', "Hello\r\n\xC3\xA4" ]);

for my $name (sort keys %reader) {
    for (@ordinary) {
        my ($type, $body) = @$_;
        next if $name eq 'cgi' && $type !~ /form/;
        my (undef, $sent) = read_by(open => $name, [ "Content-Type: $type" ],
                                    $body);
        ok(@{ $sent->{all} // [] }, "$name reads $type");
        is_deeply((read_by($_ => $name, [ "Content-Type: $type" ], $body))[1],
                  $sent, "$name reads $type likewise when it has passed $_")
            for qw(anew field found as_is);
    }
}

done_testing;
