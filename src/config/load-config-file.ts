import { basename, dirname } from 'node:path';
import { createError } from '../errors/catalogue.js';
import { isRecord } from '../lib/is-record.js';
import { describeLoadFailure } from '../lib/source-location.js';
import { evaluateModule } from './evaluate-module.js';

const defaultExportOf = (module: unknown): unknown =>
  typeof module === 'object' && module !== null ? (Reflect.get(module, 'default') ?? module) : module;

/**
 * Evaluates a cms.config.* file and returns what it exports.
 *
 * @throws `config/load-failed` if it cannot be evaluated, or does not export an object
 */
export async function loadConfigFile(file: string): Promise<Readonly<Record<string, unknown>>> {
  const name = basename(file);
  const module = await evaluateModule(file).catch((cause: unknown) => {
    throw createError(
      'config/load-failed',
      { ...describeLoadFailure(dirname(file), file, cause) },
      { cause },
    );
  });
  const exported = defaultExportOf(module);
  if (!isRecord(exported))
    throw createError('config/load-failed', { file: name, reason: 'its default export is not an object' });
  return exported;
}
