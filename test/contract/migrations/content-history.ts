import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/database/open-database.js';
import type { Dialect } from '../../../src/database/dialect/dialect.js';
import { getDialect } from '../../../src/database/get-dialect.js';
import type { SessionRow } from '../../../src/database/dialect/migration-support.js';
import { withSession } from '../../../src/migrations/apply/migration-history.js';
import { contentSnapshotOf } from '../../../src/migrations/files/snapshots.js';
import { revertMigrations } from '../../../src/migrations/undo/revert-migrations.js';
import type { RevertOptions, RevertResult } from '../../../src/migrations/undo/revert-migrations.js';
import type { MigrateResult } from '../../../src/migrations/migrate.js';
import { printPrismaSchema } from '../../../src/generate/prisma-schema/print-prisma-schema.js';
import { createClient } from '../../../src/database/prisma/in-memory-client.js';
import type { TestDatabaseKind } from '../../support/databases.js';
import { definitionsFrom, modelFrom } from '../../support/models.js';
import type { ProjectLiteral } from '../../support/models.js';
import { createApi, steppingClock } from '../documents/service.js';
import type { Api } from '../documents/service.js';
import { migrate } from './migration-fixture.js';
import type { MigrateOptions } from './migration-fixture.js';

const base = await readFile(new URL('../../../prisma/base.prisma', import.meta.url), 'utf8');

/** Schemas that follow one another on one database, with content. */
export interface ContentHistory {
  readonly folder: string;
  readonly url: string;
  readonly dialect: Dialect;
  readonly migrate: (project: ProjectLiteral, options?: Partial<MigrateOptions>) => Promise<MigrateResult>;
  readonly down: (options?: Partial<RevertOptions>) => Promise<RevertResult>;
  /** The document service over the schema, closed when the test ends. */
  readonly open: (project: ProjectLiteral) => Promise<Api>;
  readonly rows: (sql: string) => Promise<readonly SessionRow[]>;
  /** Takes a folder away, as a switch to another branch does, and returns what brings it back. */
  readonly hide: (name: string | null) => Promise<() => Promise<void>>;
  /** The same folder with another, empty database. */
  readonly withEmptyDatabase: () => Promise<ContentHistory>;
}

const historyIn = async (kind: TestDatabaseKind, folder: string): Promise<ContentHistory> => {
  const { url } = await kind.create();
  const dialect = getDialect(kind.name);
  const target = { folder, url, dialect };
  const clock = steppingClock();
  const schemaOf = (project: ProjectLiteral): string =>
    printPrismaSchema({ model: modelFrom(project), support: dialect.schema, base });
  return {
    folder,
    url,
    dialect,
    migrate: (project, options = {}) =>
      migrate({
        ...target,
        label: 'change',
        nextSchema: schemaOf(project),
        nextContent: contentSnapshotOf(definitionsFrom(project)),
        ...options,
      }),
    down: (options = {}) => revertMigrations({ ...target, steps: 1, ...options }),
    open: async (project) => {
      const database = await openDatabase({
        dialect,
        url,
        loadClient: () => createClient({ schemaText: schemaOf(project), provider: dialect.schema.provider }),
      });
      onTestFinished(() => database.close());
      return createApi({ model: modelFrom(project), database }, { clock });
    },
    rows: (sql) => withSession(target, true, (session) => session.query(sql)),
    hide: async (name) => {
      const hidden = join(folder, '..', `hidden-${name}`);
      await rename(join(folder, String(name)), hidden);
      return () => rename(hidden, join(folder, String(name)));
    },
    withEmptyDatabase: () => historyIn(kind, folder),
  };
};

/** An empty database and a folder for migrations. */
export const createContentHistory = async (kind: TestDatabaseKind): Promise<ContentHistory> => {
  const root = await mkdtemp(join(tmpdir(), 'galley-history-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return historyIn(kind, join(root, 'prisma', 'migrations'));
};
