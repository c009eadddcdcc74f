import { readSecret } from '../prompts/secret.js';
import type { ImportSourceRequest } from './open-import-source.js';

/** Reads the key that an archive is to be encrypted with. Null: it is not to be. */
export async function readNewKey({ terminal, prompter, flags }: ImportSourceRequest): Promise<string | null> {
  if (flags['key'] === undefined && flags['key-file'] === undefined) return null;
  return readSecret(terminal, prompter, { name: 'key', message: 'Key of the archive', flags });
}
