import { basename } from 'node:path';
import { fail } from '../errors/catalogue.js';
import { isRecord } from '../lib/is-record.js';
import { evaluateModule } from './evaluate-module.js';

const defaultOf = (module: unknown): unknown => (typeof module === 'object' && module !== null ? (Reflect.get(module, 'default') ?? module) : module);

/**
 * Evaluates a cms.config.* file and returns what it exports.
 *
 * @throws `config/broken-file` where it cannot be evaluated or exports something else than an object.
 */
export async function loadConfigFile(file: string): Promise<Readonly<Record<string, unknown>>> {
  const name = basename(file);
  const module = await evaluateModule(file).catch((cause: unknown) => {
    throw fail('config/broken-file', { file: name, reason: cause instanceof Error ? cause.message : String(cause) }, { cause });
  });
  const exported = defaultOf(module);
  if (!isRecord(exported)) throw fail('config/broken-file', { file: name, reason: 'its default export is not an object' });
  return exported;
}
