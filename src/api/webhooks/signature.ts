import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Creates a secret in the form that libraries of Standard Webhooks take. */
export function createSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

const keyOf = (secret: string): Buffer =>
  secret.startsWith(PREFIX)
    ? Buffer.from(secret.slice(PREFIX.length), 'base64')
    : Buffer.from(secret, 'utf8');

/** Content that a signature covers. */
export interface SignedMessage {
  readonly key: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** Returns the signature of a message as Standard Webhooks has it: HMAC-SHA256 over key, time and body. */
export function sign(secret: string, { key, timestamp, body }: SignedMessage): string {
  const digest = createHmac('sha256', keyOf(secret)).update(`${key}.${timestamp}.${body}`).digest('base64');
  return `v1,${digest}`;
}
