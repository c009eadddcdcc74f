import { createRequire } from 'node:module';
import type { JsonSchema } from '../../lib/json.js';
import { memoizeWeakly } from '../../lib/collections.js';
import { accept, acceptUnless, createIssue, reject } from './field-type.js';
import type {
  FieldIssue,
  FieldSchemas,
  FieldType,
  ParseResult,
  ScalarConstraints,
  Strictness,
} from './field-type.js';

const require = createRequire(import.meta.url);

/** The characters of `\s`, which has fewer in RE2, and all other characters. */
const SPACES =
  String.raw`\t-\r \xa0\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}` +
  String.raw`\x{3000}\x{feff}`;
const OTHERS =
  String.raw`\x00-\x08\x0e-\x1f!-\x9f\xa1-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}` +
  String.raw`\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`;

const ESCAPE = String.raw`\\(?:c[a-z]|x[\da-f]{2}|u[\da-f]{4}|p\{[^}]*\}|[^])`;
const CLASS = String.raw`\[\^?(?:\\[^]|[^\]\\])*\]`;
const TOKENS = new RegExp(String.raw`${ESCAPE}|${CLASS}|\(\?(?::|<(?![=!]))?|[^]`, 'gi');
const CLASS_TOKENS = new RegExp(`${ESCAPE}|[^]`, 'gi');

/** The RE2 forms of tokens that RE2 writes differently. */
const TRANSLATIONS = new Map([
  ['.', String.raw`[^\n\r\x{2028}\x{2029}]`],
  [String.raw`\s`, `[${SPACES}]`],
  [String.raw`\S`, `[^${SPACES}]`],
]);
const CLASS_TRANSLATIONS = new Map([
  ['[', String.raw`\[`],
  [String.raw`\s`, SPACES],
  [String.raw`\S`, OTHERS],
  [String.raw`\b`, String.raw`\x08`],
]);

/** Syntax with another or no meaning in RE2: unusual escapes, look-around, back references. */
const UNTRANSLATABLE = /^(?:\\[\dacegh-moqpuxyzACE-RT-VX-Z]|\(\?)$/;

const translateToken = (token: string, translations: ReadonlyMap<string, string>): string => {
  if (UNTRANSLATABLE.test(token)) throw new SyntaxError(`RE2 has no ${token}`);
  return translations.get(token) ?? token;
};

const translateClass = (text: string): string => {
  const start = text.startsWith('[^') ? 2 : 1;
  const content = text
    .slice(start, -1)
    .replaceAll(CLASS_TOKENS, (token) => translateToken(token, CLASS_TRANSLATIONS));
  return `${text.slice(0, start)}${content}]`;
};

/** Returns a pattern in the syntax of RE2. */
const translate = (source: string): string =>
  source.replaceAll(TOKENS, (token) =>
    token.startsWith('[') ? translateClass(token) : translateToken(token, TRANSLATIONS),
  );

/** Surrogates in a pattern, surrogates in a text, and the replacement of the latter. */
const SURROGATES = /[\ud7ff-\udfff]|\\ud[7-f]/i;
const SURROGATE = /[\ud800-\udfff]/g;
const UNASSIGNED = '\ud7ff';

const compile = memoizeWeakly((pattern: RegExp): ((text: string) => boolean) => {
  const { source, unicode } = pattern;
  try {
    if (!unicode && SURROGATES.test(source)) throw new SyntaxError('RE2 has no surrogates');
    // Loaded late, because loading takes longer than most commands run.
    const { RE2JS } = require('re2js') as typeof import('re2js');
    const compiled = RE2JS.compile(RE2JS.translateRegExp(translate(source)));
    return (text) => compiled.test(unicode ? text : text.replaceAll(SURROGATE, UNASSIGNED));
  } catch {
    return (text) => pattern.test(text);
  }
});

/**
 * True if the text matches the pattern, in time that grows with the text alone where the pattern has no
 * look-around, back reference or count above 1000. For a pattern without the flag `u`, a character
 * beyond the basic plane counts as two arbitrary characters.
 */
export function matchesPattern(pattern: RegExp, text: string): boolean {
  return compile(pattern)(text);
}

/**
 * The maximum length of text that is matched against a pattern of a schema file, unless `maxLength` is lower.
 * Limits the time of patterns that backtrack polynomially.
 */
const MAX_PATTERN_INPUT_LENGTH = 10_000;

/** PostgreSQL cannot store NUL, and half of a surrogate pair has no UTF-8 form. */
const UNSTORABLE_CHARACTERS = /[\0\p{Surrogate}]/u;

export const UNSTORABLE_MESSAGE = 'must not contain the NUL character or half of a surrogate pair';

export function isStorableText(text: string): boolean {
  return !UNSTORABLE_CHARACTERS.test(text);
}

/** The most characters of a short text: those of a `VARCHAR(255)`. */
export const SHORT_TEXT_CHARACTERS = 255;

/** True if a value has more characters than its type takes. */
export function isTooLong({ maxCharacters }: FieldType, value: unknown): value is string {
  return (
    maxCharacters !== undefined &&
    typeof value === 'string' &&
    value.length > maxCharacters &&
    [...value].length > maxCharacters
  );
}

const lengthIssues = (text: string, constraints: ScalarConstraints, strictness: Strictness): FieldIssue[] => {
  const { minLength, maxLength } = constraints;
  const issues: FieldIssue[] = [];
  if (maxLength !== undefined && text.length > maxLength)
    issues.push(createIssue(`must be at most ${maxLength} characters`));
  if (strictness === 'full' && minLength !== undefined && text.length < minLength)
    issues.push(createIssue(`must be at least ${minLength} characters`));
  return issues;
};

const patternIssues = (text: string, constraints: ScalarConstraints): readonly FieldIssue[] => {
  const { regex, required } = constraints;
  // Optional attributes may be empty regardless of the pattern.
  if (regex === undefined || (text === '' && !required)) return [];
  if (text.length > MAX_PATTERN_INPUT_LENGTH)
    return [
      createIssue(
        `must be at most ${MAX_PATTERN_INPUT_LENGTH} characters to be checked against ${regex.source}`,
      ),
    ];
  return matchesPattern(regex, text) ? [] : [createIssue(`must match ${regex.source}`)];
};

/** Parses text and checks its length and, unless it is part of a draft, its pattern. */
export function parseText(
  input: unknown,
  constraints: ScalarConstraints,
  strictness: Strictness,
): ParseResult<string> {
  if (typeof input !== 'string') return reject('must be a string');
  if (!isStorableText(input)) return reject(UNSTORABLE_MESSAGE);
  const issues = lengthIssues(input, constraints, strictness);
  if (strictness === 'full' && issues.length === 0) issues.push(...patternIssues(input, constraints));
  return acceptUnless(issues, input);
}

/** Parses text for a filter. Numbers and booleans are converted to text, as in a query string. */
function parseTextFilter(input: unknown): ParseResult<string> {
  if (typeof input === 'number' || typeof input === 'boolean' || typeof input === 'bigint')
    return accept(String(input));
  if (typeof input !== 'string') return reject('must be a string');
  return isStorableText(input) ? accept(input) : reject(UNSTORABLE_MESSAGE);
}

/** Checks that `minLength` is not above `maxLength`. */
export function checkLengths(constraints: ScalarConstraints): readonly string[] {
  const { minLength, maxLength } = constraints;
  return minLength !== undefined && maxLength !== undefined && minLength > maxLength
    ? [`minLength ${minLength} is above maxLength ${maxLength}`]
    : [];
}

/**
 * Returns the pattern of a JSON Schema, which allows only the flag `u`; empty if the expression requires
 * others.
 */
const patternOf = (regex: RegExp | undefined): JsonSchema => {
  if (regex === undefined || regex.flags.replace('u', '') !== '') return {};
  try {
    return { pattern: new RegExp(regex.source, 'u').source };
  } catch {
    return {};
  }
};

/** Returns the JSON Schemas of text with the limits of its attribute. */
export function describeText(
  { minLength, maxLength, regex }: ScalarConstraints,
  strictness: Strictness,
): FieldSchemas {
  const published = {
    ...(minLength === undefined ? {} : { minLength }),
    ...patternOf(regex),
  };
  const input = {
    type: 'string',
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(strictness === 'draft' ? {} : published),
  };
  return { output: { type: 'string' }, input };
}

/**
 * Returns a field type whose values are text, with length limits and a pattern.
 *
 * @param facets the name of the type, and its differences from plain text
 */
export function defineTextField(facets: Pick<FieldType, 'name'> & Partial<FieldType>): FieldType {
  return {
    column: 'text',
    options: ['minLength', 'maxLength', 'regex'],
    checkOptions: checkLengths,
    parse: parseText,
    parseFilter: parseTextFilter,
    filterable: true,
    sortable: true,
    indexable: true,
    searchable: true,
    typescript: () => ({ output: 'string', input: 'string' }),
    jsonSchema: describeText,
    graphql: { output: 'String', input: 'String', filter: 'StringFilterInput' },
    ...facets,
  };
}
