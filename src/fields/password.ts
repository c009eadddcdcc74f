import type { StoredScalar } from '../lib/stored-value.js';
import type { FieldType, Parsed, ScalarConstraints, Strictness } from './field-type.js';
import { refuse } from './parsed.js';
import { checkLengths, parseText, textJsonSchema } from './text-value.js';

/** bcrypt reads no further; a longer password would be accepted with any ending. */
const BYTES_READ = 72;

const ROUNDS = 10;

const parse = (input: unknown, constraints: ScalarConstraints, strictness: Strictness): Parsed<string> => {
  const text = parseText(input, constraints, strictness);
  if (!text.ok) return text;
  return Buffer.byteLength(text.value) > BYTES_READ ? refuse(`must be at most ${BYTES_READ} bytes`) : text;
};

const seal = async (value: StoredScalar): Promise<StoredScalar> => {
  if (typeof value !== 'string') return value;
  const { hash } = await import('bcryptjs');
  return hash(value, ROUNDS);
};

/** A secret: stored as a bcrypt hash, never answered, filtered or sorted by. */
export const passwordField: FieldType = {
  name: 'password',
  column: 'text',
  options: ['minLength', 'maxLength', 'regex'],
  checkOptions: checkLengths,
  parse,
  parseFilter: () => refuse('cannot be compared'),
  filterable: false,
  sortable: false,
  seal,
  typescript: () => ({ output: 'never', input: 'string' }),
  graphql: { output: 'String', input: 'String', filter: 'StringFilterInput' },
  jsonSchema: textJsonSchema,
};
