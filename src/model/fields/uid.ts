import type { ParseResult, ScalarConstraints, Strictness } from './field-type.js';
import { reject } from './field-type.js';
import {
  SHORT_TEXT_CHARACTERS,
  checkLengths,
  defineTextField,
  describeText,
  parseText,
} from './text-value.js';

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

const checkOptions = (constraints: ScalarConstraints): readonly string[] => [
  ...checkLengths(constraints),
  ...(constraints.generate === true && constraints.targetField === undefined
    ? ['generate needs a targetField']
    : []),
];

/**
 * A name for URLs, unique per locale among published versions. Without a value it is null, unless the schema
 * file sets `generate`.
 */
export const uidField = defineTextField({
  name: 'uid',
  maxCharacters: SHORT_TEXT_CHARACTERS,
  options: ['minLength', 'maxLength', 'regex', 'targetField', 'generate'],
  checkOptions,
  parse,
  jsonSchema: (constraints, strictness) => {
    const { output, input } = describeText(constraints, strictness);
    return { output, input: strictness === 'draft' ? input : { pattern: UID.source, ...input } };
  },
});
