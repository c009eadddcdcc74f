import * as v from 'valibot';
import { createCheck, option, plainObject } from './checks.js';
import type { Check } from './checks.js';

/** The effect of a rule of `cms content check`. */
export type CheckLevel = 'off' | 'warning' | 'error';

const levels: Check<Readonly<Record<string, CheckLevel>>> = createCheck(
  'an object with off, warning or error by the names of rules',
  v.pipe(plainObject, v.record(v.string(), v.picklist(['off', 'warning', 'error']))),
);

const links: Check<Readonly<Record<string, string>>> = createCheck(
  'an object with addresses such as /articles/:slug by the uids of content-types',
  v.pipe(
    plainObject,
    v.record(
      v.pipe(v.string(), v.regex(/^(api|plugin)::/)),
      v.pipe(v.string(), v.regex(/^(https?:\/\/[^/]+)?\/[^?#]*$/)),
    ),
  ),
);

/** The keys of `content` in cms.config.*. */
export const CONTENT_SETTINGS = {
  'content.checks': option(
    levels,
    {},
    'The levels of rules of `cms content check`. A rule without an entry has its default level.',
    { example: { 'missing-alt-text': 'error', 'unused-file': 'off' } },
  ),
  'content.links': option(
    links,
    {},
    'The addresses of documents in the front end, with attributes such as `:slug`, `:documentId` and ' +
      '`:locale`. `cms content check` finds links to missing documents by them.',
    { example: { 'api::article.article': '/articles/:slug' } },
  ),
} as const;
