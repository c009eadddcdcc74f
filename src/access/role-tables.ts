import { PERMISSION_UID, ROLE_UID } from '../content-types/builtin/registry.js';
import type { Transaction } from '../database/database.js';
import { fail } from '../errors/catalogue.js';
import { byCodePoint } from '../lib/compare.js';
import { createDocumentId } from '../lib/document-id.js';
import { nearest } from '../lib/nearest.js';
import { NO_LOCALE } from '../model/model.js';
import type { ColumnLink, ContentModel, ContentType } from '../model/model.js';
import type { RoleRecord } from './access.js';
import { ROLE_SELECT, roleOf } from './rows.js';
import { printRule, ruleOf, UNLIMITED } from './rules.js';
import type { PermissionRule } from './rules.js';

/** Names in the generated client under which roles and their permissions are kept: ordinary documents of two built-in types. */
export interface RoleTables {
  readonly role: ContentType['storage'];
  readonly permission: ContentType['storage'];
  /** Field of a permission's version row that holds the role's document id. */
  readonly roleField: string;
}

const typeOf = (model: ContentModel, uid: string): ContentType => {
  const type = model.typesByUid[uid];
  if (type === undefined) throw new TypeError(`The model lacks the built-in type ${uid}.`);
  return type;
};

/** The link of a to-one relation that is kept as a column, as all relations among the built-in types are. */
export function columnLinkOf(type: ContentType, attribute: string): ColumnLink {
  const relation = type.attributes[attribute];
  if (relation?.family !== 'relation' || relation.link?.kind !== 'column') throw new TypeError(`${type.uid}.${attribute} is not kept as a column.`);
  return relation.link;
}

export function roleTables(model: ContentModel): RoleTables {
  const permission = typeOf(model, PERMISSION_UID);
  return { role: typeOf(model, ROLE_UID).storage, permission: permission.storage, roleField: columnLinkOf(permission, 'role').field };
}

/** Roles in the order in which they were created. */
export async function readRoles(tx: Transaction, tables: RoleTables): Promise<readonly RoleRecord[]> {
  const rows = await tx.model(tables.role.version.model).findMany({ select: ROLE_SELECT, orderBy: { id: 'asc' } });
  return rows.map(roleOf);
}

/** Finds a role by its type (`public`) or its name. Throws `access/unknown-role` with the nearest one. */
export async function findRole(tx: Transaction, tables: RoleTables, name: string): Promise<RoleRecord> {
  const roles = await readRoles(tx, tables);
  const wanted = name.toLowerCase();
  const role = roles.find((candidate) => candidate.type === name) ?? roles.find((candidate) => candidate.name.toLowerCase() === wanted);
  if (role !== undefined) return role;
  const close = nearest(name, roles.map(({ type }) => type));
  throw fail('access/unknown-role', { role: name, remedy: close === undefined ? `Roles are ${roles.map(({ type }) => type).join(', ')}.` : `Did you mean ${close}?` });
}

/** What a role was granted, by full action name, with how far each goes; sorted. */
export type RoleRules = ReadonlyMap<string, PermissionRule>;

/** What a role was granted. */
export async function readRoleRules(tx: Transaction, tables: RoleTables, role: RoleRecord): Promise<RoleRules> {
  const rows = await tx.model(tables.permission.version.model).findMany({ where: { [tables.roleField]: role.documentId }, select: { action: true, fields: true, conditions: true } });
  return new Map(rows.map((row) => [String(row['action']), ruleOf(row)] as const).toSorted(([left], [right]) => byCodePoint(left, right)));
}

/** The system columns of a document of a type without drafts and languages. */
const newDocument = (): Readonly<Record<string, unknown>> => {
  const now = new Date().toISOString();
  return { documentId: createDocumentId(), locale: NO_LOCALE, status: 'published', createdAt: now, updatedAt: now, publishedAt: now };
};

/** Writes new documents of a type: their anchors, then their only versions. */
export async function insertDocuments(tx: Transaction, storage: ContentType['storage'], values: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  if (values.length === 0) return;
  const rows = values.map((value): Readonly<Record<string, unknown>> => ({ ...newDocument(), ...value }));
  await tx.model(storage.anchor.model).createMany({ data: rows.map((row) => ({ documentId: row['documentId'] })) });
  await tx.model(storage.version.model).createMany({ data: rows });
}

/** What comes, goes and changes among a role's permissions. */
export interface RulesDelta {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Granted before and after, but going further or less far. */
  readonly changed: readonly string[];
}

/** How what a role was granted differs from what it is to be granted; sorted. */
export function compareRules(before: RoleRules, after: RoleRules): RulesDelta {
  const isChanged = (action: string, rule: PermissionRule): boolean => {
    const known = before.get(action);
    return known !== undefined && printRule(known) !== printRule(rule);
  };
  return {
    added: [...after.keys()].filter((action) => !before.has(action)).toSorted(byCodePoint),
    removed: [...before.keys()].filter((action) => !after.has(action)).toSorted(byCodePoint),
    changed: [...after].filter(([action, rule]) => isChanged(action, rule)).map(([action]) => action).toSorted(byCodePoint),
  };
}

const permissionRow = (action: string, { fields, where }: PermissionRule): Readonly<Record<string, unknown>> =>
  ({ action, ...(fields === null ? {} : { fields }), ...(where === null ? {} : { conditions: where }) });

/** Writes what has changed among one role's permissions; the role's row must be locked, so that two changes never mix. */
export async function writeRoleRules(tx: Transaction, tables: RoleTables, role: RoleRecord, delta: RulesDelta, after: RoleRules): Promise<void> {
  const gone = [...delta.removed, ...delta.changed];
  if (gone.length > 0) {
    const rows = await tx.model(tables.permission.version.model).findMany({
      where: { [tables.roleField]: role.documentId, action: { in: gone } },
      select: { documentId: true },
    });
    await tx.model(tables.permission.anchor.model).deleteMany({ where: { documentId: { in: rows.map((row) => row['documentId']) } } });
  }
  const come = [...delta.added, ...delta.changed].map((action) => permissionRow(action, after.get(action) ?? UNLIMITED));
  for (const row of come) await insertDocuments(tx, tables.permission, [{ ...row, [tables.roleField]: role.documentId }]);
}

export async function lockRole(tx: Transaction, tables: RoleTables, role: RoleRecord): Promise<void> {
  await tx.model(tables.role.anchor.model).update({ where: { documentId: role.documentId }, data: { revision: { increment: 1 } } });
}
