import { sql } from 'kysely';
import type { Database, Transaction } from '../database/database.js';
import { isRecord } from '../lib/is-record.js';
import { MEDIA_KINDS } from '../model/media-kind.js';
import type { MediaKind } from '../model/media-kind.js';
import type { AttributeHolder, ComponentAttribute, ContentModel, ContentType, DynamicZoneAttribute, MediaAttribute } from '../model/model.js';

/** Answers the kinds of files that all attributes take that link to a file, in whichever document and version. */
export type KindsTaken = (tx: Transaction, documentId: string) => Promise<readonly MediaKind[]>;

/** Answers what an attribute takes, once for each link to the file that it holds. */
type Look = (tx: Transaction, documentId: string) => Promise<readonly (readonly MediaKind[])[]>;

type Holding = ComponentAttribute | DynamicZoneAttribute;

const isPicky = ({ allowedTypes }: MediaAttribute): boolean => allowedTypes.length > 0 && allowedTypes.length < MEDIA_KINDS.length;

const isHolding = (attribute: { readonly family: string }): attribute is Holding => attribute.family === 'component' || attribute.family === 'dynamiczone';

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

/** What the attributes inside a stored component take that hold the document id. */
const takenInside = (model: ContentModel, attribute: Holding, stored: unknown, documentId: string): readonly (readonly MediaKind[])[] =>
  listOf(stored).filter(isRecord).flatMap((item) => {
    const holder: AttributeHolder | undefined = model.componentsByUid[attribute.family === 'component' ? attribute.component : String(item['__component'])];
    return Object.values(holder?.attributes ?? {}).flatMap((inner) => {
      if (isHolding(inner)) return takenInside(model, inner, item[inner.name], documentId);
      return inner.family === 'media' && isPicky(inner) && listOf(item[inner.name]).includes(documentId) ? [inner.allowedTypes] : [];
    });
  });

const lookInLink = (type: ContentType, { link, allowedTypes }: MediaAttribute): Look => async (tx, documentId) => {
  const where = link?.kind === 'column' ? { [link.field]: documentId } : { targetDocumentId: documentId };
  const found = link === null ? null : await tx.model(link.kind === 'column' ? type.storage.version.model : link.model).findFirst({ where, select: { id: true } });
  return found === null ? [] : [allowedTypes];
};

const lookInComponent = ({ dialect }: Database, model: ContentModel, type: ContentType, attribute: Holding): Look => async (tx, documentId) => {
  const text = dialect.asText('json', sql.ref(attribute.column.name));
  const needle = dialect.parameter('text', dialect.encode('text', documentId));
  const { sql: statement, parameters } = sql`select ${text} as json from ${sql.table(type.storage.version.table)} where ${dialect.contains(text, needle, 'anywhere')}`.compile(dialect.kysely);
  const rows = await tx.query(statement, parameters);
  return rows.flatMap(({ json }) => takenInside(model, attribute, JSON.parse(String(json)), documentId));
};

const looksOf = (database: Database, model: ContentModel, type: ContentType): readonly Look[] =>
  Object.values(type.attributes).flatMap((attribute) => {
    if (attribute.family === 'media') return isPicky(attribute) ? [lookInLink(type, attribute)] : [];
    return isHolding(attribute) ? [lookInComponent(database, model, type, attribute)] : [];
  });

/** Looks for the links to a file over all types of the model. */
export function createKindsTaken(database: Database, model: ContentModel): KindsTaken {
  const looks = model.types.flatMap((type) => looksOf(database, model, type));
  return async (tx, documentId) => {
    let taken: readonly MediaKind[] = MEDIA_KINDS;
    for (const look of looks) {
      for (const kinds of await look(tx, documentId)) taken = taken.filter((kind) => kinds.includes(kind));
    }
    return taken;
  };
}
