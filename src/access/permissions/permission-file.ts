import { parse, stringify } from 'yaml';
import type { Transaction } from '../../database/database.js';
import { createError } from '../../errors/catalogue.js';
import type { GalleyError } from '../../errors/galley-error.js';
import { byCodePoint } from '../../lib/text.js';
import { isRecord } from '../../lib/records.js';
import { lastSegment, withoutLastSegment } from '../../lib/ids.js';
import type { ContentModel } from '../../model/model.js';
import { changeAccess } from '../access.js';
import type { AccessContext, ChangeOptions } from '../access.js';
import {
  compareRules,
  deletePermissions,
  lockRole,
  readRoleRules,
  readRoles,
  roleTables,
  writeRoleRules,
} from '../roles/role-tables.js';
import type { RoleRules, RoleTables } from '../roles/role-tables.js';
import { isRoleType } from '../roles/role-values.js';
import { insertRole } from '../roles/write-roles.js';
import { resolveActions } from './actions.js';
import { UNLIMITED, isLimited, normaliseRule } from './rules.js';
import type { PermissionRule } from './rules.js';

/** Definition of a role in a permissions file. */
export interface RoleDefinition {
  readonly type: string;
  readonly name: string;
  readonly description: string | null;
  readonly rules: RoleRules;
}

const HEADER =
  '# Permissions of each role. Written by: cms permissions export. Applied by: cms permissions apply.\n';

const ruleValue = (rule: PermissionRule): unknown => {
  const { fields, where, locales, status } = rule;
  if (!isLimited(rule)) return true;
  return {
    ...(fields === null ? {} : { fields }),
    ...(where === null ? {} : { where }),
    ...(locales === undefined ? {} : { locales }),
    ...(status === undefined ? {} : { status }),
  };
};

const permissionTree = (rules: RoleRules): Readonly<Record<string, Readonly<Record<string, unknown>>>> => {
  const tree: Record<string, Record<string, unknown>> = {};
  for (const [action, rule] of rules) {
    const actions = (tree[withoutLastSegment(action)] ??= {});
    actions[lastSegment(action)] = ruleValue(rule);
  }
  return tree;
};

/** Prints YAML with sorted keys at all levels. The same value always yields the same bytes. */
export function printSortedYaml(value: Readonly<Record<string, unknown>>): string {
  const sortMapEntries = (left: { readonly key: unknown }, right: { readonly key: unknown }): number =>
    byCodePoint(String(left.key), String(right.key));
  return stringify(value, { lineWidth: 0, sortMapEntries, aliasDuplicateObjects: false });
}

/** Prints roles and their permissions as YAML. The same roles always yield the same bytes, in any order. */
export function printPermissionFile(roles: readonly RoleDefinition[]): string {
  const entries = roles.map(
    ({ type, name, description, rules }) =>
      [
        type,
        { name, ...(description === null ? {} : { description }), permissions: permissionTree(rules) },
      ] as const,
  );
  return HEADER + printSortedYaml({ roles: Object.fromEntries(entries) });
}

/** Location of a definition, for error messages. */
interface FileContext {
  readonly model: ContentModel;
  readonly file: string;
}

const invalidFile = ({ file }: FileContext, reason: string, cause?: unknown): GalleyError =>
  createError('access/invalid-permissions-file', { file, reason }, { cause });

const requireRecord = (
  context: FileContext,
  value: unknown,
  location: string,
): Readonly<Record<string, unknown>> => {
  if (isRecord(value)) return value;
  throw invalidFile(context, `${location} is not a mapping.`);
};

const RULE_KEYS: readonly string[] = ['fields', 'where', 'locales', 'status'];

const parseNames = (context: FileContext, value: unknown, location: string): readonly string[] | null => {
  if (value === null) return null;
  if (Array.isArray(value) && value.every((name): name is string => typeof name === 'string')) return value;
  throw invalidFile(context, `${location} is not a list of names.`);
};

const parseRule = (context: FileContext, action: string, value: unknown): PermissionRule => {
  if (value === true || value === null) return UNLIMITED;
  const rule = requireRecord(context, value, action);
  const unknownKey = Object.keys(rule).find((key) => !RULE_KEYS.includes(key));
  if (unknownKey !== undefined)
    throw invalidFile(
      context,
      `${action} has the unknown key ${unknownKey}; the keys are ${RULE_KEYS.join(', ')}.`,
    );
  const { fields = null, where = null, locales = null, status = null } = rule;
  if (status !== null && status !== 'draft')
    throw invalidFile(context, `status of ${action} is not draft, the only limit of this kind.`);
  const codes = parseNames(context, locales, `locales of ${action}`);
  return normaliseRule(context.model, action, {
    fields: parseNames(context, fields, `fields of ${action}`),
    where: where === null ? null : requireRecord(context, where, `where of ${action}`),
    ...(codes === null ? {} : { locales: codes }),
    ...(status === null ? {} : { status }),
  });
};

const parseRules = (context: FileContext, role: string, value: unknown): RoleRules => {
  const rules = new Map<string, PermissionRule>();
  for (const [uid, actions] of Object.entries(
    requireRecord(context, value ?? {}, `permissions of ${role}`),
  )) {
    for (const [name, rule] of Object.entries(requireRecord(context, actions, `${role} ${uid}`))) {
      for (const action of resolveActions(context.model, uid, [name]))
        if (rule !== false) rules.set(action, parseRule(context, action, rule));
    }
  }
  return new Map([...rules].toSorted(([left], [right]) => byCodePoint(left, right)));
};

const parseRole = (context: FileContext, type: string, value: unknown): RoleDefinition => {
  if (!isRoleType(type))
    throw invalidFile(context, `${type} is not a valid role type: use lower-case letters, digits, - and _.`);
  const { name = type, description = null, permissions, ...others } = requireRecord(context, value, type);
  const [unknownKey] = Object.keys(others);
  if (unknownKey !== undefined)
    throw invalidFile(
      context,
      `${type} has the unknown key ${unknownKey}; the keys are name, description and permissions.`,
    );
  if (typeof name !== 'string' || name.trim().length < 3)
    throw invalidFile(context, `the name of ${type} has fewer than 3 characters.`);
  if (description !== null && typeof description !== 'string')
    throw invalidFile(context, `the description of ${type} is not text.`);
  return { type, name, description, rules: parseRules(context, type, permissions) };
};

/**
 * Parses YAML that is a mapping with a given set of keys.
 *
 * @param invalid creates the error for a reason
 */
export function parseYamlMapping(
  text: string,
  keys: readonly string[],
  invalid: (reason: string, cause?: unknown) => GalleyError,
): Readonly<Record<string, unknown>> {
  let content: unknown;
  try {
    content = parse(text, { maxAliasCount: 0 });
  } catch (cause) {
    throw invalid(
      cause instanceof Error ? cause.message.replace(/\n.*$/s, '') : 'it is not valid YAML.',
      cause,
    );
  }
  if (!isRecord(content)) throw invalid('The file is not a mapping.');
  const unknownKey = Object.keys(content).find((key) => !keys.includes(key));
  if (unknownKey !== undefined)
    throw invalid(`the file has the unknown key ${unknownKey}; the keys are ${keys.join(' and ')}.`);
  return content;
}

/**
 * Parses the YAML of a permissions file. Returns the roles sorted by type.
 *
 * @param file the file's path, for error messages
 * @throws `access/invalid-permissions-file`, `access/unknown-action`, `access/invalid-permission-rule`
 */
export function parsePermissionFile(
  model: ContentModel,
  text: string,
  file: string,
): readonly RoleDefinition[] {
  const context: FileContext = { model, file };
  const content = parseYamlMapping(text, ['roles'], (reason, cause) => invalidFile(context, reason, cause));
  return Object.entries(requireRecord(context, content['roles'], 'roles'))
    .map(([type, value]) => parseRole(context, type, value))
    .toSorted((left, right) => byCodePoint(left.type, right.type));
}

/** All roles before and after the change, in the order in which they are stored. */
export interface AppliedPermissions {
  readonly before: readonly RoleDefinition[];
  readonly after: readonly RoleDefinition[];
}

const readRoleDefinitions = async (
  tx: Transaction,
  tables: RoleTables,
): Promise<readonly RoleDefinition[]> => {
  const definitions: RoleDefinition[] = [];
  for (const role of await readRoles(tx, tables)) {
    definitions.push({
      type: role.type,
      name: role.name,
      description: role.description,
      rules: await readRoleRules(tx, tables, role),
    });
  }
  return definitions;
};

const applyRole = async (
  tx: Transaction,
  tables: RoleTables,
  { rules, ...definition }: RoleDefinition,
): Promise<void> => {
  const role = (await readRoles(tx, tables)).find(({ type }) => type === definition.type);
  if (role === undefined) {
    await insertRole(tx, tables, definition, rules);
    return;
  }
  await lockRole(tx, tables, role);
  const { name, description } = definition;
  if (role.name !== name || role.description !== description) {
    await tx
      .table(tables.role.version)
      .update({ documentId: role.documentId }, { name, description, updatedAt: new Date() });
  }
  const before = await readRoleRules(tx, tables, role);
  await writeRoleRules(tx, tables, role, compareRules(before, rules), rules);
};

/** Returns all roles with their permissions. */
export async function exportPermissions({
  database,
  model,
}: AccessContext): Promise<readonly RoleDefinition[]> {
  return database.transact((tx) => readRoleDefinitions(tx, roleTables(model)));
}

interface ApplyOptions extends ChangeOptions {
  /** True if roles without a definition lose all their grants. */
  readonly prune?: boolean;
}

/** Revokes all permissions of roles without a definition. The roles stay. */
const pruneOthers = async (
  tx: Transaction,
  tables: RoleTables,
  defined: readonly RoleDefinition[],
): Promise<void> => {
  const types = new Set(defined.map(({ type }) => type));
  for (const role of (await readRoles(tx, tables)).filter(({ type }) => !types.has(type))) {
    await lockRole(tx, tables, role);
    await deletePermissions(tx, tables, role);
  }
};

/**
 * Applies definitions of roles: creates missing roles, and grants each role exactly the defined permissions.
 * Roles without a definition stay as they are, or lose their grants with `prune`.
 */
export async function applyPermissions(
  context: AccessContext,
  roles: readonly RoleDefinition[],
  { prune = false, ...options }: ApplyOptions = {},
): Promise<AppliedPermissions> {
  const tables = roleTables(context.model);
  return changeAccess(
    context,
    { action: 'permissions.apply', details: { roles: roles.map(({ type }) => type), prune } },
    async (tx) => {
      // Servers that start at the same time apply the same file.
      await tx.lock('permissions.apply');
      const before = await readRoleDefinitions(tx, tables);
      for (const role of roles) await applyRole(tx, tables, role);
      if (prune) await pruneOthers(tx, tables, roles);
      return { before, after: await readRoleDefinitions(tx, tables) };
    },
    options,
  );
}
