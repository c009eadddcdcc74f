import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTrashTable } from '../../../../src/documents/trash/trash-table.js';
import { databases } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { OPERATIONS } from '../random/commands.js';
import { RandomTestHarness } from '../random/harness.js';
import { PROJECT } from '../random/project.js';
import { createApi, dumpContent, uidOf } from '../service.js';
import type { Api } from '../service.js';

const MINUTE = 60_000;
const SEQUENCES = 6;
const KINDS = ['plain', 'drafted', 'translated', 'both', 'file'] as const;

/** Returns all rows, without the ids of links and the revisions of documents. */
const contentOf = async (environment: TestEnvironment): Promise<unknown> => {
  const links = new Set(
    environment.model.types.flatMap(({ attributes }) =>
      Object.values(attributes).flatMap((attribute) =>
        'link' in attribute && attribute.link !== null && attribute.link.kind !== 'column'
          ? [attribute.link.model]
          : [],
      ),
    ),
  );
  const dump = await dumpContent(environment);
  return Object.fromEntries(
    Object.entries(dump).map(([name, rows]) => [
      name,
      rows
        .map((text) => {
          const { revision: _revision, id, ...row } = JSON.parse(text) as Record<string, unknown>;
          // The position of a column without a link has no meaning.
          for (const field of Object.keys(row))
            if (row[`${field.replace(/Position$/, '')}DocumentId`] === null) delete row[field];
          return JSON.stringify(links.has(name) ? row : { id, ...row });
        })
        .toSorted(),
    ]),
  );
};

describe.each(databases)('the trash on $name', (database) => {
  let environment: TestEnvironment;
  let api: Api;
  beforeAll(async () => {
    environment = await createTestEnvironment({ model: PROJECT, database });
    const { expressions } = environment.database.dialect;
    const trash = createTrashTable(expressions, environment.model);
    api = createApi(environment, { trash });
  });
  afterAll(() => environment.close());

  const documentsOf = async (): Promise<readonly (readonly [string, string, string])[]> => {
    const found: (readonly [string, string, string])[] = [];
    for (const kind of KINDS) {
      const { storage, localized } = environment.model.typesByUid[uidOf(environment, kind)] ?? {};
      const rows = await environment.database.transact((tx) =>
        tx.query(`SELECT DISTINCT document_id, locale FROM "${storage?.version.table}" ORDER BY 1, 2`, []),
      );
      for (const row of rows)
        found.push([kind, String(row['document_id']), localized === true ? String(row['locale']) : '*']);
    }
    return found;
  };

  it('restores everything, whatever was deleted and restored first', { timeout: 5 * MINUTE }, async () => {
    let restored = 0;
    const property = fc.asyncProperty(
      fc.commands(OPERATIONS, { maxCommands: 40, size: 'max' }),
      fc.infiniteStream(fc.nat({ max: 1000 })),
      async (commands, numbers) => {
        const next = (limit: number): number => Number(numbers.next().value) % limit;
        const harness = new RandomTestHarness(environment);
        await harness.clear();
        await environment.database.transact((tx) => tx.execute('DELETE FROM "cms_trash"', []));
        await fc.asyncModelRun(() => ({ model: harness, real: harness }), commands);
        const before = await contentOf(environment);
        const wanted = [...(await documentsOf())];
        while (wanted.length > 0) {
          const [[kind, documentId, locale] = ['', '', ''] as const] = wanted.splice(next(wanted.length), 1);
          await api.remove(kind, documentId, next(3) === 0 ? '*' : locale);
        }
        const entries = [...(await api.documents.trash.list({ limit: 1000 }))];
        const steps = entries.map(({ id, documentId }) => `${id} ${documentId}`);
        while (entries.length > 0) {
          const [entry] = entries.splice(next(entries.length), 1);
          const found = await api.documents.trash.restore({ id: entry?.id ?? 0 });
          expect(found?.omitted, steps.join('\n')).toEqual([]);
          restored += 1;
        }
        expect(await contentOf(environment)).toEqual(before);
      },
    );
    await fc.assert(property, { seed: 7, numRuns: SEQUENCES, endOnFailure: true });
    expect(restored).toBeGreaterThan(SEQUENCES);
    process.stdout.write(`${restored} entries restored on ${database.name}\n`);
  });
});
