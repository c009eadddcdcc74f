import { builtinModules } from 'node:module';

/**
 * Returns the package that an import means: `@strapi/utils` of `@strapi/utils/dist/errors`. Null: it means no
 * package, or one of Node.js.
 */
export function packageNameOf(imported: string): string | null {
  if (/^(?:[./]|node:|file:)/.test(imported)) return null;
  const [scope = '', rest] = imported.split('/');
  if (builtinModules.includes(scope)) return null;
  return scope.startsWith('@') ? `${scope}/${rest ?? ''}` : scope;
}

const NOT_FOUND: readonly unknown[] = ['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'];

/** Returns the package whose absence an error or one of its causes states. Null: it states none. */
export function missingPackageOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const name = /Cannot find (?:module|package) '([^']+)'/.exec(error.message)?.[1];
  return NOT_FOUND.includes(Reflect.get(error, 'code')) && name !== undefined
    ? packageNameOf(name)
    : missingPackageOf(error.cause);
}
