import type { PermissionRule } from '../../access/rules.js';
import { fail } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { readStdin } from './secret.js';
import type { Terminal } from './terminal.js';

const parseWhere = (text: string): Readonly<Record<string, unknown>> => {
  const remedy = 'Pass an object such as \'{"owner":{"id":"$user.id"}}\'.';
  let where: unknown;
  try {
    where = JSON.parse(text);
  } catch {
    throw fail('cli/invalid-usage', { reason: '--where is not valid JSON.', remedy });
  }
  if (!isRecord(where)) throw fail('cli/invalid-usage', { reason: '--where is no object of conditions.', remedy });
  return where;
};

/** How far a permission goes, from `--fields` and `--where`. Throws `cli/invalid-usage`. */
export async function readRule(terminal: Terminal, { fields, where }: { readonly fields?: string | undefined; readonly where?: string | undefined }): Promise<PermissionRule> {
  const names = fields?.split(',').map((name) => name.trim()).filter((name) => name !== '');
  const text = where === '-' ? await readStdin(terminal) : where;
  return { fields: names ?? null, where: text === undefined ? null : parseWhere(text) };
}
