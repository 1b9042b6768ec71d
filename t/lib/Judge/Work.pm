# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Work for external workers, as tests make, claim and report it:
#
#   works($t, judge => $judge);         # of videos; by default
#   my @items  = clips(2);              # evaluations of videos elsewhere
#   my ($work) = claimed({ max => 1 });
#   status_is(report($work, [ 60, 80 ]), 200, 'a report is taken');
#
# clips() takes fields of the request, and key, org and prefix, as claimed()
# does.  report() takes scores in the order of the judge's criteria, undef
# where it can't be measured, and instead of all of them undef: it has failed;
# features that were measured, fields beside, strict.  called_back() sends what
# is to be sent otherwise, signed as the organization does or with secret,
# sign, type; chunk and delay are those of the client.

package Judge::Work;

use strict;
use warnings;

use Digest::SHA qw(hmac_sha256_hex);
use JSON::PP ();

use Judge::JSON;

use parent 'Exporter';

our @EXPORT = qw($CALLBACK works clips claimed report called_back);
our $CALLBACK = '/api/video-evaluations/callback';

my $json = Judge::JSON->new->utf8->canonical;
my $clip = 76979870;

my ($t, %default);


sub works { ($t, %default) = @_ }


sub clips {
    my ($n, %fields) = @_;

    my %as = map { $_ => delete $fields{$_} } grep { $fields{$_} }
             qw(key org prefix);
    my $path = delete($as{prefix}) // '';
    my @urls = map { 'https://vimeo.com/' . ++$clip } 1 .. $n;

    my $r = $t->post("$path/v1/evaluations/social-media", %as, json => {
        judge_id => $default{judge}, urls => \@urls, %fields });
    die $r->body if $r->status != 202;

    return @{ $r->json->{items} };
}


sub claimed {
    my ($body, %opt) = @_;

    my $path = delete($opt{prefix}) // '';
    my $r    = $t->post("$path/v1/work/claim", json => $body, %opt);
    die $r->body if $r->status != 200;

    return @{ $r->json->{work} };
}


sub report {
    my ($work, $scores, %more) = @_;

    my $criteria = $work->{judge}{criteria};

    return called_back({
        evaluation_id => $work->{evaluation_id},
        content_id    => $work->{content}{content_id},
        $scores ? (status => 'completed') : (status => 'failed'),
        $scores ? (results => {
            criteria_scores => [ map { {
                criterion_id => $criteria->[$_]{criterion_id},
                defined $scores->[$_] ? (score => $scores->[$_])
                                      : (measurable => JSON::PP::false),
                feedback => 'As it is.',
            } } 0 .. $#$scores ],
            $more{features} ? (processing_metadata => {
                features => $more{features} }) : (),
        }) : (error => { code => 'BROKEN', message => 'It is broken.' }),
        %{ $more{beside} // {} } }, strict => $more{strict});
}


sub called_back {
    my ($body, %opt) = @_;

    my $bytes  = ref $body ? $json->encode($body) : $body;
    my $secret = $opt{secret} // $t->org($opt{org})->{secret};
    my $sign   = exists $opt{sign} ? $opt{sign}
                 : 'sha256=' . hmac_sha256_hex($bytes, $secret);

    return $t->post($CALLBACK, key => undef, body => $bytes, headers => [
        'Content-Type' => $opt{type} // 'application/json',
        'X-Webhook-Signature' => $sign,
        $opt{strict} ? (Prefer => 'handling=strict') : () ],
        map { $_ => $opt{$_} } grep { $opt{$_} } qw(chunk delay));
}

1;
