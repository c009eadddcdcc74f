import { readMessages } from './messages.js';
import { MAX_PAUSE_MS, pause } from './subscribe.js';
import { ApiError, NetworkError, fetchOnce, readResponse, withFetch } from './transport.js';
import type { Transport } from './transport.js';

export interface LiveOptions {
  /** Ends the reads. */
  readonly signal?: AbortSignal;
  /** Called with the error that ends the reads. Default: it is thrown outside of any call. */
  readonly onError?: (error: unknown) => void;
  /**
   * Milliseconds before a broken connection is opened again. The pause doubles before each further attempt,
   * up to 30 seconds. Default: 1000.
   */
  readonly retryPause?: number;
}

const TYPES_HEADER = 'galley-types';
/** Changes in this time lead to one read. */
const BURST_MS = 30;

/** True if the request may succeed later: the server is not reachable or busy. */
const isTemporary = (error: unknown): boolean =>
  error instanceof NetworkError ||
  (error instanceof ApiError && (error.status >= 500 || error.status === 429));

interface KnownResponse {
  readonly etag: string;
  readonly text: string;
}

/** The requests of one read. */
interface TrackedReads {
  readonly transport: Transport;
  /** Returns the types on which the last read depends, and begins another. Null: all types. */
  readonly takeTypes: () => readonly string[] | null;
}

/**
 * Returns a transport that notes the content-types on which responses depend. It validates known responses by
 * their ETag.
 */
const trackReads = (transport: Transport): TrackedReads => {
  const known = new Map<string, KnownResponse>();
  let types: Set<string> | null = new Set();
  const send = transport.options.fetch ?? fetch;
  const tracked = async (url: string, init: RequestInit): Promise<Response> => {
    const last = init.method === 'GET' ? known.get(url) : undefined;
    const headers = {
      ...(init.headers as Record<string, string>),
      [TYPES_HEADER]: 'list',
      ...(last === undefined ? {} : { 'if-none-match': last.etag }),
    };
    const response = await send(url, { ...init, headers });
    const listed = response.headers.get(TYPES_HEADER);
    if (listed === null) types = null;
    else for (const type of listed.split(',')) if (type !== '') types?.add(type);
    if (response.status === 304 && last !== undefined) return new Response(last.text);
    const etag = response.headers.get('etag');
    if (!response.ok || etag === null || init.method !== 'GET') return response;
    const text = await response.text();
    known.set(url, { etag, text });
    return new Response(text);
  };
  return {
    transport: withFetch(transport, tracked as typeof fetch),
    takeTypes: () => {
      const taken = types && [...types].sort();
      types = new Set();
      return taken;
    },
  };
};

/** Connects to the events of the types. Null: of all types. */
const connect = async (
  { options, token, renew }: Transport,
  types: readonly string[] | null,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<ReadableStream<Uint8Array>> => {
  const request = (): Promise<Response> =>
    fetchOnce(options, token(), 'GET', `${options.prefix}/cms/events`, {
      query: { type: types ?? undefined },
      headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
      signal,
    });
  const used = token();
  let response = await request();
  if (response.status === 401 && (await renew(used))) response = await request();
  if (!response.ok) readResponse(response, await response.text());
  if (response.body === null) throw new TypeError('The response has no body.');
  return response.body;
};

interface LiveReadOptions {
  readonly signal: AbortSignal;
  readonly retryPause: number;
}

/** Reads again whenever the content may have changed, and passes each new result to the listener. */
class LiveRead<Result> {
  readonly #transport: Transport;
  readonly #reads: TrackedReads;
  readonly #read: (transport: Transport) => Promise<Result>;
  readonly #listener: (result: Result) => void;
  readonly #options: LiveReadOptions;
  #types: readonly string[] | null = null;
  /** The JSON of the last result. */
  #last: string | undefined;
  #lastEventId: string | undefined;
  #refreshing: Promise<void> | null = null;
  #isOutdated = false;
  #connection = new AbortController();
  #failures = 0;

  constructor(
    transport: Transport,
    read: (transport: Transport) => Promise<Result>,
    listener: (result: Result) => void,
    options: LiveReadOptions,
  ) {
    this.#transport = transport;
    this.#reads = trackReads(transport);
    this.#read = read;
    this.#listener = listener;
    this.#options = options;
    options.signal.addEventListener('abort', () => this.#connection.abort());
  }

  /** Runs until the signal aborts. Throws errors that another attempt would not avoid. */
  async run(): Promise<void> {
    const { signal, retryPause } = this.#options;
    while (!signal.aborted) {
      try {
        if (this.#last === undefined) await this.#readOnce();
        await this.#follow();
      } catch (error) {
        if (signal.aborted) return;
        if (!isTemporary(error)) throw error;
        await pause(Math.min(retryPause * 2 ** this.#failures++, MAX_PAUSE_MS), signal);
      }
    }
  }

  async #readOnce(): Promise<void> {
    const result = await this.#read(this.#reads.transport);
    const types = this.#reads.takeTypes();
    if (this.#options.signal.aborted) return;
    if (JSON.stringify(types) !== JSON.stringify(this.#types)) {
      this.#types = types;
      this.#connection.abort();
    }
    const text = JSON.stringify(result);
    if (text === this.#last) return;
    this.#last = text;
    this.#listener(result);
  }

  /** Follows the events of one connection. The first one is only a position, and what preceded it is read. */
  async #follow(): Promise<void> {
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    // Nothing that the result depends on has events.
    if (this.#types?.length === 0) return pause(MAX_PAUSE_MS, signal);
    let failure: unknown = new NetworkError('The server has ended the events');
    try {
      const body = await connect(this.#transport, this.#types, this.#lastEventId, signal);
      for await (const { id, event } of readMessages(body)) {
        this.#failures = 0;
        if (event !== 'position' || this.#lastEventId === undefined)
          this.#refresh((error) => {
            failure = error;
          });
        this.#lastEventId = id;
      }
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (!signal.aborted) failure = new NetworkError('The events were interrupted', { cause: error });
    }
    await this.#refreshing;
    // The types have changed if nothing has failed.
    if (!signal.aborted || this.#lastEventId === undefined) throw failure;
  }

  /** Reads soon, and once more if something changes meanwhile. */
  #refresh(onError: (error: unknown) => void): void {
    this.#isOutdated = true;
    this.#refreshing ??= this.#refreshAll()
      .catch((error: unknown) => {
        onError(error);
        // The next connection reads, since it does not know from where to continue.
        this.#lastEventId = undefined;
        this.#connection.abort();
      })
      .finally(() => {
        this.#refreshing = null;
      });
  }

  async #refreshAll(): Promise<void> {
    while (this.#isOutdated && !this.#options.signal.aborted) {
      await pause(BURST_MS, this.#options.signal);
      this.#isOutdated = false;
      await this.#readOnce();
    }
  }
}

/**
 * Reads, and reads again whenever content that the result depends on changes. Passes each result that differs
 * from the last one to the listener. Returns a function that ends this.
 */
export function live<Result>(
  transport: Transport,
  read: (transport: Transport) => Promise<Result>,
  listener: (result: Result) => void,
  { signal, retryPause = 1000, onError }: LiveOptions = {},
): () => void {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  if (signal?.aborted === true) end();
  signal?.addEventListener('abort', end);
  const options = { signal: ended.signal, retryPause };
  void new LiveRead(transport, read, listener, options).run().catch((error: unknown) => {
    end();
    if (onError === undefined) throw error;
    onError(error);
  });
  return end;
}
