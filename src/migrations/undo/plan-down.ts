import { join } from 'node:path';
import { createError } from '../../errors/catalogue.js';
import { NO_DECISIONS } from '../content/content-decisions.js';
import type { ContentDecisions, ContentRename } from '../content/content-decisions.js';
import type { ContentTransition } from '../content/content-plan.js';
import { EMPTY_CONTENT, modelOfSnapshot, parseContentSnapshot } from '../files/content-snapshot.js';
import { parseHeader } from '../files/migration-header.js';
import { readOptionalFile } from '../files/load-migrations.js';
import type { MigrationDialect } from '../migration-dialect.js';
import { planMigration } from '../plan/plan-migration.js';
import type { MigrationPlan } from '../plan/plan-migration.js';
import { reverseRenames } from '../schema/renamed-location.js';
import { parseTables } from '../schema/schema-tables.js';
import type { MigrationRecord } from './migration-record.js';
import type { KeptRows } from './restore-rows.js';

/** Step that reverts one migration. */
export interface DownStep {
  readonly name: string;
  readonly plan: Pick<MigrationPlan, 'sql' | 'inspections'>;
  readonly rows: KeptRows;
}

const DOWN_FILE = 'down.sql';

/** The renames of components. Those of tables and columns lead back by themselves. */
const reverseDecisions = ({ renames }: ContentDecisions): ContentDecisions => {
  const newUid = (uid: string): string =>
    renames.find((rename) => rename.kind === 'component' && rename.from === uid)?.to ?? uid;
  return {
    ...NO_DECISIONS,
    renames: renames.toReversed().flatMap((rename): readonly ContentRename[] => {
      const reversed = { ...rename, from: rename.to, to: rename.from };
      if (reversed.kind === 'component') return [reversed];
      return reversed.kind === 'component-attribute'
        ? [{ ...reversed, component: newUid(reversed.component) }]
        : [];
    }),
  };
};

const reverseTransition = (
  { name, before, contentBefore, contentAfter }: MigrationRecord,
  decisions: ContentDecisions,
): ContentTransition | null => {
  const isFirst = before === null && contentBefore === null;
  if (contentAfter === null || (contentBefore === null && !isFirst)) return null;
  const content = contentBefore === null ? EMPTY_CONTENT : parseContentSnapshot(contentBefore);
  return {
    before: modelOfSnapshot(name, parseContentSnapshot(contentAfter)),
    after: modelOfSnapshot(name, content),
    decisions: reverseDecisions(decisions),
  };
};

/**
 * Plans how to take a migration back: by SQL that stands beside it, otherwise by the way back from its
 * schema.
 *
 * @throws `migration/irreversible`
 */
export async function planDown(
  record: MigrationRecord,
  { folder, dialect }: { readonly folder: string; readonly dialect: MigrationDialect },
): Promise<DownStep> {
  const { name, before, after, kept } = record;
  const { renames, decisions } = parseHeader(record.sql);
  const file = join(folder, name, DOWN_FILE);
  const written = await readOptionalFile(file);
  if (after === null && written === null)
    throw createError('migration/irreversible', { name, file, reason: 'it was written by hand' });
  const empty = `datasource db {\n  provider = "${dialect.schema.provider}"\n}\n`;
  const plan =
    written !== null || after === null
      ? { sql: written ?? '', inspections: [] }
      : await planMigration({
          previousSchema: after,
          nextSchema: before ?? empty,
          renames: reverseRenames(renames),
          dialect,
          transition: reverseTransition(record, decisions),
        });
  return {
    name,
    plan,
    rows: {
      kept,
      renames,
      before: before === null ? new Map() : await parseTables(before),
      after: after === null ? new Map() : await parseTables(after),
      dialect,
    },
  };
}
