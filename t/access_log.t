# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The variables for access logs: what is known of a request stands there, "-"
# is what is not, and never a secret.

use Judge::Test;

my $t = Judge::Test->new(
    http   => 'log_format judge "$request_method $status $judge_organization'
              . ' $judge_key_id $judge_route $judge_store_time'
              . ' $judge_queue_time of $http_x_mark";'
              . ' access_log logs/judge.log judge;'
              . ' access_log logs/access.log;',
    server => 'location /other { return 204; }');

my $log = $t->dir . '/logs/judge.log';

# The line of a request, which bears a mark: others may be written later than
# their answers are read.  Where nginx reads no headers there is none: `unread`
# is a pattern then.

my $mark = 0;

sub logged {
    my ($method, $path, %opt) = @_;
    my $seen = delete $opt{unread};
    my $line;

    $mark++;

    my $r = $t->request($method, $path, %opt, headers => [
        'X-Mark' => $mark, @{ $opt{headers} // [] } ]);

    $t->wait_until(sub {
        ($line) = (Judge::Nginx::read_file($log) // '')
                  =~ ($seen ? qr/^($seen) of -$/m : qr/^(.*) of $mark$/m);
        return defined $line;
    }, 'the line');
    return wantarray ? ($line, $r) : $line;
}

my $who  = join ' ', map { $t->org->{$_} } qw(id key_id);
my $time = qr/\d+\.\d{3}/;

like(scalar logged(GET => '/judges'), qr{^GET 200 $who /judges $time -$},
     'a list is logged with who asked for it and its time');
like(scalar logged(GET => '/v1/judges/jdg_01M815FV6P315K6KV40G1A8VR4'),
     qr{^GET\ (?:404|405)\ .*\ -$}x, 'a judge that is not there is logged');
is(scalar logged(GET => '/nothing'), 'GET 404 - - - - -',
   'a path without a route is logged as such');
is(scalar logged(GET => '/healthz', key => undef),
   'GET 200 - - /healthz - -',
   'a request that needs no key is logged without one');
is(scalar logged(GET => '/other'), 'GET 204 - - - - -',
   'a request to another location is logged without a route');
is(scalar logged(GET => '/%00', unread => 'GET 400.*'), 'GET 400 - - - - -',
   'a malformed request is logged');

my $secret = 'jdgk_' . 'x' x 36;
is(scalar logged(GET => '/judges', key => $secret),
   'GET 401 - - /judges - -', 'a wrong key is not logged');

my $evaluation = { judge_id => $t->new_judge,
                   content_id => $t->new_content('A text. Another one.') };
my ($line, $r) = logged(POST => '/evaluations/single', json => $evaluation,
                        headers => [ Prefer => 'wait=20' ]);
status_is($r, 201, 'an evaluation that is waited for is made');
like($line, qr{^POST 201 $who /evaluations/single $time $time$},
     'an evaluation is logged with its time in the queue');

my $claim = logged(POST => '/work/claim', json => { wait => 1 });
like($claim, qr{^POST 200 $who /work/claim $time $time$},
     'a claim without work is logged with its wait');

(undef, $r) = logged(POST => '/evaluations/presigned-upload', json => {
    name => 'U', file_type => 'text' });
my ($path) = $r->json->{upload_url} =~ m{^http://[^/]+(.*)};
like(scalar logged(PUT => $path, key => undef, body => 'x',
                   headers => [ 'Content-Type' => 'text/plain' ]),
     qr{^PUT 200 \S+ - /uploads/\{organization_id\}/\{upload_id\} $time -$},
     'an upload is logged by its route');

my $all = Judge::Nginx::read_file($log);
unlike($all, qr/jdgk_|whsec_|signature/i, 'no secret is logged');

done_testing;
