import { fail } from '../errors/catalogue.js';
import { changedByBoth } from './merge-schemas.js';
import { lastKnown, schemaAfter } from './migration-files.js';
import type { Migration } from './migration-files.js';
import { quoteName } from './quote-name.js';

/**
 * A migration that was made on another branch may rebuild a table whose later columns it never knew, and would so take them away. Where
 * a table is changed in place there is no such danger.
 *
 * @param applied what the database has, or will have before it, oldest first
 * @throws `migration/made-apart`
 */
export function assertMadeTogether(migration: Migration, applied: readonly Migration[]): void {
  const { name, sql, snapshot } = migration;
  if (snapshot === null || snapshot.parent === lastKnown(applied)) return;
  const base = snapshot.parent === null ? '' : applied.find((candidate) => candidate.name === snapshot.parent)?.snapshot?.text;
  const state = schemaAfter(applied);
  if (base === undefined || state === null) return;
  const clashes = changedByBoth(base, state, snapshot.text).filter((table) => sql.includes(`DROP TABLE ${quoteName(table)};`));
  if (clashes.length > 0) throw fail('migration/made-apart', { name, tables: clashes.join(', ') });
}
