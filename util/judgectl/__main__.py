# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause
#
# judgectl: `python3 util/judgectl`, or as one file by util/judgectl/build.

import sys

if sys.version_info < (3, 9):
    sys.stderr.write('judgectl: it needs Python 3.9 or later\n')
    sys.exit(1)

try:
    import cli
except KeyboardInterrupt:
    sys.exit(130)

cli.main()
