import { defineTable } from '../database/table.js';
import type { LocaleRecord, RoleRecord, TokenRecord, TokenType } from './access.js';
import { splitActions } from './token-scope.js';

type Row = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : String(value));
const textOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : text(value);
const time = (value: unknown): string => (value instanceof Date ? value.toISOString() : text(value));
const timeOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : time(value);

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;

export const TOKENS = defineTable('cms_api_tokens', {
  id: 'integer',
  name: 'text',
  description: 'text',
  type: 'text',
  keyHash: 'text',
  expiresAt: 'datetime',
  lastUsedAt: 'datetime',
  createdAt: 'datetime',
  updatedAt: 'datetime',
});

/** The actions of custom tokens, and the scopes of preview tokens. */
export const TOKEN_ACTIONS = defineTable('cms_api_token_permissions', {
  id: 'integer',
  tokenId: 'integer',
  action: 'text',
});

export const LOCALES = defineTable('cms_locales', {
  id: 'integer',
  documentId: 'text',
  code: 'text',
  name: 'text',
  isDefault: 'boolean',
  createdAt: 'datetime',
  updatedAt: 'datetime',
  publishedAt: 'datetime',
});

const actionsOf = (rows: unknown): readonly string[] =>
  Array.isArray(rows)
    ? rows
        .filter(isRow)
        .map((row) => text(row['action']))
        .toSorted()
    : [];

export function toTokenRecord(row: Row): TokenRecord {
  return {
    id: Number(row['id']),
    name: text(row['name']),
    description: textOrNull(row['description']),
    type: text(row['type']) as TokenType,
    ...splitActions(actionsOf(row['permissions'])),
    expiresAt: timeOrNull(row['expiresAt']),
    lastUsedAt: timeOrNull(row['lastUsedAt']),
    createdAt: time(row['createdAt']),
    updatedAt: time(row['updatedAt']),
  };
}

export function toLocaleRecord(row: Row): LocaleRecord {
  return {
    id: Number(row['id']),
    documentId: text(row['documentId']),
    code: text(row['code']),
    name: text(row['name']),
    isDefault: row['isDefault'] === true,
    createdAt: time(row['createdAt']),
    updatedAt: time(row['updatedAt']),
    publishedAt: time(row['publishedAt'] ?? row['createdAt']),
  };
}

/** The fields of a role's record. */
export const ROLE_FIELDS = ['id', 'documentId', 'name', 'description', 'type'] as const;

export function toRoleRecord(row: Row): RoleRecord {
  return {
    id: Number(row['id']),
    documentId: text(row['documentId']),
    name: text(row['name']),
    description: textOrNull(row['description']),
    type: text(row['type']),
  };
}
