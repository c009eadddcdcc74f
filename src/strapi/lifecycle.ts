import { isRecord } from '../lib/is-record.js';
import type { StrapiContext } from './context.js';

/** Runs one of the functions of all APIs' index files. */
export async function runLifecycle(
  { code, strapi }: StrapiContext,
  name: 'register' | 'bootstrap' | 'destroy',
): Promise<void> {
  for (const { exported } of code.apis.values()) {
    const run = isRecord(exported) ? exported[name] : undefined;
    if (typeof run === 'function') await Reflect.apply(run, exported, [{ strapi }]);
  }
}
