import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import type { App } from '../../project/open-app.js';
import { projectCodeError } from '../../project/project-code-error.js';
import { createError } from '../../errors/catalogue.js';
import { openScope, withGlobals } from './scope.js';
import { traceCalls } from './trace-calls.js';

/**
 * Returns the path of a script.
 *
 * @throws `cli/unknown-name`
 */
export function findScript(folder: string, script: string): string {
  const file = resolve(folder, script);
  if (!existsSync(file))
    throw createError('cli/unknown-name', {
      kind: 'file',
      name: script,
      remedy: 'Paths are relative to the working directory.',
    });
  return file;
}

/**
 * Evaluates a script with the project's services as global variables, and calls the function that it exports
 * by default, if any. Returns what that returns.
 *
 * @throws `project/code-failed`, which names the line
 */
export async function runScript(app: App, file: string, args: readonly string[]): Promise<unknown> {
  const { root } = app.project;
  const known = await openScope(app);
  const scope = { ...known, documents: traceCalls(known.documents), args };
  const source = { root, file: relative(root, file).split(sep).join('/'), name: 'The script' };
  return withGlobals(scope, async () => {
    const exported = await app.loader.load(file).catch((error: unknown) => {
      throw projectCodeError(source, error);
    });
    if (typeof exported !== 'function') return undefined;
    try {
      return (await Reflect.apply(exported, undefined, [scope])) as unknown;
    } catch (error) {
      throw projectCodeError(source, error);
    }
  });
}
