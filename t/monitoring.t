# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# /metrics as Prometheus reads it, and util/monitoring: the alerts are rules
# that fire when they should, the dashboard is whole, and each metric that
# they name is one that is served, with the labels and values that they name.

use JSON::PP qw(decode_json);

use Judge::Test;

plan(skip_all => 'promtool is not installed: see util/dev/deps')
    if !-x '/usr/bin/promtool';

my $t    = Judge::Test->new;
my $repo = $t->repo;
my $page = $t->get('/metrics', key => undef)->body;

sub fine {
    my ($name, @command) = @_;
    my ($status, $out) = $t->run(@command);
    is($status, 0, $name) or diag($out);
    return $out;
}

$t->write('page', $page);
is(fine('promtool takes the page', 'sh', '-c',
        "promtool check metrics <$t->{dir}/page"), '',
   'promtool has nothing to say of the page');
fine('promtool takes the alerts', qw(promtool check rules),
     "$repo/util/monitoring/alerts.yml");
fine('the alerts fire when they should', qw(promtool test rules),
     "$repo/t/data/monitoring/alerts.yml");


# --- What they name is served -----------------------------------------------

# name => { label => { value => 1 } }
my %served;
for (grep { !/^#/ } split /\n/, $page) {
    my ($name, $labels) = /^(\w+)\{(.*)\}/ or next;
    $served{$name} //= {};
    $served{$name}{$1}{$2} = 1 while $labels =~ /(\w+)="([^"]*)"/g;
}

sub wrong {
    my ($expr) = @_;
    my @wrong;

    push @wrong, "$_ is not served"
        for grep { !$served{$_} } $expr =~ /\b(judge_\w+)/g;

    while ($expr =~ /\b(judge_\w+)\{(.*?)\}/g) {
        my ($name, $labels) = ($1, $2);
        while ($labels =~ /(\w+)(=|=~|!~)"([^"]*)"/g) {
            my ($label, $value) = ($1, $3);
            push @wrong, "$name has no $label \"$_\""
                for grep { $_ ne '$service' && !$served{$name}{$label}{$_} }
                    split /\|/, $value;
        }
    }

    # What is summed by must be there, too.
    for my $by ($expr =~ /\bby \(([\w, ]+)\)/g) {
        my ($name) = $expr =~ /\b(judge_\w+)/;
        push @wrong, "$name has no label $_"
            for grep { !$served{$name}{$_} } split /, /, $by;
    }

    return @wrong;
}

my $alerts = Judge::Nginx::read_file("$repo/util/monitoring/alerts.yml");
my @rules  = $alerts =~ /^ +expr: ((?:\|\n(?: {10,}.*\n)+|.*))/mg;
is(scalar @rules, scalar(() = $alerts =~ /- alert:/g), 'every alert is read');
is(join("\n", map { wrong($_) } @rules), '', 'the alerts name what is served');

my $dashboard = decode_json(Judge::Nginx::read_file(
                                "$repo/util/monitoring/dashboard.json"));
my @panels = @{ $dashboard->{panels} };
my @exprs  = map { $_->{expr} } map { @{ $_->{targets} } } @panels;
cmp_ok(@exprs, '>=', 12, 'the dashboard has a dozen queries at least');
is(join("\n", map { wrong($_) } @exprs), '',
   'the queries of the dashboard name what is served');
is(join(' ', wrong('sum(judge_none)')), 'judge_none is not served',
   'a metric that is not served is found out');

# Prometheus understands each of its expressions.
$t->write('rules.yml', "groups: [{ name: x, rules: [\n"
          . join(",\n", map { "{ record: 'x:y$_', expr: '"
                              . $exprs[$_] =~ s/\$service/.*/gr . "' }" }
                        0 .. $#exprs) . "]}]\n");
fine('Prometheus understands the queries of the dashboard',
     qw(promtool check rules), "$t->{dir}/rules.yml");

my %at;
$at{ join ',', @{ $_->{gridPos} }{qw(x y)} }++ for @panels;
is(scalar(keys %at), scalar @panels, 'no panel covers another');

# All that is served can be seen or is alerted on, but for little.
my $shown = join ' ', @exprs, @rules;
is(join(' ', grep { $shown !~ /\b$_/ }
             map { s/_(?:bucket|sum|count)$//r } sort keys %served),
   'judge_answers_remembered_total judge_cache_bytes judge_cache_entries'
   . ' judge_cache_max_bytes judge_detected_total judge_fleet_limits'
   . ' judge_fleet_share'
   . ' judge_key_changes_total judge_notifications_total'
   . ' judge_store_lock_seconds_total judge_uploads_total',
   'the metrics that nothing shows or alerts on are these');

done_testing;
