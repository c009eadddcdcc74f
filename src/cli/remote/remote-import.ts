import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/is-record.js';
import { sendArchive } from '../../transfer/remote/archives.js';
import type { ArchiveSending } from '../../transfer/remote/archives.js';
import type { RemoteAccess } from '../../transfer/remote/send.js';
import type { ImportPlan } from '../../transfer/import/plan-import.js';

const LISTS = ['types', 'locales', 'differences', 'findings'] as const;

const isPlan = (value: unknown): value is ImportPlan =>
  isRecord(value) && isRecord(value['files']) && LISTS.every((name) => Array.isArray(value[name]));

/**
 * Has a server import an archive, or say what that would do. Returns the plan.
 *
 * @throws what `sendArchive` throws
 */
export async function importElsewhere(
  access: RemoteAccess,
  path: string,
  sending: ArchiveSending & { readonly onProgress: (detail: string) => void },
): Promise<ImportPlan> {
  const plan = await sendArchive(access, path, sending);
  if (isPlan(plan)) return plan;
  const { name, url } = access;
  throw createError('remote/unexpected-answer', { name, url, reason: 'it tells no plan of the import' });
}
