import type { Uid } from '../lib/ids.js';
import type { LogicRule } from '../lib/json-logic.js';
import type { ColumnKind, StoredScalar } from '../lib/stored-value.js';
import type { ControllerActions } from './content-types/definition.js';
import type { FieldType, ScalarConstraints, ScalarTypeName } from './fields/field-type.js';

export type { Uid } from '../lib/ids.js';
export type VersionStatus = 'draft' | 'published';
export type RelationKind =
  | 'oneToOne'
  | 'oneToMany'
  | 'manyToOne'
  | 'manyToMany'
  | 'morphOne'
  | 'morphMany'
  | 'morphToOne'
  | 'morphToMany';

/** The locale stored for types that are not localized. */
export const NO_LOCALE = '';

/** The SQL column and the Prisma field in which the version table stores a scalar or JSON attribute. */
export interface Column {
  readonly name: string;
  readonly field: string;
  readonly kind: ColumnKind;
}

/** `conditions.visible` of an attribute. A version for which it is false needs no value. */
export interface AttributeCondition {
  /** JSON logic over the values of the same schema. */
  readonly rule: LogicRule;
  /** The names of the attributes that the rule reads. */
  readonly reads: readonly string[];
  /** True if the schema requires a value where the attribute is shown. */
  readonly isRequired: boolean;
}

interface AttributeBase {
  readonly name: string;
  /**
   * True if every published version has a value. False where clients cannot write the attribute, as nobody
   * could send it, and where a condition may hide it.
   */
  readonly required: boolean;
  /** Absent: the attribute is always shown. */
  readonly condition?: AttributeCondition;
  /** False: only code and commands write it. */
  readonly writable: boolean;
  /** Never part of a response, and cannot be used in filters, sort or fields. */
  readonly private: boolean;
  /**
   * True: one value per locale. False on a localized type: one value shared by all locales of a document.
   * Relations and uids are always per locale.
   */
  readonly localized: boolean;
  readonly configurable: boolean;
  /**
   * Set if the type in the schema file is customField, e.g. `plugin::color-picker.color`. The attribute acts
   * as its base type.
   */
  readonly customField: string | null;
  /** `pluginOptions` of the schema file. */
  readonly pluginOptions: Readonly<Record<string, unknown>>;
  /** False: excluded from the search of a list. Absent: searched if its type can be. */
  readonly searchable?: false;
}

export interface ScalarAttribute extends AttributeBase {
  readonly family: 'scalar';
  readonly type: ScalarTypeName;
  readonly field: FieldType;
  readonly constraints: ScalarConstraints;
  /** In stored form. Undefined: the schema file sets none. */
  readonly default: StoredScalar | undefined;
  /** True if the schema file asks for an index. */
  readonly isIndexed: boolean;
  /** True if the schema file asks for a full-text index. */
  readonly isSearched: boolean;
  /**
   * Unused inside components: there the value is stored in the JSON of the owner, under the name of the
   * attribute.
   */
  readonly column: Column;
}

/** The storage of the links between two types. Both sides of a bidirectional relation share one link. */
export type Link = ColumnLink | TableLink | MorphLink;

interface LinkBase {
  /**
   * The type whose version rows the link starts from: the side with inversedBy, the only side of a one-way
   * relation, or the morphTo side.
   */
  readonly owner: Uid;
  readonly ownerAttribute: string;
  readonly inverseAttribute: string | null;
  /**
   * True if only one owner document may link a target: for bidirectional oneToOne relations. Linking the
   * target again moves it to the new owner.
   */
  readonly exclusive: boolean;
}

/**
 * A to-one relation stored as a column of the version table: a foreign key to `document_id` of the target,
 * set to null when the target is deleted. Requires that the owner has drafts and locales wherever the target
 * has them.
 */
export interface ColumnLink extends LinkBase {
  readonly kind: 'column';
  readonly target: Uid;
  /** `author_document_id` */
  readonly column: string;
  /** Scalar field in Prisma, e.g. `authorDocumentId`; `relationField` is `author`. */
  readonly field: string;
  readonly relationField: string;
  /** Orders the list of the inverse side, e.g. `author_position`. Null: there is no to-many inverse side. */
  readonly position: { readonly column: string; readonly field: string } | null;
}

/**
 * A link table: one row per (source version, target document[, target status][, target locale]). Deleting
 * either end deletes the row.
 */
export interface TableLink extends LinkBase {
  readonly kind: 'table';
  readonly target: Uid;
  readonly table: string;
  /**
   * Prisma model of the link table. Fields: `id`, `sourceId`, `targetDocumentId`, `position`,
   * `inversePosition`, `targetStatus`, `targetLocale`.
   */
  readonly model: string;
  /**
   * False: the owner's side is to-one, stored in a table because the target has drafts or locales that the
   * owner lacks.
   */
  readonly ownerMany: boolean;
  /**
   * Columns: `id`, `source_id`, `target_document_id`, `position`, and where the flag is true
   * `inverse_position`, `target_status`, `target_locale`.
   */
  readonly hasInversePosition: boolean;
  /** The target has drafts and the owner does not: each row also stores the status of the target. */
  readonly hasTargetStatus: boolean;
  /** The target is localized and the owner is not: each row also stores the locale of the target. */
  readonly hasTargetLocale: boolean;
}

/**
 * A polymorphic link table: one nullable foreign key column per possible target type. Each row sets exactly
 * one.
 */
export interface MorphLink extends LinkBase {
  readonly kind: 'morph';
  readonly table: string;
  /** Prisma model. Fields: `id`, `sourceId`, `position`, and the `field` of each target. */
  readonly model: string;
  readonly ownerMany: boolean;
  readonly targets: readonly {
    readonly uid: Uid;
    readonly column: string;
    readonly field: string;
    readonly relationField: string;
    readonly inverseAttribute: string | null;
  }[];
}

/** The default of relations that link the user who creates a document. */
export const CALLER = '$caller';

export interface RelationAttribute extends AttributeBase {
  readonly family: 'relation';
  readonly type: 'relation';
  readonly relation: RelationKind;
  /** Null for morphToOne and morphToMany. */
  readonly target: Uid | null;
  /** The types that a morphToOne or morphToMany attribute may link. Absent: it links `target`. */
  readonly targets?: readonly Uid[];
  /** True if the attribute's value is a list. */
  readonly many: boolean;
  readonly side: 'owner' | 'inverse';
  /** The attribute of the target that is the other side. Null: the relation is one-way. */
  readonly counterpart: string | null;
  /** True if the server links the user who creates a document: `"default": "$caller"`. */
  readonly defaultsToCaller?: true;
  /**
   * Null inside components, where the JSON of the owner stores the target, or a list of targets, as
   * `storedTarget` of `lookup.ts` writes them.
   */
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
  /** Media are relations to `plugin::upload.file`. Null inside components. */
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

export type Attribute =
  | ScalarAttribute
  | RelationAttribute
  | MediaAttribute
  | ComponentAttribute
  | DynamicZoneAttribute;
/** Attributes that link documents of another type. */
export type LinkAttribute = RelationAttribute | MediaAttribute;

/** Names of the two tables of a type, and of their Prisma models. */
export interface TypeStorage {
  /**
   * One row per document, with the key `document_id`. Fields: `documentId`, and `revision` (Int), which every
   * write increments to lock the document.
   */
  readonly document: { readonly table: string; readonly model: string };
  /**
   * One row per (document, locale, status). System columns: `id`, `document_id`, `locale`, `status`,
   * `created_at`, `updated_at`, `published_at`; Prisma fields `id`, `documentId`, `locale`, `status`,
   * `createdAt`, `updatedAt`, `publishedAt`.
   */
  readonly version: { readonly table: string; readonly model: string };
}

export interface IndexedColumn {
  readonly column: string;
  readonly field: string;
  readonly isDescending: boolean;
}

/**
 * An index of a version table. The columns follow status and locale, and are followed by the id, so that one
 * index serves filters, order and pages.
 */
export type VersionIndex = readonly IndexedColumn[];

/** A value that a full-text index holds as text. */
export interface SearchedValue {
  /** The attribute, or a system field. */
  readonly field: string;
  readonly column: string;
  readonly kind: ColumnKind;
}

/** The full-text index of a version table, with all that the search of a list looks at. */
export interface SearchIndex {
  readonly name: string;
  readonly table: string;
  /** First each long text, and last the short values, which are joined to one text. */
  readonly texts: readonly (readonly SearchedValue[])[];
}

export interface ContentType {
  readonly uid: Uid;
  readonly kind: 'collectionType' | 'singleType';
  /**
   * `project`: from a schema file. `builtin`: users, roles, permissions and files, even if the project
   * extends them.
   */
  readonly origin: 'project' | 'plugin' | 'builtin';
  readonly singularName: string;
  readonly pluralName: string;
  readonly displayName: string;
  readonly description: string;
  /** GraphQL and TypeScript name: `Article`, `UsersPermissionsUser`, `UploadFile`. Unique in the model. */
  readonly typeName: string;
  readonly collectionName: string;
  /** False: one version per locale, whose status is always `published`. */
  readonly draftAndPublish: boolean;
  /** False: the locale of every row is NO_LOCALE. */
  readonly localized: boolean;
  readonly attributes: Readonly<Record<string, Attribute>>;
  /** The built-in fields, such as `createdAt`, that are private like attributes. */
  readonly privateFields: readonly string[];
  /**
   * Attributes of the schema file that cannot hold anything, such as relations to types that do not exist.
   * Requests may name them in `populate` and in data, without effect.
   */
  readonly ignoredAttributes: readonly string[];
  readonly indexes: readonly VersionIndex[];
  /** Null: texts are searched by reading all rows. */
  readonly search: SearchIndex | null;
  readonly pluginOptions: Readonly<Record<string, unknown>>;
  readonly options: Readonly<Record<string, unknown>>;
  readonly storage: TypeStorage;
  /** Path relative to the project. Null for built-in types. */
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
  readonly ignoredAttributes: readonly string[];
  readonly file: string;
}

/**
 * The content model: a frozen description of all types, from which everything else is generated or compiled.
 * Created by `buildModel`.
 */
export interface ContentModel {
  /** Sorted by uid. */
  readonly types: readonly ContentType[];
  readonly components: readonly Component[];
  readonly typesByUid: Readonly<Record<Uid, ContentType>>;
  readonly componentsByUid: Readonly<Record<Uid, Component>>;
  /** The actions that routes of the project name, besides those of the content-types. */
  readonly controllerActions: readonly ControllerActions[];
  /** The built-in plugins that are disabled: they have no endpoints and no actions. */
  readonly disabledPlugins: readonly string[];
}

/** A schema that has attributes: a content-type or a component. */
export type ContentSchema = ContentType | Component;

/** The kinds of files that `allowedTypes` in a schema file can list. */
export const MEDIA_KINDS = ['images', 'videos', 'files', 'audios'] as const;

export type MediaKind = (typeof MEDIA_KINDS)[number];

const KIND_BY_TOP_LEVEL_TYPE: Readonly<Record<string, MediaKind>> = {
  image: 'images',
  video: 'videos',
  audio: 'audios',
};

/**
 * Returns the kind of a file by its MIME type; `files` for all types that are not images, videos or audio.
 *
 * @example
 *   mediaKindOf('image/png'); // 'images'
 */
export function mediaKindOf(mime: string): MediaKind {
  const [topLevelType = ''] = mime.split('/', 1);
  return (
    (Object.hasOwn(KIND_BY_TOP_LEVEL_TYPE, topLevelType)
      ? KIND_BY_TOP_LEVEL_TYPE[topLevelType]
      : undefined) ?? 'files'
  );
}
