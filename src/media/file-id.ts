import { fail } from '../errors/catalogue.js';

/** The largest id the databases have room for. */
export const MAX_ID = 2_147_483_647;

/** The number that a path, a parameter or an argument names a file by. Throws `request/not-found` for what is no number: no file has it. */
export function parseFileId(value: unknown): number {
  const id = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : 0;
  if (id < 1 || id > MAX_ID) throw fail('request/not-found');
  return id;
}
