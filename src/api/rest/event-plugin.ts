import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import type { Access, Caller } from '../../access/access.js';
import type { Config } from '../../config/config.js';
import type { EventFilter, OpenEventStream, StreamItem } from '../../documents/changes/live-events.js';
import { ALL_TAGS, parseTagNames, typesOfTags } from '../../documents/changes/tag-events.js';
import { createError } from '../../errors/catalogue.js';
import { DRAINING, STREAMING } from '../../lib/http.js';
import { didYouMean } from '../../lib/nearest.js';
import { SECOND_MS } from '../../lib/units.js';
import { FILE_UID } from '../../model/content-types/builtin-types.js';
import type { ContentModel, ContentType } from '../../model/model.js';
import { assertMayReadDrafts } from '../../query/read-access.js';
import { parseDocumentId, sentLocale, sentStatus } from '../../query/parse/parse-version.js';
import { asList, invalidParameter, shorten } from '../../query/read-context.js';
import { callerOf, decorateCaller, logRequestError } from '../http/request-lifecycle.js';
import { decoratePassedOn } from './guard.js';
import { queryOf } from './handler.js';
import type { Handler, RestDependencies } from './handler.js';
import { registerRoutes } from './register-routes.js';
import { eventRoutes, servedRoutes } from './routes/rest-routes.js';
import type { GalleyError } from '../../errors/galley-error.js';

/** Dependencies of the endpoint that sends events. */
export interface EventDependencies extends Pick<RestDependencies, 'access' | 'model' | 'prefix'> {
  readonly open: OpenEventStream;
  readonly limits: Pick<Config['events'], 'maxStreams' | 'maxStreamsPerAddress'>;
  /**
   * A client that reads nothing for this number of milliseconds is disconnected, and continues where it
   * stopped. Default: 30 seconds.
   */
  readonly stallTimeout?: number;
  readonly toGalleyError: (error: unknown) => GalleyError;
}

/** Returns the type of the project that a client names by its uid, singular or plural name. */
const findType = (model: ContentModel, name: unknown): ContentType => {
  const types = model.types.filter(({ origin }) => origin === 'project');
  const type = types.find(({ uid, singularName, pluralName }) =>
    [uid, singularName, pluralName].some((known) => known === name),
  );
  if (type !== undefined) return type;
  if (typeof name !== 'string') throw invalidParameter('type', 'it must be the name of a content-type.');
  const names = types.map(({ singularName }) => singularName);
  throw invalidParameter('type', `there is no ${shorten(name)}. ${didYouMean(name, names)}`.trim());
};

const parseTypes = (model: ContentModel, raw: unknown): readonly ContentType[] | null =>
  raw === undefined ? null : (asList(raw) ?? [raw]).map((name) => findType(model, name));

/** The parameters that select events, and no tags. */
const EVENT_PARAMETERS = ['documentId', 'locale', 'status'] as const;

/** Parses the filter of a stream of tags. Those of a request name the types, which the caller must see. */
const parseTags = async (
  { access, model }: EventDependencies,
  request: FastifyRequest,
  types: readonly ContentType[] | null,
): Promise<EventFilter> => {
  const query = queryOf(request);
  const mixed = EVENT_PARAMETERS.find((name) => query[name] !== undefined);
  if (mixed !== undefined)
    throw invalidParameter(mixed, 'it selects events. Tags name their document and locale.');
  const texts = asList(query['tag']) ?? [query['tag']];
  const tags = texts.every((text) => typeof text === 'string') ? parseTagNames(texts) : null;
  if (tags === null) throw invalidParameter('tag', 'it must be a cache tag or *.');
  const filterOf = (selected: readonly ContentType[] | null): EventFilter => {
    const uids = selected && new Set(selected.map(({ uid }) => uid));
    return { types: uids, documentId: null, locale: null, status: null, tags };
  };
  if (tags === ALL_TAGS) return filterOf(types);
  if (types !== null) throw invalidParameter('type', 'tags name their types. With * it selects types.');
  const { types: named, unknown } = typesOfTags(model, tags);
  if (unknown !== null)
    throw invalidParameter('tag', `${shorten(unknown.tag)} is of no content-type. ${unknown.hint}`.trim());
  for (const { uid } of named)
    // Everybody who sees a document sees its files.
    if (uid !== FILE_UID) await access.authenticateFor(request.headers.authorization, uid, 'find');
  // Only the tag of all responses was asked for.
  return filterOf(named.length === 0 ? null : named);
};

/** Parses the filter of a request, whose types the caller must be allowed to find. */
const parseFilter = async (
  dependencies: EventDependencies,
  request: FastifyRequest,
): Promise<EventFilter> => {
  const { access, model } = dependencies;
  const query = queryOf(request);
  const types = parseTypes(model, query['type']);
  const locale = sentLocale(query['locale']) ?? null;
  if (locale !== null && !access.locales.has(locale))
    throw invalidParameter('locale', 'it must be one of the configured locales.');
  const documentId = query['documentId'] === undefined ? null : parseDocumentId(query['documentId']);
  if (documentId === null && query['documentId'] !== undefined)
    throw invalidParameter('documentId', 'it must be the id of a document.');
  const status = sentStatus(query['status']) ?? null;
  for (const type of types ?? []) {
    await access.authenticateFor(request.headers.authorization, type.uid, 'find');
    if (status === 'draft' && type.draftAndPublish)
      assertMayReadDrafts(access.readAccessOf(callerOf(request)), type);
  }
  if (query['tag'] !== undefined) return parseTags(dependencies, request, types);
  return { types: types && new Set(types.map(({ uid }) => uid)), locale, documentId, status, tags: null };
};

/** Returns the id of the last event that a client has received. A reconnecting browser sends the header. */
const lastEventIdOf = (request: FastifyRequest): string | null => {
  const sent = request.headers['last-event-id'] ?? queryOf(request)['lastEventId'];
  if (sent === undefined || sent === '') return null;
  if (typeof sent !== 'string') throw invalidParameter('lastEventId', 'it must be the id of one event.');
  return sent;
};

/** Milliseconds after which clients reconnect. */
const RETRY_MS = 1000;

/**
 * Prints an item in the format of server-sent events. Changes have no name, since browsers pass those to
 * `onmessage`.
 */
const printItem = (item: StreamItem): string => {
  if (item.kind === 'event') return `id: ${item.id}\ndata: ${JSON.stringify(item.event)}\n\n`;
  const data = item.kind === 'tags' ? JSON.stringify({ tags: item.tags }) : '{}';
  return `event: ${item.kind}\nid: ${item.id}\ndata: ${data}\n\n`;
};

const TICK_MS = SECOND_MS / 2;
const HEARTBEAT_MS = 20 * SECOND_MS;
const STALLED_MS = 30 * SECOND_MS;
/** Signed-in users are looked up in the database, tokens in memory. */
const USER_CHECK_MS = 5 * SECOND_MS;
/** Bytes that may wait for a client. Nothing more is read for it until it has received them. */
const BUFFER_BYTES = 16 * 1024;

interface OpenStreamOptions {
  readonly request: FastifyRequest;
  readonly access: Access;
  readonly filter: Pick<EventFilter, 'types' | 'tags'>;
  readonly model: ContentModel;
  readonly stallTimeout: number;
}

/** True if the caller may list files. */
const mayFindFiles = (access: Access, caller: Caller): boolean => {
  try {
    access.authorise(caller, FILE_UID, 'find');
    return true;
  } catch {
    return false;
  }
};

/** The response to one client. */
class EventResponse {
  readonly #options: OpenStreamOptions;
  readonly #ended = new AbortController();
  readonly body: Readable;
  #drain = (): void => undefined;
  #blockedAt: number | null = null;
  #sentAt = performance.now();
  #checkedAt = performance.now();
  /** The position to send with the next heartbeat. */
  #position: StreamItem | null = null;

  constructor(options: OpenStreamOptions) {
    this.#options = options;
    this.body = new Readable({ highWaterMark: BUFFER_BYTES, read: () => this.#drain() });
    this.body.once('close', this.#stop);
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  readonly readAccess = async (): Promise<ReturnType<Access['readAccessOf']>> => {
    const { access, request, filter } = this.#options;
    const caller = await access.authenticate(request.headers.authorization);
    const rights = access.readAccessOf(caller);
    // Everybody who sees a document sees its files, but all tags contain the ids of all files.
    return filter.tags === ALL_TAGS && !mayFindFiles(access, caller)
      ? { ...rights, canFind: (uid) => uid !== FILE_UID && rights.canFind(uid) }
      : rights;
  };

  /** Sends the items until the stream ends. */
  async send(items: AsyncIterable<StreamItem>): Promise<void> {
    let isFirst = true;
    for await (const item of items) {
      if (item.kind === 'position' && !isFirst) this.#position = item;
      else await this.#write(isFirst ? `retry: ${RETRY_MS}\n${printItem(item)}` : printItem(item));
      isFirst = false;
    }
  }

  /** Called at intervals. Ends the stream if the client stalls or has lost its rights. */
  async tick(): Promise<void> {
    const now = performance.now();
    const { request, stallTimeout } = this.#options;
    if (this.#blockedAt !== null && now - this.#blockedAt > stallTimeout) return void this.body.destroy();
    if (this.#blockedAt === null && now - this.#sentAt > HEARTBEAT_MS) {
      const text = this.#position === null ? ':\n\n' : printItem(this.#position);
      void this.#write(text);
    }
    const isUser = callerOf(request).kind === 'user';
    if (now - this.#checkedAt < (isUser ? USER_CHECK_MS : 0)) return;
    this.#checkedAt = now;
    if (!(await this.#mayFindAny())) this.end();
  }

  end(): void {
    this.#stop();
    if (!this.body.destroyed && !this.body.readableEnded) this.body.push(null);
  }

  readonly #stop = (): void => {
    this.#ended.abort();
    this.#drain();
  };

  async #mayFindAny(): Promise<boolean> {
    const { model, filter } = this.#options;
    const { types } = filter;
    try {
      const { canFind } = await this.readAccess();
      return model.types.some(
        ({ origin, uid }) => (types === null ? origin === 'project' : types.has(uid)) && canFind(uid),
      );
    } catch {
      // The credential is not valid any more. If the database does not respond, the client reconnects.
      return false;
    }
  }

  async #write(text: string): Promise<void> {
    if (this.signal.aborted) return;
    this.#position = null;
    this.#sentAt = performance.now();
    if (this.body.push(text)) return;
    this.#blockedAt ??= performance.now();
    await new Promise<void>((resolve) => {
      this.#drain = resolve;
    });
    this.#blockedAt = null;
  }
}

/** Counts the open streams, and checks them at intervals. */
class OpenStreams {
  readonly #limits: EventDependencies['limits'];
  readonly #streams = new Set<EventResponse>();
  readonly #countByAddress = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;

  constructor(limits: EventDependencies['limits']) {
    this.#limits = limits;
    this.#timer = setInterval(() => {
      for (const stream of this.#streams) void stream.tick();
    }, TICK_MS).unref();
  }

  /** @throws `events/too-many-streams`, `events/too-many-streams-of-address`, `server/shutting-down` */
  assertCapacity(address: string): void {
    const { maxStreams, maxStreamsPerAddress } = this.#limits;
    if (this.#isClosed) throw createError('server/shutting-down');
    if (this.#streams.size >= maxStreams) throw createError('events/too-many-streams', { limit: maxStreams });
    if (this.#countOf(address) >= maxStreamsPerAddress)
      throw createError('events/too-many-streams-of-address', { limit: maxStreamsPerAddress });
  }

  add(stream: EventResponse, address: string): void {
    this.#streams.add(stream);
    this.#countByAddress.set(address, this.#countOf(address) + 1);
    stream.body.once('close', () => {
      this.#streams.delete(stream);
      const count = this.#countOf(address) - 1;
      if (count === 0) this.#countByAddress.delete(address);
      else this.#countByAddress.set(address, count);
    });
  }

  /** Ends all streams, so that clients reconnect to another process. */
  readonly close = (): void => {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const stream of this.#streams) stream.end();
  };

  #countOf(address: string): number {
    return this.#countByAddress.get(address) ?? 0;
  }
}

/** GET /api/events */
const createHandler = (dependencies: EventDependencies, streams: OpenStreams): Handler => {
  const { access, model, open, stallTimeout = STALLED_MS, toGalleyError } = dependencies;
  const assertMayFind = (request: FastifyRequest): void => {
    const { canFind } = access.readAccessOf(callerOf(request));
    if (!model.types.some(({ origin, uid }) => origin === 'project' && canFind(uid)))
      throw createError('request/forbidden');
  };
  return async (request, reply) => {
    const filter = await parseFilter(dependencies, request);
    assertMayFind(request);
    const after = lastEventIdOf(request);
    streams.assertCapacity(request.ip);
    const stream = new EventResponse({ request, access, model, filter, stallTimeout });
    streams.add(stream, request.ip);
    reply.raw.once('close', () => stream.body.destroy());
    reply.raw.emit(STREAMING);
    const items = open({ filter, after, access: stream.readAccess, signal: stream.signal });
    stream
      .send(items)
      .catch((error: unknown) => {
        const galleyError = toGalleyError(error);
        if (galleyError.kind !== 'unauthorized') logRequestError(request.log, galleyError);
      })
      .finally(() => stream.end());
    return reply
      .header('content-type', 'text/event-stream; charset=utf-8')
      .header('cache-control', 'no-cache, no-transform')
      .header('x-accel-buffering', 'no')
      .send(stream.body);
  };
};

/**
 * Creates the plugin of the endpoint that sends events. The streams are plain `text/event-stream`: the
 * plugins for Fastify that exist neither wait for slow clients nor support all versions of Node.js.
 */
export function createEventPlugin(dependencies: EventDependencies): FastifyPluginAsync {
  const { access, limits, model, prefix } = dependencies;
  return async (fastify: FastifyInstance) => {
    decorateCaller(fastify);
    decoratePassedOn(fastify);
    const streams = new OpenStreams(limits);
    fastify.server.once(DRAINING, streams.close);
    fastify.addHook('onClose', async () => streams.close());
    const handler = createHandler(dependencies, streams);
    registerRoutes(
      fastify,
      { access },
      servedRoutes(model, prefix, eventRoutes(prefix)).map((route) => ({ route, handler, isStrict: true })),
    );
  };
}
