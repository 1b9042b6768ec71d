# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""The page of the manual and the completion, out of the parser."""

import argparse

from base import OK, say


def commands(parser, name=''):
    """(name, parser) of every command that does something."""
    groups = [a for a in parser._actions
              if isinstance(a, argparse._SubParsersAction)]
    if not groups:
        yield name, parser
    for group in groups:
        for word, sub in group.choices.items():
            yield from commands(sub, f'{name} {word}'.strip())


def options(parser):
    return [a for a in parser._actions if a.option_strings]


def arguments(parser):
    return [a for a in parser._actions if not a.option_strings]


def roff(text):
    text = (text or '').replace('\\', '\\e').replace('-', '\\-')
    return "\\&" + text if text[:1] in ("'", '.') else text


def entry(action):
    """A .TP of an option or an argument."""
    name = (', '.join(action.option_strings) or action.metavar
            or '|'.join(action.choices))
    takes = ''
    if action.option_strings and action.nargs != 0:
        takes = '=' + (action.metavar or ('|'.join(action.choices)
                                          if action.choices
                                          else action.dest.upper()))
    say(f'.TP\n.B {roff(name + takes)}')
    if action.help:
        say(roff(action.help))


def page(args):
    parser = args.parser
    every = list(commands(parser))
    shared = {s for a in options(dict(every)['judges list'])
              for s in a.option_strings}
    say('.\\" Copyright (C) The Judge Authors\n'
        '.\\" SPDX-License-Identifier: BSD-2-Clause\n'
        '.TH JUDGECTL 1 "" "judgectl" "User Commands"\n'
        '.SH NAME\njudgectl \\- daily work with a content\\-judging service\n'
        '.SH SYNOPSIS\n.B judgectl\n.I COMMAND\n.RI [ options ]\n'
        f'.SH DESCRIPTION\n{roff(parser.description)}\n'
        'The service and the key are those of JUDGE_URL and JUDGE_API_KEY,\n'
        'else of a profile. A key never stands on the command line.\n'
        '.SH OPTIONS OF EVERY COMMAND')
    for action in options(dict(every)['judges list']):
        entry(action)
    say('.SH COMMANDS')
    for name, sub in every:
        say(f'.SS judgectl {roff(name)}\n{roff(sub.description)}')
        for action in arguments(sub) + options(sub):
            if not set(action.option_strings) & shared:
                entry(action)
    say(f'.SH EXIT STATUS\n{roff(parser.epilog)}\n'
        '.SH ENVIRONMENT\n'
        '.TP\n.B JUDGE_URL, JUDGE_API_KEY\nThe service and the key.\n'
        '.TP\n.B JUDGE_PROFILE\nThe profile, unless \\-\\-profile names one.\n'
        '.TP\n.B NO_COLOR\nNo colours.\n'
        '.TP\n.B GITHUB_STEP_SUMMARY\n'
        'Where gate appends its verdict in Markdown.\n'
        '.SH FILES\n.TP\n.B ~/.config/judgectl/\nProfiles and their keys.')
    return OK


def completion(args):
    say('# Completion of judgectl for bash.\n'
        '_judgectl() {\n'
        '    local word=${COMP_WORDS[COMP_CWORD]} words=\n'
        '    local first=${COMP_WORDS[1]} second=${COMP_WORDS[2]}\n'
        '    [ "$COMP_CWORD" -gt 1 ] || first=\n'
        '    [ "$COMP_CWORD" -gt 2 ] || second=\n'
        '    case "$first $second" in')
    every = dict(commands(args.parser))
    groups = {}
    for name in every:
        groups.setdefault(name.split()[0], []).append(name.split()[1:])
    for name, sub in sorted(every.items(), key=lambda pair: -len(pair[0])):
        words = [s for a in options(sub) for s in a.option_strings]
        words += [c for a in arguments(sub) for c in a.choices or []]
        pattern = f"'{name}'" if ' ' in name else f"'{name} '*"
        say(f"        {pattern}) words='{' '.join(words)}' ;;")
    for name, subs in groups.items():
        if subs != [[]]:
            words = ' '.join(w for sub in subs for w in sub)
            say(f"        '{name} '*) words='{words}' ;;")
    words = ' '.join([*groups, '--help', '--profile', '--version'])
    say(f"        *) words='{words}' ;;\n"
        '    esac\n'
        '    COMPREPLY=()\n'
        '    [ -z "$words" ] || mapfile -t COMPREPLY'
        ' < <(compgen -W "$words" -- "$word")\n'
        '}\n'
        'complete -o default -F _judgectl judgectl')
    return OK
