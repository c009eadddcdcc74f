import { createError } from '../../errors/catalogue.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { findSource, messageOf } from '../../lib/caught-errors.js';

/** A failed function of a plugin. */
interface PluginFunction {
  readonly plugin: string;
  readonly name: string;
}

const FRAME = /\(?((?:\/|[A-Za-z]:\\)[^():]*node_modules[^():]*):(\d+)/;

/** Returns the first frame of a package in an error's stack: `strapi-plugin-x/dist/server/index.js:12`. */
const findPackageSource = (error: unknown): string | undefined => {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const [, path, line] =
    stack
      .split('\n')
      .map((frame) => FRAME.exec(frame))
      .find((match) => match !== null) ?? [];
  return path === undefined ? undefined : `${path.slice(path.lastIndexOf('node_modules'))}:${line ?? ''}`;
};

/** Returns the error for a failed handler of a hook, with file and line if known. */
export function hookFailure(root: string, cause: unknown): Error {
  const file = findSource(root, cause) ?? findPackageSource(cause) ?? 'code of the project';
  return createError('strapi/hook-failed', { file, reason: messageOf(cause) }, { cause });
}

/**
 * Returns the parts of the message about a failure. File and hint end with a space if known, else they are
 * empty.
 */
const detailsOf = (
  root: string,
  cause: unknown,
): { readonly file: string; readonly reason: string; readonly hint: string } => {
  const source = findSource(root, cause) ?? findPackageSource(cause);
  return {
    file: source === undefined ? '' : `${source} `,
    reason: messageOf(cause),
    hint: isGalleyError(cause) && cause.hint !== undefined ? `${cause.hint} ` : '',
  };
};

/** Returns the error for a plugin that fails at the start, with file and line if known. */
export function pluginFailure(root: string, { plugin, name }: PluginFunction, cause: unknown): Error {
  const { file, reason, hint } = detailsOf(root, cause);
  return createError(
    'strapi/plugin-failed',
    {
      plugin,
      name,
      file,
      reason,
      remedy: `${hint}Or disable the plugin in config/plugins: '${plugin}': { enabled: false }`,
    },
    { cause },
  );
}

/** Returns the error for a provider that cannot be opened, with file and line if known. */
export function providerFailure(
  root: string,
  { kind, name }: { readonly kind: 'email' | 'upload'; readonly name: string },
  cause: unknown,
): Error {
  const { file, reason, hint } = detailsOf(root, cause);
  const work = kind === 'upload' ? 'stores files' : 'sends messages';
  return createError(
    'strapi/provider-failed',
    {
      kind,
      name,
      file,
      reason,
      remedy:
        `${hint}Correct providerOptions of ${kind} in config/plugins, and the variables of .env. ` +
        `Or remove provider there: Galley then ${work} itself`,
    },
    { cause },
  );
}
