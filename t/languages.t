# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Adding a language is one folder: Italian, made here of a few words and of
# what Debian has of it, becomes a table that compiles; and what is missing
# is said by its name.

use strict;
use warnings;
use utf8;

use File::Copy qw(copy);
use File::Temp qw(tempdir);
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $own = "$dir/analysis/languages";

sub put {
    my ($path, $text) = @_;

    open my $out, '>:encoding(UTF-8)', $path or die "$path: $!";
    print $out $text;
    close $out or die "$path: $!";
}

mkdir $_ or die "$_: $!"
    for "$dir/analysis", "$dir/analysis/text", $own;
copy("src/analysis/text/classes.txt", "$dir/analysis/text/classes.txt");
copy("src/analysis/languages/$_", "$own/$_")
    for qw(languages.txt profiles.tsv);

put("$own/words", join "\n", qw(il lo la i gli le un una di a da in con su
    per tra fra e o ma che non si è sono del della dei delle al alla nel nella
    come anche questo questa più può essere file sistema pacchetto pacchetti
    installazione debian rete server));
put("$own/it.txt", "words $own/words\ntext it-IT\nlike shared\n"
                   . "endings e a o\n\n[article]\nil lo la\n\n"
                   . "[insult]\nidiot*\n");
put("$own/shared.txt", "elisions l d dell nell un\n");

is(system("util/gen/languages $own > $dir/judge_languages.c"), 0,
   'the tables of a sixth language are made');

my $c = do { local (@ARGV, $/) = "$dir/judge_languages.c"; <> };

ok($c =~ /\[6\] = &judge_it_lexicon/, 'Italian has a table');
like($c, qr/judge_it_elisions\[\] = \{\n    "l"/,
     'the table has the elisions of a file that it shares');
ok($c !~ /judge_de_lexicon/, 'the file has no table of another language');

is(system("util/gen/features --list src/analysis/text/classes.txt"
          . " > $dir/analysis/text/word_classes.h"), 0,
   'the classes of words are made');
is(system("gcc -std=gnu11 -Wall -Wextra -Werror -fsyntax-only -Isrc -I$dir"
          . " $dir/judge_languages.c"), 0, 'the tables compile');

# --- What a build has, the engine's version says ----------------------------

sub lists {
    return qx(util/gen/lists $own) =~ /JUDGE_LISTS  "(.*)"/ ? $1 : '';
}

put("$own/lists.txt", "it 000000\n");
my ($sum) = lists() =~ /^\+it\.([0-9a-f]{6})$/;
ok($sum, 'the version names lists that differ from those it was fitted with');
put("$own/lists.txt", "it $sum\n");
is(lists(), '', 'the version says nothing of the lists it was fitted with');

{
    local $ENV{JUDGE_LANGUAGES} = 'de fr';
    is(lists(), '-it',
       'the version names a language that JUDGE_LANGUAGES leaves out');
    like(qx(util/gen/languages $own 2>&1 >/dev/null),
         qr/JUDGE_LANGUAGES does not name it: Italian is left out/,
         'the generator says that JUDGE_LANGUAGES leaves Italian out');
}

put("$own/it.txt", "words $own/words\ntext it-IT\n[irony]\ngrazie\n");
like(qx(util/gen/languages $own 2>&1 >/dev/null), qr/no class irony/,
     'an unknown class is named');

put("$own/it.txt", "words $own/nowhere\ntext it-IT\n");
like(qx(util/gen/languages $own 2>&1 >$dir/without.c),
     qr/nowhere is not there: Italian is left out/,
     'a list of words that is missing leaves its language out');
unlike(do { local (@ARGV, $/) = "$dir/without.c"; <> }, qr/judge_it_lexicon/,
       'a language that is left out has no table');
is(lists(), '-it', 'the version names the language whose list is missing');

done_testing;
