import { createAuth } from './auth.js';
import type { Auth } from './auth.js';
import { createContent } from './content.js';
import type { Collection, SingleType } from './content-types.js';
import { createFiles } from './files.js';
import type { Files, UploadOptions } from './files.js';
import { subscribe } from './subscribe.js';
import type { SubscribeOptions } from './subscribe.js';
import { createTransport } from './transport.js';
import type { ClientOptions, Outgoing, RequestOptions } from './transport.js';

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
   * The events of a subscription, until the loop over them is left or `signal` aborts. A connection that
   * breaks is opened again.
   */
  subscribe<Data = unknown, Variables = Readonly<Record<string, unknown>>>(
    document: GraphqlDocument<Data, Variables>,
    variables?: Variables,
    options?: SubscribeOptions,
  ): AsyncGenerator<Data, void>;
  /** Sends any other request. `path` follows the address of the server: `/api/articles/hello`. */
  request<Answer = unknown>(method: string, path: string, outgoing?: Outgoing): Promise<Answer>;
  /** A collection type by its name, also where the client has a member of that name. */
  collection<Name extends keyof Schema['collections'] & string>(
    name: Name,
  ): CollectionOf<Schema['collections'][Name]>;
  /** A single type by its name, also where the client has a member of that name. */
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

/**
 * Creates a client of a server. `Schema` is the `ClientSchema` that `cms generate` writes.
 *
 * @example
 *   const client = createClient<ClientSchema>({ url: 'http://localhost:1337', token });
 *   const { data } = await client.articles.find({ populate: { author: true }, sort: 'title' });
 */
export function createClient<Schema extends SchemaShape>(given: ClientOptions): Client<Schema> {
  const transport = createTransport({ graphqlPath: '/graphql', ...given });
  const { options, send } = transport;
  const content = (name: string): unknown => createContent(transport, name);
  const files = createFiles(transport);
  const base: Readonly<Record<string, unknown>> = {
    auth: createAuth(transport),
    files,
    upload: files.upload,
    graphql: async (query: GraphqlDocument<unknown, never>, variables?: object, rest?: RequestOptions) => {
      const body = { query: query.toString(), variables };
      const answer = await send('POST', `${options.graphqlPath}`, { body, ...rest });
      return (answer as { readonly data: unknown }).data;
    },
    subscribe: (query: GraphqlDocument<unknown, never>, variables?: object, rest?: SubscribeOptions) =>
      subscribe(transport, { query: query.toString(), variables }, rest),
    request: send,
    collection: content,
    single: content,
  };
  return new Proxy(base, {
    get: (_, name) => (typeof name === 'symbol' ? undefined : (base[name] ?? content(name))),
  }) as never;
}
