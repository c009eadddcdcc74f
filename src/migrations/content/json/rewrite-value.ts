import type { JsonRewriting, JsonType, ObjectRewrite } from '../../../database/dialect/migration-values.js';
import { quoteText, quoteTexts, switchOn } from '../../../database/dialect/sql-text.js';
import type { ColumnKind } from '../../../lib/stored-value.js';
import { componentOf, targetPrefix } from '../../../model/lookup.js';
import type { Attribute, Component, ContentModel, ScalarAttribute } from '../../../model/model.js';
import {
  COMPONENT_KEY,
  droppedComponents,
  isItemRewritten,
  isItemsAttribute,
  isRenamed,
  isRewritten,
  shapeOf,
} from './value-change.js';
import type {
  ItemChange,
  ItemsAttribute,
  ItemsChange,
  LinksChange,
  MemberChange,
  ValueChange,
} from './value-change.js';

/** Context for building the SQL of one statement. */
interface RewriteContext {
  readonly json: JsonRewriting;
  /** The model after the migration. */
  readonly after: ContentModel;
  /** Returns an alias that the statement does not have yet. */
  readonly nextAlias: () => string;
}

export function createRewriteContext(json: JsonRewriting, after: ContentModel): RewriteContext {
  let count = 0;
  return { json, after, nextAlias: () => `j${++count}` };
}

/** Returns SQL of JSON as a list: an object becomes a list of one, and scalars an empty list. */
function asList({ json }: RewriteContext, value: string): string {
  return [
    `CASE WHEN ${json.isType(value, 'array')} THEN ${value}`,
    `WHEN ${json.isType(value, 'object')} THEN ${json.listOf(value)}`,
    `ELSE ${json.literal([])} END`,
  ].join(' ');
}

/** Returns SQL of the first item of a list, or of JSON null. */
function firstOrNull({ json }: RewriteContext, list: string): string {
  return `coalesce(${json.first(list)}, ${json.literal(null)})`;
}

const ITEM_ID = 'id';

/** The JSON type in which components store scalars, by the kind of their column. Null: every type. */
const JSON_TYPES: Readonly<Record<ColumnKind, JsonType | null>> = {
  text: 'string',
  integer: 'integer',
  bigint: 'string',
  double: 'number',
  boolean: 'boolean',
  datetime: 'string',
  json: null,
};

/** True if JSON may hold values of the attribute. Hashes and ids of other documents are excluded. */
const isReadable = (attribute: Attribute): boolean =>
  isItemsAttribute(attribute) || (attribute.family === 'scalar' && attribute.field.hash === undefined);

/** True if an object has a member for some attribute of the component. */
export function hasReadableAttribute(component: Component, item: Readonly<Record<string, unknown>>): boolean {
  return Object.values(component.attributes).some(
    (attribute) => isReadable(attribute) && Object.hasOwn(item, attribute.name),
  );
}

const rewriteScalar = ({ json }: RewriteContext, attribute: ScalarAttribute, value: string): string => {
  const type = JSON_TYPES[attribute.column.kind];
  return type === null
    ? value
    : `CASE WHEN ${json.isType(value, type)} THEN ${value} ELSE ${json.literal(null)} END`;
};

const rewriteObject = (
  context: RewriteContext,
  component: Component,
  isTagged: boolean,
  value: string,
): string => {
  const { json } = context;
  const attributes = Object.values(component.attributes).filter(isReadable);
  const values = attributes.map((attribute) => {
    const rewrite = (member: string): string =>
      isItemsAttribute(attribute)
        ? rewriteFromJson(context, attribute, member)
        : rewriteScalar(context, attribute as ScalarAttribute, member);
    return [attribute.name, rewrite] as const;
  });
  const rewrite: ObjectRewrite = {
    keys: new Map(),
    values: new Map(values),
    omitted: [],
    only: [...(isTagged ? [COMPONENT_KEY] : []), ...attributes.map(({ name }) => name)],
    added: [{ key: ITEM_ID, value: json.newId(), unless: null }],
  };
  return json.object(value, context.nextAlias(), rewrite);
};

/** Returns the SQL condition for objects that have a member for some attribute of the component. */
const hasSomeAttribute = ({ json }: RewriteContext, component: Component, value: string): string => {
  const keys = Object.values(component.attributes)
    .filter(isReadable)
    .map(({ name }) => json.hasKey(value, name));
  return keys.length === 0 ? '1 = 0' : `(${keys.join(' OR ')})`;
};

const fits = (context: RewriteContext, component: Component, value: string): string =>
  [
    `CASE WHEN ${context.json.isType(value, 'object')}`,
    `THEN ${hasSomeAttribute(context, component, value)} ELSE 1 = 0 END`,
  ].join(' ');

/**
 * Returns SQL of the components that JSON represents: objects with at least one attribute of their component.
 * Other members are dropped. Items get new ids, since the JSON may hold any.
 */
function rewriteFromJson(context: RewriteContext, after: ItemsAttribute, value: string): string {
  const { json } = context;
  const list = json.list(asList(context, value), context.nextAlias(), itemRewrite(context, after));
  return shapeOf(after).isList ? list : firstOrNull(context, list);
}

const itemRewrite = (
  context: RewriteContext,
  after: ItemsAttribute,
): { readonly item: (item: string) => string; readonly where: (item: string) => string } => {
  if (after.family === 'component') {
    const component = componentOf(context.after, after.component);
    return {
      item: (item) => rewriteObject(context, component, false, item),
      where: (item) => fits(context, component, item),
    };
  }
  const components = after.components.map((uid) => componentOf(context.after, uid));
  const tagOf = (item: string): string => context.json.memberText(item, COMPONENT_KEY);
  return {
    item: (item) =>
      switchOn(
        tagOf(item),
        components.map(
          (component) => [component.uid, rewriteObject(context, component, true, item)] as const,
        ),
        context.json.literal(null),
      ),
    where: (item) =>
      switchOn(
        tagOf(item),
        components.map((component) => [component.uid, fits(context, component, item)] as const),
        '1 = 0',
      ),
  };
};

/** Renames the types of targets by way of temporary names, since types may swap their names. */
const renameTargets = ({ json }: RewriteContext, value: string, { renamed }: LinksChange): string => {
  if (renamed.length === 0) return value;
  const quoted = (uid: string): string => quoteText(`"${targetPrefix(uid)}`);
  const mark = (index: number): string => `renamed:${index}`;
  const steps = [
    ...renamed.map(([before], index) => [before, mark(index)] as const),
    ...renamed.map(([, after], index) => [mark(index), after] as const),
  ];
  const text = steps.reduce(
    (replaced, [from, to]) => `replace(${replaced}, ${quoted(from)}, ${quoted(to)})`,
    json.toText(value),
  );
  return json.ofText(text);
};

const rewriteLinks = (context: RewriteContext, change: LinksChange, stored: string): string => {
  const { json } = context;
  const value = renameTargets(context, stored, change);
  if (change.before.many === change.after.many) return value;
  const isMany = change.after.many;
  if (!isMany)
    return `CASE WHEN ${json.isType(value, 'array')} THEN ${firstOrNull(context, value)} ELSE ${value} END`;
  return [
    `CASE WHEN ${json.isType(value, 'array')} THEN ${value}`,
    `WHEN ${json.isType(value, 'string')} THEN ${json.listOf(value)}`,
    `ELSE ${json.literal([])} END`,
  ].join(' ');
};

const rewriteMember = (context: RewriteContext, { change, fill }: MemberChange, value: string): string => {
  const rewritten = rewriteValue(context, change, value);
  if (fill === undefined) return rewritten;
  const { json } = context;
  return `CASE WHEN ${json.isType(value, 'null')} THEN ${json.literal(fill)} ELSE ${rewritten} END`;
};

const isRemoved = ({ after, change }: MemberChange): boolean => after === null || change.kind === 'dropped';

/**
 * Returns the keys of added and renamed attributes that old items may still hold from attributes removed
 * earlier. Their values must not become those of the new attribute.
 */
const leftOverKeys = ({ members }: ItemChange): readonly string[] => {
  const oldNames = new Set(members.map(({ before }) => before?.name));
  return members.flatMap(({ after }) => (after === null || oldNames.has(after.name) ? [] : [after.name]));
};

/** True if items name their component, before and after the change. */
interface TagChange {
  readonly before: boolean;
  readonly after: boolean;
}

const objectRewrite = (context: RewriteContext, item: ItemChange, tag: TagChange): ObjectRewrite => {
  const { json } = context;
  const kept = item.members.filter((member) => !isRemoved(member));
  const values = kept.flatMap((member) =>
    member.before !== null && (isRewritten(member.change) || member.fill !== undefined)
      ? [[member.before.name, (value: string) => rewriteMember(context, member, value)] as const]
      : [],
  );
  const filled = item.members.flatMap((member) =>
    member.fill === undefined || member.after === null
      ? []
      : [
          {
            key: member.after.name,
            value: json.literal(member.fill),
            unless: isRemoved(member) ? null : (member.before?.name ?? null),
          },
        ],
  );
  const uid = json.literal(item.after);
  const isRetagged = tag.before && tag.after && item.before !== item.after;
  return {
    keys: new Map(kept.filter(isRenamed).map(({ before, after }) => [before?.name ?? '', after?.name ?? ''])),
    values: new Map([...values, ...(isRetagged ? [[COMPONENT_KEY, () => uid] as const] : [])]),
    omitted: [
      ...item.members.flatMap((member) =>
        member.before !== null && isRemoved(member) ? [member.before.name] : [],
      ),
      ...leftOverKeys(item),
      ...(tag.before === tag.after ? [] : [COMPONENT_KEY]),
    ],
    added: [
      ...(tag.after && !tag.before ? [{ key: COMPONENT_KEY, value: uid, unless: null }] : []),
      ...filled,
    ],
  };
};

const rewriteItem = (context: RewriteContext, item: ItemChange, tag: TagChange, value: string): string => {
  const isKept =
    !isItemRewritten(item) && tag.before === tag.after && (!tag.after || item.before === item.after);
  if (isKept) return value;
  const { json } = context;
  const object = json.object(value, context.nextAlias(), objectRewrite(context, item, tag));
  return `CASE WHEN ${json.isType(value, 'object')} THEN ${object} ELSE ${value} END`;
};

/** Returns the condition for items that stay, or undefined if all stay. */
const keptItems = ({ json }: RewriteContext, change: ItemsChange): ((item: string) => string) | undefined => {
  const { shapeBefore, shapeAfter, items } = change;
  const tagOf = (item: string): string => `coalesce(${json.memberText(item, COMPONENT_KEY)}, '')`;
  if (!shapeBefore.isTagged) return items.length === 0 ? () => '1 = 0' : undefined;
  const dropped = droppedComponents(change);
  if (shapeAfter.isTagged)
    return dropped.length === 0 ? undefined : (item) => `${tagOf(item)} NOT IN (${quoteTexts(dropped)})`;
  const kept = items.map(({ before }) => before);
  return kept.length === 0 ? () => '1 = 0' : (item) => `${tagOf(item)} IN (${quoteTexts(kept)})`;
};

const rewriteItems = (context: RewriteContext, change: ItemsChange, value: string): string => {
  const { json } = context;
  const { shapeBefore, shapeAfter, items } = change;
  const tag: TagChange = { before: shapeBefore.isTagged, after: shapeAfter.isTagged };
  const where = keptItems(context, change);
  const list = json.list(asList(context, value), context.nextAlias(), {
    item: (item) => {
      const [only] = items;
      if (!tag.before) return only === undefined ? item : rewriteItem(context, only, tag, item);
      const branches = items.map((each) => [each.before, rewriteItem(context, each, tag, item)] as const);
      return switchOn(
        json.memberText(item, COMPONENT_KEY),
        branches.filter(([, rewritten]) => rewritten !== item),
        item,
      );
    },
    ...(where === undefined ? {} : { where }),
  });
  const result = shapeAfter.isList ? list : firstOrNull(context, list);
  return `CASE WHEN ${json.isType(value, 'null')} THEN ${json.literal(null)} ELSE ${result} END`;
};

/**
 * Returns SQL of the JSON that replaces stored JSON.
 *
 * @param value SQL of the stored JSON. It is repeated, so pass the name of a column.
 */
export function rewriteValue(context: RewriteContext, change: ValueChange, value: string): string {
  if (!isRewritten(change)) return value;
  switch (change.kind) {
    case 'same':
      return value;
    case 'dropped':
      return context.json.literal(null);
    case 'scalar':
      return change.rewrite === null ? value : change.rewrite(value);
    case 'links':
      return rewriteLinks(context, change, value);
    case 'items':
      return rewriteItems(context, change, value);
    case 'from-json':
      return rewriteFromJson(context, change.after, value);
  }
}
