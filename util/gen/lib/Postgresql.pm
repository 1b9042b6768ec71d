# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
#
# What is written for SQLite in the dialect of PostgreSQL: statements of
# src/store/ops, migrations of src/store/sql.

package Postgresql;

use v5.36;
no feature 'unicode_strings';          # texts are read as bytes

my $list = qr/(?<list>\((?:[^()]++|(?&list))*+\))/;

# Tables whose rows are found by their row numbers, and a column that holds
# bytes, which SQLite does not mind in a text.
my %numbered = map { $_ => 1 } qw(contents reference_texts results
                                  training_logs);
my %bytes = (results => 'body');


# SQLite has one function for columns and for several values, and needs no name
# for what stands in parentheses behind FROM.

sub common($sql) {
    my $n = 0;

    $sql =~ s/\binstr\(/strpos(/g;
    1 while $sql =~ s{\b(max|min)($list)}{bounds($1, $2)}ie;
    $sql =~ s/(m[ai])\0/$1/gi;

    1 while $sql =~ s{\b(FROM|JOIN) ($list)(?! AS\b| [a-z])}{
        my ($word, $inner) = ($1, $2);
        $inner =~ /^\(\s*SELECT\b/ ? "$word $inner AS s" . ++$n
                                   : "$word\0 $inner"
    }e;

    return $sql =~ s/\0//gr;
}

sub bounds($name, $inner) {
    my $many = lc $name eq 'max' ? 'GREATEST' : 'LEAST';
    return (many($inner) ? $many : substr($name, 0, 2) . "\0"
                                   . substr $name, 2) . $inner;
}

sub many {
    my $inner = substr($_[0], 1, -1);
    $inner =~ s/$list//g;
    return $inner =~ /,/;
}


# A list that is limited and locked must not be read again for each row.

my $once;

sub once($inner) {
    return "IN $inner" if $inner !~ /SKIP LOCKED\)$/;
    $once = $inner;
    return 'IN (SELECT * FROM picked)';
}


sub statement($sql) {
    $sql =~ s/ INDEXED BY \w+//g;
    $sql =~ s/^INSERT OR IGNORE (.*)/INSERT $1 ON CONFLICT DO NOTHING/s;
    $sql =~ s/\bCROSS JOIN (\w+ \w+ ON)\b/JOIN $1/g;
    $sql =~ s{\bjson_each($list)}
             {LATERAL (SELECT e.n - 1 AS key, e.value FROM
              json_array_elements_text(CAST($1 AS json)) WITH ORDINALITY
              AS e(value, n)) AS}g;
    $sql =~ s{\bjson_extract\(([^,]+), '\$\.(\w+)'\)}
             {(CAST($1 AS json) ->> '$2')}g;
    $sql =~ s{\bsubstr\(CAST\(([\w.]+) AS BLOB\), 1, (\?\d+)\)}
             {substr(convert_to($1, 'UTF8'), 1, CAST($2 AS INTEGER))}g;
    # What a walk begins with is compared with identifiers.
    $sql =~ s{\b(RECURSIVE \w+ \([\w, ]+\) AS \(SELECT) (\?\d+)}
             {$1 CAST($2 AS TEXT) COLLATE "C"}g;
    $sql =~ s{/\* (FOR UPDATE[^*]*?|\+ \d+) \*/}{$1}g;
    $once = '';
    $sql =~ s/\bIN ($list)/once($1)/ge;
    $sql = "WITH picked AS MATERIALIZED $once $sql" if $once;
    $sql =~ s/\?(\d+)/\$$1/g;

    return common($sql) =~ s/\s+/ /gr;
}


# --- Migrations ------------------------------------------------------------

# The statements of a file; those of a trigger stand between BEGIN and END.

sub migration($text) {
    my @out;

    $text =~ s/--[^\n]*\n/\n/g;
    $text =~ s/\s+/ /g;

    while ($text =~ /\G\s*(CREATE TRIGGER .*? BEGIN .*? END|[^;]+);/g) {
        my $sql = $1;
        push @out, $sql =~ /^CREATE TRIGGER/ ? trigger($sql)
                                             : definition($sql);
    }

    return join "\n", map { "$_;" } @out;
}

sub definition($sql) {
    return "DROP FUNCTION $1() CASCADE" if $sql =~ /^DROP TRIGGER (\w+)$/;
    return common(ints($sql)) if $sql !~ /^(?:CREATE|ALTER) TABLE (\w+)/;

    my $table = $1;
    $sql =~ s/\) WITHOUT ROWID$/)/;
    my $numbers = 'rowid BIGINT GENERATED ALWAYS AS IDENTITY,';
    $sql =~ s/^CREATE TABLE \w+ \(/$& $numbers/ if $numbered{$table};
    $sql =~ s/\b$bytes{$table}\s+TEXT\b/$bytes{$table} BYTEA/
        if $bytes{$table};
    $sql =~ s/\bTEXT\b/TEXT COLLATE "C"/g;
    $sql =~ s/\bREAL\b/DOUBLE PRECISION/g;
    $sql =~ s/\bBLOB\b/BYTEA/g;
    $sql =~ s/\bINTEGER\b/BIGINT/g;

    return $sql;
}

sub ints {
    return $_[0] =~ s/\+ \((\w+ IS NOT NULL)\)/+ CAST($1 AS INTEGER)/gr;
}

sub trigger($sql) {
    my ($name, $when, $condition, $body)
        = $sql =~ /^CREATE TRIGGER (\w+) (.*?)( WHEN .*?)? BEGIN (.*) END$/
          or die "a trigger that is not understood: $sql\n";

    $condition = ($condition // '') =~ s/^ WHEN (.*)/ WHEN ($1)/sr;

    return "CREATE FUNCTION $name() RETURNS trigger LANGUAGE plpgsql AS "
           . "'BEGIN " . (common(ints($body)) =~ s/'/''/gr)
           . " RETURN NULL; END'",
           "CREATE TRIGGER $name $when FOR EACH ROW$condition"
           . " EXECUTE FUNCTION $name()";
}

1;
