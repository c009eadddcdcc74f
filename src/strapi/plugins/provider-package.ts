import { createRequire } from 'node:module';
import { join } from 'node:path';
import { hasErrorCode } from '../../lib/error-code.js';
import { isRecord } from '../../lib/is-record.js';
import type { PluginHost } from './plugin-host.js';

/** What a package of a provider does. */
export type ProviderFunctions = Readonly<Record<string, unknown>>;

interface ProviderRequest {
  readonly kind: 'email' | 'upload';
  /** As config/plugins has it: a name, a package or a path. */
  readonly name: string;
  /** What its `init` is called with. */
  readonly parameters: readonly unknown[];
}

const initOf = (exported: unknown): unknown => {
  if (!isRecord(exported)) return undefined;
  return typeof exported['init'] === 'function' ? exported['init'] : initOf(exported['default']);
};

/** Returns the file of a provider. Null: it is not installed. */
export function resolveProvider(
  root: string,
  { kind, name }: Pick<ProviderRequest, 'kind' | 'name'>,
): string | null {
  const { resolve } = createRequire(join(root, 'package.json'));
  for (const candidate of [`@strapi/provider-${kind}-${name.toLowerCase()}`, name])
    try {
      return resolve(candidate);
    } catch (error) {
      if (!hasErrorCode(error, 'MODULE_NOT_FOUND') && !hasErrorCode(error, 'ERR_PACKAGE_PATH_NOT_EXPORTED'))
        throw error;
    }
  return null;
}

/** Returns how the package of a provider is installed. */
export function installProvider({ kind, name }: Pick<ProviderRequest, 'kind' | 'name'>): string {
  return `npm install ${/^[@./]/.test(name) ? name : `@strapi/provider-${kind}-${name}`}`;
}

/** Opens the package of a provider. Null: it is not installed, which the log says. */
export async function openProviderPackage(
  { root, load, log }: Pick<PluginHost, 'root' | 'load' | 'log'>,
  { kind, name, parameters }: ProviderRequest,
): Promise<ProviderFunctions | null> {
  const file = resolveProvider(root, { kind, name });
  if (file === null) {
    log.warn(`The ${kind} provider ${name} is not installed: ${installProvider({ kind, name })}`);
    return null;
  }
  const init = initOf(await load(file));
  if (typeof init !== 'function') throw new TypeError(`The ${kind} provider ${name} has no function init.`);
  const opened: unknown = await Reflect.apply(init, undefined, parameters);
  if (!isRecord(opened)) throw new TypeError(`init of the ${kind} provider ${name} returned no functions.`);
  return opened;
}
