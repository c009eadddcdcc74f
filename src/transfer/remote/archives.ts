import { createReadStream, createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';
import { request as requestPlain } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable, Transform } from 'node:stream';
import type { TransformCallback } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { OWNER_ONLY } from '../../lib/files.js';
import { MEGABYTE } from '../../lib/units.js';
import type { ContentSelection } from '../source.js';
import { createPartFolder } from '../work-folder.js';
import { brokenConnection, errorOfResponse } from './send.js';
import type { RemoteAccess } from './send.js';

/** The parts and the content-types of an archive. Null: all. */
export interface ArchiveParts {
  readonly parts: readonly string[] | null;
  readonly types: readonly string[] | null;
  /** The content-types that are not included. */
  readonly excludedTypes: readonly string[];
}

/** Returns a selection in the form of requests. */
export function toArchiveParts({ parts, types, excludedTypes = new Set() }: ContentSelection): ArchiveParts {
  return { parts: [...parts], types: types && [...types], excludedTypes: [...excludedTypes] };
}

export interface ArchiveSending extends ArchiveParts {
  readonly existing: string;
  readonly isDryRun: boolean;
  readonly restarts: boolean;
}

type OnProgress = (detail: string) => void;

const PATH = '/cms/archive';
const TYPE = 'application/gzip';

const queryOf = ({ parts, types, excludedTypes }: ArchiveParts): URLSearchParams => {
  const query = new URLSearchParams();
  if (parts !== null) query.set('parts', parts.join(','));
  if (types !== null) query.set('types', types.join(','));
  if (excludedTypes.length > 0) query.set('excludedTypes', excludedTypes.join(','));
  return query;
};

/** Returns a stream that reports each megabyte. */
const countBytes = (word: string, onProgress: OnProgress): Transform => {
  let [bytes, reported] = [0, 0];
  return new Transform({
    transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
      bytes += chunk.length;
      if (bytes - reported >= MEGABYTE) {
        reported = bytes;
        onProgress(`${word} ${Math.floor(bytes / MEGABYTE)} MB`);
      }
      done(null, chunk);
    },
  });
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Downloads an archive of a server's content. The file appears when it is complete. Only its owner may read
 * it.
 *
 * @throws `remote/unreachable`, `remote/forbidden` and the errors of {@link errorOfResponse}
 */
export async function fetchArchive(
  access: RemoteAccess,
  parts: ArchiveParts,
  {
    path,
    onProgress,
    verify,
  }: {
    readonly path: string;
    readonly onProgress: OnProgress;
    /** Throws if the archive is incomplete. */
    readonly verify: (path: string) => Promise<void>;
  },
): Promise<void> {
  const part = await createPartFolder(path);
  const partial = join(part.path, 'archive');
  try {
    const response = await fetch(`${access.url}${PATH}?${queryOf(parts).toString()}`, {
      headers: { authorization: `Bearer ${access.token}` },
      redirect: 'manual',
    });
    const { ok, status, headers, body } = response;
    if (!ok || body === null || headers.get('content-type') !== TYPE)
      throw errorOfResponse(access, { status, headers, body: parse(await response.text()) });
    await pipeline(
      Readable.fromWeb(body),
      countBytes('fetched', onProgress),
      createWriteStream(partial, { mode: OWNER_ONLY }),
    );
    onProgress('reading it again');
    await verify(partial);
    await rename(partial, path);
  } catch (error) {
    throw brokenConnection(access, true, error);
  } finally {
    await part.remove();
  }
}

/** Reads JSON lines: progress, and then the result. */
const readLines = async (
  access: RemoteAccess,
  response: IncomingMessage,
  onProgress: OnProgress,
): Promise<unknown> => {
  for await (const text of createInterface({ input: response })) {
    const line = parse(text);
    if (!isRecord(line)) continue;
    if (typeof line['progress'] === 'string') onProgress(line['progress']);
    if (isRecord(line['error']))
      throw errorOfResponse(access, { status: Number(line['error']['status']), body: line });
    if (line['data'] !== undefined && line['data'] !== null) return line['data'];
  }
  throw createError('remote/uncertain', { name: access.name, reason: 'the response is incomplete' });
};

/**
 * Sends an archive to a server, which imports it, or with `isDryRun` only plans the import. Returns the plan.
 * Uses node:http, since an import may take longer than the timeout of fetch.
 *
 * @throws `remote/uncertain`, `remote/unreachable`, and the errors of {@link errorOfResponse}
 */
export async function sendArchive(
  access: RemoteAccess,
  path: string,
  {
    existing,
    isDryRun,
    restarts,
    onProgress,
    ...parts
  }: ArchiveSending & { readonly onProgress: OnProgress },
): Promise<unknown> {
  const query = queryOf(parts);
  query.set('existing', existing);
  if (isDryRun) query.set('dryRun', 'true');
  if (restarts) query.set('restart', 'true');
  const url = new URL(`${access.url}${PATH}?${query.toString()}`);
  const { size } = await stat(path);
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const send = url.protocol === 'https:' ? requestSecurely : requestPlain;
      const headers = {
        authorization: `Bearer ${access.token}`,
        'content-type': TYPE,
        'content-length': size,
      };
      const sending = send(url, { method: 'POST', headers }, resolve);
      sending.on('error', reject);
      pipeline(createReadStream(path), countBytes('sent', onProgress), sending).catch(reject);
    });
    const status = response.statusCode ?? 0;
    if (status === 200) return await readLines(access, response, onProgress);
    const headers = new Headers({ location: response.headers.location ?? '' });
    if (response.headers.location === undefined) headers.delete('location');
    throw errorOfResponse(access, { status, headers, body: parse(await readText(response)) });
  } catch (error) {
    throw brokenConnection(access, isDryRun, error);
  }
}
