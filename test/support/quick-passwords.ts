import { createRequire } from 'node:module';

const bcrypt = createRequire(import.meta.url)('@node-rs/bcrypt') as typeof import('@node-rs/bcrypt');

/** The least that bcrypt does. `test/unit/model/fields` asserts how much a project's passwords get. */
const COST = 4;

export const { compare, compareSync } = bcrypt;

export function hash(password: string): Promise<string> {
  return bcrypt.hash(password, COST);
}
