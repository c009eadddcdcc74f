import { expect } from 'vitest';
import type { Attribute, ContentModel, ContentType } from '../../../src/model/model.js';

export const typeOf = (model: ContentModel, name: string): ContentType => {
  const type = model.typesByUid[`api::${name}.${name}`];
  if (type === undefined) throw new Error(`no type ${name}`);
  return type;
};

export const columnsOf = (
  attributes: Readonly<Record<string, Attribute>>,
): Readonly<Record<string, readonly [string, string]>> =>
  Object.fromEntries(
    Object.values(attributes).flatMap((attribute) =>
      'column' in attribute ? [[attribute.name, [attribute.column.name, attribute.column.field]]] : [],
    ),
  );

export const linksOf = (
  type: ContentType,
): readonly NonNullable<Extract<Attribute, { readonly link: unknown }>['link']>[] =>
  Object.values(type.attributes).flatMap((attribute) =>
    'link' in attribute && attribute.link !== null && attribute.link.owner === type.uid
      ? [attribute.link]
      : [],
  );

export const text = { type: 'string' };
const PRISMA_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/** The names of a model's tables, models, columns and fields. Columns and fields are listed by row. */
const namesOf = (
  model: ContentModel,
): {
  readonly tables: string[];
  readonly models: string[];
  readonly rows: { readonly columns: string[]; readonly fields: string[] }[];
} => {
  const tables = model.types.flatMap((type) => [type.storage.version.table, type.storage.document.table]);
  const models = model.types.flatMap((type) => [type.storage.version.model, type.storage.document.model]);
  const rows = model.types.map((type) => {
    const columns = ['id', 'document_id', 'locale', 'status', 'created_at', 'updated_at', 'published_at'];
    const fields = [
      'id',
      'documentId',
      'document',
      'locale',
      'status',
      'createdAt',
      'updatedAt',
      'publishedAt',
    ];
    for (const [column, field] of Object.values(columnsOf(type.attributes))) {
      columns.push(column);
      fields.push(field);
    }
    for (const link of linksOf(type)) {
      if (link.kind !== 'column') {
        tables.push(link.table);
        models.push(link.model);
        continue;
      }
      columns.push(link.column, ...(link.position === null ? [] : [link.position.column]));
      fields.push(link.field, link.relationField, ...(link.position === null ? [] : [link.position.field]));
    }
    return { columns, fields };
  });
  return { tables, models, rows };
};

export const expectSound = (model: ContentModel): void => {
  const { tables, models, rows } = namesOf(model);
  const lower = (names: readonly string[]): readonly string[] => names.map((name) => name.toLowerCase());
  for (const names of [tables, models, ...rows.flatMap(({ columns, fields }) => [columns, fields])])
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  for (const names of [tables, ...rows.map(({ columns }) => columns)]) {
    expect(new Set(lower(names)).size).toBe(names.length);
    for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(63);
  }
  for (const name of [...models, ...rows.flatMap(({ fields }) => fields)]) expect(name).toMatch(PRISMA_NAME);
};
