import { afterAll, beforeAll, describe, it } from 'vitest';
import type { DialectName } from '../../../../src/database/dialect/dialect.js';
import { databases } from '../../../support/databases.js';
import { checkChange } from './check-change.js';
import { prepareSite } from './prepared-site.js';
import type { PreparedSite } from './prepared-site.js';
import type { SchemaChange } from './schema-change.js';

export type Tables = Readonly<Record<string, readonly SchemaChange[]>>;

/** Runs all tables on one database. Each has a test file of its own, since these run side by side. */
export function testSchemaChanges(dialect: DialectName, tables: Tables): void {
  describe.each(databases.filter(({ name }) => name === dialect))('schema changes on $name', (kind) => {
    let site: PreparedSite;
    beforeAll(async () => {
      site = await prepareSite(kind);
    });
    afterAll(() => site.remove());

    describe.each(Object.entries(tables))('%s', (_table, rows) => {
      it.each(rows.map((row) => [row.what, row] as const))('%s', (_what, row) => checkChange(site, row));
    });
  });
}
