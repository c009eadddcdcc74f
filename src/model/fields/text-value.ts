import type { JsonSchema } from '../../lib/json.js';
import { matchesPattern } from '../../lib/match-pattern.js';
import { accept, acceptUnless, createIssue, reject } from './field-type.js';
import type {
  FieldIssue,
  FieldSchemas,
  FieldType,
  ParseResult,
  ScalarConstraints,
  Strictness,
} from './field-type.js';

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
