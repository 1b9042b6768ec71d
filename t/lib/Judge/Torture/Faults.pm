# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The faults that t/faults/fault_preload.c brings about, switched by a file
# that nginx's processes have mapped.

package Judge::Torture::Faults;

use strict;
use warnings;

use Errno qw(EIO ENOSPC);


my %calls = (open => 0x01, read => 0x02, write => 0x04, sync => 0x08,
             name => 0x10, map => 0x20, memory => 0x40);

my @fields = qw(calls error per_million countdown delay clock seed done);


# Compiles the library into the folder.

sub new {
    my ($class, %opt) = @_;

    my $self = bless { file => "$opt{dir}/faults", seed => $opt{seed},
                       library => "$opt{dir}/faults.so" }, $class;

    system('gcc', '-shared', '-fPIC', '-O2', '-o', $self->{library},
           "$opt{repo}/t/faults/fault_preload.c", '-ldl') == 0
        or die "the library of faults is not compiled\n";

    open $self->{fh}, '+>:raw', $self->{file} or die "$self->{file}: $!\n";
    chmod 0666, $self->{file};
    syswrite $self->{fh}, pack('q8 a448', (0) x 8, "$opt{folder}/");
    $self->set;

    return $self;
}

sub file    { $_[0]{file} }
sub library { $_[0]{library} }


# set(calls => [ names ], error => EIO, …): these and no others.

sub set {
    my ($self, %to) = @_;

    my $bits = 0;
    $bits |= $calls{$_} for @{ delete $to{calls} // [] };

    my %value = (seed => $self->{seed}++, %to, calls => $bits);

    # The bits first when they go, and last when they come.
    $self->put(calls => 0);
    $self->put($_ => $value{$_} // 0) for grep { !/^(?:calls|done)$/ } @fields;
    $self->put(calls => $bits);
}

sub put {
    my ($self, $field, $value) = @_;

    my ($n) = grep { $fields[$_] eq $field } 0 .. $#fields;

    sysseek $self->{fh}, 8 * $n, 0;
    syswrite $self->{fh}, pack('q', int $value);
}

# Lets the nginx of a test have the library, and only nginx: the program that
# starts it does not stand it.

sub into {
    my ($self, $t) = @_;
    my $nginx = $t->dir . '/faulty';

    $t->write('faulty', "#!/bin/sh\nexport JUDGE_FAULTS=$self->{file}"
              . " LD_PRELOAD=$self->{library}\nexec nginx -e "
              . $t->dir . "/logs/error.log \"\$\@\"\n");
    chmod 0755, $nginx or die "$nginx: $!\n";
    $t->{opt}{nginx} = $nginx;
}

# How many calls have failed so far.

sub done {
    my ($self) = @_;

    sysseek $self->{fh}, 8 * $#fields, 0;
    sysread $self->{fh}, my $bytes, 8;

    return unpack 'q', $bytes;
}


1;
