import { rowsOf } from './migrated-project.js';

export const schemaPath = (name: string): string => `src/api/${name}/content-types/${name}/schema.json`;
export const attributesOf = (text: string): Readonly<Record<string, unknown>> =>
  (JSON.parse(text) as { attributes: Record<string, unknown> }).attributes;
export const columnsOf = (site: Parameters<typeof rowsOf>[0], table: string): readonly unknown[] =>
  rowsOf(site, `SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => name);
