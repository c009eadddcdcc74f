import * as v from 'valibot';
import { createCheck } from './checks.js';
import type { Check } from './checks.js';

export const DATABASE_URL_FORMS = 'file:./data.db or postgresql://user:password@host:5432/name';

/** True if a text is the URL of a PostgreSQL database. Its host may be left to the parameter `host`. */
function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:\/\/./.test(text) && URL.canParse(text.replace('@/', '@localhost/'));
}

/** Returns the kind of database that a URL names, or undefined if the text is not such a URL. */
export function databaseKindOf(text: string): 'sqlite' | 'postgresql' | undefined {
  if (/^file:./.test(text)) return 'sqlite';
  return isPostgresUrl(text) ? 'postgresql' : undefined;
}

const urlCheck = (allowed: string, isAllowed: (text: string) => boolean): Check<string> =>
  createCheck(allowed, v.pipe(v.unknown(), v.string(), v.check(isAllowed)));

export const databaseUrl = urlCheck(
  'file:./data.db for SQLite, or postgresql://user:password@host:5432/name',
  (text) => databaseKindOf(text) !== undefined,
);

/** Environment variables contain them as one text. */
export const replicaUrls: Check<readonly string[]> = createCheck(
  'a list of addresses such as postgresql://user:password@replica:5432/name, ' +
    'separated by commas in the environment',
  v.pipe(
    v.unknown(),
    v.union([
      v.array(v.string()),
      v.pipe(
        v.string(),
        v.transform((text) =>
          text
            .split(',')
            .map((url) => url.trim())
            .filter((url) => url !== ''),
        ),
      ),
    ]),
    v.check((urls) => urls.every(isPostgresUrl)),
  ),
);

/** The empty text counts as not set. */
export const directUrl = urlCheck(
  'the address of PostgreSQL without a pooler, such as postgresql://user:password@host:5432/name',
  (text) => text === '' || isPostgresUrl(text),
);
