import type { ParseResult, ScalarConstraints, Strictness } from './field-type.js';
import { reject } from './field-type.js';
import { SHORT_TEXT_CHARACTERS, defineTextField, describeText, parseText } from './text-value.js';

/** The longest address that can be delivered (RFC 5321). */
const MAX_ADDRESS_LENGTH = 254;

const LOCAL_PART = String.raw`[\p{L}\p{N}.!#$%&'*+/=?^_\x60{|}~-]{1,64}`;
const DOMAIN_LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?`;
const ADDRESS = new RegExp(`^${LOCAL_PART}@(?:${DOMAIN_LABEL}\\.)+${DOMAIN_LABEL}$`, 'u');

const isAddress = (text: string): boolean =>
  text.length <= MAX_ADDRESS_LENGTH &&
  ADDRESS.test(text) &&
  !text.startsWith('.') &&
  !text.includes('..') &&
  !text.includes('.@');

const parse = (
  input: unknown,
  constraints: ScalarConstraints,
  strictness: Strictness,
): ParseResult<string> => {
  const text = parseText(input, constraints, strictness);
  if (!text.ok || strictness === 'draft') return text;
  return isAddress(text.value) ? text : reject('must be an email address');
};

/** An email address, stored as written. */
export const emailField = defineTextField({
  name: 'email',
  maxCharacters: SHORT_TEXT_CHARACTERS,
  parse,
  jsonSchema: (constraints, strictness) => {
    const { output, input } = describeText(constraints, strictness);
    return { output, input: strictness === 'draft' ? input : { format: 'email', ...input } };
  },
});
