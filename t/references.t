# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# References of judges: nothing is scored before they are read, media judges
# give theirs to external workers, and what serves for nothing is named.

use Judge::OpenAI;
use Judge::Test;
use Judge::Work;

my $llm = Judge::OpenAI->start;
my $t = Judge::Test->new(server => $llm->location('seer', 'images=on'),
                         store => 'fleet=off', orgs => 2);

works($t);

sub path_of { return $_[0] =~ s{^http://localhost}{}r }

sub reference {
    my ($extension) = @_;
    my $r = $t->post('/v1/judges/reference_content',
                     json => { file_extension => $extension });
    die $r->body if $r->status != 201;
    return $r->json;
}

sub put {
    my ($to, $bytes) = @_;
    my $r = $t->put(path_of($to->{upload_url}), key => undef, body => $bytes,
                    headers => [ %{ $to->{headers} } ]);
    die $r->body if $r->status != 200;
}

sub judge_of {
    my ($type, @references) = @_;
    return $t->new_judge(content_type => $type, reference_content_uri =>
                         [ map { $_->{reference_content_uri} } @references ]);
}

sub judge_is {
    my ($id, $status, $name) = @_;
    my $judge;
    $t->wait_until(sub {
        $judge = $t->get("/judges/$id")->json;
        return $judge->{status} eq $status;
    }, "the judge to be $status");
    is($judge->{status}, $status, $name);
    return $judge;
}

# Never comes: its address expires now.

sub expire {
    is($t->alter("update uploads set queue_at = 1 where id = "
                 . "'$_[0]{reference_id}'"), 1,
       'the address of the reference expires');
}

my $text = 'The tide comes in twice a day. Fishermen know its hours by heart.';
my $png  = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1";
my $mp4  = "\0\0\0\x18ftypisom and what follows";

# --- Nothing is scored without them ---------------------------------------

my $ref   = reference('txt');
my $judge = judge_of(text => $ref);
judge_is($judge, 'learning', 'a judge learns while its reference is to come');

my $id = $t->new_evaluation($judge, $t->new_content($text));
my $batch = $t->post('/batches/evaluate', json => {
    name => 'B', judge_ids => [ $judge ], content_items => [
        map { { name => "C$_", text_content => "$text $_" } } 1 .. 3 ] })
    ->json->{batch_id};

# Whoever looks at it puts it back: wait until that has been done.
$t->wait_until(sub {
    $t->sql1("select queue_at > created_at and owner is null from evaluations"
             . " where id = '$id'");
}, 'the evaluation to be put back');
my $e = $t->get("/evaluations/$id")->json;
is_deeply([ @$e{qw(status waiting_for)} ], [ 'processing', 'references' ],
          'an evaluation says that it waits for references');

put($ref, 'The moon pulls the sea. Sailors wait for the tide by night.');
$e = $t->evaluated($id);
is($e->{status}, 'completed',
   'an evaluation is scored when the reference is read');
ok(!exists $e->{provenance}{reference_errors},
   'a reference that is read is no error of the result');
is($e->{provenance}{attempts}, 1, 'waiting for a reference is no attempt');
my $later = $t->evaluated($t->new_evaluation($judge, $t->new_content($text)));
is($later->{overall_score}, $e->{overall_score},
   'the same content has the same score later');
$t->wait_until(sub {
    $t->get("/batches/$batch")->json->{status} eq 'completed';
}, 'the batch');
is($t->get("/batches/$batch")->json->{completed_evaluations}, 3,
   'the evaluations of a batch wait for references, too');
ok(!exists judge_is($judge, 'ready', 'the judge is ready')
           ->{reference_errors}, 'a reference that is read is no error');

# --- What serves for nothing is named --------------------------------------

my %bad = map { $_ => reference($_) } qw(png pdf md txt);
put($bad{png}, $png);
put($bad{pdf}, '%PDF-1.7 and what follows');
put($bad{txt}, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1");
$judge = judge_of(text => @bad{qw(png pdf md txt)});
judge_is($judge, 'learning', 'a judge waits for what may still come');
$id = $t->new_evaluation($judge, $t->new_content($text));
expire($bad{md});
my $read = judge_is($judge, 'ready',
                    'a judge is ready when no reference may come any more');

my %why = map { $_->{uri} => $_->{reason} } @{ $read->{reference_errors} };
for ([ png => qr/^it is of type image, and the judge is for text$/ ],
     [ pdf => qr/^the text of a pdf file can't be read here; upload it as/ ],
     [ md  => qr/^the file was not uploaded before its address expired$/ ],
     [ txt => qr/^the file is not a text in UTF-8/ ])
{
    my ($extension, $reason) = @$_;
    like($why{ $bad{$extension}{reference_content_uri} } // '', $reason,
         "the judge says why its $extension serves for nothing");
}

$e = $t->evaluated($id);
is($e->{status}, 'completed',
   'an evaluation goes on without references that serve for nothing');
is_deeply($e->{provenance}{reference_errors}, $read->{reference_errors},
          'the result says which references serve for nothing');

my $one = "/v1/judges/reference_content/$bad{md}{reference_id}";
is_deeply([ @{ $t->get($one)->json }{qw(status reason)} ],
          [ 'error', 'the file was not uploaded before its address expired' ],
          'a reference says what became of it');
error_is($t->get($one, org => 1), 404, 'there is no such reference content',
         "another organization can't read a reference");
permission_is($t, 'judges:read', GET => $one);

# --- Media judges hand theirs to workers -----------------------------------

my $film  = reference('mp4');
my $prose = reference('txt');
$judge = judge_of(video => $film, $prose);
my ($criterion) = @{ $t->get("/judges/$judge")->json->{criteria} };

my $up = $t->post('/v1/evaluations/presigned-upload', json => {
    name => 'V', file_type => 'video', judge_id => $judge })->json;
put($up, $mp4);
$t->wait_until(sub {
    $t->get("/content/$up->{content_id}")->json->{status} eq 'ready';
}, 'the video');
is_deeply([ claimed({}) ], [],
          'no worker gets work before the references are there');
is($t->get("/evaluations/$up->{job_id}")->json->{waiting_for}, 'references',
   'the evaluation says for what it waits');

put($film, $mp4 . ' of the reference');
put($prose, 'A text.');
judge_is($judge, 'ready',
         'a judge of videos is ready when its references are there');

my $work;
$t->wait_until(sub {
    ($work) = claimed({ wait => 5 });
    return $work;
}, 'work');
is_deeply([ map { [ @$_{qw(uri file_type)} ] }
            @{ $work->{judge}{references} } ],
          [ [ $film->{reference_content_uri}, 'video' ] ],
          "a claim has the references that are of the judge's type");
my $got = $t->get(path_of($work->{judge}{references}[0]{download_url}),
                  key => undef);
status_is($got, 200, 'a reference is downloaded without a key');
ok($got->body eq $mp4 . ' of the reference',
   'a worker downloads the reference as it was uploaded');

status_is(report($work, [ 70, 70 ]), 200, 'the report of a worker is taken');
$e = $t->evaluated($work->{evaluation_id});
is_deeply($e->{provenance}{reference_errors},
          [ { uri => $prose->{reference_content_uri},
              reason => 'it is of type text, and the judge is for video' } ],
          'the result names the reference that is of another type');

# --- Language models --------------------------------------------------------

my $still = reference('png');
$judge = judge_of(image => $still);
$up = $t->post('/v1/evaluations/presigned-upload', json => {
    name => 'I', file_type => 'image', judge_id => $judge,
    model => 'seer' })->json;
put($up, $png);
$t->wait_until(sub {
    ($t->get("/evaluations/$up->{job_id}")->json->{waiting_for} // '')
        eq 'references';
}, 'the evaluation by a model to wait');
is(scalar $llm->requests, 0,
   'a model is asked nothing before the references are there');
put($still, $png);
$e = $t->evaluated($up->{job_id});
is($e->{status}, 'completed',
   'an evaluation by a model goes on when the reference is there');
like($e->{provenance}{reference_errors}[0]{reason},
     qr/^a language model is not shown files of references$/,
     'the result says that the model was not shown the file');

done_testing;
