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
does('the module is installed as README.md has it', $install);
$m->write('/etc/nginx/modules-enabled/60-judge.conf',
          'load_module modules/ngx_http_judge_module.so;');
$m->write('/etc/nginx/conf.d/judge.conf', <<'NGINX');
judge_store /var/lib/judge;
server { listen 80; location /judging/ { judge on; } }
NGINX
does('nginx starts with the module',
     'rm -f /var/log/nginx/*; systemctl start nginx;'
     . ' cp /etc/nginx/nginx.conf /etc/nginx/nginx.conf.dpkg');

my ($keys) = blocks('Organizations and keys', 'sh', 1);
my $list   = does('an organization and a key are made', $keys);
my ($key)  = $list =~ /^API key +(jdgk_\w+)/m;
like($list, qr/^key_\w+ .* reporting /m, 'the key is listed');
does("'$_' takes the key",
     "judge --store=/var/lib/judge $_ \"\$(judge"
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
like($before, qr/^evl_/, 'the service evaluates a text');

my $upload = api('/evaluations/presigned-upload', '{"name":"U","file_type":'
                 . '"text"}');
does('a file is uploaded',
     "printf 'In a file.' >/tmp/file; curl -sf -T /tmp/file"
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
does('nginx takes the metrics and the access log',
     'nginx -t && systemctl restart nginx');
api('/judges');
like(does('the access log gets a line',
          'until grep . /var/log/nginx/judge.log; do sleep 0.1;'
          . ' done'),
     qr{ GET /judges 200 \d+ [\d.]+ [\d.]+ - org_\w+ key_\w+$}m,
     'the line of the access log has the fields of the docs');
like(does('the metrics are served',
          'curl -sf http://127.0.0.1/judging/metrics'),
     qr/^judge_requests_total/m,
     'the metrics are served at their own location');


# --- Backup -----------------------------------------------------------------

my ($make, $restore) = blocks('Backup', 'sh', 2);
my $said = does('a running service is backed up', $make);
like($said, qr{^the database and 1 files are in /var/backups/judge-today$}m,
     'the backup has the uploaded file');
like($said, qr/^the database is whole, and so are its 1 files$/m,
     'the backup is whole');
is(does('the owner of a backup is printed',
        'stat -c "%U %a" /var/backups/judge-today/'
        . ' /var/backups/judge-today/judge.db'),
   "www-data 700\nwww-data 600\n", 'only its owner may read the backup');
like(does('a second backup of the same name fails',
          ($make =~ /(.*)/)[0], 1), qr/^judge: .* is there already/,
     'a backup is not overwritten');

my $after = evaluated($judge, $content);

like(does('a restore of a store in use fails',
          'judge --store=/var/lib/judge --force restore'
          . ' /var/backups/judge-today', 1),
     qr/^judge: the store is in use, by process \d+: stop nginx first$/,
     'a store in use is not overwritten');
is(api("/evaluations/$after")->{status}, 'completed',
   'the service goes on after a restore that was refused');

does('nginx stops', 'systemctl stop nginx');
like(does('a restore without --force fails',
          'judge --store=/var/lib/judge restore'
          . ' /var/backups/judge-today', 1), qr/has a store already/,
     'a store that is there is not overwritten without --force');
like(does('a restore from no backup fails',
          'mkdir /tmp/none; judge --store=/var/lib/judge restore'
          . ' /tmp/none', 1), qr/there is no complete backup/,
     'a folder that is no backup is not restored');
does('nginx starts with the former store', 'systemctl start nginx');

does('the store is restored', $restore);
is(api("/evaluations/$before")->{status}, 'completed',
   'a restore brings back what was there');
like(api("/evaluations/$after")->{detail}, qr/no such evaluation/,
     'a restore takes away what came after the backup');
like(evaluated($judge, $content), qr/^evl_/,
     'the service evaluates after a restore');

does('a backup is restored to another folder and checked',
     'judge --store=/var/lib/other --user=www-data restore'
     . ' /var/backups/judge-today; judge --store=/var/lib/other check');


# --- Looking after the store ------------------------------------------------

my ($look) = blocks('Looking after the store', 'sh', 1);
$said = does('the commands run beside the service', $look);
like($said, qr/^judge \d\S+, schema version (\d+)\n.* \1$/m,
     'the versions of the tool and of the schema are printed');
like($said, qr/^contents +2 +[\d.]+ KB +\d{4}-.*Z +\d{4}-.*Z$/m,
     'each table is listed with its size and ages');
like($said, qr/^org_\w+ +1 +2 +36 B +2 +0 +0 +0 +20\S+Z +My organization$/m,
     'each organization is listed with what it has');
like($said, qr/^the database is whole/m, 'the store is found to be whole');
like($said, qr/^the database had \d+ bytes and has \d+$/m,
     'the store is packed');

my %rows = map { ($_->{table} // $_->{organization_id}) => $_ }
           map { decode_json($_) }
           split /\n/, does('the statistics are printed as JSON',
                            'judge --store=/var/lib/judge --json'
                            . ' stats');
is($rows{evaluations}{rows}, 2,
   'the statistics in JSON have the rows of a table');
ok(!exists $rows{batches}{oldest},
   'the statistics have no time of a table without rows');

# Much is deleted: the service notices that the file is shorter, and goes on.
does('much is written and deleted',
     'judge --store=/var/lib/judge vacuum; runuser -u www-data --'
     . ' sqlite3 -cmd ".timeout 9000" /var/lib/judge/judge.db "with n(i) as'
     . ' (values(1) union all select i + 1 from n where i < 3000) insert into'
     . ' probes select i + 9, 7 from n; create table x(b); insert into x'
     . ' select randomblob(9000) from probes; drop table x;"');
my ($had, $has) = does('vacuum runs beside the service',
                       'judge --store=/var/lib/judge vacuum')
                  =~ /had (\d+) bytes and has (\d+)/;
cmp_ok($has, '<', $had / 10, 'vacuum gives the space back to the disk');
like(evaluated($judge, $content), qr/^evl_/,
     'the service goes on after a vacuum');

my $sql = 'runuser -u www-data -- sqlite3 -cmd ".timeout 9000"'
          . ' /var/lib/judge/judge.db';


# --- Retention --------------------------------------------------------------

# Two old contents, of which one is in the queue; the rest is young.

my $old = "$sql \"insert into contents (org, id, file_type, status, size,"
          . " created_at, name) select id, printf('cnt_%026d', n), 'text',"
          . " 'ready', 0, 0, 'x' from organizations, (select 1 n union select"
          . ' 2)"; ';
my ($by_hand) = blocks('Retention', 'sh', 1);
like(does('retention is run by hand',
          "$old $sql \"insert into evaluations (org, id, status,"
          . ' priority, content_id, judge_id, judge_version, created_at,'
          . " deadline) select org, 'evl_x', 'processing', 1, id, 'x', 1, 0, 0"
          . " from contents where created_at = 0 and id like '%2'\"; "
          . $by_hand),
     qr/\Acontents: 1 deleted\n(?:\w+: 0 deleted\n){4}\z/,
     'retention deletes what is old');
is(does('the contents that were kept are listed',
        "$sql \"select id from contents where created_at = 0; delete"
        . " from evaluations where id = 'evl_x'\""), sprintf("cnt_%026d\n", 2),
   'retention leaves what is waited for');
like(does('a wrong age fails', 'judge --store=/var/lib/judge retention'
          . ' contents=90', 2), qr/such as contents=90d/,
     'retention refuses an age without a unit');

my ($keep) = blocks('Retention', 'nginx', 1);
$m->write('/etc/nginx/conf.d/judge.conf', "$keep\n"
          . 'server { listen 80; location /judging/ { judge on; } }');
my $none = "$sql 'select count(*) from contents where created_at = 0'";
does('nginx deletes old contents by itself',
     'nginx -t; systemctl restart nginx; until [ $('
     . "$none) = 0 ]; do sleep 0.1; done");
my ($counted) = does('the metrics are read',
                     'curl -s http://127.0.0.1/judging/metrics')
                =~ /what="contents"} (\d)/;
is($counted, 1, 'nginx has deleted one old content');
is(api("/evaluations/$before")->{status}, 'completed',
   'nginx leaves what is not old');

# --- The sections with configuration ----------------------------------------

my ($unit)   = quickstart('Limits of systemd', 'ini', 1);
my ($events) = quickstart('Limits of systemd', 'nginx', 1);
$m->write('/tmp/judge.conf', $unit);
is(does('systemd reads the limits',
        'dir=/etc/systemd/system/nginx.service.d; mkdir -p'
        . ' $dir; cp /tmp/judge.conf $dir; command -v systemd-analyze'
        . ' >/dev/null || exit 0; systemd-analyze verify --man=no'
        . ' /lib/systemd/system/nginx.service 2>&1 | grep judge.conf || true'),
   '', 'systemd has no complaint');

my ($cors)  = Judge::Docs->blocks('docs/security.md',
                                  'Browsers of other origins (CORS)', 'nginx',
                                  1);

# conf/balancer.conf with one server, as docs/scaling.md says.
my ($hosts) = Judge::Nginx::read_file(Judge::Nginx->repo
                                      . '/conf/balancer.conf')
              =~ /^( {4}upstream .*)^\}/ms;
$hosts =~ s/^ *server node2.*\n//m or die 'no second node';
$hosts =~ s/node1\.example\.com:8080/127.0.0.1:80/ or die 'no node';
$hosts =~ s/443 ssl http2/8080/ or die 'no port';
$hosts =~ s/^ *ssl_certificate.*\n//mg or die 'no certificate';
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
does('nginx takes CORS and another host',
     'cp /tmp/nginx.conf /etc/nginx/nginx.conf;'
     . ' nginx -t && systemctl restart nginx');
like(does('a preflight is sent',
          'curl -si -X OPTIONS -H "Origin: https://app.example'
          . '.com" http://127.0.0.1/judging/evaluations/single'),
     qr{^HTTP/1.1\ 204\ .*^Access-Control-Allow-Origin:\ https://app\.example
        \.com\r\n.*^Access-Control-Allow-Headers:\ X-API-Key,}xms,
     'a preflight of another origin is answered');
like(does('a request without a key is sent',
          'curl -si http://127.0.0.1/judging/judges'),
     qr{^HTTP/1.1 401 .*^Access-Control-Allow-Origin: https://app}ms,
     'an error may be read from another origin');
my $far = does('an evaluation is asked of another host',
               "curl -s -H 'X-API-Key: $key' -H 'Prefer:"
               . " wait=20' --json '{\"judge_id\":\"$judge\","
               . "\"content_id\":\"$content\"}'"
               . ' http://127.0.0.1:8080/judging/evaluations/single');
like($far, qr/"status":"completed"/,
     'an evaluation goes through another host');
like(does('an address for an upload is asked of another host',
          "curl -s -H 'X-API-Key: $key' --json"
          . q( '{"name":"U","file_type":"text"}' http://127.0.0.1:8080/judging)
          . '/evaluations/presigned-upload'),
     qr{"upload_url":"http://127\.0\.0\.1:8080/judging/},
     'an address for an upload is that of the other host');


# --- What a container does --------------------------------------------------

my $docker = Judge::Nginx::read_file(Judge::Nginx->repo
                                     . '/util/docker/Dockerfile');
my ($healthy) = $docker =~ /^HEALTHCHECK CMD (.*)/m;
my ($command) = map { join ' ', map { "'$_'" } /"(.*?)"/g }
                $docker =~ /^CMD \[(.*)\]/m;
does('nginx serves as in the container',
     'systemctl stop nginx; cp /etc/nginx/nginx.conf.dpkg'
     . ' /etc/nginx/nginx.conf; cp util/docker/judge.conf /etc/nginx/conf.d/; '
     . "$command & until $healthy; do sleep 0.1; done; kill -QUIT \$!; wait");
does('the container is unhealthy once nginx is gone', $healthy, 1);
does('nginx starts as before the container',
     'cp /tmp/nginx.conf /etc/nginx/; rm'
     . ' /etc/nginx/conf.d/judge.conf; systemctl start nginx');


# --- A newer module, and the end --------------------------------------------

my ($upgrade) = blocks('Upgrade', 'sh', 1);
does('the module is replaced as the docs have it', $upgrade);
is(api("/evaluations/$before")->{status}, 'completed',
   'results are there after an upgrade');

# What check finds.
does('a row and the files are deleted',
     "$sql 'delete from contents where id = \"$content\"';"
     . ' rm /var/lib/judge/files/*');
like(does('check fails on a damaged store',
          'judge --store=/var/lib/judge check', 1),
     qr{^judge:.*:\ 1\ problem\ in.*1\ of\ 1\ files\ missing\n
        \d+\ rows\ of\ evaluations\ refer\ to\ rows\ of\ contents\ that\ are
        \ not\ there\nan\ uploaded\ file\ is\ missing:\ /var/lib/judge/files/
        }mx,
     'check names the rows and the file that are missing');

my ($remove) = quickstart('Uninstalling', 'sh', 1);
does('the module is removed as the docs have it',
     "cp /etc/nginx/nginx.conf.dpkg /etc/nginx/nginx.conf;"
     . " $remove");
does('nothing of the module is left',
     'pgrep -x nginx && ! grep -r judge /etc/nginx && ! ls -d'
     . ' /usr/local/bin/judge /var/lib/judge /usr/lib/nginx/modules/*judge*');
does('the tool is installed again',
     'install -m 755 build/judge /usr/local/bin/');

like(does('check without a store fails',
          'judge --store=/var/lib/none check', 1),
     qr/^judge: there is no store in/,
     'check makes no store where there is none');
does('check leaves no folder', 'test ! -e /var/lib/none');

done_testing;
