import type { Transaction } from '../../database/database.js';
import type { Table } from '../../database/table.js';
import { documentTable, versionTable } from '../../documents/write/version-statements.js';
import { createError } from '../../errors/catalogue.js';
import { byCodePoint } from '../../lib/text.js';
import { defined } from '../../lib/assert.js';
import { createDocumentId, parseRecordId } from '../../lib/ids.js';
import { didYouMean } from '../../lib/nearest.js';
import { PERMISSION_UID, ROLE_UID } from '../../model/content-types/builtin-types.js';
import { typeOf } from '../../model/lookup.js';
import { NO_LOCALE } from '../../model/model.js';
import type { ColumnLink, ContentModel, ContentType } from '../../model/model.js';
import { requireLocales } from '../access.js';
import type { RoleContext, RoleRecord } from '../access.js';
import { readLocales } from '../locales.js';
import { printRule, toPermissionRule, toStoredRule } from '../permissions/rules.js';
import type { PermissionRule } from '../permissions/rules.js';
import { ROLE_FIELDS, toRoleRecord } from '../records.js';

/** The tables of a type without drafts and locales: its documents, and the only version of each. */
export interface DocumentTables {
  readonly document: Table;
  readonly version: Table;
}

/** Returns the tables of a type without drafts and locales. */
export function documentTables(type: ContentType): DocumentTables {
  return { document: documentTable(type), version: versionTable(type) };
}

/** The tables of roles and permissions. Both are ordinary documents of built-in types. */
export interface RoleTables {
  readonly role: DocumentTables;
  readonly permission: DocumentTables;
  /** Field of a permission's version row that holds the role's document id. */
  readonly roleField: string;
}

/**
 * Returns the link of a to-one relation that is stored as a column, like all relations between the built-in
 * types.
 */
export function columnLinkOf(type: ContentType, attribute: string): ColumnLink {
  const relation = type.attributes[attribute];
  if (relation?.family !== 'relation' || relation.link?.kind !== 'column')
    throw new TypeError(`${type.uid}.${attribute} is not stored as a column.`);
  return relation.link;
}

export function roleTables(model: ContentModel): RoleTables {
  const permission = typeOf(model, PERMISSION_UID);
  return {
    role: documentTables(typeOf(model, ROLE_UID)),
    permission: documentTables(permission),
    roleField: columnLinkOf(permission, 'role').field,
  };
}

/** Returns all roles in the order in which they were created. */
export async function readRoles(tx: Transaction, tables: RoleTables): Promise<readonly RoleRecord[]> {
  const rows = await tx.table(tables.role.version).find({}, { fields: ROLE_FIELDS, orderBy: 'id' });
  return rows.map(toRoleRecord);
}

/** Finds a role by its type (`public`) or name. Throws `access/unknown-role` with the nearest one. */
export async function findRole(tx: Transaction, tables: RoleTables, name: string): Promise<RoleRecord> {
  const roles = await readRoles(tx, tables);
  const lowerName = name.toLowerCase();
  const role =
    roles.find((candidate) => candidate.type === name) ??
    roles.find((candidate) => candidate.name.toLowerCase() === lowerName);
  if (role !== undefined) return role;
  const types = roles.map(({ type }) => type);
  throw createError('access/unknown-role', {
    role: name,
    remedy: didYouMean(name, types, `Roles are ${types.join(', ')}.`),
  });
}

/** The permissions of a role: the limits of each action by its full name, sorted. */
export type RoleRules = ReadonlyMap<string, PermissionRule>;

/** Reads the permissions of a role. */
export async function readRoleRules(
  tx: Transaction,
  tables: RoleTables,
  role: RoleRecord,
): Promise<RoleRules> {
  const rows = await tx
    .table(tables.permission.version)
    .find({ [tables.roleField]: role.documentId }, { fields: ['action', 'fields', 'conditions', 'limits'] });
  return new Map(
    rows
      .map((row) => [String(row['action']), toPermissionRule(row)] as const)
      .toSorted(([left], [right]) => byCodePoint(left, right)),
  );
}

/** Returns the system columns of a new document of a type without drafts and locales. */
const systemColumns = (): Readonly<Record<string, unknown>> => {
  const now = new Date().toISOString();
  return {
    documentId: createDocumentId(),
    locale: NO_LOCALE,
    status: 'published',
    createdAt: now,
    updatedAt: now,
    publishedAt: now,
  };
};

/** Writes new documents of a type: their document rows, then their only versions. */
export async function insertDocuments(
  tx: Transaction,
  tables: DocumentTables,
  values: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  if (values.length === 0) return;
  const rows = values.map((value): Readonly<Record<string, unknown>> => ({ ...systemColumns(), ...value }));
  await tx.table(tables.document).insert(rows.map(({ documentId }) => ({ documentId })));
  await tx.table(tables.version).insert(rows);
}

/** Added, removed and changed permissions of a role. */
export interface RulesDelta {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Actions granted before and after, with other limits. */
  readonly changed: readonly string[];
}

/** Returns the difference between the current and the new permissions of a role, sorted. */
export function compareRules(before: RoleRules, after: RoleRules): RulesDelta {
  const isChanged = (action: string, rule: PermissionRule): boolean => {
    const ruleBefore = before.get(action);
    return ruleBefore !== undefined && printRule(ruleBefore) !== printRule(rule);
  };
  return {
    added: [...after.keys()].filter((action) => !before.has(action)).toSorted(byCodePoint),
    removed: [...before.keys()].filter((action) => !after.has(action)).toSorted(byCodePoint),
    changed: [...after]
      .filter(([action, rule]) => isChanged(action, rule))
      .map(([action]) => action)
      .toSorted(byCodePoint),
  };
}

/** Deletes permissions of a role: those of some actions, or all of them. */
export async function deletePermissions(
  tx: Transaction,
  tables: RoleTables,
  role: RoleRecord,
  actions?: readonly string[],
): Promise<void> {
  const isOutdated = {
    [tables.roleField]: role.documentId,
    ...(actions === undefined ? {} : { action: actions }),
  };
  const rows = await tx.table(tables.permission.version).find(isOutdated, { fields: ['documentId'] });
  await tx
    .table(tables.permission.document)
    .delete({ documentId: rows.map((row) => String(row['documentId'])) });
}

/**
 * Writes a change of a role's permissions. The role's row must be locked, so that two changes do not mix.
 *
 * @throws `access/unknown-locale` if a new rule is limited to a locale that is not configured
 */
export async function writeRoleRules(
  tx: Transaction,
  tables: RoleTables,
  role: RoleRecord,
  delta: RulesDelta,
  after: RoleRules,
): Promise<void> {
  const outdatedActions = [...delta.removed, ...delta.changed];
  if (outdatedActions.length > 0) await deletePermissions(tx, tables, role, outdatedActions);
  const newRules = [...delta.added, ...delta.changed].map(
    (action) => [action, defined(after.get(action), `the rule of ${action}`)] as const,
  );
  const locales = newRules.flatMap(([, rule]) => rule.locales ?? []);
  if (locales.length > 0)
    requireLocales(
      locales,
      (await readLocales(tx)).map(({ code }) => code),
    );
  for (const [action, rule] of newRules)
    await insertDocuments(tx, tables.permission, [
      { action, ...toStoredRule(rule), [tables.roleField]: role.documentId },
    ]);
}

/**
 * Locks a role until the transaction ends, by counting up the revision of its document. Throws
 * `access/unknown-role` if it was removed meanwhile.
 */
export async function lockRole(tx: Transaction, tables: RoleTables, role: RoleRecord): Promise<void> {
  const { documentId, type } = role;
  const count = await tx.table(tables.role.document).increment({ documentId }, 'revision');
  if (count === 0)
    throw createError('access/unknown-role', {
      role: type,
      remedy: 'It was just removed. See: cms role list',
    });
}

/** Returns all roles in the order in which they were created. */
export async function listRoles({ database, model }: RoleContext): Promise<readonly RoleRecord[]> {
  return database.transact((tx) => readRoles(tx, roleTables(model)));
}

/** Returns the role with the numeric id of a request. Throws `request/not-found`. */
export async function requireRoleById({ database, model }: RoleContext, id: unknown): Promise<RoleRecord> {
  const recordId = parseRecordId(id);
  const row =
    recordId === null
      ? null
      : await database.transact((tx) =>
          tx.table(roleTables(model).role.version).findFirst({ id: recordId }, { fields: ROLE_FIELDS }),
        );
  if (row === null) throw createError('request/not-found');
  return toRoleRecord(row);
}
