import type { Readable } from 'node:stream';
import type { JsonValue } from '../../lib/stored-value.js';

/** A content-type or component as Strapi resolved it, generated attributes included. */
export interface SchemaRecord {
  readonly uid: string;
  readonly modelType: 'contentType' | 'component';
  /** Absent from components. */
  readonly kind?: 'collectionType' | 'singleType';
  readonly collectionName?: string;
  readonly modelName?: string;
  readonly globalId?: string;
  readonly plugin?: string;
  readonly info?: Readonly<Record<string, unknown>>;
  readonly options?: Readonly<Record<string, unknown>>;
  readonly pluginOptions?: Readonly<Record<string, unknown>>;
  readonly attributes: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/**
 * One version row. `data` has `documentId`, the times, `locale` and scalar values, with components and
 * dynamic zones nested whole, in order, each with the `id` of its row. Relations and media come as links.
 */
export interface EntityRecord {
  readonly type: string;
  /** The id of the row, which links refer to. */
  readonly id: number;
  readonly data: Readonly<Record<string, JsonValue>>;
}

/** One end of a link. */
export interface LinkEnd {
  /** The uid of a content-type or a component. */
  readonly type: string;
  /** The id of a row; of `localizations`, which importers leave out, a document id. */
  readonly ref: number | string;
  readonly field?: string | null;
  /** A place among other links of the row, and possibly shared with others. */
  readonly pos?: number | null;
}

/** A link between two rows. */
export interface LinkRecord {
  readonly kind: 'relation.basic' | 'relation.circular' | 'relation.morph';
  readonly relation: string;
  /** The owning side. Of media it is the file. */
  readonly left: LinkEnd;
  readonly right: LinkEnd;
}

/** A value of Strapi's store, or a webhook. */
export type ConfigurationRecord =
  | {
      readonly type: 'core-store';
      /** `type` tells Strapi how it stores the value. */
      readonly value: { readonly key: string; readonly value: JsonValue; readonly type?: string };
    }
  | {
      readonly type: 'webhook';
      readonly value: {
        readonly id?: number;
        readonly name: string;
        readonly url: string;
        readonly headers: Readonly<Record<string, string>>;
        readonly events: readonly string[];
        readonly enabled: boolean;
      };
    };

/** A stored file, or a smaller format of one. */
export interface AssetRecord {
  /** `<hash><ext>`. */
  readonly name: string;
  /** What is known of it, such as `mime`. Null where the archive has no description of it. */
  readonly metadata: Readonly<Record<string, JsonValue>> | null;
  readonly size: number;
  open(): Readable;
}

/** An API token, which only databases have. */
export interface ApiTokenRecord {
  readonly name: string;
  readonly description: string;
  readonly type: 'read-only' | 'full-access' | 'custom';
  /** The HMAC-SHA512 of the token with API_TOKEN_SALT, in hexadecimal. */
  readonly accessKey: string;
  /** The actions of a custom token. */
  readonly permissions: readonly string[];
  /** In milliseconds. Null: unlimited. */
  readonly lifespan: number | null;
  /** ISO 8601. */
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/**
 * The content of a Strapi project, whether it is in an archive, a folder or a database. Records are streamed,
 * and each method can be called repeatedly.
 */
export interface StrapiSource {
  /** For messages: `lab.tar.gz`. */
  readonly description: string;
  /** Strapi's. */
  readonly version: string | null;
  /** Changes with the content: whether an interrupted import may go on is told by it. */
  readonly fingerprint: string;
  schemas(): AsyncIterable<SchemaRecord>;
  /** The records of a type follow one another. */
  entities(): AsyncIterable<EntityRecord>;
  links(): AsyncIterable<LinkRecord>;
  configuration(): AsyncIterable<ConfigurationRecord>;
  assets(): AsyncIterable<AssetRecord>;
  apiTokens(): AsyncIterable<ApiTokenRecord>;
  close(): Promise<void>;
}
