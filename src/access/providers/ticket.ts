import { createHmac, createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { isRecord } from '../../lib/is-record.js';
import type { SignInProofs } from './authorisation.js';
import type { Profile } from './profile.js';

/** State that the browser keeps while the user signs in at the service. */
export interface Ticket extends SignInProofs {
  readonly provider: string;
  /** The page that is shown at the end. */
  readonly callback: string;
}

/** Profile of a user, verified by a service. */
export interface ProvenProfile extends Profile {
  readonly provider: string;
}

/** Maximum time to sign in at the service. */
const TICKET_SECONDS = 600;
const PROFILE_SECONDS = 120;

const ALGORITHM = 'HS256';

type Purpose = 'sign-in ticket' | 'proven profile';

/** A key for each purpose, so that nothing sealed here passes for a JWT of a user. */
const keyOf = (secret: string, purpose: Purpose): KeyObject =>
  createSecretKey(createHmac('sha256', secret).update(purpose).digest());

const open = (sealed: string, key: KeyObject): Readonly<Record<string, unknown>> | null => {
  try {
    const claims: unknown = jwt.verify(sealed, key, { algorithms: [ALGORITHM] });
    return isRecord(claims) ? claims : null;
  } catch {
    return null;
  }
};

export function sealTicket(ticket: Ticket, secret: string): string {
  const key = keyOf(secret, 'sign-in ticket');
  return jwt.sign({ ...ticket }, key, { algorithm: ALGORITHM, expiresIn: TICKET_SECONDS });
}

/** Returns what {@link sealTicket} was given. Null: it is another's, changed, or too old. */
export function openTicket(sealed: string | null, secret: string): Ticket | null {
  const claims = sealed === null ? null : open(sealed, keyOf(secret, 'sign-in ticket'));
  return claims as Ticket | null;
}

/** Returns what stands for a profile where a token of the service would not say whom it was given to. */
export function sealProfile({ provider, username, email }: ProvenProfile, secret: string): string {
  const key = keyOf(secret, 'proven profile');
  return jwt.sign({ provider, username, email }, key, { algorithm: ALGORITHM, expiresIn: PROFILE_SECONDS });
}

/** Returns what {@link sealProfile} was given. Null: it is another's, changed, or too old. */
export function openProfile(sealed: string, secret: string): ProvenProfile | null {
  return open(sealed, keyOf(secret, 'proven profile')) as ProvenProfile | null;
}
