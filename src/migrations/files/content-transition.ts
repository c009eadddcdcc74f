import { isDeepStrictEqual } from 'node:util';
import type { ContentDecisions } from '../content/content-decisions.js';
import type { ContentTransition } from '../content/content-plan.js';
import { asRecorded, modelOfSnapshot, withoutDefaults } from './content-snapshot.js';
import type { ContentSnapshot } from './content-snapshot.js';
import { contentAfterMigrations } from './load-migrations.js';
import type { Migration } from './load-migrations.js';

/** Recorded even where no table changes, since the next migration starts from the recorded content-types. */
export const CONTENT_ONLY_SQL = '-- The content-types have changed, but none of their tables.\n';

/** True if the migrations do not lead to the content-types `next`. */
export function isContentChanged(next: ContentSnapshot | null, migrations: readonly Migration[]): boolean {
  if (next === null) return false;
  const previous = contentAfterMigrations(migrations);
  return (
    previous === null || !isDeepStrictEqual(withoutDefaults(asRecorded(next)), withoutDefaults(previous))
  );
}

/** The change of the content model that a migration was planned for. Null where it is not known. */
export function transitionOf(
  { name, snapshot, content, decisions }: Migration,
  migrations: readonly Migration[],
): ContentTransition | null {
  const parent = migrations.find((migration) => migration.name === snapshot?.parent);
  if (content === null || parent === undefined || parent.content === null) return null;
  return {
    before: modelOfSnapshot(parent.name, parent.content),
    after: modelOfSnapshot(name, content),
    decisions,
  };
}

/** The change of the content model from the given migrations to `next`. Null where one is not known. */
export function transitionTo(
  next: ContentSnapshot | null,
  migrations: readonly Migration[],
  decisions: ContentDecisions,
): ContentTransition | null {
  const previous = contentAfterMigrations(migrations);
  if (previous === null || next === null) return null;
  return {
    before: modelOfSnapshot(migrations.at(-1)?.name ?? '', previous),
    after: modelOfSnapshot('', next),
    decisions,
  };
}
