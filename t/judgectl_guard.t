# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# judgectl guard: what was blocked is listed, and tried again by other rules,
# locations and judges.

use Judge::Judgectl;
use Judge::Test;

my $t = Judge::Test->new(server => <<'CONF');
    location /page/   { default_type text/html; return 200 '<p>Hello</p>'; }
    location /live/   { proxy_pass http://127.0.0.1:@PORT@/page/;
                        judge_detect pii on=request keep_text=on
                        organization=$http_x_org; }
    location /quiet/  { proxy_pass http://127.0.0.1:@PORT@/page/;
                        judge_detect pii on=request
                        organization=$http_x_org; }
    location /trial/  { proxy_pass http://127.0.0.1:@PORT@/page/;
                        judge_detect secrets on=request; }
CONF
my $repo = $t->repo;

work_in($t, PATH => "$repo/build:/usr/bin:$ENV{PATH}");
$t->new_judge(name => 'Letters');

# --- What was blocked is listed ---------------------------------------------

my $locations = 'http://127.0.0.1:' . $t->port;
for my $sent ([ 'live', 'text/plain', 'To jo@mail.example.org.' ],
              [ 'quiet', 'text/plain', 'To bo@mail.example.org.' ],
              [ 'live', 'text/plain', 'x' x 5000 . ' a@mail.example.org' ],
              [ 'live', 'application/x-www-form-urlencoded',
                'a=jo%40mail.example.org' ])
{
    my ($where, $type, $body) = @$sent;
    $t->write('work/body', $body);
    does("a request to /$where/ is sent",
         "curl -s -X POST -H 'X-Org: $t->{orgs}[0]{id}'"
         . " -H 'Content-Type: $type' --data-binary \@body"
         . " $locations/$where/");
}
my @blocked = split /\n/, does('what was blocked is listed',
                               'judgectl guard list');
like($_, qr{^blk_\w+  20\S+Z  block  request  /\w+/  pii: EMAIL$},
     'a line tells when, where and why a request was blocked') for @blocked;
my ($of_form, $long, $quiet, $plain) = map { /^(\w+)/ } @blocked;
is(@blocked, 4, 'each of four requests was blocked');
prints('--action lists no request that was not tagged',
       'judgectl guard list --action tag', qr/\A\z/);

# --- It is tried again ------------------------------------------------------

sub tries {
    my ($name, $status, $says, $args) = @_;
    prints($name, "judgectl guard try $args", $says, status => $status);
}

tries('the same rule blocks again', 2,
      qr/^blocked: \[EMAIL_1\]  jo\@mail\.example\.org$/m,
      "$plain --detect pii --tool '$repo/build/judge'");
tries('another rule lets it pass', 0, qr/^passes: Nothing was found\.$/m,
      "$plain --detect secrets links hosts=a.example"
      . " --tool '$repo/build/judge'");
tries('a form is read as one', 2, qr/jo\@mail/,
      "$of_form --detect pii --tool '$repo/build/judge'");
tries('a location may let it pass', 0, qr/^passes: 200$/m,
      "$plain --to $locations/trial/");
tries('a location may block it', 2, qr/^blocked: 403 blk_\w+$/m,
      "$plain --to $locations/live/");
tries('a minimum that nothing reaches blocks it', 2,
      qr/^blocked: [\d.]+ of 100$/m,
      "$plain --judge Letters --min 100");
tries('a minimum of 0 lets it pass, as JSON says', 0,
      qr/^\{"passes": true, "why": /m,
      "$plain --judge Letters --min 0 --json");
prints('a file of what is listed is tried',
       "judgectl guard list --json | python3 -c"
       . " 'import json, sys; print(json.dumps(json.load(sys.stdin)"
       . "[\"blocked\"][3]))' >one.json\n"
       . "judgectl guard try one.json --to $locations/trial/",
       qr/^passes: 200$/m);
refused('a judge without a minimum', 1, '--judge needs --min',
        "judgectl guard try $plain --judge Letters");
refused('a request without its text', 1, 'it has no text; keep_text=on',
        "judgectl guard try $quiet --to $locations/trial/");
refused('a request of which a part is kept', 1, 'longer than what is kept',
        "judgectl guard try $long --to $locations/trial/");
refused('a request that is gone', 1, 'keeps it no more',
        "judgectl guard try blk_0 --to $locations/trial/");
refused('a missing tool', 1, 'none: No such file', "judgectl guard try $plain"
        . ' --detect pii --tool ./none');
refused('a location that nobody serves', 1, 'Connection refused',
        "judgectl guard try $plain --to http://127.0.0.1:1/");

done_testing;
