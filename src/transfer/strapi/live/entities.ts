import type { ForeignDatabase } from '../../../database/dialect/foreign-database.js';
import { ComponentReader, readScalars, scalarColumnsOf } from './components.js';
import type { EntityRecord, SchemaRecord } from '../../source.js';
import { tableOf } from './layout.js';
import { readPages } from './pages.js';
import { readNumber, readText } from './values.js';

/** Types of the admin panel, which exports omit too. */
const LEFT_OUT = /^(?:admin::|plugin::content-releases\.|plugin::review-workflows\.)/;

/** True if documents of a type are content. */
export const isContent = (uid: string): boolean => !LEFT_OUT.test(uid);

/** The content-types whose rows are read. */
export const contentTypesOf = (schemas: ReadonlyMap<string, SchemaRecord>): readonly SchemaRecord[] =>
  [...schemas.values()].filter(({ modelType, uid }) => modelType === 'contentType' && isContent(uid));

/** All version rows, type after type. */
export async function* readEntities(
  database: ForeignDatabase,
  schemas: ReadonlyMap<string, SchemaRecord>,
): AsyncGenerator<EntityRecord> {
  const components = new ComponentReader(database, schemas);
  for (const schema of contentTypesOf(schemas)) {
    const table = tableOf(schema);
    if (!database.tables.has(table)) continue;
    const scalars = scalarColumnsOf(database, schema);
    const columns = ['document_id', ...scalars.map(({ column }) => column)];
    for await (const rows of readPages(database, { table, columns })) {
      const ids = rows.map((row) => readNumber(row['id']));
      const nested = await components.read(schema, ids);
      for (const row of rows) {
        const id = readNumber(row['id']);
        const documentId = readText(row['document_id']);
        yield {
          type: schema.uid,
          id,
          data: { documentId, ...readScalars(scalars, row), ...nested.get(id) },
        };
      }
    }
  }
}
