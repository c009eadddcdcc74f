import { relative, sep } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { describeLoadFailure, findSource, messageOf } from '../../lib/source-location.js';

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
    { name, ...describeLoadFailure(root, file, cause) },
    { cause },
  );
}

/** The error of code that has thrown. Names the file and the line. */
export function failedCodeError({ root, name, file }: FailedCode, cause: unknown): GalleyError {
  return createError(
    'migration/code-failed',
    {
      name,
      location: findSource(root, cause) ?? relative(root, file).split(sep).join('/'),
      reason: messageOf(cause),
    },
    { cause },
  );
}
