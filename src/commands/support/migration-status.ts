import { isUpToDate } from '../../migrations/status.js';
import type { MigrationStatus } from '../../migrations/status.js';
import type { Outcome } from './outcome.js';
import type { Style } from './style.js';

const PENDING = 4;

/** Every migration with where it stands, and what to run. `isBehind`: the content-types ask for something that no migration makes. */
export function describeStatus(status: MigrationStatus, isBehind: boolean, style: Style): Outcome {
  const { applied, pending, failed, edited, missing } = status;
  const sound = applied.filter((name) => !edited.includes(name) && !missing.includes(name));
  const lines = [
    ...sound.map((name) => `${style.green('applied')}  ${name}`),
    ...pending.map((name) => `${style.yellow('pending')}  ${name}  (cms migrate deploy)`),
    ...failed.map((name) => `${style.red('failed')}   ${name}  (npx prisma migrate resolve --rolled-back ${name})`),
    ...edited.map((name) => `${style.red('edited')}   ${name}  (its file has changed since; restore it from version control)`),
    ...missing.map((name) => `${style.red('missing')}  ${name}  (applied, but its folder is gone; restore it from version control)`),
    ...(isBehind ? [`${style.yellow('unmade')}   The content-types have changes that no migration makes (cms migrate)`] : []),
  ];
  const upToDate = isUpToDate(status) && !isBehind;
  const text = [...lines, ...(upToDate ? ['The database is up to date.'] : [])].join('\n');
  return { json: { upToDate, ...status, unmade: isBehind }, text, exitCode: upToDate ? 0 : PENDING };
}
