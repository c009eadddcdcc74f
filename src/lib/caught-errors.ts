import { builtinModules } from 'node:module';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { propertyOf } from './records.js';
import { relativePath } from './text.js';

const FRAME_PATTERN = /^(?:at (?:.*\(|async )?)?(?<path>[^()]+?):(?<line>\d+)(?::\d+)?\)?$/;
const GENERATED_FOLDERS = ['node_modules', '.galley'] as const;

interface Frame {
  readonly path: string;
  readonly line: string;
}

const parseFrame = (text: string): Frame | null => {
  const { path, line } = FRAME_PATTERN.exec(text.trim())?.groups ?? {};
  if (path === undefined || line === undefined) return null;
  return { path: path.startsWith('file://') ? fileURLToPath(path) : path, line };
};

const isProjectFile = (root: string, path: string): boolean =>
  path.startsWith(root + sep) &&
  !GENERATED_FOLDERS.some((folder) => path.startsWith(join(root, folder) + sep));

/**
 * Returns the innermost line of project code in the stack of an error or of its cause, as `src/index.ts:12`.
 * Undefined if there is none.
 */
export function findSource(root: string, error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const frame = (error.stack ?? '')
    .split('\n')
    .map(parseFrame)
    .find((each) => each !== null && isProjectFile(root, each.path));
  if (frame !== null && frame !== undefined) return `${relativePath(root, frame.path)}:${frame.line}`;
  return findSource(root, error.cause);
}

/** Returns the message of an error, or the text of another thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}

/**
 * Describes the failure to load a file of a project: the file with its line, and the reason in one line. If
 * the mistake is in another file, the reason names that file.
 */
export function describeLoadFailure(
  root: string,
  file: string,
  error: unknown,
): { readonly file: string; readonly reason: string } {
  const path = relativePath(root, file);
  const source = findSource(root, error);
  const missing = missingPackageOf(error);
  const remedy = missing === null || missing.startsWith('@strapi/') ? '' : `; run: npm install ${missing}`;
  // Later lines repeat the path, or list the imports that led to the file.
  const reason = (messageOf(error).split('\n')[0] ?? '').trim() + remedy;
  if (source === undefined) return { file: path, reason };
  return source.startsWith(`${path}:`)
    ? { file: source, reason }
    : { file: path, reason: `${reason} (${source})` };
}

/**
 * Returns the package of an import: `@strapi/utils` for `@strapi/utils/dist/errors`. Null: the import names
 * no package, or a module of Node.js.
 */
export function packageNameOf(imported: string): string | null {
  if (/^(?:[./]|node:|file:)/.test(imported)) return null;
  const [scope = '', rest] = imported.split('/');
  if (builtinModules.includes(scope)) return null;
  return scope.startsWith('@') ? `${scope}/${rest ?? ''}` : scope;
}

const NOT_FOUND: readonly unknown[] = ['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'];

/** Returns the package that an error or one of its causes reports as missing. Null: none. */
export function missingPackageOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const name = /Cannot find (?:module|package) '([^']+)'/.exec(error.message)?.[1];
  return NOT_FOUND.includes(Reflect.get(error, 'code')) && name !== undefined
    ? packageNameOf(name)
    : missingPackageOf(error.cause);
}

/** Returns the text in an error's `code`, as Node.js, drivers and Prisma set it; empty if there is none. */
export function errorCode(error: unknown): string {
  const code = propertyOf(error, 'code');
  return typeof code === 'string' ? code : '';
}

/** True for an error of a name, such as `AbortError`. */
export function hasErrorName(error: unknown, name: string): boolean {
  return error instanceof Error && error.name === name;
}

/** True if an error carries one of the codes, such as `ENOENT`. */
export function hasErrorCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(errorCode(error));
}

/** Adds the path to errors of the file system that lack it, as those of writes to an open file do. */
export async function withFilePath<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'syscall' in error && !('path' in error)) Object.assign(error, { path });
    throw error;
  }
}
