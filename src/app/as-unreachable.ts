import { isDatabaseFault } from '../database/database-fault.js';
import { fail } from '../errors/catalogue.js';
import { redactUrl } from '../lib/redact-url.js';
import type { Project } from './open-project.js';

/** A refused connection may have no message of its own, only a code. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const text = error.message === '' && 'code' in error ? String(error.code) : error.message;
  return text.split('\n')[0] ?? text;
};

/** What a driver said of a database that does not answer, as `database/unreachable`, which says which database; anything else as it is. */
export function asUnreachable({ config, dialect }: Pick<Project, 'config' | 'dialect'>, error: unknown): unknown {
  const fault = isDatabaseFault(error) ? error.fault : dialect.readFault(error);
  if (fault?.kind !== 'unreachable') return error;
  const reason = reasonOf(isDatabaseFault(error) ? error.cause : error);
  return fail('database/unreachable', { url: redactUrl(config.database.url), reason }, { cause: error });
}

/** Runs work that needs the database. @throws `database/unreachable` where it does not answer, else what the work throws */
export async function reaching<T>(project: Pick<Project, 'config' | 'dialect'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asUnreachable(project, error);
  }
}
