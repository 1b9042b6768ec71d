# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# A model server for tests, on a port of 127.0.0.1: POST /v1/chat/completions
# as OpenAI documents it, and strict about the request: what the documents
# forbid is answered with 400 and an error of their form.  Answers are made
# without a model, or fail as the test sets it.
#
#     my $llm = Judge::OpenAI->start(key => 'sk-test', models => ['m-1']);
#     ... proxy_pass to $llm->url ...
#     is(scalar $llm->requests, 1);
#
# Options of start():
#
#     key       what stands behind "Bearer"; undef: any or none will do
#     models    names that there are; undef: any
#     lacks     array of what is refused: schema object max_tokens temperature
#               seed system images
#     context   tokens (four bytes each) that fit
#     verdict   sub ($request, $number): the answer, a hash; else one, in
#               which all scores are 70 + the criterion's number (no $number
#               where `when` decides)
#     when      array of [ regex => action ]: the first whose regex matches the
#               body of the request decides
#     held      true: nothing is answered until let_go() is called
#     takes     questions that are answered at once; more are answered by 429
#     idle      seconds after which a connection that waits is closed
#     drops     true: a connection is closed when its second request has come
#     script    array of actions by the number of the request (from 0) that no
#               `when` took; behind its end all is well
#
# An action is a name of %actions below, or a hash: status, headers (hash),
# body (bytes, or a structure that becomes JSON), content (the model's text),
# finish, delay (seconds), action (a name to go on with), chunked (bytes of a
# chunk; in place of a Content-Length), close (true: the last one of its
# connection), long (so many bytes more in the body).

package Judge::OpenAI;

use strict;
use warnings;

use Fcntl qw(:flock SEEK_SET);
use File::Temp ();
use IO::Select;
use IO::Socket::INET;
use JSON::PP ();

use Judge::JSON;
use Judge::Nginx ();
use MIME::Base64 ();
use POSIX ();
use Time::HiRes qw(sleep time);

use Judge::OpenAI::Request ();


my $json = Judge::JSON->new->utf8->canonical;

# What can go wrong, by name: a sub ($request, $verdict) that gives a hash as
# described above, or undef for no answer at all.
my %actions = (
    ok        => sub { { content => $json->encode($_[1]) } },
    fenced    => sub { { content => "Here it is:\n\n```json\n"
                                    . Judge::JSON->new->utf8->pretty
                                              ->encode($_[1])
                                    . "```\nI hope it helps." } },
    thinking  => sub { { content => "<think>\n{} or not {}?\n</think>\n\n"
                                    . $json->encode($_[1]) } },
    prose     => sub { { content => 'A fine text, 90 of 100.' } },
    empty     => sub { { content => '' } },
    nothing   => sub { { body => { choices => [] } } },
    truncated => sub {
        my $text = $json->encode($_[1]);
        { content => substr($text, 0, length($text) / 2), finish => 'length' };
    },
    refused   => sub { { refusal => "I'm sorry, I can't help with that." } },
    filtered  => sub { { content => '', finish => 'content_filter' } },
    too_much  => sub { $_[1]{criteria}{c1}{score} = 150; ok($_[1]) },
    as_string => sub { $_[1]{criteria}{c1}{score} = '70'; ok($_[1]) },
    missing   => sub { delete $_[1]{criteria}{c1}; ok($_[1]) },
    unknown   => sub { $_[1]{criteria}{c99} = $_[1]{criteria}{c1};
                       ok($_[1]) },
    invented  => sub { $_[1]{criteria}{c1}{evidence}
                           = ['words that are not in it']; ok($_[1]) },
    rate      => sub { failure(429, 'Rate limit reached', 'requests',
                               'rate_limit_exceeded', undef,
                               { 'Retry-After' => 1 }) },
    quota     => sub { failure(429, 'You exceeded your current quota',
                               'insufficient_quota', 'insufficient_quota') },
    error     => sub { failure(500, 'The server had an error',
                               'server_error') },
    overload  => sub { failure(503, 'The engine is overloaded',
                               'server_error') },
    html      => sub { { status => 502, type => 'text/html',
                         body => '<html><h1>502 Bad Gateway</h1></html>' } },
    not_json  => sub { { body => '{"choices": [' } },
    garbage   => sub { { raw => "\x00\xff\x16\x03garbage\r\n\r\n" } },
    half      => sub { { content => $json->encode($_[1]), half => 1 } },
    close     => sub { undef },
    hang      => sub { sleep 3600; undef },
);


sub ok { { content => $json->encode($_[0]) } }


sub start {
    my ($class, %opt) = @_;

    my $listen = IO::Socket::INET->new(
        Listen => 128, LocalAddr => '127.0.0.1', Proto => 'tcp',
        ReuseAddr => 1,
    ) or die "cannot listen: $!\n";

    my $self = bless {
        %opt,
        port    => $listen->sockport,
        journal => File::Temp->new,
        counter => File::Temp->new,
        taken   => File::Temp->new,
        gate    => File::Temp->new,
        owner   => $$,
    }, $class;

    defined($self->{pid} = fork) or die "cannot fork: $!\n";

    if ($self->{pid} == 0) {
        POSIX::setpgid(0, 0);
        eval { $self->serve($listen) };
        POSIX::_exit(0);
    }

    POSIX::setpgid($self->{pid}, $self->{pid});
    close $listen;

    return $self;
}


# Where no server is: a connection is refused.

sub nowhere { bless { port => Judge::Nginx::shut_port() }, $_[0] }


sub port { $_[0]{port} }
sub url { "http://127.0.0.1:$_[0]{port}/v1/chat/completions" }


# The location by which nginx calls it; $more: what else stands behind the name
# in "judge_model"; peer => an upstream, also with https://, next => when
# another call is made, lines => more of it.

sub location {
    my ($self, $name, $more, %opt) = @_;

    $more //= '';

    my $peer  = $opt{peer} // '127.0.0.1:' . $self->port;
    my $next  = $opt{next} // 'off';
    my $lines = $opt{lines} // '';
    $peer = "http://$peer" if $peer !~ m{^https?://};

    return <<"CONF";
location = /models/$name {
    internal;
    judge_model $name $more;
    proxy_pass $peer/v1/chat/completions;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Accept-Encoding "";
    proxy_set_header Authorization "Bearer sk-test";
    proxy_buffering off;
    proxy_next_upstream $next;
    client_max_body_size 16m;
    $lines
}
CONF
}

# An upstream of it whose connections are kept open.

sub upstream {
    my ($self, $name) = @_;
    return "upstream $name { server 127.0.0.1:@{[ $self->port ]};"
           . " keepalive 8; keepalive_timeout 60s; }\n";
}


# What came, in order: hashes of method, path, headers (names in small
# letters), body (bytes), json (decoded, where it could be), status (of the
# answer; 0: none was meant to be), at (when that was about to be sent), with
# (how many were under way when it had come, itself included).

sub requests {
    my ($self) = @_;

    open my $in, '<', $self->{journal}->filename or die "journal: $!\n";
    seek $in, $self->{read_to} //= 0, 0;

    while (defined(my $line = <$in>)) {
        last if $line !~ /\n\z/;       # half written
        $self->{read_to} = tell $in;

        my $r = $json->decode($line);
        $r->{body} = MIME::Base64::decode_base64($r->{body});
        $r->{json} = eval { $json->decode($r->{body}) };
        push @{ $self->{read} }, $r;
    }

    return @{ $self->{read} // [] };
}


# How many have come and are not answered; lets those go that are held.

sub under_way {
    open my $in, '<', $_[0]{taken}->filename or die "counter: $!\n";
    flock $in, LOCK_SH;
    return readline($in) // 0;
}

sub let_go { add($_[0]{gate}, 1) }


sub stop {
    my ($self) = @_;

    my $pid = delete $self->{pid};

    if ($pid && $self->{owner} == $$) {
        local $?;
        kill 'TERM', -$pid;
        waitpid $pid, 0;
    }
}


sub DESTROY { $_[0]->stop }


# --- The server -----------------------------------------------------------

sub serve {
    my ($self, $listen) = @_;

    local $SIG{CHLD} = 'IGNORE';
    local $SIG{TERM} = 'DEFAULT';

    for (my $number = 0; ; $number++) {
        my $client = $listen->accept or redo;
        my $pid    = fork;

        if (defined $pid && $pid == 0) {
            close $listen;
            $SIG{PIPE} = 'IGNORE';
            eval { $self->connection($client, $number) };
            POSIX::_exit(0);
        }

        close $client;
    }
}


sub connection {
    my ($self, $client, $number) = @_;

    while (my $r = read_request($client)) {
        $r->{connection} = $number;

        if ($self->{drops} && $self->{served}++) {
            $self->note($r, 0);
            return;
        }

        my ($answer, $note) = $self->answer($r);

        $self->note($r, $note) if $note;

        return if !defined $answer;

        my $close = ($r->{headers}{connection} // '') =~ /\bclose\b/i
                    || $answer->{half} || $answer->{raw} || $answer->{close}
                    || $r->{bad};

        print {$client} render($answer, $close);
        $client->flush;

        return if $close;
        return if $self->{idle}
                  && !IO::Select->new($client)->can_read($self->{idle});
    }
}


sub read_request {
    my ($client) = @_;

    my $line = read_line($client) // return;

    my $r = { headers => {}, body => '' };
    (@$r{qw(method path)}) = $line =~ m{^([A-Z]+) (\S+) HTTP/1\.[01]$}
        or $r->{bad} = 'the request line is malformed';

    while (defined(my $h = read_line($client))) {
        last if $h eq '';

        my ($name, $value) = $h =~ /^([!-9;-~]+):[ \t]*(.*?)[ \t]*$/;

        if (!defined $name) {
            $r->{bad} = 'a header is malformed';
        } elsif (exists $r->{headers}{lc $name}) {
            $r->{bad} = "the header $name comes twice";
        } else {
            $r->{headers}{lc $name} = $value;
        }
    }

    my $length = $r->{headers}{'content-length'} // 0;

    return $r if $length !~ /^\d+$/ || $length == 0;

    my $n = read $client, $r->{body}, $length;

    return defined $n && $n == $length ? $r : undef;
}


sub read_line {
    my ($client) = @_;

    my $line = readline $client;

    return defined $line && $line =~ s/\r\n\z// ? $line : undef;
}


# (the answer or undef to close, the status for the journal)

sub answer {
    my ($self, $r) = @_;

    my $fault = $self->refusal($r);

    return ($fault, $fault->{status}) if $fault;

    my ($action) = map { $_->[1] } grep { $r->{body} =~ $_->[0] }
                   @{ $self->{when} // [] };
    my $number = $action ? undef : $self->next_number;

    $r->{with} = 1 + add($self->{taken}, 1);

    my $free = !$self->{takes} || $r->{with} <= $self->{takes};

    if (!$free) {
        add($self->{taken}, -1);
        $action = 'rate';
    }

    $action //= ($self->{script} // [])->[$number] // 'ok';

    my $verdict = $self->{verdict} ? $self->{verdict}->($r->{json}, $number)
                                   : verdict($r->{json});
    my $answer = ref $action ? { %$action } : { action => $action };

    $self->note($r, 0) if ($answer->{action} // '') =~ /^(close|hang)$/;

    sleep $answer->{delay} if $answer->{delay};
    sleep 0.01 while $self->{held} && !-s $self->{gate}->filename;
    add($self->{taken}, -1) if $free;

    if (my $name = delete $answer->{action}) {
        my $sub  = $actions{$name} or die "no action $name\n";
        my $more = $sub->($r->{json}, $verdict) // return;
        $answer = { %$more, %$answer };
    }

    $answer->{body} //= completion($r->{json}, $answer);
    $answer->{status} //= 200;

    return ($answer, $answer->{status});
}


# What OpenAI would refuse: an answer with an error, or undef.

sub refusal {
    my ($self, $r) = @_;

    my $bad = sub { failure($_[0], $_[1], $_[2] // 'invalid_request_error',
                            $_[3], $_[4]) };

    return $bad->(400, $r->{bad}) if $r->{bad};
    return $bad->(404, "Invalid URL ($r->{method} $r->{path})")
        if $r->{path} ne '/v1/chat/completions';
    return $bad->(405, "Not allowed to $r->{method} on $r->{path}")
        if $r->{method} ne 'POST';
    return $bad->(411, 'Content-Length is missing')
        if !exists $r->{headers}{'content-length'};
    return $bad->(400, 'Host is missing') if !$r->{headers}{host};

    if (defined $self->{key}) {
        my ($key) = ($r->{headers}{authorization} // '')
                    =~ /^Bearer (\S+)$/;
        return $bad->(401, "You didn't provide an API key.") if !defined $key;
        return $bad->(401, 'Incorrect API key provided.', undef,
                      'invalid_api_key') if $key ne $self->{key};
    }

    return $bad->(415, "Unsupported content type")
        if ($r->{headers}{'content-type'} // '')
           !~ m{^application/json(?: *; *charset=utf-8)?$}i;

    $r->{json} = eval { $json->decode($r->{body}) };

    return $bad->(400, 'We could not parse the JSON body of your request.')
        if ref $r->{json} ne 'HASH';

    my $fault = Judge::OpenAI::Request::check($r->{json}, $self);

    return $fault && $bad->(@$fault{qw(status message type code param)});
}


# --- Answers --------------------------------------------------------------

# A verdict that fits the request: the criteria are those of the schema, or
# those that the messages name; the key is the one that they give.

sub verdict {
    my ($q) = @_;

    my $text = join "\n", map { ref $_->{content}
                                ? map { $_->{text} // '' } @{ $_->{content} }
                                : $_->{content} } @{ $q->{messages} };
    my $schema = ref $q->{response_format}
                 && $q->{response_format}{json_schema};
    my @ids = $schema
              ? keys %{ $schema->{schema}{properties}{criteria}{properties}
                        // {} }
              : $text =~ /^(c\d+): .* \(weight [\d.]+\)$/mg;
    my ($key) = $text =~ /first member is "key": "([0-9a-f]+)"/;
    my ($item) = $text =~ /ITEM\ [0-9a-f]+\ BEGIN\S\n(.*?)
                           \n\S+ITEM\ [0-9a-f]+\ END/sx;
    my @words = grep { length } split ' ', $item // '';

    my %criteria = map {
        my ($n) = /(\d+)/;
        $_ => { score    => 70 + ($n // 0) % 30,
                feedback => "Reasons for $_.",
                evidence => @words ? [ join ' ', grep { defined }
                                       @words[0 .. 4] ] : [] };
    } @ids;

    return {
        $key ? (key => $key) : (),
        criteria    => \%criteria,
        strengths   => ['A strength.'],
        weaknesses  => ['A weakness.'],
        suggestions => ['A suggestion.'],
        summary     => 'A summary.',
    };
}


sub completion {
    my ($q, $answer) = @_;

    my $prompt = 1 + int(length($json->encode($q->{messages})) / 4);
    my $tokens = 1 + int(length($answer->{content} // '') / 4);

    return {
        id      => 'chatcmpl-test',
        object  => 'chat.completion',
        created => 1_750_000_000,
        model   => "$q->{model}-2026-01-01",
        system_fingerprint => 'f' x ($answer->{long} // 8),
        choices => [ {
            index         => 0,
            finish_reason => $answer->{finish} // 'stop',
            logprobs      => undef,
            message       => {
                role    => 'assistant',
                content => exists $answer->{content}
                           ? decoded($answer->{content}) : undef,
                refusal => $answer->{refusal},
            },
        } ],
        usage => {
            prompt_tokens     => $prompt,
            completion_tokens => $tokens,
            total_tokens      => $prompt + $tokens,
        },
    };
}


# The texts above are bytes; inside of JSON they are characters.

sub decoded {
    my ($bytes) = @_;
    utf8::decode($bytes);
    return $bytes;
}


sub failure {
    my ($status, $message, $type, $code, $param, $headers) = @_;

    return { status => $status, headers => $headers // {},
             body => { error => { message => $message, type => $type,
                                  code => $code, param => $param } } };
}


sub render {
    my ($answer, $close) = @_;

    return $answer->{raw} if defined $answer->{raw};

    my $body = ref $answer->{body} ? $json->encode($answer->{body})
                                   : $answer->{body};
    my %headers = ('Content-Type' => $answer->{type} // 'application/json',
                   'Content-Length' => length $body,
                   Connection => $close ? 'close' : 'keep-alive',
                   %{ $answer->{headers} // {} });

    $body = substr $body, 0, length($body) / 2 if $answer->{half};

    if (my $size = $answer->{chunked}) {
        delete $headers{'Content-Length'};
        $headers{'Transfer-Encoding'} = 'chunked';
        $body = join '', map { sprintf "%x\r\n%s\r\n", length, $_ }
                unpack("(a$size)*", $body), '';
    }

    return "HTTP/1.1 $answer->{status} Status\r\n"
           . join('', map { "$_: $headers{$_}\r\n" } sort keys %headers)
           . "\r\n$body";
}


# --- The journal ----------------------------------------------------------

# One line per request; processes take turns by a lock.

sub note {
    my ($self, $r, $status) = @_;

    open my $out, '>>', $self->{journal}->filename or die "journal: $!\n";
    flock $out, LOCK_EX;
    print {$out} $json->encode({
        method => $r->{method}, path => $r->{path}, status => $status,
        headers => $r->{headers}, connection => $r->{connection},
        with => $r->{with},
        body => MIME::Base64::encode_base64($r->{body}, ''), at => time(),
    }) . "\n";
    close $out;
}


# Numbers of requests, from 0.

sub next_number { add($_[0]{counter}, 1) }


# Adds to the number in a file, which processes share; what it was before.

sub add {
    my ($counter, $more) = @_;

    open my $file, '+>>', $counter->filename or die "counter: $!\n";
    flock $file, LOCK_EX;
    seek $file, 0, SEEK_SET;

    my $n = readline($file) // 0;

    truncate $file, 0;
    print {$file} $n + $more;
    close $file;

    return $n;
}


1;
