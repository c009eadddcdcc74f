import type { Query } from '../../generate/typegen/declarations/query.js';
import { createContent } from './content.js';
import type { Collection, SingleType } from './content.js';
import { NotFoundError, createTransport } from './transport.js';
import type { ClientOptions, Outgoing, RequestOptions, Session, Transport } from './transport.js';
import { live } from './live.js';
import type { LiveOptions } from './live.js';
import { subscribe } from './subscribe.js';
import type { SubscribeOptions } from './subscribe.js';

/** A signed-in user. The JWT is missing if the e-mail address must be confirmed first. */
export interface SignedIn<User> extends Partial<Session> {
  readonly user: User;
}

export interface Auth<User> {
  /** The session, or null if no user is signed in. */
  readonly session: Session | null;
  /** Sets a session that was created outside this client, or clears it. */
  use(session: Session | null): void;
  signIn(
    credentials: { readonly identifier: string; readonly password: string },
    options?: RequestOptions,
  ): Promise<SignedIn<User>>;
  register(
    account: {
      readonly username: string;
      readonly email: string;
      readonly password: string;
      readonly [attribute: string]: unknown;
    },
    options?: RequestOptions,
  ): Promise<SignedIn<User>>;
  forgotPassword(body: { readonly email: string }, options?: RequestOptions): Promise<void>;
  resetPassword(
    body: { readonly code: string; readonly password: string; readonly passwordConfirmation: string },
    options?: RequestOptions,
  ): Promise<SignedIn<User>>;
  changePassword(
    body: {
      readonly currentPassword: string;
      readonly password: string;
      readonly passwordConfirmation: string;
    },
    options?: RequestOptions,
  ): Promise<SignedIn<User>>;
  sendConfirmation(body: { readonly email: string }, options?: RequestOptions): Promise<void>;
  /** Renews the session. Resolves to true if it is still valid. Requests renew it automatically. */
  refresh(): Promise<boolean>;
  /** Returns the signed-in user. */
  me(query?: { readonly populate?: unknown }, options?: RequestOptions): Promise<User>;
  /** Ends the session, even if the server cannot be reached. */
  signOut(options?: RequestOptions): Promise<void>;
}

/** Creates the operations for signing up, in and out, and for passwords. */
function createAuth({ options: { prefix, cookies }, send, sessions, renew }: Transport): Auth<never> {
  const post =
    (path: string, isAnonymous = true) =>
    (body: object, options?: RequestOptions): Promise<unknown> =>
      send('POST', `${prefix}/auth/${path}`, { body, isAnonymous, ...options });
  const start =
    (path: string, isAnonymous?: boolean) =>
    async (body: object, options?: RequestOptions): Promise<unknown> => {
      const signedIn = (await post(path, isAnonymous)(body, options)) as SignedIn<unknown>;
      const { jwt, refreshToken } = signedIn;
      if (jwt !== undefined) sessions.set({ jwt, ...(refreshToken && { refreshToken }) });
      return signedIn;
    };
  const auth = {
    get session() {
      return sessions.get();
    },
    use: sessions.set,
    signIn: start('local'),
    register: start('local/register'),
    forgotPassword: post('forgot-password'),
    resetPassword: start('reset-password'),
    changePassword: start('change-password', false),
    sendConfirmation: post('send-email-confirmation'),
    refresh: () => renew(sessions.get()?.jwt),
    me: (query?: object, options?: RequestOptions) =>
      send('GET', `${prefix}/users/me`, { query, ...options }),
    signOut: async (options?: RequestOptions) => {
      const session = sessions.get();
      try {
        if (session !== null || cookies) await post('logout', false)({}, options);
      } catch (error) {
        // Strapi has no such endpoint for sessions without refresh tokens.
        if (!(error instanceof NotFoundError)) throw error;
      } finally {
        sessions.set(null);
      }
    },
  };
  return auth as never;
}

/** The metadata of a file that clients may set. */
export interface FileInfo {
  readonly name?: string;
  readonly alternativeText?: string | null;
  readonly caption?: string | null;
  /** The point of an image that crops keep, in percent. */
  readonly focalPoint?: { readonly x: number; readonly y: number } | null;
}

export interface UploadOptions extends RequestOptions {
  /** One object for all files, or one for each file. */
  readonly info?: FileInfo | readonly FileInfo[];
  /** The attribute of a document to link the files to. `ref` is the uid of its content-type. */
  readonly link?: { readonly ref: string; readonly refId: string | number; readonly field: string };
}

/** The media library. */
export interface Files<File> {
  upload(files: Blob | readonly Blob[], options?: UploadOptions): Promise<File[]>;
  find(
    query?: Pick<Query<File>, 'filters' | 'sort' | 'pagination'>,
    options?: RequestOptions,
  ): Promise<File[]>;
  findOne(id: number, options?: RequestOptions): Promise<File>;
  /** Updates the metadata of a file, and replaces its content if `content` is given. */
  update(id: number, info: FileInfo, content?: Blob | null, options?: RequestOptions): Promise<File>;
  /** Deletes a file with its links. Returns the deleted file. */
  delete(id: number, options?: RequestOptions): Promise<File>;
}

/** Creates the operations of the media library. */
function createFiles({ send, options: { prefix } }: Transport): Files<never> {
  const path = `${prefix}/upload`;
  const post = (
    query: object,
    files: readonly Blob[],
    fields: Readonly<Record<string, string | number | object | undefined>>,
    options?: RequestOptions,
  ): Promise<unknown> => {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined)
        body.append(name, typeof value === 'object' ? JSON.stringify(value) : `${value}`);
    for (const file of files) body.append('files', file);
    return send('POST', path, { query, body, ...options });
  };
  const files = {
    upload: (given: Blob | readonly Blob[], { info, link, ...options }: UploadOptions = {}) =>
      post({}, [given].flat(), { fileInfo: info, ...link }, options),
    find: (query?: object, options?: RequestOptions) => send('GET', `${path}/files`, { query, ...options }),
    findOne: (id: number, options?: RequestOptions) => send('GET', `${path}/files/${id}`, options),
    update: (id: number, info: FileInfo, content?: Blob | null, options?: RequestOptions) =>
      post({ id }, content ? [content] : [], { fileInfo: info }, options),
    delete: (id: number, options?: RequestOptions) => send('DELETE', `${path}/files/${id}`, options),
  };
  return files as never;
}

/** The shape of `ClientSchema` in a project's types/ folder. */
export interface SchemaShape {
  readonly collections: object;
  readonly singleTypes: object;
  readonly file: object;
  readonly user: object;
}

/** A GraphQL document: its text, or the typed document of a code generator. */
export type GraphqlDocument<Data, Variables> =
  | string
  | { toString(): string; readonly __apiType?: (variables: Variables) => Data };

type DocumentOf<Entry> = Entry extends { document: infer Document } ? Document : never;
type InputOf<Entry> = Entry extends { input: infer Input } ? Input : never;
type CollectionOf<Entry> = Collection<DocumentOf<Entry>, InputOf<Entry>>;
type SingleTypeOf<Entry> = SingleType<DocumentOf<Entry>, InputOf<Entry>>;

/** The members of every client, independent of its content-types. */
export interface ClientBase<Schema extends SchemaShape> {
  readonly auth: Auth<Schema['user']>;
  readonly files: Files<Schema['file']>;
  upload(files: Blob | readonly Blob[], options?: UploadOptions): Promise<Schema['file'][]>;
  graphql<Data = unknown, Variables = Readonly<Record<string, unknown>>>(
    document: GraphqlDocument<Data, Variables>,
    variables?: Variables,
    options?: RequestOptions,
  ): Promise<Data>;
  /**
   * Yields the events of a subscription until the loop ends or `signal` aborts. A broken connection is opened
   * again.
   */
  subscribe<Data = unknown, Variables = Readonly<Record<string, unknown>>>(
    document: GraphqlDocument<Data, Variables>,
    variables?: Variables,
    options?: SubscribeOptions,
  ): AsyncGenerator<Data, void>;
  /**
   * Calls `listener` with the result of `read`, and with each later one that differs, whenever content that
   * it depends on changes. `read` uses the client that is passed to it. Returns a function that ends this.
   *
   * @example
   *   const end = client.live(({ articles }) => articles.find({ sort: 'title' }), ({ data }) => show(data));
   */
  live<Result>(
    read: (client: Client<Schema>) => Promise<Result>,
    listener: (result: Result) => void,
    options?: LiveOptions,
  ): () => void;
  /** Sends any other request. `path` is relative to the URL of the server: `/api/articles/hello`. */
  request<Body = unknown>(method: string, path: string, outgoing?: Outgoing): Promise<Body>;
  /** Returns a collection type by name, even if the client has a member of that name. */
  collection<Name extends keyof Schema['collections'] & string>(
    name: Name,
  ): CollectionOf<Schema['collections'][Name]>;
  /** Returns a single type by name, even if the client has a member of that name. */
  single<Name extends keyof Schema['singleTypes'] & string>(
    name: Name,
  ): SingleTypeOf<Schema['singleTypes'][Name]>;
}

/** A client of one server, with a member for each content-type by its name in the URL. */
export type Client<Schema extends SchemaShape> = ClientBase<Schema> & {
  readonly [Name in Exclude<keyof Schema['collections'], keyof ClientBase<Schema>>]: CollectionOf<
    Schema['collections'][Name]
  >;
} & {
  readonly [Name in Exclude<keyof Schema['singleTypes'], keyof ClientBase<Schema>>]: SingleTypeOf<
    Schema['singleTypes'][Name]
  >;
};

const clientOf = <Schema extends SchemaShape>(transport: Transport): Client<Schema> => {
  const { options, send } = transport;
  const content = (name: string): unknown => createContent(transport, name);
  const files = createFiles(transport);
  const base: Readonly<Record<string, unknown>> = {
    auth: createAuth(transport),
    files,
    upload: files.upload,
    graphql: async (query: GraphqlDocument<unknown, never>, variables?: object, rest?: RequestOptions) => {
      const body = { query: query.toString(), variables };
      const result = await send('POST', `${options.graphqlPath}`, { body, ...rest });
      return (result as { readonly data: unknown }).data;
    },
    subscribe: (query: GraphqlDocument<unknown, never>, variables?: object, rest?: SubscribeOptions) =>
      subscribe(transport, { query: query.toString(), variables }, rest),
    live: <Result>(
      read: (client: Client<Schema>) => Promise<Result>,
      listener: (result: Result) => void,
      rest?: LiveOptions,
    ) => live(transport, (tracked) => read(clientOf(tracked)), listener, rest),
    request: send,
    collection: content,
    single: content,
  };
  return new Proxy(base, {
    get: (_, name) => (typeof name === 'symbol' ? undefined : (base[name] ?? content(name))),
  }) as never;
};

/**
 * Creates a client of a server. `Schema` is the `ClientSchema` that `cms generate` writes. content.ts has the
 * operations of content-types, transport.ts sends requests, subscribe.ts reads the events of subscriptions,
 * and live.ts those of changes.
 *
 * @example
 *   const client = createClient<ClientSchema>({ url: 'http://localhost:1337', token });
 *   const { data } = await client.articles.find({ populate: { author: true }, sort: 'title' });
 */
export function createClient<Schema extends SchemaShape>(given: ClientOptions): Client<Schema> {
  return clientOf(createTransport({ graphqlPath: '/graphql', ...given }));
}
