import { randomBytes } from 'node:crypto';
import type { Database } from '../../database/database.js';
import { defineTable } from '../../database/table.js';
import { sha256Hex } from '../../lib/ids.js';
import { HOUR_MS } from '../../lib/units.js';
import type { AccountMail } from './account-context.js';

const CODES = defineTable('cms_account_codes', {
  hash: 'text',
  purpose: 'text',
  userDocumentId: 'text',
  createdAt: 'datetime',
  expiresAt: 'datetime',
});

const CODE_BYTES = 32;
const LIFETIMES: Readonly<Record<AccountMail['purpose'], number>> = {
  'reset-password': HOUR_MS,
  'email-confirmation': 48 * HOUR_MS,
};

/** The purpose of a code after it has confirmed an address. */
const USED_CONFIRMATION = 'used-email-confirmation';

/**
 * Returns the hash under which a code or refresh token is stored. Both are long and random, so they need no
 * salt.
 */
export function hashCode(code: string): string {
  return sha256Hex(code);
}

/** Returns a new code: 64 hexadecimal digits from the system's random source. */
export function createCode(): string {
  return randomBytes(CODE_BYTES).toString('hex');
}

/** Replaces a user that does not exist, so that issuing a code takes the same time. */
export const NOBODY = { documentId: '', username: 'nobody' } as const;

interface CodeOwner {
  readonly userDocumentId: string;
  readonly purpose: AccountMail['purpose'];
}

/** Issues a code. Deletes the user's earlier code for the same purpose, and all codes that have expired. */
export async function issueCode(
  database: Database,
  { userDocumentId, purpose }: CodeOwner,
  now: number,
): Promise<string> {
  const code = createCode();
  await database.transact(async (tx) => {
    const codes = tx.table(CODES);
    await codes.delete({ userDocumentId, purpose });
    await codes.delete({ expiresAt: { below: new Date(now) } });
    const expiresAt = new Date(now + LIFETIMES[purpose]);
    await codes.insert([{ hash: hashCode(code), purpose, userDocumentId, expiresAt }]);
  });
  return code;
}

/** Deletes a user's unused codes: those for one purpose, or all of them. */
export async function revokeUserCodes(
  { database }: { readonly database: Database },
  userDocumentId: string,
  purpose?: AccountMail['purpose'],
): Promise<void> {
  await database.transact((tx) =>
    tx.table(CODES).delete({ userDocumentId, ...(purpose === undefined ? {} : { purpose }) }),
  );
}

/**
 * Redeems a code that confirms an address. Returns the document id of its user; `isUsed` is true if the code
 * was used before. Used codes stay valid, so that a link works after a mail scanner has followed it. Returns
 * null if the code does not exist or has expired.
 */
export async function redeemConfirmation(
  database: Database,
  code: string,
  now: number,
): Promise<{ readonly userDocumentId: string; readonly isUsed: boolean } | null> {
  const hash = hashCode(code);
  return database.transact(async (tx) => {
    const codes = tx.table(CODES);
    const row = await codes.findFirst({ hash });
    const [purpose, expiresAt] = [row?.['purpose'], row?.['expiresAt']];
    if (row === null || !(expiresAt instanceof Date) || expiresAt.getTime() <= now) return null;
    const userDocumentId = String(row['userDocumentId']);
    if (purpose === USED_CONFIRMATION) return { userDocumentId, isUsed: true };
    if (purpose !== 'email-confirmation') return null;
    await codes.delete({ userDocumentId, purpose: USED_CONFIRMATION });
    const count = await codes.update({ hash, purpose: 'email-confirmation' }, { purpose: USED_CONFIRMATION });
    return { userDocumentId, isUsed: count === 0 };
  });
}

/**
 * Redeems a code. Returns the document id of its user, or null if the code does not exist, was used or has
 * expired. Only one of two simultaneous attempts succeeds.
 */
export async function redeemCode(
  database: Database,
  purpose: 'reset-password',
  code: string,
  now: number,
): Promise<string | null> {
  const hash = hashCode(code);
  return database.transact(async (tx) => {
    const row = await tx.table(CODES).findFirst({ hash });
    if (row === null || row['purpose'] !== purpose) return null;
    const count = await tx.table(CODES).delete({ hash });
    const expiresAt = row['expiresAt'];
    const isExpired = !(expiresAt instanceof Date) || expiresAt.getTime() <= now;
    return count === 1 && !isExpired ? String(row['userDocumentId']) : null;
  });
}
