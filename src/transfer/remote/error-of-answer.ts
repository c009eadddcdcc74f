import { createError } from '../../errors/catalogue.js';
import type { ErrorDetails, GalleyError } from '../../errors/galley-error.js';
import { isRecord } from '../../lib/is-record.js';

/** The name and the URL of a remote server, for messages. */
export interface RemoteName {
  readonly name: string;
  readonly url: string;
}

interface Answer {
  readonly status: number;
  /** Absent: it is a part of an answer, about one of several writes. */
  readonly headers?: Headers;
  /** The JSON of the body. Undefined: it is none. */
  readonly answer: unknown;
}

const isIssue = (value: unknown): boolean =>
  isRecord(value) && Array.isArray(value['path']) && typeof value['message'] === 'string';

/** Keeps the issues, which commands put beside lines of files. */
const detailsOf = (details: unknown): ErrorDetails => {
  if (!isRecord(details)) return {};
  const { errors, ...others } = details;
  if (!Array.isArray(errors) || !errors.every(isIssue)) return others;
  return { ...others, errors: errors as NonNullable<ErrorDetails['errors']> };
};

/** No endpoint answers so as a whole. */
const MISSING: ReadonlySet<number> = new Set([404, 405]);

/** Without an envelope, somebody else has answered than the API. */
const foreignAnswer = ({ name, url }: RemoteName, { status, headers }: Answer): GalleyError => {
  const location = headers?.get('location') ?? null;
  const isMissing = MISSING.has(status);
  const other = isMissing ? 'there is nothing' : `it answers with status ${status}, and no JSON`;
  const reason = location === null ? other : `it leads to ${location}`;
  return createError('remote/unexpected-answer', { name, url, reason });
};

const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Returns the error that an answer tells, with what the server says of it. */
export function errorOfAnswer(remote: RemoteName, received: Answer): GalleyError {
  const { status, answer } = received;
  const { name, url } = remote;
  const error = isRecord(answer) ? answer['error'] : undefined;
  const told = isRecord(error) && typeof error['message'] === 'string' ? error['message'] : null;
  if (status === 401) return createError('remote/unauthorized', { name, url });
  if (BUSY.has(status)) return createError('remote/busy', { name, reason: told ?? `status ${status}` });
  const isElsewhere = received.headers !== undefined && MISSING.has(status);
  if (told === null || !isRecord(error) || isElsewhere) return foreignAnswer(remote, received);
  const details = detailsOf(error['details']);
  if (status === 403) return createError('remote/forbidden', { name, reason: told }, { details });
  const reason = status >= 500 ? `${name}: ${told}` : told;
  return createError('remote/refused', { reason }, { details });
}
