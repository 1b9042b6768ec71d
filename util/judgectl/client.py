# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""Requests to the service: connections that are kept, repetition, streams."""

import codecs
import email.utils
import http.client
import random
import socket
import ssl
import threading
import time
import urllib.parse
import uuid

from base import Fault, clean, dumps, loads, warn

AGAIN = (429, 502, 503, 504)
PATIENCE = 120              # seconds that a Retry-After may ask for
LINE = 8 << 20              # bytes of a line of an event stream


class Client:
    """One service and one key; threads have a connection each."""

    def __init__(self, url, key, timeout=30, retries=5, ca=None):
        parts = urllib.parse.urlsplit(url)
        try:
            port = parts.port
        except ValueError:
            port = -1
        if (parts.scheme not in ('http', 'https') or not parts.hostname
                or port == -1 or parts.query or parts.username
                or any(c <= ' ' or c > '~' for c in url)):
            raise Fault(f'{clean(url)}: expected the address of a service,'
                        ' such as https://judge.example/judging')
        if not key or any(c <= ' ' or c > '~' for c in key):
            raise Fault('the key has characters that no key has')

        self.url = url.rstrip('/')
        self.host, self.port = parts.hostname, port
        self.prefix = parts.path.rstrip('/')
        self.key = key
        self.timeout = timeout
        self.retries = retries
        self.local = threading.local()
        self.names = None           # of judges, once somebody asks
        self.tls = None
        if parts.scheme == 'https':
            try:
                self.tls = ssl.create_default_context(cafile=ca)
            except (OSError, ssl.SSLError) as e:
                raise Fault(f'{ca}: not certificates: {e}') from None

    # --- One exchange ---------------------------------------------------

    def connect(self, timeout):
        if self.tls:
            return http.client.HTTPSConnection(self.host, self.port,
                                               timeout=timeout,
                                               context=self.tls)
        return http.client.HTTPConnection(self.host, self.port,
                                          timeout=timeout)

    def send(self, connection, method, path, body, headers):
        """The response; what failed on the way is raised as it is."""
        if hasattr(body, 'seek'):
            body.seek(0)
        connection.request(method, self.prefix + path, body,
                           {'X-API-Key': self.key, 'User-Agent': 'judgectl',
                            'Accept': 'application/json', **headers})
        return connection.getresponse()

    def exchange(self, method, path, body, headers, timeout):
        """Status, headers and body on the connection of this thread."""
        connection = getattr(self.local, 'connection', None)
        kept = connection is not None and connection.sock is not None
        if connection is None:
            connection = self.local.connection = self.connect(timeout)
        if connection.sock is not None:
            connection.sock.settimeout(timeout)
        connection.timeout = timeout

        try:
            response = self.send(connection, method, path, body, headers)
            return response.status, response.headers, response.read()
        except BaseException as e:
            connection.close()
            # The server may close a kept connection at any time.
            if kept and isinstance(e, (ConnectionError,
                                       http.client.RemoteDisconnected)):
                return self.exchange(method, path, body, headers, timeout)
            raise

    def request(self, method, path, json=None, body=None, headers=None,
                query=None, timeout=None):
        """The answer's JSON and headers; a Fault says what was wrong.  What
        may be over soon is tried again; POST bears a key by which the service
        knows a repetition."""
        headers = dict(headers or {})
        if query:
            path += '?' + urllib.parse.urlencode(query)
        if json is not None:
            body = dumps(json).encode('utf-8', 'replace')
            headers['Content-Type'] = 'application/json'
        if method == 'POST':
            headers['Idempotency-Key'] = uuid.uuid4().hex

        tries = 0
        while True:
            try:
                status, answer, data = self.exchange(
                    method, path, body, headers, timeout or self.timeout)
            except (OSError, http.client.HTTPException) as e:
                if tries >= min(self.retries, 2) or isinstance(
                        e, (ssl.SSLError, socket.gaierror)):
                    raise Fault(self.unreachable(e)) from None
                wait = backoff(tries)
            else:
                if status not in AGAIN or tries >= self.retries:
                    return self.answered(status, answer, data), answer
                wait = retry_after(answer.get('Retry-After'))
                if wait is None:
                    wait = backoff(tries)
                if wait > PATIENCE:
                    return self.answered(status, answer, data), answer
                if wait >= 2:
                    warn(f'the service asks to wait ({status});'
                         f' trying again in {wait:.0f} s')
            tries += 1
            time.sleep(wait)

    def answered(self, status, headers, data):
        if status in (204, 304):
            return None
        if 200 <= status < 300:
            return loads(data.decode('utf-8', 'replace'), self.url)
        detail = None
        try:
            detail = loads(data.decode('utf-8', 'replace'), '')['detail']
        except (Fault, TypeError, KeyError, IndexError):
            pass
        if not isinstance(detail, str):
            detail = f'{self.url} answers {status}'
            if 300 <= status < 400:
                detail += f', it has moved to {headers.get("Location")}'
            else:
                detail += ' without saying why; is it a judge service?'
        elif status == 401:
            detail = f'the key is refused: {detail}'
        if status in AGAIN:
            detail += f' ({status}; tried {self.retries + 1} times)'
        raise Fault(clean(detail), status)

    def unreachable(self, e):
        if isinstance(e, ssl.SSLCertVerificationError):
            return (f'{self.url}: its certificate is not trusted:'
                    f' {e.verify_message}; --ca FILE names others')
        if isinstance(e, (TimeoutError, socket.timeout)):
            return f'{self.url} did not answer in time'
        if isinstance(e, socket.gaierror):
            return f'{self.url}: there is no such host'
        if isinstance(e, ConnectionRefusedError):
            return f'{self.url}: nothing answers there; is the service up?'
        return f'{self.url}: the connection failed: {clean(e) or type(e)}'

    # --- Shorthands -----------------------------------------------------

    def get(self, path, **query):
        return self.request('GET', path, query=query)[0]

    def post(self, path, json=None, **more):
        return self.request('POST', path, json=json or {}, **more)[0]

    def pages(self, path, plural, **query):
        """The records of a list, page after page."""
        query = dict(query, limit=200)
        while True:
            page = self.get(path, **query)
            yield from page[plural]
            if not page.get('next_cursor'):
                return
            query['cursor'] = page['next_cursor']

    def download(self, path, write):
        """A long answer, piece by piece as text, to write()."""
        connection = self.connect(self.timeout)
        try:
            response = self.send(connection, 'GET', path, None,
                                 {'Accept': '*/*'})
            if response.status != 200:
                self.answered(response.status, response.headers,
                              response.read(1 << 16))
            decode = codecs.getincrementaldecoder('utf-8')('replace').decode
            while True:
                piece = response.read(1 << 16)
                write(decode(piece, final=not piece))
                if not piece:
                    return
        except http.client.IncompleteRead:
            raise Fault('the answer was cut off; what there is of it is not'
                        ' kept') from None
        except (OSError, http.client.HTTPException) as e:
            raise Fault(self.unreachable(e)) from None
        finally:
            connection.close()

    def events(self, path):
        """(name, data) of a stream of events, which is taken up again where
        it broke off.  Whoever reads it stops at "done"."""
        last, tries = None, 0
        while True:
            connection = self.connect(40)
            headers = {'Accept': 'text/event-stream'}
            if last is not None:
                headers['Last-Event-ID'] = last
            try:
                response = self.send(connection, 'GET', path, None, headers)
                if response.status == 204:
                    return
                if response.status not in (200, *AGAIN):
                    self.answered(response.status, response.headers,
                                  response.read(1 << 16))
                if response.status == 200:
                    for name, data, mark in parsed(response):
                        tries, last = 0, mark or last
                        yield name, loads(data, path)
            except (OSError, http.client.HTTPException) as e:
                if tries >= self.retries:
                    raise Fault(self.unreachable(e)) from None
            finally:
                connection.close()
            tries += 1
            if tries > self.retries:
                raise Fault(f'{self.url}: the stream of events breaks off'
                            ' again and again')
            time.sleep(backoff(tries))


def parsed(response):
    """(name, data, id) of each event of a response."""
    name, data, mark = 'message', [], None
    while True:
        line = response.readline(LINE)
        if not line:
            return
        line = line.decode('utf-8', 'replace').rstrip('\r\n')
        if line:
            field, _, value = line.partition(':')
            value = value[1:] if value.startswith(' ') else value
            if field == 'event':
                name = value
            elif field == 'data':
                data.append(value)
            elif field == 'id':
                mark = value
            continue
        if data:
            yield name, '\n'.join(data), mark
        name, data, mark = 'message', [], None


def backoff(tries):
    return min(0.3 * 2 ** tries, 20) * random.uniform(0.5, 1)


def retry_after(value):
    """Seconds, of either form of Retry-After; None where there is none."""
    if not value:
        return None
    if value.strip().isdigit():
        return int(value)
    try:
        when = email.utils.parsedate_to_datetime(value).timestamp()
        return max(0, when - time.time())
    except (TypeError, ValueError):
        return None
