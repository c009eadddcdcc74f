import { isDatabaseError } from '../database/database-error.js';
import { createError } from '../errors/catalogue.js';
import { redactUrl } from '../lib/redact-url.js';
import type { Project } from './open-project.js';

/** The configuration key of the address that is used. */
type DatabaseAddress = 'url' | 'directUrl';

/** Returns the first line of the error message. A refused connection may have no message, only a code. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.message === '' && 'code' in error ? String(error.code) : error.message;
  return text.split('\n')[0] ?? text;
}

/**
 * Converts a connection error of a database driver to `database/unreachable`, which contains the URL without
 * its password. Returns any other error unchanged.
 */
export function unreachableError(
  { config, dialect }: Pick<Project, 'config' | 'dialect'>,
  error: unknown,
  address: DatabaseAddress = 'url',
): unknown {
  const driverError = isDatabaseError(error) ? error.driverError : dialect.errors.classify(error);
  if (driverError?.kind !== 'unreachable') return error;
  const reason = reasonOf(isDatabaseError(error) ? error.cause : error);
  return createError(
    'database/unreachable',
    { url: redactUrl(config.database[address]), reason },
    { cause: error },
  );
}

/**
 * Runs work that uses the database.
 *
 * @throws `database/unreachable` if the database cannot be reached, otherwise what the work throws
 */
export async function mapUnreachableError<T>(
  project: Pick<Project, 'config' | 'dialect'>,
  work: () => Promise<T>,
  address?: DatabaseAddress,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unreachableError(project, error, address);
  }
}
