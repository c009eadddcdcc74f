import type { FieldType, ScalarConstraints, ScalarTypeName } from '../fields/field-type.js';
import type { ColumnKind, StoredScalar } from '../lib/stored-value.js';
import type { Uid } from '../lib/uid.js';
import type { MediaKind } from './media-kind.js';

export type { Uid };
export type VersionStatus = 'draft' | 'published';
export type RelationKind =
  | 'oneToOne' | 'oneToMany' | 'manyToOne' | 'manyToMany'
  | 'morphOne' | 'morphMany' | 'morphToOne' | 'morphToMany';

/** The locale stored for types that are not localised: one version, no language. */
export const NO_LOCALE = '';

/** A scalar's or JSON attribute's place in the version table: SQL column and the generated Prisma client's field. */
export interface Column {
  readonly name: string;
  readonly field: string;
  readonly kind: ColumnKind;
}

interface AttributeBase {
  readonly name: string;
  readonly required: boolean;
  /** Never leaves the server and can't be filtered, sorted or selected. */
  readonly private: boolean;
  /** True: one value per locale. False on a localised type: shared by all locales of a document. Relations and uids are always per locale. */
  readonly localized: boolean;
  readonly configurable: boolean;
  /** `plugin::color-picker.color` where the file said customField; the attribute then acts as its base type. */
  readonly customField: string | null;
  /** The file's own `pluginOptions`, untouched. */
  readonly pluginOptions: Readonly<Record<string, unknown>>;
}

export interface ScalarAttribute extends AttributeBase {
  readonly family: 'scalar';
  readonly type: ScalarTypeName;
  readonly field: FieldType;
  readonly constraints: ScalarConstraints;
  /** Already parsed to its stored form; undefined where the file sets none. */
  readonly default: StoredScalar | undefined;
  /** Inside a component the column is nominal: the value lives in the owner's JSON under the attribute's name. */
  readonly column: Column;
}

/** How two types are linked in the database. Both sides of a bidirectional relation share one link. */
export type Link = ColumnLink | TableLink | MorphLink;

interface LinkBase {
  /** The type whose version rows hold the link: the side with inversedBy, the only side of a one-way relation, the morphTo side. */
  readonly owner: Uid;
  readonly ownerAttribute: string;
  readonly inverseAttribute: string | null;
  /** True where a target may be linked by one owner document only (oneToOne, and oneToMany seen from its one side): linking again steals. Bidirectional only. */
  readonly exclusive: boolean;
}

/**
 * To-one kept as a column of the owner's version table, a foreign key to the target's anchor (`document_id`), set null when the target goes.
 * Only where the owner is versioned by every dimension (status, locale) that the target has.
 */
export interface ColumnLink extends LinkBase {
  readonly kind: 'column';
  readonly target: Uid;
  /** `author_document_id` */
  readonly column: string;
  /** Prisma: scalar field `authorDocumentId`, relation field `author`. */
  readonly field: string;
  readonly relationField: string;
  /** Orders the inverse side's list: `author_position`; null where there is no to-many inverse side. */
  readonly position: { readonly column: string; readonly field: string } | null;
}

/** A link table: one row per (source version, target document[, target status][, target locale]). Cascades from both ends. */
export interface TableLink extends LinkBase {
  readonly kind: 'table';
  readonly target: Uid;
  readonly table: string;
  /** Prisma model of the link table. Its fields are `id`, `sourceId`, `targetDocumentId`, `position`, `inversePosition`, `targetStatus`, `targetLocale`. */
  readonly model: string;
  /** False where the owner's side is to-one (kept in a table only because the target is versioned and the owner is not). */
  readonly ownerMany: boolean;
  /** Columns are `id`, `source_id`, `target_document_id`, `position`, and where true: `inverse_position`, `target_status`, `target_locale`. */
  readonly hasInversePosition: boolean;
  /** The target has drafts and the owner has not: each row also says which status of the target it stands for. */
  readonly hasTargetStatus: boolean;
  /** The target is localised and the owner is not. */
  readonly hasTargetLocale: boolean;
}

/** A polymorphic link table: one nullable foreign key column per possible target type, exactly one of them set in a row. */
export interface MorphLink extends LinkBase {
  readonly kind: 'morph';
  readonly table: string;
  /** Prisma fields: `id`, `sourceId`, `position`, and per target its `field`. */
  readonly model: string;
  readonly ownerMany: boolean;
  readonly targets: readonly { readonly uid: Uid; readonly column: string; readonly field: string; readonly relationField: string; readonly inverseAttribute: string | null }[];
}

export interface RelationAttribute extends AttributeBase {
  readonly family: 'relation';
  readonly type: 'relation';
  readonly relation: RelationKind;
  /** Null for morphToOne and morphToMany, whose targets are the link's. */
  readonly target: Uid | null;
  /** Whether the attribute's value is a list. */
  readonly many: boolean;
  readonly side: 'owner' | 'inverse';
  /** The other side's attribute on the target, if the relation is bidirectional. */
  readonly counterpart: string | null;
  /** Null inside components: there the value is kept in the owner's JSON as a list (or one) of target document ids. */
  readonly link: Link | null;
}

export interface MediaAttribute extends AttributeBase {
  readonly family: 'media';
  readonly type: 'media';
  readonly target: Uid;
  readonly many: boolean;
  readonly side: 'owner';
  /** The kinds of files that may be linked. */
  readonly allowedTypes: readonly MediaKind[];
  readonly counterpart: null;
  /** As for relations: media are relations to `plugin::upload.file`. Null inside components. */
  readonly link: ColumnLink | TableLink | null;
}

export interface ComponentAttribute extends AttributeBase {
  readonly family: 'component';
  readonly type: 'component';
  readonly component: Uid;
  readonly repeatable: boolean;
  readonly min: number | null;
  readonly max: number | null;
  readonly column: Column;
}

export interface DynamicZoneAttribute extends AttributeBase {
  readonly family: 'dynamiczone';
  readonly type: 'dynamiczone';
  readonly components: readonly Uid[];
  readonly min: number | null;
  readonly max: number | null;
  readonly column: Column;
}

export type Attribute = ScalarAttribute | RelationAttribute | MediaAttribute | ComponentAttribute | DynamicZoneAttribute;
/** The attributes that point at documents of another type. */
export type LinkAttribute = RelationAttribute | MediaAttribute;

/** Names of the two tables of a type and of their models in the generated Prisma client. */
export interface TypeStorage {
  /** One row per document; `document_id` is the key. Fields: `documentId`, `revision` (Int, counted up by every write: the row lock of a document). */
  readonly anchor: { readonly table: string; readonly model: string };
  /**
   * One row per (document, locale, status). System columns: `id`, `document_id`, `locale`, `status`, `created_at`, `updated_at`, `published_at`;
   * Prisma fields `id`, `documentId`, `locale`, `status`, `createdAt`, `updatedAt`, `publishedAt`.
   */
  readonly version: { readonly table: string; readonly model: string };
}

export interface ContentType {
  readonly uid: Uid;
  readonly kind: 'collectionType' | 'singleType';
  /** `project` for schema files; `builtin` for users, roles, permissions and files (a user type extended by the project stays builtin). */
  readonly origin: 'project' | 'builtin';
  readonly singularName: string;
  readonly pluralName: string;
  readonly displayName: string;
  readonly description: string;
  /** GraphQL and TypeScript name: `Article`, `UsersPermissionsUser`, `UploadFile`. Unique in the model. */
  readonly typeName: string;
  readonly collectionName: string;
  /** False: one version per locale, whose status is always `published`. */
  readonly draftAndPublish: boolean;
  /** False: locale is NO_LOCALE in every row. */
  readonly localized: boolean;
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly pluginOptions: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
  readonly storage: TypeStorage;
  /** Where it was read from, relative to the project; null for built-in types. */
  readonly file: string | null;
}

export interface Component {
  readonly uid: Uid;
  readonly category: string;
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  /** `ComponentSharedSeo` */
  readonly typeName: string;
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly file: string;
}

/** The one frozen description everything else is printed or compiled from. Made by `buildModel`. */
export interface ContentModel {
  /** Sorted by uid. */
  readonly types: readonly ContentType[];
  readonly components: readonly Component[];
  readonly typesByUid: Readonly<Record<Uid, ContentType>>;
  readonly componentsByUid: Readonly<Record<Uid, Component>>;
}

/** What can hold attributes: the root of a document or a component inside it. */
export type AttributeHolder = ContentType | Component;
