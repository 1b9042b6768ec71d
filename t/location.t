# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Every 201 says where what it made can be read, and it can be read there;
# so does the answer that is given again for an Idempotency-Key.

use Judge::Test;

my $t = Judge::Test->new;

sub leads {
    my ($path, $json, %opt) = @_;
    my $status = delete $opt{status} // 201;
    my $again  = delete $opt{again} // 1;
    my @headers = $again ? ('Idempotency-Key' => "once $path") : ();

    my $r = $t->post($path, json => $json, headers => \@headers, %opt);
    status_is($r, $status, "POST $path is answered with $status");
    my $to = $r->header('Location') // '';
    like($to, qr{^http://localhost/}, "POST $path says where it is");
    my $read = $t->get($to =~ s{^http://localhost}{}r);
    status_is($read, 200, "what POST $path made is there");

    if ($again) {
        is($t->post($path, json => $json, headers => \@headers, %opt)
             ->header('Location'), $to, "POST $path says so again");
    }

    return ($r->json, $read->json);
}

my %judge = (name => 'J', description => '', content_type => 'text',
             criteria => [ { name => 'Grammar', description => 'clear' } ]);

my ($judge, $read) = leads('/api-key/judges', \%judge);
is($read->{judge_id}, $judge->{judge_id}, 'what is read there is the judge');
leads('/v1/judges', \%judge);
leads('/content', { name => 'C', file_type => 'text', text_content => 'x' });
leads('/v1/evaluations/presigned-upload', { name => 'U',
                                            file_type => 'video' });
($judge, $read) = leads('/v1/judges/reference_content',
                        { file_extension => 'txt' });
is_deeply([ @$read{qw(reference_id status waiting_for file_type
                      reference_content_uri)} ],
          [ $judge->{reference_id}, 'processing', 'upload', 'text',
            $judge->{reference_content_uri} ],
          'a reference says that its upload is still to come');

my $id = $t->new_judge;
my ($e) = leads('/evaluations/single', { judge_id => $id,
                                         text_content => 'A text. Of two.' });
$t->evaluated($e->{evaluation_id});
leads('/evaluations/single', { judge_id => $id,
                               text_content => 'Waited for.' },
      again => 0, headers => [ Prefer => 'wait=30' ]);
my ($made, $found) = leads("/feedback/evaluation/$e->{evaluation_id}",
    { type => 'comment', content => { comment => 'Well.' } });
is($found->{id}, $made->{id}, 'what is read there is the feedback');
my ($pair) = leads('/comparisons', { judge_id => $id, candidates => [
    map { { id => $_, text_content => "The $_ text." } } qw(first second) ] });
($made, $found) = leads("/comparisons/$pair->{batch_id}/feedback",
    { feedback_type => 'preference', winner => 'first' }, again => 0);
is($found->{id}, $made->{batch_id}, 'a preference is read in its comparison');
my ($b) = leads('/batches/evaluate', { name => 'B', judge_ids => [ $id ],
    content_items => [ { text_content => 'One.', name => 'One' } ] });
leads("/batches/$b->{batch_id}/feedback", { feedback_entries => [
    { evaluation_id => $e->{evaluation_id}, type => 'comment',
      content => { comment => 'Of none of the batch.' } } ] });
leads('/training/jobs', { judge_id => $id, training_type => 'incremental',
                          training_config => {} });
my ($key) = leads('/api-keys', { name => 'K',
                                 permissions => [ 'judges:read' ] });
ok(!exists $t->get("/api-keys/$key->{api_key_id}")->json->{api_key},
   'a key is not shown again');
permission_is($t, 'keys:read', GET => "/api-keys/$key->{api_key_id}");

my $video = $t->new_judge(content_type => 'video');
leads('/v1/evaluations/social-media', { judge_id => $video,
    urls => [ 'https://youtu.be/dQw4w9WgXcQ' ] }, status => 202);

status_is($t->put("/judges/$id", json => { description => 'Two.',
                                           activate => JSON::PP::false }), 200,
          'a second version of the judge is made');
leads("/judges/$id/canary", { version => 2, share => 0.5 }, again => 0);

done_testing;
