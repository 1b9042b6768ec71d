# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# What tests of judge_traffic and judge_request share: t/data/upstream.mjs on
# a port of 127.0.0.1 until the test ends, and requests to nginx's own
# locations.
#
#   my $upstream = upstream();         # the port; serves() starts another
#   my $t = Judge::Test->new(server => "… proxy_pass http://127.0.0.1:$upstream
#                                       … judge_traffic $JUDGED; …");
#   asks($t, judge => $judge);         # by default
#   my $r = ask(GET => '/judged/text', text => 'This is said.');
#
# ask() takes headers, json or body, text (what the upstream is to say) and
# judge, and sends it all on a new connection; sends() gives the bytes.  raw()
# gives the header by which /raw answers with a head and a body.  count() is
# how often was judged so far, count($reason) how often it was not for that.

package Judge::Traffic;

use strict;
use warnings;

use IO::Socket::INET;
use MIME::Base64 ();
use JSON::PP ();

use Judge::JSON;
use POSIX ();

use Judge::HTTP;
use Judge::Nginx;
use Judge::Test ();
use parent 'Exporter';

our @EXPORT = qw($JUDGED serves upstream asks ask sends raw count);
our $JUDGED = 'judge=$http_x_judge organization=$http_x_org timeout=1m';

my (@processes, $t, %default);


sub asks { ($t, %default) = @_ }


# Starts a server that listens there, and waits until it does.

sub serves {
    my ($port, @command) = @_;
    my $pid = fork // die "fork: $!";

    if (!$pid) {
        exec @command or POSIX::_exit(1);
    }
    push @processes, $pid;

    Judge::Nginx->wait_until(sub {
        IO::Socket::INET->new(PeerAddr => "127.0.0.1:$port")
    }, $command[0]);

    return $port;
}


sub upstream {
    my $port = Judge::Nginx::free_port();

    return serves($port, 'node', Judge::Nginx->repo . '/t/data/upstream.mjs',
                  $port);
}

my $owner = $$;

END {
    my $status = $?;
    kill 'TERM', @processes if $$ == $owner;
    $? = $status;
}


sub sends {
    my ($method, $path, %opt) = (@_[0, 1], %default, @_[2 .. $#_]);
    my $json = delete $opt{json};
    my @own  = ('X-Judge' => delete $opt{judge}, 'X-Org' => $t->org->{id});
    my $text = delete $opt{text};

    push @own, 'X-Text' => $text if defined $text;
    if ($json) {
        push @own, 'Content-Type' => 'application/json';
        $opt{body} = Judge::JSON->new->utf8->encode($json);
    }

    return Judge::HTTP::request_bytes($method, $path, %opt,
               headers => [ @{ delete $opt{headers} // [] }, @own ]);
}


sub raw {
    my ($head, $body, $status) = @_;
    my $bytes = 'HTTP/1.1 ' . ($status // '200 OK') . "\r\n$head"
              . ($head =~ /Transfer-Encoding|Upgrade/ ? '' :
                 "Connection: close\r\nContent-Length: " . length($body)
                 . "\r\n") . "\r\n$body";

    return headers => [ 'X-Raw' => MIME::Base64::encode_base64($bytes, '') ];
}


sub ask {
    my ($method) = @_;
    my $client = $t->connect;

    $client->send(sends(@_));
    my $r = $client->response(method => $method)
        // Judge::Test::no_answer('no answer');
    $client->close;

    return $r;
}


sub count {
    my ($reason) = @_;

    return ($reason ? $t->metric('judge_traffic_skipped_total',
                                 reason => $reason)
                    : $t->metric('judge_traffic_judged_total')) // 0;
}

1;
