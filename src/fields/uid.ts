import type { ParseResult, ScalarConstraints, Strictness } from './field-type.js';
import { reject } from './parse-result.js';
import { defineTextField } from './text-field.js';
import { parseText, SHORT_TEXT_CHARACTERS } from './text-value.js';

const UID = /^[A-Za-z0-9\-_.~]*$/;

const parse = (
  input: unknown,
  constraints: ScalarConstraints,
  strictness: Strictness,
): ParseResult<string> => {
  const text = parseText(input, constraints, strictness);
  if (!text.ok || strictness === 'draft') return text;
  return UID.test(text.value) ? text : reject('must contain only letters, digits and - _ . ~');
};

/** A name for URLs, unique per locale and version. Never generated: without a value it is null. */
export const uidField = defineTextField({
  name: 'uid',
  maxCharacters: SHORT_TEXT_CHARACTERS,
  options: ['minLength', 'maxLength', 'regex', 'targetField'],
  parse,
});
