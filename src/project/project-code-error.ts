import { createError, locateError } from '../errors/catalogue.js';
import { isGalleyError } from '../errors/galley-error.js';
import { findSource, messageOf } from '../lib/source-location.js';

export interface ProjectFunction {
  readonly root: string;
  /** `src/index.ts` */
  readonly file: string;
  readonly name: string;
}

/** The error of a project's function that has thrown. Names the file and the line. */
export function projectCodeError({ root, file, name }: ProjectFunction, error: unknown): Error {
  const location = findSource(root, error) ?? file;
  if (!isGalleyError(error))
    return createError('project/code-failed', { name, location, reason: messageOf(error) }, { cause: error });
  // What is wrong with the GraphQL schema is told with its file.
  return error.message.includes(file) ? error : locateError(error, `${name} failed at ${location}`);
}
