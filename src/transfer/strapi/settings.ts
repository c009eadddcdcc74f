import type { ExternalDatabase, ExternalRow } from '../../database/dialect/database-driver.js';
import { isRecord } from '../../lib/records.js';
import type { JsonValue } from '../../lib/stored-value.js';
import type { ApiTokenRecord, ConfigurationRecord } from '../source.js';
import { readNumber, readRows, readText, readTime, readValue } from './rows.js';

/** Parses JSON. Other text, which Strapi did not store, is returned as it is. */
const parseStored = (text: string): JsonValue => {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
};

const textValues = (value: unknown): Readonly<Record<string, string>> =>
  isRecord(value)
    ? Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]))
    : {};

const readTexts = (value: ExternalRow[string] | undefined): readonly string[] => {
  const list = readValue('json', 'json', value);
  return Array.isArray(list) ? list.map(String) : [];
};

const toWebhook = (row: ExternalRow): ConfigurationRecord => {
  const contentTypes = readTexts(row['content_types']);
  return {
    type: 'webhook',
    value: {
      name: readText(row['name']) ?? '',
      url: readText(row['url']) ?? '',
      headers: textValues(readValue('json', 'json', row['headers'])),
      events: readTexts(row['events']),
      enabled: readValue('boolean', 'boolean', row['enabled']) === true,
      ...(contentTypes.length === 0 ? {} : { contentTypes }),
    },
  };
};

/** Reads the settings of Strapi's store, then its webhooks. */
export async function* readConfiguration(database: ExternalDatabase): AsyncGenerator<ConfigurationRecord> {
  const stored = { table: 'strapi_core_store_settings', columns: ['key', 'value'] };
  for await (const row of readRows(database, stored)) {
    const [key, value] = [readText(row['key']), readText(row['value'])];
    if (key !== null && value !== null)
      yield { type: 'core-store', value: { key, value: parseStored(value) } };
  }
  const table = 'strapi_webhooks';
  const columns = ['name', 'url', 'headers', 'events', 'enabled'];
  // Strapi 5.60 added the column.
  const limits = database.tables.get(table)?.has('content_types') === true ? ['content_types'] : [];
  for await (const row of readRows(database, { table, columns: [...columns, ...limits] }))
    yield toWebhook(row);
}

const PERMISSIONS = `select l."api_token_id" as token, p."action" from "strapi_api_token_permissions" p
  join "strapi_api_token_permissions_token_lnk" l on l."api_token_permission_id" = p."id" order by p."id"`;

const readTokenPermissions = async (
  database: ExternalDatabase,
): Promise<ReadonlyMap<number, readonly string[]>> => {
  if (!database.tables.has('strapi_api_token_permissions_token_lnk')) return new Map();
  const actions = new Map<number, string[]>();
  for (const row of await database.rows(PERMISSIONS)) {
    const token = readNumber(row['token']);
    actions.set(token, [...(actions.get(token) ?? []), readText(row['action']) ?? '']);
  }
  return actions;
};

const TOKEN_COLUMNS = [
  'name',
  'description',
  'type',
  'access_key',
  'lifespan',
  'expires_at',
  'last_used_at',
  'created_at',
  'updated_at',
];

export const tokenTypeOf = (type: string | null): ApiTokenRecord['type'] =>
  type === 'full-access' || type === 'read-only' ? type : 'custom';

/** Reads the tokens of the content API, with the hashes of their keys. */
export async function* readApiTokens(database: ExternalDatabase): AsyncGenerator<ApiTokenRecord> {
  const table = 'strapi_api_tokens';
  const permissions = await readTokenPermissions(database);
  // Later releases of Strapi store tokens of the admin panel in the same table.
  const condition = database.tables.get(table)?.has('kind') ? `coalesce("kind", '') <> 'admin'` : undefined;
  const query = { table, columns: TOKEN_COLUMNS, ...(condition === undefined ? {} : { condition }) };
  for await (const row of readRows(database, query)) {
    const lifespan = readText(row['lifespan']);
    const createdAt = readTime(row['created_at']) ?? new Date().toISOString();
    yield {
      name: readText(row['name']) ?? '',
      description: readText(row['description']) ?? '',
      type: tokenTypeOf(readText(row['type'])),
      accessKey: readText(row['access_key']) ?? '',
      permissions: permissions.get(readNumber(row['id'])) ?? [],
      lifespan: lifespan === null ? null : Number(lifespan),
      expiresAt: readTime(row['expires_at']),
      lastUsedAt: readTime(row['last_used_at']),
      createdAt,
      updatedAt: readTime(row['updated_at']) ?? createdAt,
    };
  }
}
