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
    /** The proxies whose `X-Forwarded-*` headers are trusted: how many, or their addresses. False: none. */
    readonly proxy: number | readonly string[] | false;
    /** True if answers are compressed for clients that accept that. */
    readonly compression?: boolean;
  };
  /** The `url` of an SQLite database contains an absolute path: `file:/srv/site/data.db`. */
  readonly database: {
    readonly url: string;
    /** The URL for what needs a session of its own. The same as `url` where there is no pooler. */
    readonly directUrl: string;
    readonly provider: 'sqlite' | 'postgresql';
    /** The URLs of copies that may be read. Empty on SQLite. */
    readonly replicas: readonly string[];
    /** Milliseconds after which a read is ended. 0: never. */
    readonly readTimeout: number;
    /** The most threads for slow reads of SQLite. 0: all reads run in the main thread. */
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
    };
    /** The size of the response cache. 0: none. */
    readonly cache: {
      readonly megabytes: number;
      /** True if the database is asked each time whether anything has changed. */
      readonly isStrict: boolean;
      readonly cachesDrafts: boolean;
    };
    /** True if the permissions `find` and `findOne` cover drafts, as in Strapi. */
    readonly findIncludesDrafts: boolean;
    /** `strapi`: what Strapi does not check either is not checked. */
    readonly validation: 'strict' | 'strapi';
    /** True if required relations and files are checked even then. */
    readonly strictRelations: boolean;
    /** Names that are private in all types and components. */
    readonly privateAttributes: readonly string[];
  };
  readonly i18n: { readonly defaultLocale: string; readonly defaultLocaleName: string };
  /** True if archives of the content are given and taken, and whether they hold users. */
  readonly transfer: { readonly enabled: boolean; readonly users: boolean };
  /** The number of published versions of a document that are kept, for each locale. 0: none. */
  readonly history: { readonly limit: number; readonly types: Readonly<Record<string, number>> };
  /** The webhooks that the file declares, beside those of the database. */
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
    /** The maximum of that for all images of one request together. */
    readonly maxRequestPixels: number;
    /** Content types (`image/*`, `application/pdf`), or the words images, videos, audios, files. */
    readonly allowedTypes: readonly string[];
    readonly deniedTypes: readonly string[];
    /** The longest side of each smaller copy of an image, in pixels, by the name of the copy. */
    readonly breakpoints: Readonly<Record<string, number>>;
    /** The types in which each of these copies is stored, too. */
    readonly formats: readonly ('webp' | 'avif')[];
    /**
     * The values that `/uploads/…?width=…` accepts, so that nobody can have an unlimited number of copies
     * made.
     */
    readonly transforms: {
      /** Widths and heights in pixels. Empty: nothing can be asked for. */
      readonly sizes: readonly number[];
      readonly qualities: readonly number[];
      readonly formats: readonly ('webp' | 'avif' | 'jpeg' | 'png')[];
      /** Bytes that the copies may take. */
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
  /** The environments in which the API's reference is served. */
  readonly docs: 'development' | 'always' | 'never';
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
    /** True if answers of a kilobyte or more are sent compressed to clients that accept that. */
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
    /** The URL of the database itself, where `url` is that of a pooler. Better set by DIRECT_URL. */
    readonly directUrl?: string;
    /** The URLs of copies of a PostgreSQL database that follow it, and may be read. */
    readonly replicas?: readonly string[];
    /** Milliseconds after which a read is ended. 0: never. */
    readonly readTimeout?: number;
    /** The most threads of this process that do slow reads, on SQLite. 0: none. */
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
    };
    /**
     * The size of the response cache in megabytes. 0: none. `strict`: 64, and PostgreSQL is asked at each
     * request whether anything has changed.
     */
    readonly cache?: number | 'strict';
    /** True: responses to `status=draft` are cached, too. */
    readonly cachesDrafts?: boolean;
    /**
     * True if the permissions `find` and `findOne` cover drafts, as in Strapi. Default: reading drafts takes
     * the permission `findDrafts`.
     */
    readonly findIncludesDrafts?: boolean;
    /**
     * The rules that documents are validated by. `strapi`: relations and files may be missing although they
     * are required, and enumerations and booleans are not unique. Default: `strict`, all rules.
     */
    readonly validation?: 'strict' | 'strapi';
    /** With `validation: 'strapi'`: true if required relations and files must still be set. */
    readonly strictRelations?: boolean;
    /** Names that are private in all content-types and components: `['createdAt', 'internalNote']`. */
    readonly privateAttributes?: readonly string[];
  };
  readonly transfer?: {
    /** True if tokens with full access may fetch all content as an archive, and import one. */
    readonly enabled?: boolean;
    /** True if these archives hold users, with the hashes of their passwords. */
    readonly users?: boolean;
  };
  /** The environments in which `/docs` and the OpenAPI document are served. Default: development. */
  readonly docs?: 'development' | 'always' | 'never';
  /** The number of published versions of a document that are kept, for each locale. */
  readonly history?: {
    /** 0: none. Default: 20. */
    readonly limit?: number;
    /** Other numbers for some types: `{ 'api::article.article': 100 }`. */
    readonly types?: Readonly<Record<string, number>>;
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
    /** The maximum number of pixels of all images of a request together. */
    readonly maxRequestPixels?: number;
    /** Content types (`image/*`, `application/pdf`), or the words images, videos, audios, files. */
    readonly allowedTypes?: readonly string[];
    /** Content types that are rejected although `allowedTypes` contains them. */
    readonly deniedTypes?: readonly string[];
    /** The longest side of each smaller copy of an image, in pixels, by the name of the copy. */
    readonly breakpoints?: Readonly<Record<string, number>>;
    /** Types in which each of these copies is stored, too: `thumbnail_webp` beside `thumbnail`. */
    readonly formats?: readonly ('webp' | 'avif')[];
    /** Images as addresses ask for them: `/uploads/….jpg?width=640&format=webp`. */
    readonly transforms?: {
      /** The widths and heights in pixels that may be asked for. Default: none. */
      readonly sizes?: readonly number[];
      /** The qualities that may be asked for. */
      readonly qualities?: readonly number[];
      /** The types that may be asked for. */
      readonly formats?: readonly ('webp' | 'avif' | 'jpeg' | 'png')[];
      /** Bytes that the copies may take on disk. */
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
      /** Better set by the variable S3_SECRET_ACCESS_KEY. */
      readonly secretAccessKey?: string;
    };
  };
  /** True if Prometheus may read figures of the server at `/metrics`, or at which path with which token. */
  readonly metrics?: boolean | { readonly path?: string; readonly token?: string };
  /** Options of plugins by name, such as `graphql`. False switches a plugin off. */
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

/** True if the server shows its API's reference, with the OpenAPI document, to everybody. */
export function servesDocs({ docs, environment }: Pick<Config, 'docs' | 'environment'>): boolean {
  return docs === 'always' || (docs === 'development' && environment === 'development');
}
