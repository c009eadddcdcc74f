import { createHash, randomBytes } from 'node:crypto';
import type { Database } from '../../database/database.js';
import type { AccountMail } from './people.js';

const CODE_BYTES = 32;
const HOUR = 3_600_000;
const LIFETIMES: Readonly<Record<AccountMail['purpose'], number>> = { 'reset-password': HOUR, 'email-confirmation': 48 * HOUR };

/** What is stored of a code or refresh token; they are random and long, so that no salt is needed. */
export function hashCode(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}

/** A new code: 64 hexadecimal digits from the system's random source. */
export function createCode(): string {
  return randomBytes(CODE_BYTES).toString('hex');
}

interface CodeOwner {
  readonly userDocumentId: string;
  readonly purpose: AccountMail['purpose'];
}

/** Issues a code; one issued to the same user before for the same purpose ends with it, and so do all that are over. */
export async function issueCode(database: Database, { userDocumentId, purpose }: CodeOwner, now: number): Promise<string> {
  const code = createCode();
  await database.transact(async (tx) => {
    await tx.model('AccountCode').deleteMany({ where: { OR: [{ userDocumentId, purpose }, { expiresAt: { lt: new Date(now) } }] } });
    await tx.model('AccountCode').create({ data: { hash: hashCode(code), purpose, userDocumentId, expiresAt: new Date(now + LIFETIMES[purpose]) } });
  });
  return code;
}

/** Ends codes that were sent to a user and are not used yet; of one purpose, where one is given. */
export async function endCodesOf({ database }: { readonly database: Database }, userDocumentId: string, purpose?: AccountMail['purpose']): Promise<void> {
  await database.transact((tx) => tx.model('AccountCode').deleteMany({ where: { userDocumentId, ...(purpose === undefined ? {} : { purpose }) } }));
}

/** Uses a code up: whose it is, or null where there is none, it was used, or it is over. Of two who try at once, one succeeds. */
export async function redeemCode(database: Database, purpose: AccountMail['purpose'], code: string, now: number): Promise<string | null> {
  const hash = hashCode(code);
  return database.transact(async (tx) => {
    const row = await tx.model('AccountCode').findUnique({ where: { hash } });
    if (row === null || row['purpose'] !== purpose) return null;
    const { count } = await tx.model('AccountCode').deleteMany({ where: { hash } });
    const expiresAt = row['expiresAt'];
    const isOver = !(expiresAt instanceof Date) || expiresAt.getTime() <= now;
    return count === 1 && !isOver ? String(row['userDocumentId']) : null;
  });
}
