export type Environment = 'development' | 'production' | 'test' | 'staging';
export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

/** The project's configuration after defaults, cms.config.* and environment are merged; frozen. Paths are absolute. */
export interface Config {
  readonly root: string;
  /** The cms.config.* that was read; null where the project has none. */
  readonly file: string | null;
  readonly server: {
    readonly host: string;
    readonly port: number;
    /** Where people reach the server, for links in messages: `https://api.example.com`. Empty: at its host and port. */
    readonly url?: string;
    /** Bytes of a JSON body. */
    readonly bodyLimit: number;
    readonly cors: { readonly origin: readonly string[] | '*' | false; readonly credentials: boolean };
    /** Whether `X-Forwarded-*` headers are believed. */
    readonly proxy: boolean;
  };
  /** `url` of an SQLite database holds an absolute path: `file:/srv/site/data.db`. */
  readonly database: { readonly url: string; readonly provider: 'sqlite' | 'postgresql' };
  readonly api: { readonly rest: { readonly prefix: string; readonly defaultLimit: number; readonly maxLimit: number; readonly populateDepth: number; readonly maxNodes: number } };
  readonly i18n: { readonly defaultLocale: string; readonly defaultLocaleName: string };
  readonly upload: {
    /** Holds uploaded files where `provider` is `local`. */
    readonly directory: string;
    /** Bytes of one file. */
    readonly sizeLimit: number;
    /** Files of one request. */
    readonly maxFiles: number;
    /** Width times height of an image. */
    readonly maxPixels: number;
    /** Content types (`image/*`, `application/pdf`), or the words images, videos, audios, files. */
    readonly allowedTypes: readonly string[];
    readonly deniedTypes: readonly string[];
    /** Longest side, in pixels, of the smaller copies of an image. */
    readonly breakpoints: Readonly<Record<string, number>>;
    readonly provider: 'local' | 's3';
    /** Text that is not set is empty. `baseUrl` is where clients read, if not at the endpoint. */
    readonly s3: {
      readonly bucket: string;
      readonly region: string;
      readonly endpoint: string;
      readonly prefix: string;
      readonly baseUrl: string;
      readonly forcePathStyle: boolean;
      readonly accessKeyId: string;
      readonly secretAccessKey: string;
    };
  };
  readonly plugins: Readonly<Record<string, { readonly enabled: boolean; readonly config: Readonly<Record<string, unknown>> }>>;
  readonly logLevel: LogLevel;
  readonly environment: Environment;
  readonly secrets: { readonly jwtSecret: string | null; readonly apiTokenSalt: string | null };
  readonly rateLimit: boolean;
}

type DeepPartial<T> = { readonly [Key in keyof T]?: T[Key] extends readonly unknown[] | string | number | boolean ? T[Key] : T[Key] extends object ? DeepPartial<T[Key]> : T[Key] };

/**
 * What cms.config.* exports: every key may be left out.
 *
 * @example
 * export default defineConfig({ server: { port: 8080 }, api: { rest: { maxLimit: 500 } } });
 */
export interface ConfigInput {
  readonly server?: { readonly host?: string; readonly port?: number; readonly url?: string; readonly bodyLimit?: number; readonly proxy?: boolean; readonly cors?: Partial<Config['server']['cors']> };
  readonly database?: { readonly url?: string };
  readonly api?: DeepPartial<Config['api']>;
  readonly i18n?: Partial<Config['i18n']>;
  readonly upload?: Partial<Omit<Config['upload'], 's3'>> & { readonly s3?: Partial<Config['upload']['s3']> };
  readonly plugins?: Readonly<Record<string, boolean | { readonly enabled?: boolean; readonly config?: Readonly<Record<string, unknown>> }>>;
  readonly logLevel?: LogLevel;
}

/** What a command's flags and its nature say; beats environment and file. */
export interface ConfigOverrides {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly databaseUrl?: string | undefined;
  readonly logLevel?: LogLevel | undefined;
  /** The environment where NODE_ENV does not say: `production` for `cms start`. Unset: development. */
  readonly environmentDefault?: Environment | undefined;
}
