import { relative, sep } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** Returns `file:line` of the first call in the file that the error's stack names. */
const locate = (root: string, file: string, cause: unknown): string => {
  const path = relative(root, file).split(sep).join('/');
  const stack = cause instanceof Error ? (cause.stack ?? '') : '';
  const frame = stack.split('\n').find((line) => line.includes(`${file}:`));
  const line = frame === undefined ? undefined : frame.slice(frame.indexOf(`${file}:`) + file.length + 1);
  const number = /^\d+/.exec(line ?? '')?.[0];
  return number === undefined ? path : `${path}:${number}`;
};

export interface FailedCode {
  readonly root: string;
  /** The name of the migration. */
  readonly name: string;
  /** The absolute path of its code. */
  readonly file: string;
}

/** The error of code that cannot be loaded. */
export function invalidCodeError({ root, name, file }: FailedCode, cause: unknown): GalleyError {
  return createError(
    'migration/invalid-code',
    { name, file: relative(root, file).split(sep).join('/'), reason: messageOf(cause) },
    { cause },
  );
}

/** The error of code that has thrown. Names the file and the line. */
export function failedCodeError({ root, name, file }: FailedCode, cause: unknown): GalleyError {
  return createError(
    'migration/code-failed',
    { name, location: locate(root, file, cause), reason: messageOf(cause) },
    { cause },
  );
}
