import type { Transaction } from '../database/database.js';
import { fail } from '../errors/catalogue.js';
import { isRecord } from '../lib/is-record.js';
import type { ContentType, VersionStatus } from '../model/model.js';
import type { AccessLimits } from '../query/query.js';
import type { DocumentContext } from './document-context.js';
import type { WriteAccess } from './documents.js';
import type { VersionRow } from './version-row.js';
import { primaryStatus } from './write-scope.js';

/** How far the right to one write goes. */
export interface Permit {
  readonly type: ContentType;
  readonly limits: AccessLimits | null;
}

/** Keys that are taken and ignored in any document's data. */
const IGNORED: ReadonlySet<string> = new Set(['publishedAt', 'locale']);

/** How far the right to an action of a type goes; without `access` the server itself writes. */
export function permitOf(type: ContentType, access: WriteAccess | undefined, action: 'create' | 'update' | 'delete'): Permit {
  return { type, limits: access?.limitsOf?.(type.uid, action) ?? null };
}

/** Throws `request/invalid-key` for an attribute that may not be written. */
export function assertFields({ limits }: Permit, data: unknown): void {
  const fields = limits?.fields ?? null;
  if (fields === null || !isRecord(data)) return;
  const denied = Object.keys(data).find((key) => !fields.has(key) && !IGNORED.has(key));
  if (denied !== undefined) throw fail('request/invalid-key', { key: denied.slice(0, 60) });
}

/** Versions that must fulfil the condition. */
export interface PermittedVersions {
  readonly documentId: string;
  /** As it is stored, or `*`. */
  readonly locale: string;
  readonly statuses: readonly VersionStatus[];
  /** Whether each of them must, or one is enough. */
  readonly every: boolean;
}

/** What is looked at before a document is changed: the version that is edited, or whichever language it has where that is a new one. */
export function versionsToChange(type: ContentType, { documentId, rows }: { readonly documentId: string; readonly rows: readonly VersionRow[] }, locale: string): PermittedVersions {
  const status = primaryStatus(type);
  const isThere = rows.some((row) => row.locale === locale && row.status === status);
  return { documentId, locale: isThere ? locale : '*', statuses: [status], every: false };
}

/** Throws `request/forbidden` where a document, as it is at this moment of the write, is none that the right covers. */
export async function assertPermitted({ records }: DocumentContext, { type, limits }: Permit, tx: Transaction, { documentId, locale, statuses, every }: PermittedVersions): Promise<void> {
  const filter = limits?.filter ?? null;
  if (filter === null) return;
  const here = { kind: 'compare', field: 'documentId', operator: '$eq', operand: documentId } as const;
  for (const status of statuses) {
    const query = { type: type.uid, locale, status, hasPublishedVersion: null };
    const fulfilling = await records.documentIdsIn(tx, { ...query, filter: { kind: 'and', items: [here, filter] } });
    const all = every ? await records.documentIdsIn(tx, { ...query, filter: here }) : fulfilling;
    if (fulfilling.length === 0 || fulfilling.length < all.length) throw fail('request/forbidden');
  }
}
