# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""Flask, Django and Python's cgi, by the first part of the path: each says as
JSON what it reads in a body: `text` is the field of that name (of JSON, the
member), `all` is every value (of JSON, every name, too).  `gunicorn
readers:readers` serves them."""

import cgi
import json

import django
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.http import JsonResponse
from django.urls import re_path
from flask import Flask, jsonify, request as asked


def strings(value):
    """All strings and names in what JSON was read as."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [s for k, v in value.items() for s in [k, *strings(v)]]
    if isinstance(value, list):
        return [s for v in value for s in strings(v)]
    return []


def said(value):
    text = value.get('text') if isinstance(value, dict) else None
    return {'text': strings(text), 'all': strings(value)}


def plain(data):
    return data.decode('latin-1')


# --- Flask ------------------------------------------------------------------

flask = Flask('readers')


@flask.post('/flask')
def read():
    if asked.is_json:
        return jsonify(said(asked.get_json()))
    fields = [(k, v) for k, each in asked.form.lists() for v in each]
    files = [(k, plain(f.read())) for k, f in asked.files.items(multi=True)]
    if asked.mimetype.startswith('text/'):
        fields.append(('text', asked.get_data(as_text=True)))
    return jsonify(text=[v for k, v in fields + files if k == 'text'],
                   all=[v for k, v in fields + files])


# --- Django -----------------------------------------------------------------

def view(request):
    if request.content_type.endswith(('application/json', '+json')):
        return JsonResponse(said(json.loads(request.body)))
    if request.content_type.startswith('text/'):
        fields = [('text', request.body.decode(request.encoding or 'utf-8'))]
    else:
        fields = [(k, v) for k, each in request.POST.lists() for v in each]
    files = [(k, plain(f.read())) for k, each in request.FILES.lists()
             for f in each]
    return JsonResponse({'text': [v for k, v in fields + files if k == 'text'],
                         'all': [v for k, v in fields + files]})


settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=['*'],
                   SECRET_KEY='of tests', MIDDLEWARE=[], LOGGING_CONFIG=None)
django.setup()
urlpatterns = [re_path('', view)]


# --- cgi --------------------------------------------------------------------

def cgi_reader(environ, start):
    form = cgi.FieldStorage(fp=environ['wsgi.input'], environ=environ,
                            keep_blank_values=True)
    fields = []
    for field in form.list or []:
        value = field.value
        fields.append((field.name, value if isinstance(value, str)
                       else plain(value) if isinstance(value, bytes)
                       else str(value)))
    body = json.dumps({'text': [v for k, v in fields if k == 'text'],
                       'all': [v for k, v in fields]}).encode()
    start('200 OK', [('Content-Type', 'application/json'),
                     ('Content-Length', str(len(body)))])
    return [body]


apps = {'flask': flask, 'django': WSGIHandler(), 'cgi': cgi_reader}


def readers(environ, start):
    return apps[environ['PATH_INFO'].split('/')[1]](environ, start)
