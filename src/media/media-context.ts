import { sql } from 'kysely';
import type { Config } from '../config/config.js';
import type { Database, Transaction } from '../database/database.js';
import { isRecord } from '../lib/records.js';
import { MEDIA_KINDS } from '../model/model.js';
import type {
  ComponentAttribute,
  ContentModel,
  ContentSchema,
  ContentType,
  DynamicZoneAttribute,
  MediaAttribute,
  MediaKind,
} from '../model/model.js';
import type { TrashTable } from '../documents/trash/trash-table.js';
import { linkTable, versionTable } from '../documents/write/version-statements.js';
import type { FileHooks } from './media.js';
import type { FileTable } from './file-table.js';
import type { ImageQueue } from './images/image-library.js';
import type { ScanUsages } from './usages.js';
import type { Providers } from './providers.js';

/**
 * Returns the kinds of files that are accepted by every attribute linking to a file, in all documents and
 * versions.
 */
type AcceptedKindsLookup = (tx: Transaction, documentId: string) => Promise<readonly MediaKind[]>;

/** Returns the kinds an attribute accepts, once for each of its links to the file. */
type LinkLookup = (tx: Transaction, documentId: string) => Promise<readonly (readonly MediaKind[])[]>;

type ComponentOrZoneAttribute = ComponentAttribute | DynamicZoneAttribute;

const isRestricted = ({ allowedTypes }: MediaAttribute): boolean =>
  allowedTypes.length > 0 && allowedTypes.length < MEDIA_KINDS.length;

const isComponentOrZone = (attribute: { readonly family: string }): attribute is ComponentOrZoneAttribute =>
  attribute.family === 'component' || attribute.family === 'dynamiczone';

const toArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** Returns the kinds accepted by the attributes inside a stored component that hold the document id. */
const kindsAcceptedInside = (
  model: ContentModel,
  attribute: ComponentOrZoneAttribute,
  stored: unknown,
  documentId: string,
): readonly (readonly MediaKind[])[] =>
  toArray(stored)
    .filter(isRecord)
    .flatMap((item) => {
      const schema: ContentSchema | undefined =
        model.componentsByUid[
          attribute.family === 'component' ? attribute.component : String(item['__component'])
        ];
      return Object.values(schema?.attributes ?? {}).flatMap((inner) => {
        if (isComponentOrZone(inner)) return kindsAcceptedInside(model, inner, item[inner.name], documentId);
        return inner.family === 'media' &&
          isRestricted(inner) &&
          toArray(item[inner.name]).includes(documentId)
          ? [inner.allowedTypes]
          : [];
      });
    });

const createLinkLookup =
  (type: ContentType, { link, allowedTypes }: MediaAttribute): LinkLookup =>
  async (tx, documentId) => {
    if (link === null) return [];
    const [table, field] =
      link.kind === 'column' ? [versionTable(type), link.field] : [linkTable(link), 'targetDocumentId'];
    const found = await tx.table(table).findFirst({ [field]: documentId }, { fields: ['id'] });
    return found === null ? [] : [allowedTypes];
  };

const createComponentLookup =
  (
    { dialect: { expressions } }: Database,
    model: ContentModel,
    type: ContentType,
    attribute: ComponentOrZoneAttribute,
  ): LinkLookup =>
  async (tx, documentId) => {
    const text = expressions.asText('json', sql.ref(attribute.column.name));
    const needle = expressions.parameter('text', expressions.encode('text', documentId));
    const { sql: statement, parameters } = sql`
        select ${text} as json from ${sql.table(type.storage.version.table)}
        where ${expressions.contains(text, needle, 'anywhere')}
      `.compile(expressions.kysely);
    const rows = await tx.query(statement, parameters);
    return rows.flatMap(({ json }) =>
      kindsAcceptedInside(model, attribute, JSON.parse(String(json)), documentId),
    );
  };

const linkLookupsOf = (database: Database, model: ContentModel, type: ContentType): readonly LinkLookup[] =>
  Object.values(type.attributes).flatMap((attribute) => {
    if (attribute.family === 'media')
      return isRestricted(attribute) ? [createLinkLookup(type, attribute)] : [];
    return isComponentOrZone(attribute) ? [createComponentLookup(database, model, type, attribute)] : [];
  });

/** Creates a lookup that searches all types of the model for links to a file. */
export function createAcceptedKindsLookup(database: Database, model: ContentModel): AcceptedKindsLookup {
  const lookups = model.types.flatMap((type) => linkLookupsOf(database, model, type));
  return async (tx, documentId) => {
    let accepted: readonly MediaKind[] = MEDIA_KINDS;
    for (const lookup of lookups) {
      for (const kinds of await lookup(tx, documentId))
        accepted = accepted.filter((kind) => kinds.includes(kind));
    }
    return accepted;
  };
}

/** Dependencies of the operations of the media library. */
export interface MediaContext {
  readonly database: Database;
  readonly files: FileTable;
  readonly findAcceptedKinds: AcceptedKindsLookup;
  readonly scanUsages: ScanUsages;
  readonly hooks: FileHooks;
  readonly trash: TrashTable;
  readonly config: Config['upload'];
  readonly providers: Providers;
  readonly imageQueue: ImageQueue;
  /** Receives errors that no caller waits for. */
  readonly onError: (error: unknown) => void;
}
