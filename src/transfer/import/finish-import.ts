import { bumpAccessVersion } from '../../access/change-access.js';
import { FILE_UID, PERMISSION_UID } from '../../model/content-types/builtin/registry.js';
import type { Transaction } from '../../database/database.js';
import { tablesOf } from '../../model/lookup.js';
import { spaceAllLinks } from '../../query/compile/space-links.js';
import type { ImportRun } from './import-run.js';
import { mergePermissions } from './prepare-roles.js';
import { forgetProgress } from './progress.js';
import { selectedTypes } from './write-documents.js';
import { writeFolders } from './write-folders.js';
import { writeSettings } from './write-settings.js';
import { writeTokens } from './write-tokens.js';

/** Gives links of Strapi positions that drafts and published versions share, since each counts its own. */
const spaceImportedLinks = async ({ target, survey }: ImportRun, tx: Transaction): Promise<void> => {
  const { model, database } = target;
  for (const { owner, attribute: name } of survey.links.attributes()) {
    const attribute = model.typesByUid[owner]?.attributes[name];
    if (attribute === undefined || !('link' in attribute) || attribute.link === null) continue;
    for (const statement of spaceAllLinks(model, attribute.link)) {
      const { sql, parameters } = statement.compile(database.dialect.expressions.kysely);
      await tx.execute(sql, parameters);
    }
  }
};

/**
 * Ends an import: running servers learn of roles and locales, new rows get ids of their own, and the planner
 * learns of the rows.
 */
export async function finishImport(run: ImportRun): Promise<void> {
  const { target, survey } = run;
  const { continueNumberingSql } = target.database.dialect.migrations;
  const tables = ['cms_locales', ...selectedTypes(run).map(({ storage }) => storage.version.table)];
  await target.database.transact(async (tx) => {
    if (survey.selected(PERMISSION_UID) !== undefined) await mergePermissions(target, tx);
    if (continueNumberingSql !== null)
      for (const table of tables) await tx.query(continueNumberingSql(table, 'id'), []);
    if (run.options.parts.has('config') && run.options.types === null) {
      await writeSettings(run, tx);
      await writeTokens(run, tx);
    }
    if (survey.selected(FILE_UID) !== undefined) await writeFolders(survey, tx);
    await spaceImportedLinks(run, tx);
    await bumpAccessVersion(tx);
    await forgetProgress(tx);
  });
  const { analyzeTables } = target.database.dialect.driver;
  await target.database.transact((tx) => analyzeTables(tx, selectedTypes(run).flatMap(tablesOf), Infinity));
}
