import { USER_UID } from '../../model/content-types/builtin/registry.js';
import { isRecord } from '../../lib/is-record.js';
import type { JsonValue } from '../../lib/stored-value.js';
import type { ConfigurationRecord, EntityRecord } from '../source.js';

/** Names of values that let whoever has them act as somebody else. */
const SECRET =
  /secret|password|passphrase|token|credential|authorization|cookie|signature|(?:api|private)[-_]?key/i;

/** Is the address of a page. */
const PUBLIC = 'email_reset_password';

/** One-time codes that were sent to a user by mail. */
const CODES = { resetPasswordToken: null, confirmationToken: null };

const isValues = (value: unknown): value is Readonly<Record<string, JsonValue>> => isRecord(value);

const isSecret = (name: string, value: JsonValue): boolean =>
  name !== PUBLIC && SECRET.test(name) && typeof value === 'string' && value !== '';

/** Leaves members out that are named like secrets and have one, however deep. */
const withoutSecretMembers = (value: JsonValue): JsonValue => {
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutSecretMembers(item));
  if (!isValues(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, member]) => !isSecret(name, member))
      .map(([name, member]) => [name, withoutSecretMembers(member)]),
  );
};

/** A record as it may leave the project. Users keep the hashes of their passwords. */
export function withoutCodes(record: EntityRecord): EntityRecord {
  return record.type === USER_UID ? { ...record, data: { ...record.data, ...CODES } } : record;
}

/** A setting or webhook without keys of providers and credentials in headers. */
export function withoutSecrets(record: ConfigurationRecord): ConfigurationRecord {
  if (record.type === 'core-store')
    return { ...record, value: { ...record.value, value: withoutSecretMembers(record.value.value) } };
  const headers = Object.entries(record.value.headers).filter(([name]) => !SECRET.test(name));
  return { ...record, value: { ...record.value, headers: Object.fromEntries(headers) } };
}
