import { isGalleyError } from '../../errors/galley-error.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { HTTP_ERRORS } from '../../errors/http-status.js';
import { printGalleyError } from './print-errors.js';

/** A finished answer: status and JSON text. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Words of Apollo's protocol: its clients send the document then, and take no other status for an answer. */
const PERSISTED: Readonly<Record<string, { readonly message: string; readonly code: string }>> = {
  'graphql/persisted-not-found': { message: 'PersistedQueryNotFound', code: 'PERSISTED_QUERY_NOT_FOUND' },
  'graphql/persisted-not-supported': { message: 'PersistedQueryNotSupported', code: 'PERSISTED_QUERY_NOT_SUPPORTED' },
};

/** The answer to a request of which nothing was run. */
export function refusalAnswer(error: GalleyError): Answer {
  const known = PERSISTED[error.code];
  if (known !== undefined) return { status: 200, body: JSON.stringify({ errors: [{ message: known.message, extensions: { code: known.code } }] }) };
  return { status: HTTP_ERRORS[error.kind]?.status ?? 500, body: JSON.stringify({ errors: [printGalleyError(error)] }) };
}

/** Answers what is refused in the course of `work`; faults of the server's are thrown on. */
export async function answering(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!isGalleyError(error) || error.kind === 'internal') throw error;
    return refusalAnswer(error);
  }
}
