/**
 * The room transfer moves content in and out. Archives, exports and databases yield it in the form that this
 * file declares.
 */
import type { Readable } from 'node:stream';
import type { StoredWebhook } from '../api/webhooks/webhook.js';
import type { ScheduledAction } from '../documents/schedules/schedule-store.js';
import type { JsonValue } from '../lib/stored-value.js';
import { FILE_UID, USER_UID } from '../model/content-types/builtin-types.js';
import type { VersionStatus } from '../model/model.js';

/** The key of the folders of Strapi's media library: {@link StoredFolders}. */
export const FOLDERS_KEY = 'strapi/folders';

/** A folder of the media library. `parent` is a document id; null: at the root. */
export interface StoredFolder {
  readonly documentId: string;
  readonly name: string;
  readonly pathId: number;
  readonly parent: string | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

/** The folders, and the folder of each file, by document ids. Other files are at the root. */
export interface StoredFolders {
  readonly folders: readonly StoredFolder[];
  readonly files: Readonly<Record<string, string>>;
}

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
  /** The unchanged schema file from which the other members were resolved. Absent from Strapi's exports. */
  readonly source?: Readonly<Record<string, unknown>>;
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
  /**
   * The links that the version owns, by attribute and in order. If absent, as in data of Strapi, links are
   * separate records. If present, components hold document ids.
   */
  readonly links?: Readonly<Record<string, readonly DocumentLink[]>>;
}

/** A link to a document, which need not have a version that the link's owner shows. */
export interface DocumentLink {
  /** The uid of the target. */
  readonly type: string;
  readonly documentId: string;
  /** The status of the linked version, if the owner has no drafts. */
  readonly status?: VersionStatus;
  readonly locale?: string;
  /** In the owner's list. */
  readonly position: number;
  /** In the list of the inverse side. */
  readonly inversePosition?: number;
}

/** One end of a link. */
export interface LinkEnd {
  /** The uid of a content-type or a component. */
  readonly type: string;
  /** The id of a row; of `localizations`, which importers leave out, a document id. */
  readonly ref: number | string;
  readonly field?: string | null;
  /** The position among the links of the row. Several links may have the same. */
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

/** A webhook in Strapi's form, with the settings that only Galley has. Its secret stays in the database. */
export interface WebhookRecord extends Omit<StoredWebhook, 'id' | 'isEnabled' | 'types' | 'secret'> {
  readonly id?: number;
  readonly enabled: boolean;
  /** The uids of the content-types whose events it receives. Null, empty or absent: all. */
  readonly contentTypes?: readonly string[] | null;
}

/** A value of Strapi's store, or a webhook. */
export type ConfigurationRecord =
  | {
      readonly type: 'core-store';
      /** `type` is the type under which Strapi stores the value. */
      readonly value: { readonly key: string; readonly value: JsonValue; readonly type?: string };
    }
  | { readonly type: 'webhook'; readonly value: WebhookRecord };

/** A stored file, or a smaller format of one. */
export interface AssetRecord {
  /** `<hash><ext>`. */
  readonly name: string;
  /** Metadata of the file, such as `mime`. Null if the archive does not describe the file. */
  readonly metadata: Readonly<Record<string, JsonValue>> | null;
  readonly size: number;
  open(): Readable;
}

/** An API token, which only databases have. */
export interface ApiTokenRecord {
  readonly name: string;
  readonly description: string;
  readonly type: 'read-only' | 'full-access' | 'custom' | 'preview';
  /** The HMAC-SHA512 of the token with API_TOKEN_SALT, in hexadecimal. */
  readonly accessKey: string;
  /** The actions of a custom token, or what a preview token may read. */
  readonly permissions: readonly string[];
  /** In milliseconds. Null: unlimited. */
  readonly lifespan: number | null;
  /** ISO 8601. */
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** One locale of a document. */
interface LocaleRecord {
  readonly type: string;
  readonly documentId: string;
  /** Empty for types that are not localized. */
  readonly locale: string;
}

/** Schedule, change in a release, or published version of a document. Only content of Galley has these. */
export type EditorialRecord =
  | (LocaleRecord & {
      readonly kind: 'schedule';
      readonly action: ScheduledAction;
      /** Milliseconds since 1970. */
      readonly at: number;
      /** The reason that the schedule was abandoned. */
      readonly error: string | null;
    })
  | (LocaleRecord & {
      readonly kind: 'release';
      /** The name of the release, which is not published. */
      readonly name: string;
      /** Milliseconds since 1970; null if it has no time. */
      readonly at: number | null;
      readonly action: ScheduledAction;
    })
  | (LocaleRecord & {
      readonly kind: 'version';
      readonly number: number;
      /** Milliseconds since 1970. */
      readonly publishedAt: number;
      /** JSON, as it is stored. */
      readonly content: string;
    });

/**
 * The content of a project in an archive, a folder or a database. Records are streamed. Each method can be
 * called repeatedly.
 */
export interface ContentSource {
  /** For messages: `lab.tar.gz`. */
  readonly description: string;
  /** Product that created the content. */
  readonly product: 'Galley' | 'Strapi';
  /** Version of Strapi; null if unknown, and for content of Galley. */
  readonly version: string | null;
  /** Fingerprint that changes with the content, to decide if an interrupted import may continue. */
  readonly fingerprint: string;
  schemas(): AsyncIterable<SchemaRecord>;
  /** The records of a type follow one another. */
  entities(): AsyncIterable<EntityRecord>;
  links(): AsyncIterable<LinkRecord>;
  /** Schedules, changes in releases and published versions, those of a document in their order. */
  editorial(): AsyncIterable<EditorialRecord>;
  configuration(): AsyncIterable<ConfigurationRecord>;
  assets(): AsyncIterable<AssetRecord>;
  apiTokens(): AsyncIterable<ApiTokenRecord>;
  close(): Promise<void>;
}

/** The parts of an export that can be imported. */
export const IMPORT_PARTS = ['content', 'files', 'config'] as const;
export type ImportPart = (typeof IMPORT_PARTS)[number];

/** Policies for documents that the database already has. */
export const EXISTING_POLICIES = ['refuse', 'skip', 'replace'] as const;
/** `clear`: the whole content of the database is deleted, since a restored backup replaces it. */
type ExistingPolicy = (typeof EXISTING_POLICIES)[number] | 'clear';

/** The content of an export or import. */
export interface ContentSelection {
  readonly parts: ReadonlySet<ImportPart>;
  /** The uids of the content-types whose documents are included; settings are not. Null: all. */
  readonly types: ReadonlySet<string> | null;
  /** The uids of content-types whose documents are not included. Absent: none. */
  readonly excludedTypes?: ReadonlySet<string>;
}

/** True if the selection includes the documents of a content-type. */
export function includesType({ parts, types, excludedTypes }: ContentSelection, uid: string): boolean {
  return (
    parts.has(uid === FILE_UID ? 'files' : 'content') &&
    (types === null || types.has(uid)) &&
    excludedTypes?.has(uid) !== true
  );
}

export interface ImportOptions extends ContentSelection {
  readonly existing: ExistingPolicy;
}

async function* excludeUsers(records: AsyncIterable<EntityRecord>): AsyncGenerator<EntityRecord> {
  for await (const record of records) if (record.type !== USER_UID) yield record;
}

/** Returns a source without its users and the hashes of their passwords. */
export function withoutUsers(source: ContentSource): ContentSource {
  return { ...source, entities: () => excludeUsers(source.entities()) };
}
