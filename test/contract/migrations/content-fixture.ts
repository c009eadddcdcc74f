import { readFile } from 'node:fs/promises';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/database/open-database.js';
import { getDialect } from '../../../src/database/get-dialect.js';
import { contentSnapshotOf } from '../../../src/migrations/files/snapshots.js';
import { createPlan } from '../../../src/migrations/migrate.js';
import type { MigrateResult } from '../../../src/migrations/migrate.js';
import type { Plan } from '../../../src/migrations/plan/plan-migration.js';
import { createClient } from '../../../src/database/prisma/in-memory-client.js';
import { printPrismaSchema } from '../../../src/generate/prisma-schema/print-prisma-schema.js';
import type { TestDatabaseKind } from '../../support/databases.js';
import { definitionsFrom, modelFrom } from '../../support/models.js';
import type { ProjectLiteral } from '../../support/models.js';
import { createApi, steppingClock } from '../documents/service.js';
import type { Api } from '../documents/service.js';
import { createMigrationFixture, migrate } from './migration-fixture.js';
import type { MigrateOptions, MigrationFixture } from './migration-fixture.js';

const base = await readFile(new URL('../../../prisma/base.prisma', import.meta.url), 'utf8');

type Call = Partial<
  Pick<
    MigrateOptions,
    'nextSchema' | 'renames' | 'decisions' | 'acceptsDataLoss' | 'acceptsInvalid' | 'label'
  >
>;

/** A migrations folder and a database, which are migrated from one project to another. */
export interface ContentFixture extends Omit<MigrationFixture, 'migrate' | 'preview' | 'withEmptyDatabase'> {
  readonly migrate: (project: ProjectLiteral, call?: Call) => Promise<MigrateResult>;
  readonly preview: (project: ProjectLiteral, call?: Call) => Promise<Plan>;
  /** The document service of the project on the database. */
  readonly open: (project: ProjectLiteral) => Promise<Api>;
  readonly prismaSchema: (project: ProjectLiteral) => string;
  readonly withEmptyDatabase: () => Promise<ContentFixture>;
}

const contentFixtureOf = (kind: TestDatabaseKind, fixture: MigrationFixture): ContentFixture => {
  const dialect = getDialect(kind.name);
  const { folder, url } = fixture;
  const prismaSchema = (project: ProjectLiteral): string =>
    printPrismaSchema({ model: modelFrom(project), support: dialect.schema, base });
  const optionsFor = (project: ProjectLiteral) => ({
    folder,
    url,
    dialect,
    nextSchema: prismaSchema(project),
    nextContent: contentSnapshotOf(definitionsFrom(project)),
  });
  return {
    ...fixture,
    prismaSchema,
    migrate: (project, call = {}) => migrate({ label: 'change', ...optionsFor(project), ...call }),
    preview: (project, call = {}) =>
      createPlan({ ...optionsFor(project), ...call }, { folder, url, dialect }),
    open: async (project) => {
      const database = await openDatabase({
        dialect,
        url,
        loadClient: () =>
          createClient({ schemaText: prismaSchema(project), provider: dialect.schema.provider }),
      });
      onTestFinished(() => database.close());
      return createApi({ model: modelFrom(project), database }, { clock: steppingClock() });
    },
    withEmptyDatabase: async () => contentFixtureOf(kind, await fixture.withEmptyDatabase()),
  };
};

export const createContentFixture = async (kind: TestDatabaseKind): Promise<ContentFixture> =>
  contentFixtureOf(kind, await createMigrationFixture(kind));
