import type { CacheControlInput, TagHeader } from './cache-settings.js';
import type { CheckLevel } from './settings.js';
import type { CorsConfig, CorsInput, MetricsConfig } from './server-settings.js';
import type { WebhookInput } from './webhook-settings.js';

type Environment = 'development' | 'production' | 'test' | 'staging';
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/**
 * The project's configuration, merged from defaults, cms.config.* and the environment. Frozen. Paths are
 * absolute.
 */
export interface Config {
  readonly root: string;
  /** The path of the cms.config.* file. Null if the project has none. */
  readonly file: string | null;
  readonly server: {
    readonly host: string;
    readonly port: number;
    /** The public URL, without a slash at its end. It may have a path. Empty: host and port are used. */
    readonly url?: string;
    /** The maximum size of a JSON body, in bytes. */
    readonly bodyLimit: number;
    readonly cors: CorsConfig;
    /** Options of helmet for the security headers of every response. */
    readonly security?: Readonly<Record<string, unknown>>;
    /** Headers of every response, by their names in lower case. */
    readonly headers?: Readonly<Record<string, string>>;
    /** The proxies whose `X-Forwarded-*` headers are trusted: their number or addresses. False: none. */
    readonly proxy: number | readonly string[] | false;
    /** True if responses are compressed for clients that accept it. */
    readonly compression?: boolean;
  };
  /** The `url` of an SQLite database contains an absolute path: `file:/srv/site/data.db`. */
  readonly database: {
    readonly url: string;
    /** The URL for tasks that need a session. The same as `url` without a pooler. */
    readonly directUrl: string;
    readonly provider: 'sqlite' | 'postgresql';
    /** The URLs of copies that may be read. Empty on SQLite. */
    readonly replicas: readonly string[];
    /** Milliseconds after which a read is canceled. 0: never. */
    readonly readTimeout: number;
    /** The maximum number of threads for slow reads of SQLite. 0: all reads run in the main thread. */
    readonly readThreads: number;
  };
  readonly api: {
    readonly rest: {
      readonly prefix: string;
      readonly defaultLimit: number;
      readonly maxLimit: number;
      readonly populateDepth: number;
      readonly maxNodes: number;
      readonly maxRecords: number;
      readonly maxBulk: number;
      /** True if reads reject unknown query parameters. */
      readonly strictParams: boolean;
    };
    /** The size of the response cache. 0: none. */
    readonly cache: {
      readonly megabytes: number;
      /** True if each request asks the database for changes. */
      readonly isStrict: boolean;
      readonly cachesDrafts: boolean;
    };
    /** True if the permissions `find` and `findOne` cover drafts, as in Strapi. */
    readonly findIncludesDrafts: boolean;
    /** `strapi`: checks that Strapi omits are omitted. */
    readonly validation: 'strict' | 'strapi';
    /** True if required relations and files are checked even with `strapi`. */
    readonly strictRelations: boolean;
    /** Names that are private in all types and components. */
    readonly privateAttributes: readonly string[];
  };
  /** The headers of public responses for shared caches. */
  readonly cache: {
    readonly tags: readonly TagHeader[];
    /** By the uid of a type, or `*`. */
    readonly control: Readonly<Record<string, CacheControlInput>>;
  };
  readonly i18n: { readonly defaultLocale: string; readonly defaultLocaleName: string };
  /** `checks`: levels of rules by name. `links`: addresses of documents by the uid of their type. */
  readonly content: {
    readonly checks: Readonly<Record<string, CheckLevel>>;
    readonly links: Readonly<Record<string, string>>;
  };
  /** `enabled`: archives can be downloaded and imported over HTTP. `users`: they contain users. */
  readonly transfer: { readonly enabled: boolean; readonly users: boolean };
  /** The number of published versions of a document that are kept, for each locale. 0: none. */
  readonly history: { readonly limit: number; readonly types: Readonly<Record<string, number>> };
  /** `hours`: the time for which changes are kept for clients that reconnect. */
  readonly events: {
    readonly hours: number;
    /** The maximum number of clients of one process. */
    readonly maxStreams: number;
    readonly maxStreamsPerAddress: number;
  };
  /** `days`: the time after which deleted documents are deleted for good. 0: immediately. */
  readonly trash: { readonly days: number };
  /** The log of writes and sign-ins. Nothing is logged if `days` or `rows` is 0. */
  readonly log: { readonly days: number; readonly rows: number; readonly addresses: boolean };
  /** The webhooks that the file declares, in addition to those of the database. */
  readonly webhooks: readonly WebhookInput[];
  readonly upload: {
    /** The folder of uploaded files, if `provider` is `local`. */
    readonly directory: string;
    /** The maximum size of a file, in bytes. */
    readonly sizeLimit: number;
    /** The maximum number of files in a request. */
    readonly maxFiles: number;
    /** The maximum of width times height of an image. */
    readonly maxPixels: number;
    /** The maximum number of pixels of all images of one request. */
    readonly maxRequestPixels: number;
    /** Content types (`image/*`, `application/pdf`), or the words images, videos, audios, files. */
    readonly allowedTypes: readonly string[];
    readonly deniedTypes: readonly string[];
    /** The longest side of each smaller copy of an image, in pixels, by the name of the copy. */
    readonly breakpoints: Readonly<Record<string, number>>;
    /** The types in which each of these copies is stored in addition. */
    readonly formats: readonly ('webp' | 'avif')[];
    /** The values that `/uploads/…?width=…` accepts, which limit the copies that clients can create. */
    readonly transforms: {
      /** Widths and heights in pixels. Empty: images cannot be resized. */
      readonly sizes: readonly number[];
      readonly qualities: readonly number[];
      readonly formats: readonly ('webp' | 'avif' | 'jpeg' | 'png')[];
      /** Bytes of disk space for the copies. */
      readonly cacheSize: number;
    };
    readonly provider: 'local' | 's3';
    /** Texts that are not set are empty. Clients read files at `baseUrl` if it is set. */
    readonly s3: {
      readonly bucket: string;
      readonly region: string;
      readonly endpoint: string;
      readonly prefix: string;
      readonly baseUrl: string;
      readonly forcePathStyle: boolean;
      readonly acl?: string;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
    };
  };
  /** The endpoint of the server's metrics. Null: there is none. */
  readonly metrics?: MetricsConfig | null;
  readonly plugins: Readonly<
    Record<string, { readonly enabled: boolean; readonly config: Readonly<Record<string, unknown>> }>
  >;
  /** The environments that serve the API reference. */
  readonly docs: 'development' | 'always' | 'never';
  /** The tools for clients of the Model Context Protocol. */
  readonly mcp: {
    readonly enabled: 'development' | 'always' | 'never';
    readonly allowDelete: boolean;
    /** The maximum size of a response, in tokens of four characters. */
    readonly maxTokens: number;
  };
  readonly logLevel: LogLevel;
  readonly environment: Environment;
  readonly secrets: {
    readonly jwtSecret: string | null;
    readonly apiTokenSalt: string | null;
    /** `key` and `secret` by the name of the provider, from the environment. */
    readonly providers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
  readonly rateLimit: boolean;
}

/**
 * The export of cms.config.*. Every key may be omitted. docs/configuration.md lists the defaults.
 *
 * @example
 *   export default defineConfig({ server: { port: 8080 }, api: { rest: { maxLimit: 500 } } });
 */
export interface ConfigInput {
  readonly server?: {
    /** The address to listen on, such as `0.0.0.0`. */
    readonly host?: string;
    /** The port to listen on. 0: any free port. */
    readonly port?: number;
    /**
     * The public URL of the server, for links in messages. Its path, if it has one, also stands before the
     * URLs of uploaded files. Default: host and port.
     */
    readonly url?: string;
    /** The maximum size of a JSON body, in bytes. */
    readonly bodyLimit?: number;
    /**
     * The proxies whose `X-Forwarded-*` headers are trusted: their number, or their addresses and networks
     * such as `10.0.0.0/8`. True: one proxy.
     */
    readonly proxy?: boolean | number | readonly string[];
    /** True if responses of a kilobyte or more are compressed for clients that accept it. */
    readonly compression?: boolean;
    readonly cors?: CorsInput;
    /** Options of helmet for the security headers of every response. */
    readonly security?: Readonly<Record<string, unknown>>;
    /** Headers that every response has. */
    readonly headers?: Readonly<Record<string, string>>;
  };
  readonly database?: {
    /** `file:./data.db` for SQLite, or `postgresql://user:password@host:5432/name`. */
    readonly url?: string;
    /** The URL of the database itself, if `url` is that of a pooler. Prefer the variable DIRECT_URL. */
    readonly directUrl?: string;
    /** The URLs of replicas of a PostgreSQL database, which content is read from. */
    readonly replicas?: readonly string[];
    /** Milliseconds after which a read is canceled. 0: never. */
    readonly readTimeout?: number;
    /** The maximum number of threads of this process for slow reads of SQLite. 0: none. */
    readonly readThreads?: number;
  };
  readonly api?: {
    readonly rest?: {
      /** The path before all REST routes, such as `/api`. */
      readonly prefix?: string;
      /** The page size if a request does not set one. */
      readonly defaultLimit?: number;
      /** The maximum page size. */
      readonly maxLimit?: number;
      /** The maximum depth of nested `populate`. */
      readonly populateDepth?: number;
      /** The maximum number of attributes that one request populates, filters and sorts by. */
      readonly maxNodes?: number;
      readonly maxRecords?: number;
      /** The maximum number of items that one bulk request writes. */
      readonly maxBulk?: number;
      /** True: reads reject unknown query parameters, as writes always do. Default: false. */
      readonly strictParams?: boolean;
    };
    /**
     * The size of the response cache in megabytes. 0: none. `strict`: 64, and each request asks PostgreSQL
     * for changes.
     */
    readonly cache?: number | 'strict';
    /** True: responses to `status=draft` are cached, too. */
    readonly cachesDrafts?: boolean;
    /**
     * True if the permissions `find` and `findOne` cover drafts, as in Strapi. Default: reading drafts
     * requires the permission `findDrafts`.
     */
    readonly findIncludesDrafts?: boolean;
    /**
     * The validation rules of documents. `strapi`: required relations and files may be missing, and the
     * uniqueness of enumerations and booleans is not checked. Default: `strict`, all rules.
     */
    readonly validation?: 'strict' | 'strapi';
    /** With `validation: 'strapi'`: true if required relations and files must still be set. */
    readonly strictRelations?: boolean;
    /** Names that are private in all content-types and components: `['createdAt', 'internalNote']`. */
    readonly privateAttributes?: readonly string[];
  };
  /** The headers of public responses for shared caches. */
  readonly cache?: {
    /** The headers that list the documents and lists on which a response depends: `['Cache-Tag']`. */
    readonly tags?: readonly TagHeader[];
    /** Times in seconds: `{ 'api::article.article': { maxAge: 0, sMaxAge: 86_400 } }`. */
    readonly control?: Readonly<Record<string, CacheControlInput>>;
  };
  /** Settings of `cms content check`. */
  readonly content?: {
    /** The levels of rules: `{ 'missing-alt-text': 'error', 'unused-file': 'off' }`. */
    readonly checks?: Readonly<Record<string, CheckLevel>>;
    /** The addresses of documents in the front end: `{ 'api::article.article': '/articles/:slug' }`. */
    readonly links?: Readonly<Record<string, string>>;
  };
  readonly transfer?: {
    /** True if tokens with full access may download all content as an archive, and import one. */
    readonly enabled?: boolean;
    /** True if these archives contain users, with the hashes of their passwords. */
    readonly users?: boolean;
  };
  /** The environments in which `/docs` and the OpenAPI document are served. Default: development. */
  readonly docs?: 'development' | 'always' | 'never';
  /** The tools for clients of the Model Context Protocol. */
  readonly mcp?: {
    /** The environments that serve `/mcp`. Default: development. */
    readonly enabled?: 'development' | 'always' | 'never';
    /** True if clients may delete documents. */
    readonly allowDelete?: boolean;
    /** The maximum size of a response, in tokens of four characters. Default: 8000. */
    readonly maxTokens?: number;
  };
  /** The number of published versions of a document that are kept, for each locale. */
  readonly history?: {
    /** 0: none. Default: 20. */
    readonly limit?: number;
    /** Different limits for some types: `{ 'api::article.article': 100 }`. */
    readonly types?: Readonly<Record<string, number>>;
  };
  /** Events of `/api/events`. */
  readonly events?: {
    /** Hours for which changes are kept for clients that reconnect. Default: 24. */
    readonly hours?: number;
    /** The maximum number of clients of one process. Default: 5000. */
    readonly maxStreams?: number;
    /** The maximum number of clients with one IP address. Default: 200. */
    readonly maxStreamsPerAddress?: number;
  };
  /** Deleted documents and files, which can be restored. */
  readonly trash?: {
    /** Days after which they are deleted for good. 0: immediately. Default: 30. */
    readonly days?: number;
  };
  /** The log of writes, sign-ins and rejected attempts. */
  readonly log?: {
    /** The number of days for which rows are kept. 0: nothing is logged. Default: 90. */
    readonly days?: number;
    /** The maximum number of rows. 0: nothing is logged. Default: 1,000,000. */
    readonly rows?: number;
    /** True: rows contain the IP addresses of clients. Default: true. */
    readonly addresses?: boolean;
  };
  /** Receivers of events, in addition to those that `cms webhook add` keeps in the database. */
  readonly webhooks?: readonly WebhookInput[];
  readonly i18n?: {
    /** The code of a new project's locale, such as `pt-BR`. */
    readonly defaultLocale?: string;
    /** The name of that locale. Default: the English name of its code. */
    readonly defaultLocaleName?: string;
  };
  readonly upload?: {
    /** The folder of uploaded files, relative to the project. Used by the provider `local`. */
    readonly directory?: string;
    /** The maximum size of a file, in bytes. */
    readonly sizeLimit?: number;
    /** The maximum number of files in a request. */
    readonly maxFiles?: number;
    /** The maximum number of pixels of an image: width times height. */
    readonly maxPixels?: number;
    /** The maximum number of pixels of all images of a request. */
    readonly maxRequestPixels?: number;
    /** Content types (`image/*`, `application/pdf`), or the words images, videos, audios, files. */
    readonly allowedTypes?: readonly string[];
    /** Content types that are rejected even if `allowedTypes` contains them. */
    readonly deniedTypes?: readonly string[];
    /** The longest side of each smaller copy of an image, in pixels, by the name of the copy. */
    readonly breakpoints?: Readonly<Record<string, number>>;
    /** Types in which each of these copies is stored in addition: `thumbnail_webp` besides `thumbnail`. */
    readonly formats?: readonly ('webp' | 'avif')[];
    /** Images that are resized and converted on request: `/uploads/….jpg?width=640&format=webp`. */
    readonly transforms?: {
      /** The widths and heights that clients may request, in pixels. Default: none. */
      readonly sizes?: readonly number[];
      /** The qualities that clients may request. */
      readonly qualities?: readonly number[];
      /** The types that clients may request. */
      readonly formats?: readonly ('webp' | 'avif' | 'jpeg' | 'png')[];
      /** Bytes of disk space for the copies. */
      readonly cacheSize?: number;
    };
    /** The storage of files. */
    readonly provider?: 'local' | 's3';
    readonly s3?: {
      /** The name of the bucket. Required if `provider` is `s3`. */
      readonly bucket?: string;
      readonly region?: string;
      /** The URL of a service other than Amazon S3. */
      readonly endpoint?: string;
      /** The path before the names of objects, with a slash at the end. */
      readonly prefix?: string;
      /** The URL at which clients read files. Default: the endpoint. */
      readonly baseUrl?: string;
      /** True if URLs contain the bucket in the path instead of the host name. */
      readonly forcePathStyle?: boolean;
      /** The ACL of each object, such as `public-read`. Default: that of the bucket. */
      readonly acl?: string;
      /** Default: the credentials of the machine. */
      readonly accessKeyId?: string;
      /** Prefer the variable S3_SECRET_ACCESS_KEY. */
      readonly secretAccessKey?: string;
    };
  };
  /** True if the server serves Prometheus metrics at `/metrics`. An object sets the path and the token. */
  readonly metrics?: boolean | { readonly path?: string; readonly token?: string };
  /** Options of plugins by name, such as `graphql`. False disables a plugin. */
  readonly plugins?: Readonly<
    Record<
      string,
      boolean | { readonly enabled?: boolean; readonly config?: Readonly<Record<string, unknown>> }
    >
  >;
  /** The lowest level of messages that are logged. */
  readonly logLevel?: LogLevel;
}

/** Settings from the flags of a command. They take precedence over environment and config file. */
export interface ConfigOverrides {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly databaseUrl?: string | undefined;
  readonly logLevel?: LogLevel | undefined;
  /** The environment if NODE_ENV is not set: `production` for `cms start`. Default: development. */
  readonly environmentDefault?: Environment | undefined;
}

/** True if the server serves the API reference and the OpenAPI document. */
export function servesDocs({ docs, environment }: Pick<Config, 'docs' | 'environment'>): boolean {
  return docs === 'always' || (docs === 'development' && environment === 'development');
}

/** True if the server serves the Model Context Protocol. */
export function servesMcp({ mcp: { enabled }, environment }: Pick<Config, 'mcp' | 'environment'>): boolean {
  return enabled === 'always' || (enabled === 'development' && environment === 'development');
}
