import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DialectName } from '../../database/dialect/dialect-name.js';
import { CODE_FILES, SQL_FILE, assertSameDatabase, migrationNames } from './load-migrations.js';
import { DRAFT_PREFIX, nextName, writeLock } from './migration-draft.js';

export interface EmptyMigration {
  /** Absolute path of `prisma/migrations`. */
  readonly folder: string;
  readonly label: string;
  readonly provider: DialectName;
  /** True if the migration gets a migrate.ts, too. */
  readonly hasCode: boolean;
}

const DRAFT_NOTICE =
  '-- draft: nothing is migrated while this line is here. Delete it once the migration is complete.\n';

const SQL = `${DRAFT_NOTICE}
-- SQL for every database, in one transaction. May stay empty.
`;

const CODE = `import type { MigrationContext } from 'galley';

/** Runs after migration.sql. Where it is interrupted, batches go on after the last one that had ended. */
export default async ({ batches, documents, sql, log }: MigrationContext): Promise<void> => {
  // await batches('api::author.author', { size: 100 }, async (authors) => {
  //   for (const { documentId, name } of authors)
  //     await documents('api::author.author').update({ documentId, data: { lastName: name } });
  // });
};
`;

/**
 * Writes a migration to complete by hand. It is a draft: until its first line is deleted, nothing applies it.
 * Returns its name.
 *
 * @throws `migration/wrong-database`
 */
export async function writeEmptyMigration({
  folder,
  label,
  provider,
  hasCode,
}: EmptyMigration): Promise<string> {
  await assertSameDatabase(folder, provider);
  await mkdir(folder, { recursive: true });
  const draft = join(dirname(folder), `${DRAFT_PREFIX}${randomUUID()}`);
  await mkdir(draft);
  try {
    await writeLock(folder, draft, provider);
    await writeFile(join(draft, SQL_FILE), SQL);
    if (hasCode) await writeFile(join(draft, String(CODE_FILES[0])), CODE);
    const names = migrationNames(await readdir(folder, { withFileTypes: true }));
    const name = nextName(label, names.at(-1), new Date());
    await rename(draft, join(folder, name));
    return name;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
}
