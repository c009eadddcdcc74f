import { parse, stringify } from 'yaml';
import { fail } from '../errors/catalogue.js';
import type { GalleyError } from '../errors/galley-error.js';
import { byCodePoint } from '../lib/compare.js';
import { isRecord } from '../lib/is-record.js';
import type { ContentModel } from '../model/model.js';
import { resolveActions } from './actions.js';
import type { RoleRules } from './role-tables.js';
import { checkRule, UNLIMITED } from './rules.js';
import type { PermissionRule } from './rules.js';

/** A role as a file states it. */
export interface StatedRole {
  readonly type: string;
  readonly name: string;
  readonly description: string | null;
  readonly rules: RoleRules;
}

const HEAD = '# What each role may do. Made by: cms permissions export. Taken over by: cms permissions apply.\n';

const splitAction = (action: string): readonly [uid: string, name: string] => {
  const dot = action.lastIndexOf('.');
  return [action.slice(0, dot), action.slice(dot + 1)];
};

const ruleValue = ({ fields, where }: PermissionRule): unknown =>
  fields === null && where === null ? true : { ...(fields === null ? {} : { fields }), ...(where === null ? {} : { where }) };

const permissionTree = (rules: RoleRules): Readonly<Record<string, Readonly<Record<string, unknown>>>> => {
  const tree: Record<string, Record<string, unknown>> = {};
  for (const [action, rule] of rules) {
    const [uid, name] = splitAction(action);
    (tree[uid] ??= {})[name] = ruleValue(rule);
  }
  return tree;
};

/** Roles and what they may do as YAML. The same roles always give the same bytes, in whatever order they come. */
export function printPermissionFile(roles: readonly StatedRole[]): string {
  const entries = roles.map(({ type, name, description, rules }) => [type, { name, ...(description === null ? {} : { description }), permissions: permissionTree(rules) }] as const);
  const sortMapEntries = (left: { readonly key: unknown }, right: { readonly key: unknown }): number => byCodePoint(String(left.key), String(right.key));
  return `${HEAD}${stringify({ roles: Object.fromEntries(entries) }, { lineWidth: 0, sortMapEntries, aliasDuplicateObjects: false })}`;
}

/** Who reads a file, for its messages. */
interface Reading {
  readonly model: ContentModel;
  readonly file: string;
}

const refuse = ({ file }: Reading, reason: string): GalleyError => fail('access/invalid-file', { file, reason });

const recordAt = (reading: Reading, value: unknown, place: string): Readonly<Record<string, unknown>> => {
  if (isRecord(value)) return value;
  throw refuse(reading, `${place} is no mapping.`);
};

const readRule = (reading: Reading, action: string, value: unknown): PermissionRule => {
  if (value === true || value === null) return UNLIMITED;
  const rule = recordAt(reading, value, action);
  const unknown = Object.keys(rule).find((key) => key !== 'fields' && key !== 'where');
  if (unknown !== undefined) throw refuse(reading, `${action} has ${unknown}; known are fields and where.`);
  const { fields = null, where = null } = rule;
  if (fields !== null && !(Array.isArray(fields) && fields.every((name): name is string => typeof name === 'string'))) throw refuse(reading, `fields of ${action} is no list of names.`);
  return checkRule(reading.model, action, { fields, where: where === null ? null : recordAt(reading, where, `where of ${action}`) });
};

const readRules = (reading: Reading, role: string, value: unknown): RoleRules => {
  const rules = new Map<string, PermissionRule>();
  for (const [uid, actions] of Object.entries(recordAt(reading, value ?? {}, `permissions of ${role}`))) {
    for (const [name, rule] of Object.entries(recordAt(reading, actions, `${role} ${uid}`))) {
      for (const action of resolveActions(reading.model, uid, [name])) if (rule !== false) rules.set(action, readRule(reading, action, rule));
    }
  }
  return new Map([...rules].toSorted(([left], [right]) => byCodePoint(left, right)));
};

const readRole = (reading: Reading, type: string, value: unknown): StatedRole => {
  if (!/^[a-z0-9][a-z0-9_-]{0,99}$/.test(type)) throw refuse(reading, `${type} is no type of a role: it has small letters, digits, - and _.`);
  const role = recordAt(reading, value, type);
  const { name = type, description = null } = role;
  if (typeof name !== 'string' || name.trim().length < 3) throw refuse(reading, `the name of ${type} has fewer than 3 characters.`);
  if (description !== null && typeof description !== 'string') throw refuse(reading, `the description of ${type} is no text.`);
  return { type, name, description, rules: readRules(reading, type, role['permissions']) };
};

/**
 * Reads such a file, sorted by role.
 *
 * @throws `access/invalid-file`, `access/unknown-action`, `access/invalid-rule`
 */
export function parsePermissionFile(model: ContentModel, text: string, file: string): readonly StatedRole[] {
  const reading: Reading = { model, file };
  let content: unknown;
  try {
    content = parse(text, { maxAliasCount: 0 });
  } catch (cause) {
    throw fail('access/invalid-file', { file, reason: cause instanceof Error ? (cause.message.split('\n', 1)[0] ?? '') : 'it is no YAML.' }, { cause });
  }
  const roles = recordAt(reading, recordAt(reading, content, 'The file')['roles'], 'roles');
  return Object.entries(roles).map(([type, value]) => readRole(reading, type, value)).toSorted((left, right) => byCodePoint(left.type, right.type));
}
