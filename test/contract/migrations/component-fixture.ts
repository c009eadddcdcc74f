import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { getDialect } from '../../../src/database/get-dialect.js';
import type { SessionRow } from '../../../src/database/dialect/migration-support.js';
import { NO_DECISIONS } from '../../../src/migrations/content/content-decisions.js';
import type { ContentDecisions } from '../../../src/migrations/content/content-decisions.js';
import type { DataImpact } from '../../../src/migrations/impact/data-impact.js';
import { contentSnapshotOf } from '../../../src/migrations/files/snapshots.js';
import { createPlan } from '../../../src/migrations/migrate.js';
import type { MigrateResult } from '../../../src/migrations/migrate.js';
import type { Plan } from '../../../src/migrations/plan/plan-migration.js';
import type { Rename } from '../../../src/migrations/schema/renames.js';
import { printPrismaSchema } from '../../../src/generate/prisma-schema/print-prisma-schema.js';
import type { TestDatabaseKind } from '../../support/databases.js';
import { migrate } from './migration-fixture.js';
import type { MigrateOptions } from './migration-fixture.js';
import { definitionsFrom, modelFrom } from '../../support/models.js';
import type { ProjectLiteral } from '../../support/models.js';

export type Attributes = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Change {
  readonly decisions?: Partial<ContentDecisions>;
  readonly renames?: readonly Rename[];
}

/** A database whose articles hold JSON that tests write and read as it is stored. */
export interface ComponentFixture {
  /** Writes one published article for each value of a column. */
  readonly write: (column: string, values: readonly string[]) => Promise<void>;
  /** The JSON of a column as stored, in the order it was written. */
  readonly read: (column: string) => Promise<readonly (string | null)[]>;
  readonly rows: (sql: string) => Promise<readonly SessionRow[]>;
  readonly preview: (project: ProjectLiteral, change?: Change) => Promise<Plan>;
  /** Migrates, whatever is lost or does not fit. */
  readonly migrate: (project: ProjectLiteral, change?: Change) => Promise<MigrateResult>;
}

const base = await readFile(new URL('../../../prisma/base.prisma', import.meta.url), 'utf8');

const TIME = "'2026-01-01T00:00:00.000+00:00'";

/** Prints `dropped seo.title: 3 (the attribute is removed)`, in alphabetical order. */
const printChanges = (changes: readonly DataImpact[]): readonly string[] =>
  changes.map(({ kind, path, values, reason }) => `${kind} ${path ?? ''}: ${values} (${reason})`).toSorted();

export const createComponentFixture = async (
  kind: TestDatabaseKind,
  project: ProjectLiteral,
): Promise<ComponentFixture> => {
  const parent = await mkdtemp(join(tmpdir(), 'galley-json-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const dialect = getDialect(kind.name);
  const { url } = await kind.create();
  const optionsFor = (next: ProjectLiteral, { decisions, renames = [] }: Change): MigrateOptions => ({
    folder: join(parent, 'prisma', 'migrations'),
    url,
    dialect,
    label: 'change',
    nextSchema: printPrismaSchema({ model: modelFrom(next), support: dialect.schema, base }),
    nextContent: contentSnapshotOf(definitionsFrom(next)),
    decisions: { ...NO_DECISIONS, ...decisions },
    renames,
    acceptsDataLoss: true,
    acceptsInvalid: true,
  });
  const rows = async (sql: string, parameters: readonly string[] = []): Promise<readonly SessionRow[]> => {
    const session = await dialect.migrations.openSession(url, { lockTimeoutMs: 1000, isWritable: true });
    try {
      return await session.query(sql, parameters);
    } finally {
      await session.close();
    }
  };
  await migrate(optionsFor(project, {}));
  let count = 0;
  return {
    write: async (column, values) => {
      for (const value of values) {
        const documentId = `'d${++count}'`;
        await rows(`INSERT INTO articles_documents (document_id) VALUES (${documentId})`);
        const type = project.types?.['article']?.attributes[column]?.['type'];
        const parameter = kind.name === 'sqlite' || type === 'string' ? '$1' : '$1::json';
        await rows(
          `INSERT INTO articles (document_id, locale, status, created_at, updated_at, "${column}")
           VALUES (${documentId}, '', 'published', ${TIME}, ${TIME}, ${parameter})`,
          [value],
        );
      }
    },
    read: async (column) => {
      const found = await rows(`SELECT CAST("${column}" AS TEXT) AS "json" FROM articles ORDER BY id`);
      return found.map(({ json }) => (typeof json === 'string' ? json : null));
    },
    rows,
    preview: (next, change = {}) => createPlan(optionsFor(next, change), optionsFor(next, change)),
    migrate: (next, change = {}) => migrate(optionsFor(next, change)),
  };
};

export type Components = Readonly<Record<string, Attributes>>;

export const TEXT = { type: 'string' };

export const single = (component: string) => ({ type: 'component', component });
export const list = (component: string, options: object = {}) => ({
  type: 'component',
  component,
  repeatable: true,
  ...options,
});
export const zone = (...components: readonly string[]) => ({ type: 'dynamiczone', components });

export const project = (attributes: Attributes, components: Components): ProjectLiteral => ({
  types: { article: { attributes: { title: TEXT, ...attributes } } },
  components: Object.fromEntries(
    Object.entries(components).map(([uid, componentAttributes]) => [
      uid,
      { attributes: componentAttributes },
    ]),
  ),
});

const parsed = (texts: readonly (string | null)[]): readonly unknown[] =>
  texts.map((text) => (text === null ? null : JSON.parse(text)));

/** Migrates JSON of one attribute, and returns what the preview told and what is then stored. */
export const runChange = async (
  kind: TestDatabaseKind,
  before: readonly [Attributes[string], Components],
  after: readonly [Attributes[string] | null, Components],
  values: readonly unknown[],
  change: Change = {},
): Promise<{ readonly told: readonly string[]; readonly stored: readonly unknown[] }> => {
  const fixture = await createComponentFixture(kind, project({ part: before[0] }, before[1]));
  await fixture.write(
    'part',
    values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))),
  );
  const next = project(after[0] === null ? {} : { part: after[0] }, after[1]);
  const { impact } = await fixture.preview(next, change);
  await fixture.migrate(next, change);
  const stored = after[0] === null ? [] : parsed(await fixture.read('part'));
  return { told: printChanges(impact), stored };
};
