import type { ContentModel, Uid } from '../../model/model.js';
import { createError } from '../../errors/catalogue.js';
import type { StrapiSchema, StrapiSchemas } from './content-types.js';

/** A content-type as `strapi.db.metadata` has it: its schema, with the name of its table. */
interface ModelMetadata extends StrapiSchema {
  readonly tableName: string;
}

/** `strapi.db.metadata` */
export interface Metadata {
  readonly get: (uid: Uid) => ModelMetadata;
  readonly has: (uid: Uid) => boolean;
  readonly keys: () => IterableIterator<Uid>;
  readonly values: () => IterableIterator<ModelMetadata>;
  readonly entries: () => IterableIterator<[Uid, ModelMetadata]>;
  readonly forEach: (callback: (metadata: ModelMetadata, uid: Uid) => void) => void;
  readonly size: number;
}

const DOCUMENT_ATTRIBUTES = {
  id: { type: 'increments', columnName: 'id' },
  documentId: { type: 'string', columnName: 'document_id' },
};

const withColumns = (schema: StrapiSchema, model: ContentModel): ModelMetadata => {
  const type = model.typesByUid[schema.uid];
  const columns = Object.entries(schema.attributes).map(([name, attribute]) => {
    const stored = type?.attributes[name];
    const columnName = stored !== undefined && 'column' in stored ? { columnName: stored.column.name } : {};
    return [name, { ...attribute, ...columnName }] as const;
  });
  return Object.freeze({
    ...schema,
    tableName: type?.storage.version.table ?? String(schema['collectionName']),
    attributes: { ...DOCUMENT_ATTRIBUTES, ...Object.fromEntries(columns) },
  });
};

/** Creates the metadata of all schemas. */
export function createMetadata({ contentTypes, components }: StrapiSchemas, model: ContentModel): Metadata {
  const all = new Map(
    [...Object.values(contentTypes), ...Object.values(components)].map((schema) => [
      schema.uid,
      withColumns(schema, model),
    ]),
  );
  return {
    get: (uid) => {
      const metadata = all.get(uid);
      if (metadata !== undefined) return metadata;
      throw createError('project/unknown-content-type', { uid, allowed: [...all.keys()].join(', ') });
    },
    has: (uid) => all.has(uid),
    keys: () => all.keys(),
    values: () => all.values(),
    entries: () => all.entries(),
    forEach: (callback) => all.forEach(callback),
    size: all.size,
  };
}
