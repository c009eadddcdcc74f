import type { CallerProfile, Kind, Rule } from './configuration.js';

/** The expected outcome, computed from the configuration by simple rules without code of the product. */
export type Outcome = 'ok' | 'unauthorised' | 'forbidden' | 'invalid' | 'missing';

interface Schema {
  readonly scalars: readonly string[];
  readonly secrets: readonly string[];
  readonly relations: Readonly<Record<string, { readonly kind: string; readonly many?: boolean }>>;
}

/** Attributes by kind; `card` is a component, whose attributes have no limits. */
export const SCHEMAS: Readonly<Record<string, Schema>> = {
  story: {
    scalars: ['title', 'body', 'rating'],
    secrets: ['secret', 'pin'],
    relations: {
      owner: { kind: 'user' },
      shelf: { kind: 'shelf' },
      vault: { kind: 'vault' },
      card: { kind: 'card' },
    },
  },
  shelf: { scalars: ['name'], secrets: [], relations: { stories: { kind: 'story', many: true } } },
  vault: { scalars: ['code'], secrets: [], relations: {} },
  card: { scalars: ['label'], secrets: ['hush'], relations: { vault: { kind: 'vault' } } },
  user: {
    scalars: ['username', 'email', 'title', 'provider', 'confirmed', 'blocked'],
    secrets: ['password', 'resetPasswordToken', 'note'],
    relations: { role: { kind: 'role' } },
  },
};

/** A seeded document: values by attribute, with linked documents as objects. */
export interface SeedDocument {
  readonly [attribute: string]: string | number | boolean | null | SeedDocument | readonly SeedDocument[];
}

/** Returns the rule under which an action was granted; null if it was not. */
export function grantedRule({ grants }: CallerProfile, kind: string, action: string): Rule | null {
  if (grants === 'everything') return {};
  if (grants === 'reading') return action === 'find' || action === 'findOne' ? {} : null;
  return grants === 'refused' ? null : (grants[`${kind}.${action}`] ?? null);
}

/** Returns the outcome of the check that comes before any other. */
export function accessOutcome(caller: CallerProfile, kind: Kind, action: string): Outcome {
  if (caller.grants === 'refused') return 'unauthorised';
  return grantedRule(caller, kind, action) === null ? 'forbidden' : 'ok';
}

/** Returns the rule under which stories of a status are listed: that of drafts narrows that of all. */
export function listRule(caller: CallerProfile, status: string): Rule | null {
  const rule = grantedRule(caller, 'story', 'find');
  const drafts = status === 'draft' ? grantedRule(caller, 'story', 'findDrafts') : {};
  if (rule === null || drafts === null) return null;
  const fields = rule.fields?.filter((name) => includesAttribute(drafts, name)) ?? drafts.fields;
  return fields === undefined ? {} : { fields };
}

const isDoc = (value: unknown): value is SeedDocument =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');

/** True if a rule covers a document. */
export function isInScope(caller: CallerProfile, rule: Rule | null, doc: SeedDocument): boolean {
  if (rule === null || rule.locale !== undefined) return false;
  if (rule.rows === 'ann') return textOf(doc['title']).startsWith('ann');
  if (rule.rows !== 'own') return true;
  return isDoc(doc['owner']) && doc['owner']['username'] === caller.username;
}

export function includesAttribute(rule: Rule | null, attribute: string): boolean {
  return rule !== null && (rule.fields === undefined || rule.fields.includes(attribute));
}

const isFindable = (caller: CallerProfile, kind: string): boolean =>
  kind === 'card' || grantedRule(caller, kind, 'find') !== null;
const findRule = (caller: CallerProfile, kind: string): Rule | null =>
  kind === 'card' ? {} : grantedRule(caller, kind, 'find');

/**
 * True if the caller may name the attribute at the end of a path that starts at a story. `ordered`: for
 * sorting.
 */
export function isAttributeAccessible(
  caller: CallerProfile,
  path: readonly string[],
  forSorting: boolean,
): boolean {
  let kind = 'story';
  for (const [index, name] of path.entries()) {
    const schema = SCHEMAS[kind];
    if (schema === undefined || !includesAttribute(findRule(caller, kind), name)) return false;
    if (index === path.length - 1) return schema.scalars.includes(name);
    const link = schema.relations[name];
    if (link === undefined || !isFindable(caller, link.kind)) return false;
    const target = findRule(caller, link.kind);
    if (forSorting && (target?.rows !== undefined || target?.locale !== undefined)) return false;
    ({ kind } = link);
  }
  return false;
}

/** Returns the documents an attribute links to that the caller may find. */
const visibleTargets = (caller: CallerProfile, kind: string, value: unknown): readonly SeedDocument[] =>
  (Array.isArray(value) ? value : [value])
    .filter(isDoc)
    .filter((doc) => isInScope(caller, findRule(caller, kind), doc));

/** A condition on a text. */
export interface TextFilter {
  readonly needle: string;
  readonly isNegated: boolean;
}

/** True if a text that the caller may see at the end of the path contains the needle, or does not. */
export function matchesFilter(
  caller: CallerProfile,
  doc: SeedDocument,
  path: readonly string[],
  { needle, isNegated }: TextFilter,
  kind = 'story',
): boolean {
  const [name = '', ...rest] = path;
  const value = doc[name];
  if (rest.length === 0)
    return value !== null && value !== undefined && textOf(value).includes(needle) !== isNegated;
  const link = SCHEMAS[kind]?.relations[name];
  return (
    link !== undefined &&
    visibleTargets(caller, link.kind, value).some((each) =>
      matchesFilter(caller, each, rest, { needle, isNegated }, link.kind),
    )
  );
}

/**
 * Returns what a record shows: its scalars, and its links for `depth` levels. Links to documents that may not
 * be found are left out.
 */
export function visibleRecord(
  caller: CallerProfile,
  kind: string,
  doc: SeedDocument,
  { rule, depth }: { readonly rule: Rule | null; readonly depth: number },
): Readonly<Record<string, unknown>> {
  const schema = SCHEMAS[kind] ?? { scalars: [], relations: {} };
  const scalars = schema.scalars
    .filter((name) => includesAttribute(rule, name))
    .map((name) => [name, doc[name] ?? null] as const);
  const links =
    depth === 0
      ? []
      : Object.entries(schema.relations)
          .filter(([name, link]) => includesAttribute(rule, name) && isFindable(caller, link.kind))
          .map(([name, link]) => {
            const records = visibleTargets(caller, link.kind, doc[name]).map((each) =>
              visibleRecord(caller, link.kind, each, { rule: findRule(caller, link.kind), depth: depth - 1 }),
            );
            return [name, link.many === true ? records : (records[0] ?? null)] as const;
          });
  return Object.fromEntries([...scalars, ...links]);
}

export interface Write {
  readonly action: 'create' | 'update' | 'delete';
  /** The names of the attributes sent. */
  readonly names: readonly string[];
  readonly before: SeedDocument;
  readonly after: SeedDocument;
  /** True if only the draft is written. */
  readonly isDraft?: boolean;
}

/** True if the permission never covers a write of an English document, whose deletion it may hide. */
export function isBeyondLimits(
  rule: Rule | null,
  { action, isDraft = false }: Pick<Write, 'action' | 'isDraft'>,
): boolean {
  if (action === 'delete') return rule?.status === 'draft';
  return rule?.locale !== undefined || (rule?.status === 'draft' && !isDraft);
}

/**
 * Returns the outcome of writing a story. Names are checked before the document, and the document before its
 * new state. A document that the caller can neither write nor find is missing.
 */
export function writeOutcome(caller: CallerProfile, write: Write): Outcome {
  const { action, names, before, after } = write;
  const access = accessOutcome(caller, 'story', action);
  if (access !== 'ok') return access;
  const rule = grantedRule(caller, 'story', action);
  if (isBeyondLimits(rule, write)) return 'forbidden';
  const isRefused = (name: string): boolean => {
    const link = SCHEMAS['story']?.relations[name];
    return !includesAttribute(rule, name) || (link !== undefined && !isFindable(caller, link.kind));
  };
  if (names.some(isRefused)) return 'invalid';
  if (action !== 'create' && !isInScope(caller, rule, before))
    return isInScope(caller, grantedRule(caller, 'story', 'find'), before) ? 'forbidden' : 'missing';
  return action === 'delete' || isInScope(caller, rule, after) ? 'ok' : 'forbidden';
}
