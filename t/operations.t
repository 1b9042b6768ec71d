# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

# The commands of docs/operations.md and of docs/quickstart.md, as they are
# written, in a machine of their own on which nginx has a site and nothing
# else.

use JSON::PP qw(decode_json encode_json);

use Judge::Docs;
use Judge::Machine;
use Judge::Test;

my $m = Judge::Machine->new
    or plan(skip_all => 'no machine can be made here: not root, or no'
                        . ' overlay');

# The status that is expected, and what it prints.

sub does {
    my ($name, $script, $status) = @_;
    my ($ended, $out) = $m->run($script);

    is($ended, $status // 0, $name) or diag($out);
    return $out;
}

sub blocks     { Judge::Docs->blocks('docs/operations.md', @_) }
sub quickstart { Judge::Docs->blocks('docs/quickstart.md', @_) }


# --- The service, by hand ---------------------------------------------------

my (undef, $install) = Judge::Docs->blocks('README.md',
    'In a gateway that is there already', 'sh', 3);
does('it is installed', $install);
$m->write('/etc/nginx/modules-enabled/60-judge.conf',
          'load_module modules/ngx_http_judge_module.so;');
$m->write('/etc/nginx/conf.d/judge.conf', <<'NGINX');
judge_store /var/lib/judge;
server { listen 80; location /judging/ { judge on; } }
NGINX
does('nginx starts', 'rm -f /var/log/nginx/*; systemctl start nginx;'
     . ' cp /etc/nginx/nginx.conf /etc/nginx/nginx.conf.dpkg');

my ($keys) = blocks('Organizations and keys', 'sh', 1);
my $list   = does('an organization and a key', $keys);
my ($key)  = $list =~ /^API key +(jdgk_\w+)/m;
like($list, qr/^key_\w+ .* reporting /m, 'which is listed');
does('a key of it', "judge --store=/var/lib/judge $_ \"\$(judge"
     . ' --store=/var/lib/judge key list | sed -n "s/ .* reporting .*//p")"')
    for 'key suspend', 'key rotate';

# curl to the service, as the first key.

sub api {
    my ($path, $json) = @_;
    my ($status, $out) = $m->run(
        "curl -s -H 'X-API-Key: $key' -H 'Prefer: wait=20'"
        . (defined $json ? " --json '$json'" : '')
        . " http://127.0.0.1/judging$path");
    return eval { decode_json($out) } // { curl => $out, status => $status };
}

# A store that is locked for seconds, on a busy machine, says so by a 503.

sub evaluated {
    my ($judge, $content) = @_;

    for (1 .. 60) {
        my $r = api('/evaluations/single', qq({"judge_id":"$judge",)
                    . qq("content_id":"$content"}));
        return $r->{evaluation_id} if $r->{evaluation_id};
        diag(encode_json($r));
        sleep 1;
    }
}

my $judge = api('/api-key/judges', '{"name":"J","description":"",'
                . '"content_type":"text","criteria":[{"name":"Punctuation",'
                . '"description":"c"}]}')
            ->{judge_id};
my $content = api('/content', '{"name":"T","file_type":"text",'
                  . '"text_content":"One sentence. Another one."}')->{id};
my $before  = evaluated($judge, $content);
like($before, qr/^evl_/, 'the service works');

my $upload = api('/evaluations/presigned-upload', '{"name":"U","file_type":'
                 . '"text"}');
does('a file comes', "printf 'In a file.' >/tmp/file; curl -sf -T /tmp/file"
     . " -H 'Content-Type: text/plain' '$upload->{upload_url}'; until curl -s"
     . " -H 'X-API-Key: $key' http://127.0.0.1/judging/content |"
     . " grep '\"ready\".*\"ready\"'; do sleep 0.1; done");


# --- Metrics and logs -------------------------------------------------------

my ($metrics) = blocks('Metrics', 'nginx', 1);
my ($format)  = blocks('Access logs', 'nginx', 1);
$m->write('/etc/nginx/conf.d/judge.conf', <<"NGINX");
judge_store /var/lib/judge;
$format
server { listen 80; location /judging/ { judge on; } $metrics }
NGINX
does('both are taken', 'nginx -t && systemctl restart nginx');
api('/judges');
like(does('a line', 'until grep . /var/log/nginx/judge.log; do sleep 0.1;'
          . ' done'),
     qr{ GET /judges 200 \d+ [\d.]+ [\d.]+ - org_\w+ key_\w+$}m, 'as it is');
like(does('the metrics', 'curl -sf http://127.0.0.1/judging/metrics'),
     qr/^judge_requests_total/m, 'are there');


# --- Backup -----------------------------------------------------------------

my ($make, $restore) = blocks('Backup', 'sh', 2);
my $said = does('a backup of a running service', $make);
like($said, qr{^the database and 1 files are in /var/backups/judge-today$}m,
     'with its file');
like($said, qr/^the database is whole, and so are its 1 files$/m,
     'is whole');
is(does('who may read it', 'stat -c "%U %a" /var/backups/judge-today/'
        . ' /var/backups/judge-today/judge.db'),
   "www-data 700\nwww-data 600\n", 'its owner only');
like(does('twice', ($make =~ /(.*)/)[0], 1), qr/^judge: .* is there already/,
     'it is not overwritten');

my $after = evaluated($judge, $content);

like(does('in use', 'judge --store=/var/lib/judge --force restore'
          . ' /var/backups/judge-today', 1),
     qr/^judge: the store is in use, by process \d+: stop nginx first$/,
     'a store is not overwritten');
is(api("/evaluations/$after")->{status}, 'completed', 'and serves on');

does('stopped', 'systemctl stop nginx');
like(does('without --force', 'judge --store=/var/lib/judge restore'
          . ' /var/backups/judge-today', 1), qr/has a store already/,
     'neither');
like(does('no backup', 'mkdir /tmp/none; judge --store=/var/lib/judge restore'
          . ' /tmp/none', 1), qr/there is no complete backup/, 'nor by none');
does('started', 'systemctl start nginx');

does('it is restored', $restore);
is(api("/evaluations/$before")->{status}, 'completed', 'what was, is');
like(api("/evaluations/$after")->{detail}, qr/no such evaluation/,
     'what came later is gone');
like(evaluated($judge, $content), qr/^evl_/, 'and the service goes on');

does('elsewhere', 'judge --store=/var/lib/other --user=www-data restore'
     . ' /var/backups/judge-today; judge --store=/var/lib/other check');


# --- Looking after the store ------------------------------------------------

my ($look) = blocks('Looking after the store', 'sh', 1);
$said = does('beside the running service', $look);
like($said, qr/^judge \d\S+, schema version (\d+)\n.* \1$/m, 'versions');
like($said, qr/^contents +2 +[\d.]+ KB +\d{4}-.*Z +\d{4}-.*Z$/m,
     'a table with its size and ages');
like($said, qr/^org_\w+ +1 +2 +36 B +2 +0 +0 +0 +20\S+Z +My organization$/m,
     'an organization');
like($said, qr/^the database is whole/m, 'it is whole');
like($said, qr/^the database had \d+ bytes and has \d+$/m, 'and packed');

my %rows = map { ($_->{table} // $_->{organization_id}) => $_ }
           map { decode_json($_) }
           split /\n/, does('as JSON', 'judge --store=/var/lib/judge --json'
                            . ' stats');
is($rows{evaluations}{rows}, 2, 'rows');
ok(!exists $rows{batches}{oldest}, 'no time of none');

# Much is deleted: the service notices that the file is shorter, and goes on.
does('much', 'judge --store=/var/lib/judge vacuum; runuser -u www-data --'
     . ' sqlite3 -cmd ".timeout 9000" /var/lib/judge/judge.db "with n(i) as'
     . ' (values(1) union all select i + 1 from n where i < 3000) insert into'
     . ' probes select i + 9, 7 from n; create table x(b); insert into x'
     . ' select randomblob(9000) from probes; drop table x;"');
my ($had, $has) = does('is given back', 'judge --store=/var/lib/judge vacuum')
                  =~ /had (\d+) bytes and has (\d+)/;
cmp_ok($has, '<', $had / 10, 'to the disk');
like(evaluated($judge, $content), qr/^evl_/, 'the service goes on');

my $sql = 'runuser -u www-data -- sqlite3 -cmd ".timeout 9000"'
          . ' /var/lib/judge/judge.db';


# --- Retention --------------------------------------------------------------

# Two old contents, of which one is in the queue; the rest is young.

my $old = "$sql \"insert into contents (org, id, file_type, status, size,"
          . " created_at, name) select id, printf('cnt_%026d', n), 'text',"
          . " 'ready', 0, 0, 'x' from organizations, (select 1 n union select"
          . ' 2)"; ';
my ($by_hand) = blocks('Retention', 'sh', 1);
like(does('by hand', "$old $sql \"insert into evaluations (org, id, status,"
          . ' priority, content_id, judge_id, judge_version, created_at,'
          . " deadline) select org, 'evl_x', 'processing', 1, id, 'x', 1, 0, 0"
          . " from contents where created_at = 0 and id like '%2'\"; "
          . $by_hand),
     qr/\Acontents: 1 deleted\n(?:\w+: 0 deleted\n){4}\z/, 'what is old goes');
is(does('kept', "$sql \"select id from contents where created_at = 0; delete"
        . " from evaluations where id = 'evl_x'\""), sprintf("cnt_%026d\n", 2),
   'not what is waited for');
like(does('a wrong age', 'judge --store=/var/lib/judge retention'
          . ' contents=90', 2), qr/such as contents=90d/, 'is refused');

my ($keep) = blocks('Retention', 'nginx', 1);
$m->write('/etc/nginx/conf.d/judge.conf', "$keep\n"
          . 'server { listen 80; location /judging/ { judge on; } }');
my $none = "$sql 'select count(*) from contents where created_at = 0'";
does('by nginx', 'nginx -t; systemctl restart nginx; until [ $('
     . "$none) = 0 ]; do sleep 0.1; done");
my ($counted) = does('it is counted',
                     'curl -s http://127.0.0.1/judging/metrics')
                =~ /what="contents"} (\d)/;
is($counted, 1, 'once');
is(api("/evaluations/$before")->{status}, 'completed', 'the rest stays');

# --- The sections with configuration ----------------------------------------

my ($unit)   = quickstart('Limits of systemd', 'ini', 1);
my ($events) = quickstart('Limits of systemd', 'nginx', 1);
$m->write('/tmp/judge.conf', $unit);
is(does('systemd takes it', 'dir=/etc/systemd/system/nginx.service.d; mkdir -p'
        . ' $dir; cp /tmp/judge.conf $dir; command -v systemd-analyze'
        . ' >/dev/null || exit 0; systemd-analyze verify --man=no'
        . ' /lib/systemd/system/nginx.service 2>&1 | grep judge.conf || true'),
   '', 'without a complaint');

my ($cors)  = Judge::Docs->blocks('docs/security.md',
                                  'Browsers of other origins (CORS)', 'nginx',
                                  1);
my ($hosts) = Judge::Docs->blocks('docs/scaling.md',
                                  'Other hosts in front of one store', 'nginx',
                                  1);
$m->write('/tmp/nginx.conf', <<"NGINX");
user www-data;
pid /run/nginx.pid;
include /etc/nginx/modules-enabled/*.conf;
$events
http {
    judge_store /var/lib/judge;
    server { listen 80; $cors }
    $hosts
}
NGINX
does('nginx takes the others', 'cp /tmp/nginx.conf /etc/nginx/nginx.conf;'
     . ' nginx -t && systemctl restart nginx');
like(does('a preflight', 'curl -si -X OPTIONS -H "Origin: https://app.example'
          . '.com" http://127.0.0.1/judging/evaluations/single'),
     qr{^HTTP/1.1\ 204\ .*^Access-Control-Allow-Origin:\ https://app\.example
        \.com\r\n.*^Access-Control-Allow-Headers:\ X-API-Key,}xms,
     'is answered');
like(does('an error', 'curl -si http://127.0.0.1/judging/judges'),
     qr{^HTTP/1.1 401 .*^Access-Control-Allow-Origin: https://app}ms,
     'may be read, too');
my $far = does('from another host', "curl -s -H 'X-API-Key: $key' -H 'Prefer:"
               . " wait=20' --json '{\"judge_id\":\"$judge\","
               . "\"content_id\":\"$content\"}'"
               . ' http://127.0.0.1:8080/judging/evaluations/single');
like($far, qr/"status":"completed"/, 'an evaluation');
like(does('an address', "curl -s -H 'X-API-Key: $key' --json"
          . q( '{"name":"U","file_type":"text"}' http://127.0.0.1:8080/judging)
          . '/evaluations/presigned-upload'),
     qr{"upload_url":"http://127\.0\.0\.1:8080/judging/}, 'goes through it');


# --- What a container does --------------------------------------------------

my $docker = Judge::Nginx::read_file(Judge::Nginx->repo
                                     . '/util/docker/Dockerfile');
my ($healthy) = $docker =~ /^HEALTHCHECK CMD (.*)/m;
my ($command) = map { join ' ', map { "'$_'" } /"(.*?)"/g }
                $docker =~ /^CMD \[(.*)\]/m;
does('it serves', 'systemctl stop nginx; cp /etc/nginx/nginx.conf.dpkg'
     . ' /etc/nginx/nginx.conf; cp util/docker/judge.conf /etc/nginx/conf.d/; '
     . "$command & until $healthy; do sleep 0.1; done; kill -QUIT \$!; wait");
does('when it is gone, it is not well', $healthy, 1);
does('as before', 'cp /tmp/nginx.conf /etc/nginx/; rm'
     . ' /etc/nginx/conf.d/judge.conf; systemctl start nginx');


# --- A newer module, and the end --------------------------------------------

my ($upgrade) = blocks('Upgrade', 'sh', 1);
does('it is replaced', $upgrade);
is(api("/evaluations/$before")->{status}, 'completed', 'and goes on');

# What check finds.
does('damage', "$sql 'delete from contents where id = \"$content\"';"
     . ' rm /var/lib/judge/files/*');
like(does('is found', 'judge --store=/var/lib/judge check', 1),
     qr{^3\ rows\ of\ evaluations\ refer\ to\ rows\ of\ contents\ that\ are
        \ not\ there\nan\ uploaded\ file\ is\ missing:\ /var/lib/judge/files/
        |^judge:.*1\ problems.*1\ of\ 1\ files\ missing}mx, 'and named');

my ($remove) = quickstart('Uninstalling', 'sh', 1);
does('it is removed', "cp /etc/nginx/nginx.conf.dpkg /etc/nginx/nginx.conf;"
     . " $remove");
does('nothing of it', 'pgrep -x nginx && ! grep -r judge /etc/nginx && ! ls -d'
     . ' /usr/local/bin/judge /var/lib/judge /usr/lib/nginx/modules/*judge*');
does('as it was', 'install -m 755 build/judge /usr/local/bin/');

like(does('no store', 'judge --store=/var/lib/none check', 1),
     qr/^judge: there is no store in/, 'none is made');
does('nothing', 'test ! -e /var/lib/none');

done_testing;
