# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# E-mail about training jobs over real sockets: what a gateway gets where
# nginx.conf has a location with judge_mail, that it is tried again, and what
# webhooks carry where there is none.

use Judge::Test;
use Judge::Receiver;

use JSON::PP qw(decode_json);

my $receiver = Judge::Receiver->start;

$receiver->set(gateway => '/status/503');

my $repo = Judge::Nginx->repo;
my $conf = Judge::Nginx::read_file("$repo/conf/mail.conf");
$conf =~ s{https://mail\.example\.com/send}{$receiver->url('/as/gateway')}e
    or die 'no gateway';
$conf =~ s{include +/etc/nginx/judge/mail\.key;}{} or die 'no key';

my $t = Judge::Test->new(server => $conf);

# Makes and executes a job; its record when it has ended.

sub job {
    my ($on, $type, $judge, %options) = @_;

    my $made = $on->post('/training/jobs', json => {
        judge_id => $judge, training_type => $type, training_config => {},
        execution_options => \%options });
    status_is($made, 201, "a job of the type $type is made");
    is($made->json->{notification_email}, $options{notification_email},
       'the job keeps the address, if it has one');

    my $id = $made->json->{job_id};
    my $run = $on->post("/training-jobs/$id/execute", json => {});
    return ($on->job_ended($id), $made->json, $run->json);
}

# The letters that the gateway got, when there are so many.

sub letters {
    my ($n) = @_;

    $t->wait_until(sub {
        $t->alter('update deliveries set queue_at = 1 where owner is null'
                  . ' and queue_at is not null');
        $t->alter('update webhook_endpoints set queue_at = 1,'
                  . ' blocked_until = 0, failures = 0'
                  . ' where queue_at is not null');
        $receiver->requests >= $n;
    }, "$n letters");

    return map { decode_json($_->{body}) } $receiver->requests;
}

# --- A gateway --------------------------------------------------------------

my $judge = $t->new_judge;
my ($job, @answers) = job($t, 'full_retrain', $judge,
                          notification_email => 'ann@example.com');

is($job->{status}, 'failed', 'without feedback a job fails');
is(scalar(grep { exists $_->{notices} } $job, @answers), 0,
   'where e-mail is sent no answer says that none is');

my @letters = letters(2);
my $letter  = $letters[0];

is_deeply($letters[1], $letter, 'what the gateway refused is sent again');
is($letter->{to}, 'ann@example.com', 'the letter names its receiver');
is($letter->{subject}, "The training job $job->{job_id} has failed",
   'the subject of a letter says what became of the job');
is($letter->{text}, $job->{error_info}{error_message},
   'the text of a letter says why the job failed');
is($letter->{event}{type}, 'training.failed', 'the letter has the event');
is_deeply($letter->{event}{data}{error_info}, $job->{error_info},
          'the event has the record of the job');
like(($receiver->requests)[0]{headers}{'content-type'},
     qr{^application/json}, 'the letter is sent as JSON');

$receiver->set(gateway => '/ok');
$t->wait_until(sub {
    letters(2);
    $t->sql1("select count(*) from deliveries where status = 'delivered'")
}, 'the letter to be taken');
my ($delivery) = @{ $t->get('/webhooks/deliveries')->json->{deliveries} };
is_deeply([ @$delivery{qw(url status)} ],
          [ 'mailto:ann@example.com', 'delivered' ],
          'deliveries show what became of a letter');

my $before = $receiver->requests;

job($t, 'validation', $judge);

# --- One that has learned something -----------------------------------------

my @entries = map { {
    evaluation_id => $t->evaluated($t->new_evaluation($judge,
        $t->new_content("Text number $_ speaks of trams. " x ($_ % 5 + 1))))
        ->{evaluation_id},
    type => 'correction',
    content => { corrected_overall_score => 20 + 5 * $_ },
} } 1 .. 12;

for my $entry (@entries) {
    my $id = $entry->{evaluation_id};
    my %scores = map { $_->{criterion_id} => 30 + length($id) % 7 }
                 @{ $t->get("/evaluations/$id")->json->{criteria_scores} };
    $entry->{content}{corrected_scores} = \%scores;
    status_is($t->post("/feedback/evaluation/$id", json => $entry), 201,
              'a correction is taken');
}

($job) = job($t, 'full_retrain', $judge,
             notification_email => 'bob@example.com');
is($job->{status}, 'completed', 'with feedback a job completes');

$letter = (letters($before + 1))[$before];
is($letter->{to}, 'bob@example.com',
   'the job without an address has sent no letter between the two');
is($letter->{subject}, "The training job $job->{job_id} has completed",
   'the subject of a letter says that the job has completed');
is($letter->{text}, $job->{results}{deployment_reason},
   'the text of a letter says whether the new version is better');

# --- No gateway -------------------------------------------------------------

my $hooks = Judge::Test->new(server => <<"CONF");
location /hooks {
    judge_outbound allow=127.0.0.0/8;
    include $repo/conf/outbound.conf;
}
CONF

$hooks->put('/config/webhooks', json => {
    url => $receiver->url('/hook'), enabled => JSON::PP::true,
    events => ['training.failed'] });

($job, @answers) = job($hooks, 'full_retrain', $hooks->new_judge,
                       notification_email => 'eve@example.com');
is(scalar(grep { $_->{notices}[0] =~ /sends no e-mail/ } $job, @answers), 3,
   'each answer says that no e-mail is sent');
$hooks->wait_until(sub { $receiver->ids('/hook') >= 1 }, 'the event');

my ($event) = map { decode_json($_->{body}) } $receiver->requests('/hook');
is($event->{data}{notification_email}, 'eve@example.com',
   'the event carries the address, for a mailer to act on');
ok(!exists $event->{data}{notices},
   'the event has no notice, which is for people');
is($hooks->sql1("select count(*) from deliveries where url like 'mailto:%'"),
   0, 'no letter waits for a gateway');

done_testing;
