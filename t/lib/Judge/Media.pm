# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# Media that FFmpeg makes, and reference workers that judge them, for tests:
#
#     my $media = Judge::Media->new($t);         # $t is a Judge::Test
#     $media->make;                              # all files
#     my $bytes  = $media->bytes('good.mp4');
#     my $worker = $media->worker(JUDGE_LEASE => 2);
#     $media->stop($worker);                     # SIGTERM, and it has ended
#     like($media->log($worker), qr/.../);      # its log so far

package Judge::Media;

use strict;
use warnings;

use File::Temp ();
use POSIX ();

use Judge::Nginx;


my $owner = $$;

# --- Media ----------------------------------------------------------------

# A picture with detail that moves, and a voice of some kind.
my $picture = 'mandelbrot=size=320x240:rate=15:start_scale=2:end_scale=0.3'
            . ':end_pts=60';
my $voice   = 'sine=frequency=300:sample_rate=44100,tremolo=f=4:d=0.6';
my $level   = 'volume=6dB';
my $rgb     = 'format=rgb24';

# name => [ made of, arguments of ffmpeg ]: of another one, or by a filter.
my @made = (
    'base.mkv'    => [ $picture, qw(-t 4 -vf format=yuv420p -c:v libx264
                       -preset ultrafast -crf 12) ],
    'good.wav'    => [ $voice, qw(-t 4 -af), $level ],
    'loud.wav'    => [ 'good.wav', qw(-af volume=24dB) ],
    'mute.wav'    => [ 'good.wav', qw(-af volume=0) ],
    'quiet.wav'   => [ 'good.wav', qw(-af volume=-34dB) ],
    'gap.wav'     => [ 'good.wav', '-af',
                       "volume=0:enable='between(t,1.5,3)'" ],
    'large.wav'   => [ $voice, qw(-t 14) ],
    'sound.mp4'   => [ 'good.wav', qw(-c:a aac) ],

    'good.mp4'    => [ 'base.mkv', 'good.wav' ],
    'dark.mp4'    => [ 'base.mkv', 'good.wav',
                       qw(-vf lutyuv=y=(val-16)*0.25+16) ],
    'blurred.mp4' => [ 'base.mkv', 'good.wav', qw(-vf gblur=sigma=8) ],
    'black.mp4'   => [ 'base.mkv', 'good.wav', '-vf', 'drawbox=color=black'
                       . ":t=fill:enable='between(t,1,2)'" ],
    'frozen.mp4'  => [ 'base.mkv', 'good.wav', '-vf', 'trim=0:1.5,tpad='
                       . 'stop_mode=clone:stop_duration=2.5' ],
    'silent.mp4'  => [ 'base.mkv', 'mute.wav' ],
    'clipped.mp4' => [ 'base.mkv', 'loud.wav' ],
    'good.webm'   => [ 'base.mkv', 'good.wav', qw(-c:v libvpx -deadline
                       realtime -cpu-used 8 -b:v 2M -c:a libopus) ],

    'good.png'    => [ $picture, '-vf', $rgb ],
    'good.jpg'    => [ $picture, '-vf', 'format=yuvj420p', qw(-q:v 2) ],
    'dark.png'    => [ $picture, '-vf',
                       "$rgb,lutrgb=r=val*0.2:g=val*0.2:b=val*0.2" ],
    'blurred.jpg' => [ $picture, '-vf', 'format=yuvj420p,gblur=sigma=8',
                       qw(-q:v 2) ],
    'huge.png'    => [ 'color=gray:size=9000x9000', qw(-pix_fmt gray) ],
);


sub can_make {
    return scalar grep { -x "$_/ffmpeg" } split /:/, $ENV{PATH};
}


sub new {
    my ($class, $t) = @_;

    my $dir = File::Temp->newdir('judge-media-XXXXXX', TMPDIR => 1);
    mkdir "$dir/temp";

    return bless { t => $t, dir => $dir, workers => [] }, $class;
}


sub temp { "$_[0]{dir}/temp" }


# The declared type of a file, and its extension.

sub kind {
    my ($extension) = $_[0] =~ /\.(\w+)$/;

    return ($extension =~ /^(?:mp4|webm)$/ ? 'video'
            : $extension eq 'wav'          ? 'audio' : 'image', $extension);
}


sub make {
    my ($self) = @_;

    for (my $i = 0; $i < @made; $i += 2) {
        my ($name, $how) = @made[$i, $i + 1];
        my ($from, @args) = @$how;
        my @sound = @args && $args[0] =~ /\.wav$/ ? $self->from(shift @args)
                                                  : ();

        push @args, '-frames:v', 1 if $name =~ /\.(?:png|jpg)$/;
        unshift @args, qw(-c:v libx264 -preset ultrafast -crf 16 -c:a aac)
            if @sound;
        $self->ffmpeg($name, $self->from($from), @sound, '-threads', 1,
                      @args);
    }

    # Long, and soon made.
    $self->ffmpeg('long.mp4', '-stream_loop', 29, $self->from('blurred.mp4'),
                  qw(-c copy));

    # The head of an MP4 stands at its end.
    $self->cut('truncated.mp4', 'good.mp4', 0.6);
    $self->cut('truncated.webm', 'good.webm', 0.6);
    $self->cut('truncated.jpg', 'good.jpg', 0.5);
    $self->write('text.mp4', "This is a text, and no video.\n" x 100);
    $self->write('noise.mp4', "\0\0\0\x18ftypisom\0\0\2\0isomiso2"
        . pack 'N*', map { ($_ * 2654435761) % 4294967291 } 1 .. 20000);
    $self->write('lie.mp4', "\0\0\0\x18ftypisom\0\0\2\0isomiso2"
        . "It is a text all the same.\n" x 100);
    $self->write('empty.mp4', '');
}


# What a file is made of, for ffmpeg.

sub from {
    my ($self, $from) = @_;

    return $from =~ /^\w+\.\w+$/ ? ('-i', "$self->{dir}/$from")
                                 : (qw(-f lavfi -i), $from);
}


sub ffmpeg {
    my ($self, $name, @args) = @_;

    my ($status, $out) = $self->{t}->run('ffmpeg', qw(-hide_banner -nostdin
        -loglevel error -y), @args, "$self->{dir}/$name");

    die "ffmpeg: $name: $out\n" if $status != 0;
}


# A picture by itself, at any path.

sub photo {
    my ($self, $path) = @_;

    $self->ffmpeg('photo.jpg', $self->from($picture), '-frames:v', 1, '-vf',
                  'format=yuvj420p');
    rename "$self->{dir}/photo.jpg", $path or die "$path: $!\n";
}


# The first part of another one.

sub cut {
    my ($self, $name, $from, $share) = @_;

    my $bytes = $self->bytes($from);
    $self->write($name, substr $bytes, 0, $share * length $bytes);
}


sub write {
    my ($self, $name, $bytes) = @_;

    open my $file, '>:raw', "$self->{dir}/$name" or die "$name: $!\n";
    print {$file} $bytes;
    close $file;
}


sub path { "$_[0]{dir}/$_[1]" }

sub bytes { Judge::Nginx::read_file("$_[0]{dir}/$_[1]") }


# Width and height of a JPEG, by its frame header.

sub size_of {
    my ($self, $jpeg) = @_;

    my $at = 2;

    while ($at + 9 < length $jpeg) {
        my ($mark, $length) = unpack 'x' . $at . 'nn', $jpeg;
        my ($high, $wide)   = unpack 'x' . ($at + 5) . 'nn', $jpeg;
        return "${wide}x$high" if $mark >= 0xffc0 && $mark <= 0xffc2;
        $at += 2 + $length;
    }

    return 'unknown';
}


# --- Workers --------------------------------------------------------------

sub program {
    return Judge::Nginx->repo . '/build/'
           . (Judge::Nginx->asan ? 'asan/' : '') . 'media-worker';
}


# worker(NAME => value, ...): one with this in its environment; undef takes a
# setting away.  Before them may stand arguments of the command.

sub worker {
    my ($self, @env) = @_;

    my @args = @env % 2 ? shift @env : ();
    my %env  = @env;

    my $t = $self->{t};
    %env = (
        PATH => $ENV{PATH}, JUDGE_URL => $t->url, JUDGE_API_KEY => $t->key,
        JUDGE_WEBHOOK_SECRET => $t->org->{secret}, JUDGE_WORKERS => 1,
        JUDGE_TEMP => $self->temp, JUDGE_WAIT => 2,
        ASAN_OPTIONS => 'detect_leaks=0', %env,
    );

    my $log = "$self->{dir}/worker." . @{ $self->{workers} };
    my $pid = fork // die "fork: $!\n";

    if ($pid == 0) {
        %ENV = map { $_ => $env{$_} } grep { defined $env{$_} } keys %env;
        open STDIN, '<', '/dev/null';
        open STDOUT, '>', $log;
        open STDERR, '>&', \*STDOUT;
        { exec $self->program, 'run', @args }
        POSIX::_exit(127);
    }

    my $worker = { pid => $pid, log => $log };
    push @{ $self->{workers} }, $worker;

    return $worker;
}


sub log { Judge::Nginx::read_file($_[1]{log}) // '' }

sub argv { Judge::Nginx::read_file("/proc/$_[1]{pid}/cmdline") // '' }


# Those that read files right now: children of the measuring process.

sub decoders {
    my ($self, $worker) = @_;

    my @processes     = children($worker->{pid});
    my @measurers = map { children($_) } @processes;

    return map { children($_) } @measurers;
}

sub children {
    my ($pid) = @_;
    return split ' ', Judge::Nginx::read_file("/proc/$pid/task/$pid/children")
                      // '';
}


sub parent {
    my ($status) = Judge::Nginx::read_file("/proc/$_[0]/status") // '';
    return $status =~ /^PPid:\s+(\d+)/m ? $1 : 0;
}


# What a process can write to, as bytes.

sub memory {
    my ($pid) = @_;

    no warnings 'portable';            # addresses of 64 bits

    my $maps  = Judge::Nginx::read_file("/proc/$pid/maps") // '';
    my $bytes = '';

    open my $memory, '<:raw', "/proc/$pid/mem" or return '';

    while ($maps =~ /^([0-9a-f]+)-([0-9a-f]+) rw/mg) {
        my ($from, $to) = (hex $1, hex $2);
        next if $to - $from > 1 << 28;
        sysseek $memory, $from, 0;
        sysread $memory, $bytes, $to - $from, length $bytes;
    }

    return $bytes;
}


# Its exit status, once it has ended.

sub wait {
    my ($self, $worker) = @_;

    if ($worker->{pid}) {
        waitpid $worker->{pid}, 0;
        $worker->{status} = $? & 127 ? 255 : $? >> 8;
        $worker->{pid}    = 0;
    }

    return $worker->{status};
}

sub stop {
    my ($self, $worker) = @_;
    CORE::kill(TERM => $worker->{pid}) if $worker->{pid};
    return $self->wait($worker);
}

sub kill {
    my ($self, $worker) = @_;
    CORE::kill(KILL => $worker->{pid}) if $worker->{pid};
    return $self->wait($worker);
}

sub DESTROY {
    my ($self) = @_;
    local $?;
    return if $$ != $owner;
    $self->kill($_) for @{ $self->{workers} };
}


1;
