import { setTimeout as sleep } from 'node:timers/promises';
import { readMessages } from '../../api/client/messages.js';
import type { EventFilter, LiveEvent, StreamItem } from '../../documents/changes/live-events.js';
import { ALL_TAGS } from '../../documents/changes/tag-events.js';
import { isGalleyError } from '../../errors/galley-error.js';
import { brokenConnection, errorOfResponse, parseJson } from './send.js';
import type { RemoteAccess } from './send.js';

const PATH = '/cms/events';
const RETRY_MS = 1000;

const connect = async (
  access: RemoteAccess,
  { types, documentId, locale, status, tags }: EventFilter,
  lastEventId: string | null,
): Promise<ReadableStream<Uint8Array>> => {
  const query = new URLSearchParams();
  // Tags name their types.
  if (tags === null || tags === ALL_TAGS) for (const type of types ?? []) query.append('type', type);
  if (tags !== null) query.set('tag', tags === ALL_TAGS ? tags : [...tags].join());
  if (documentId !== null) query.set('documentId', documentId);
  if (locale !== null) query.set('locale', locale);
  if (status !== null) query.set('status', status);
  const response = await fetch(`${access.url}${PATH}?${query.toString()}`, {
    headers: {
      authorization: `Bearer ${access.token}`,
      accept: 'text/event-stream',
      ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }),
    },
    redirect: 'manual',
  });
  const { ok, status: code, headers, body } = response;
  if (ok && body !== null && headers.get('content-type')?.startsWith('text/event-stream') === true)
    return body;
  throw errorOfResponse(access, { status: code, headers, body: parseJson(await response.text()) });
};

/** True if another attempt may succeed. */
const isTemporary = (error: unknown): boolean =>
  !isGalleyError(error) || error.code === 'remote/busy' || error.code === 'remote/unreachable';

/**
 * Yields the events of a remote server. Once it was connected, it connects again when the connection breaks,
 * and continues after the last event.
 *
 * @throws `remote/unreachable`, `remote/forbidden` and the errors of {@link errorOfResponse}
 */
export async function* remoteEvents(
  access: RemoteAccess,
  filter: EventFilter,
  after: string | null,
): AsyncGenerator<StreamItem, never> {
  let lastEventId = after;
  let wasConnected = false;
  for (;;) {
    try {
      const body = await connect(access, filter, lastEventId);
      wasConnected = true;
      for await (const { event, id, data } of readMessages(body)) {
        if (id === undefined) continue;
        lastEventId = id;
        if (event === 'position' || event === 'reset') yield { kind: event, id };
        else if (event === 'tags')
          yield { kind: event, id, ...(JSON.parse(data) as { tags: readonly string[] }) };
        else yield { kind: 'event', id, event: JSON.parse(data) as LiveEvent };
      }
    } catch (error) {
      if (!wasConnected || !isTemporary(error)) throw brokenConnection(access, true, error);
    }
    access.onWait?.(`${access.name} has closed the connection. Connecting again.`);
    await sleep(RETRY_MS);
  }
}
