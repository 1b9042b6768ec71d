# Copyright (C) The Judge Authors
# SPDX-License-Identifier: BSD-2-Clause

"""The hash of src/base/core/hash.h, for generators in Python."""


def fnv(text):
    """FNV-1a with 64 bits, of bytes."""
    h = 0xcbf29ce484222325
    for byte in text:
        h = (h ^ byte) * 0x100000001b3 % 2 ** 64
    return h
