import type { LocaleRecord, RoleRecord, TokenRecord, TokenType } from './access.js';
import { splitActions } from './preview-scope.js';

type Row = Readonly<Record<string, unknown>>;

const text = (value: unknown): string => (typeof value === 'string' ? value : String(value));
const textOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : text(value);
const time = (value: unknown): string => (value instanceof Date ? value.toISOString() : text(value));
const timeOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : time(value);

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null;

export const TOKEN_SELECT = {
  id: true,
  name: true,
  description: true,
  type: true,
  keyHash: true,
  expiresAt: true,
  lastUsedAt: true,
  createdAt: true,
  updatedAt: true,
  permissions: { select: { action: true } },
} as const;

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

export const ROLE_SELECT = { id: true, documentId: true, name: true, description: true, type: true } as const;

export function toRoleRecord(row: Row): RoleRecord {
  return {
    id: Number(row['id']),
    documentId: text(row['documentId']),
    name: text(row['name']),
    description: textOrNull(row['description']),
    type: text(row['type']),
  };
}
