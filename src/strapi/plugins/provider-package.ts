import { existsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isAbsolute, join, relative, resolve as resolvePath } from 'node:path';
import { hasErrorCode } from '../../lib/caught-errors.js';
import { isRecord } from '../../lib/records.js';
import { providerFailure } from './plugin-host.js';
import type { PluginHost } from './plugin-host.js';

/** The functions of a provider's package, by name. */
export type ProviderFunctions = Readonly<Record<string, unknown>>;

interface ProviderRequest {
  readonly kind: 'email' | 'upload';
  /** The value in config/plugins: a name, a package or a path. */
  readonly name: string;
  /** The arguments of its `init`. */
  readonly parameters: readonly unknown[];
}

const initOf = (exported: unknown): unknown => {
  if (!isRecord(exported)) return undefined;
  return typeof exported['init'] === 'function' ? exported['init'] : initOf(exported['default']);
};

const isPath = (name: string): boolean => isAbsolute(name) || /^\.{1,2}[/\\]/.test(name);

const SOURCES = ['.ts', '.js', '.mjs', '.cjs', '.mts', '.cts'].flatMap((end) => [
  end,
  join('/', `index${end}`),
]);

/** Returns the source file of a provider given by path. Paths in dist/ refer to their sources. */
const findSourceFile = (root: string, name: string): string | null => {
  if (!isPath(name)) return null;
  const path = relative(root, resolvePath(root, name)).replace(/^dist[/\\]/, '');
  const withoutEnd = join(root, path.replace(/\.[cm]?[jt]s$/, ''));
  const candidates = SOURCES.map((end) => `${withoutEnd}${end}`);
  return candidates.find((file) => existsSync(file) && statSync(file).isFile()) ?? null;
};

/** Returns the file of a provider. Null if it is not installed. */
export function resolveProvider(
  root: string,
  { kind, name }: Pick<ProviderRequest, 'kind' | 'name'>,
): string | null {
  const source = findSourceFile(root, name);
  if (source !== null) return source;
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

/** Returns the command that installs the package of a provider, or the reason why a path is wrong. */
export function providerInstallHint({ kind, name }: Pick<ProviderRequest, 'kind' | 'name'>): string {
  if (isPath(name)) return 'there is no such file';
  return `npm install ${name.startsWith('@') ? name : `@strapi/provider-${kind}-${name}`}`;
}

/**
 * Opens the package of a provider. Null, with a warning, if it is not installed.
 *
 * @throws `strapi/provider-failed`
 */
export async function openProviderPackage(
  { root, load, log }: Pick<PluginHost, 'root' | 'load' | 'log'>,
  { kind, name, parameters }: ProviderRequest,
): Promise<ProviderFunctions | null> {
  const file = resolveProvider(root, { kind, name });
  if (file === null) {
    log.warn(`The ${kind} provider ${name} is not installed: ${providerInstallHint({ kind, name })}`);
    return null;
  }
  try {
    const init = initOf(await load(file));
    if (typeof init !== 'function') throw new TypeError('It has no function init.');
    const opened: unknown = await Reflect.apply(init, undefined, parameters);
    if (!isRecord(opened)) throw new TypeError('Its function init returns no functions.');
    return opened;
  } catch (cause) {
    throw providerFailure(root, { kind, name }, cause);
  }
}
