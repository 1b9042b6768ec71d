/*
 * Copyright (C) The Judge Authors
 * SPDX-License-Identifier: BSD-2-Clause
 */

// What every view is made of.  htm puts values into text nodes and
// attributes only, so that nothing from outside becomes HTML.

import { h, render, Fragment } from '../vendor/preact.js';
import htm from '../vendor/htm.js';

export { h, render, Fragment };
export * from '../vendor/hooks.js';
export const html = htm.bind(h);
