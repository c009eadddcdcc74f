import type { StoredScalar } from '../../lib/stored-value.js';
import type { ParseResult, ScalarConstraints, Strictness } from './field-type.js';
import { reject } from './field-type.js';
import { defineTextField, parseText } from './text-value.js';

/** bcrypt ignores all further bytes, so a longer password would match with any ending. */
const MAX_BYTES = 72;

/** The binary logarithm of the number of rounds. */
const BCRYPT_COST = 10;

const parse = (
  input: unknown,
  constraints: ScalarConstraints,
  strictness: Strictness,
): ParseResult<string> => {
  const text = parseText(input, constraints, strictness);
  if (!text.ok) return text;
  return Buffer.byteLength(text.value) > MAX_BYTES ? reject(`must be at most ${MAX_BYTES} bytes`) : text;
};

const hashPassword = async (value: StoredScalar): Promise<StoredScalar> => {
  if (typeof value !== 'string') return value;
  const { hash } = await import('@node-rs/bcrypt');
  // The library writes `$2y$`, another name of the same format that fewer libraries know.
  return (await hash(value, BCRYPT_COST)).replace(/^\$2y\$/, '$2b$');
};

/** A password: stored as a bcrypt hash, never returned, filtered or sorted by. */
export const passwordField = defineTextField({
  name: 'password',
  parse,
  parseFilter: () => reject('cannot be compared'),
  filterable: false,
  sortable: false,
  indexable: false,
  searchable: false,
  hash: hashPassword,
  typescript: () => ({ output: 'never', input: 'string' }),
});
