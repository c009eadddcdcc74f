import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BulkItem } from '../../../src/documents/documents.js';
import { databases } from '../../support/databases.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { itemsOf } from './bulk-items.js';
import type { Item } from './bulk-items.js';
import { batches } from './random/bulk-batches.js';
import type { Batch } from './random/bulk-batches.js';
import { dumpNormalised } from './random/normalised-dump.js';
import { PROJECT } from './random/project.js';
import type { Target } from './random/project.js';
import { createApi, steppingClock } from './service.js';

const SEED = Number(process.env['OPERATIONS_SEED'] ?? 1);
const RUNS = Number(process.env['OPERATIONS_RUNS'] ?? 3);

/** The documents that were created. */
interface Created {
  /** Those that may exist, by kind. */
  readonly ids: Map<string, readonly string[]>;
  /** By id: kinds and numbers. */
  readonly names: Map<string, string>;
}
type Outcome = { readonly documentId: string } | { readonly error: { readonly code: string } };
type Write = (items: readonly BulkItem[]) => Promise<readonly Outcome[]>;

const together = (environment: TestEnvironment): Write => {
  const { documents } = createApi(environment, { clock: steppingClock() });
  return (items) => documents.bulk({ items, atomic: false });
};

const oneByOne = (environment: TestEnvironment): Write => {
  const { documents } = createApi(environment, { clock: steppingClock() });
  const run = async (item: BulkItem): Promise<Outcome> => {
    const [outcome] = await documents.bulk({ items: [item], atomic: false });
    if (outcome === undefined) throw new Error('A bulk without an outcome');
    return outcome;
  };
  return async (items) => {
    const outcomes: Outcome[] = [];
    for (const item of items) outcomes.push(await run(item));
    return outcomes;
  };
};

/** Does one batch. Returns what became of each item, with the number of its document. */
const runBatch = async (
  environment: TestEnvironment,
  write: Write,
  created: Created,
  { kind, action, items }: Batch,
): Promise<readonly string[]> => {
  const named = (target: Target, number: number): readonly string[] => {
    const existing = created.ids.get(target) ?? [];
    return existing.length === 0 ? [] : existing.slice(number % existing.length).slice(0, 1);
  };
  const sent = items.map(({ number, options, dataOf }): Item => ({
    action,
    ...options,
    ...(action === 'create' ? {} : { documentId: named(kind, number)[0] ?? 'missing' }),
    ...(action === 'create' || action === 'update' ? { data: dataOf(named) } : {}),
  }));
  const outcomes = await write(itemsOf(environment, kind, sent));
  const deleted = action === 'delete' ? sent.map((item) => item['documentId']) : [];
  const before = created.ids.get(kind) ?? [];
  const added = outcomes.flatMap((outcome) =>
    action === 'create' && !('error' in outcome) ? [outcome.documentId] : [],
  );
  for (const documentId of added) created.names.set(documentId, `${kind} ${created.names.size}`);
  created.ids.set(
    kind,
    [...before, ...added].filter((documentId) => !deleted.includes(documentId)),
  );
  return outcomes.map((outcome) => ('error' in outcome ? outcome.error.code : 'written'));
};

describe.each(databases)('random bulks on $name', (database) => {
  let environments: readonly TestEnvironment[];
  beforeAll(async () => {
    environments = [
      await createTestEnvironment({ model: PROJECT, database }),
      await createTestEnvironment({ model: PROJECT, database }),
    ];
  });
  afterAll(() => Promise.all(environments.map((environment) => environment.close())));

  const clear = ({ model, database: opened }: TestEnvironment): Promise<void> =>
    opened.transact(async (tx) => {
      for (const { storage, origin } of model.types)
        if (origin === 'project') await tx.model(storage.document.model).deleteMany({ where: {} });
    });

  it(
    `leave what the same writes one by one leave (seed ${SEED})`,
    { retry: 0, timeout: 300_000 },
    async () => {
      const property = fc.asyncProperty(batches, async (sequence) => {
        const [one, many] = environments as [TestEnvironment, TestEnvironment];
        const sides = [
          {
            environment: one,
            write: oneByOne(one),
            created: { ids: new Map(), names: new Map() },
          },
          { environment: many, write: together(many), created: { ids: new Map(), names: new Map() } },
        ];
        for (const environment of environments) await clear(environment);
        for (const batch of sequence) {
          const [alone, bulk] = await Promise.all(
            sides.map(async ({ environment, write, created }) => {
              const outcomes = await runBatch(environment, write, created, batch);
              return { outcomes, dump: await dumpNormalised(environment, created.names) };
            }),
          );
          expect(bulk).toEqual(alone);
        }
      });
      await fc.assert(property, {
        seed: SEED,
        numRuns: RUNS,
        endOnFailure: process.env['OPERATIONS_SHRINK'] === undefined,
      });
    },
  );
});
