import { resolve } from 'node:path';
import { openArchive } from '../../transfer/strapi/archive/open-archive.js';
import type { StrapiSource } from '../../transfer/strapi/source.js';
import type { Prompter } from '../prompts/prompt.js';
import { readSecret } from '../prompts/secret.js';
import type { Terminal } from '../terminal/terminal.js';

/** The variable that holds the key of an encrypted export, for processes that nobody watches. */
const KEY_VARIABLE = 'STRAPI_EXPORT_KEY';

export interface ImportSourceRequest {
  readonly terminal: Terminal;
  /** Null where nothing may be asked. */
  readonly prompter: Prompter | null;
  readonly flags: Readonly<Record<string, unknown>>;
}

/** Opens what a path given to `cms import` leads to. */
export function openImportSource(
  path: string,
  { terminal, prompter, flags }: ImportSourceRequest,
): Promise<StrapiSource> {
  const readKey = async (): Promise<string | null> => {
    const isGiven = flags['key'] !== undefined || flags['key-file'] !== undefined;
    const fromEnvironment = terminal.env[KEY_VARIABLE];
    if (!isGiven && fromEnvironment !== undefined && fromEnvironment !== '') return fromEnvironment;
    if (!isGiven && prompter === null) return null;
    return readSecret(terminal, prompter, { name: 'key', message: 'Key of the export', flags });
  };
  return openArchive(resolve(terminal.cwd, path), readKey);
}
