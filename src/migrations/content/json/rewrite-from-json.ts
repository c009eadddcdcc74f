import type { JsonType, ObjectRewrite } from '../../../database/dialect/json-rewriting.js';
import { switchOn } from '../../../database/dialect/sql-text.js';
import type { ColumnKind } from '../../../lib/stored-value.js';
import { componentOf } from '../../../model/lookup.js';
import type { Attribute, Component, ScalarAttribute } from '../../../model/model.js';
import { asList, firstOrNull } from './rewrite-context.js';
import type { RewriteContext } from './rewrite-context.js';
import { COMPONENT_KEY, isItemsAttribute, shapeOf } from './value-change.js';
import type { ItemsAttribute } from './value-change.js';

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

/** True if JSON may hold values of an attribute: not hashes, and not the ids of other documents. */
const isReadable = (attribute: Attribute): boolean =>
  isItemsAttribute(attribute) || (attribute.family === 'scalar' && attribute.field.hash === undefined);

/** True if an object has a member that an attribute of the component takes. */
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

/** A condition: whether an object has a value for some attribute of a component. */
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
 * Returns SQL of the components that JSON stands for: objects, of which each has some attribute of its
 * component. Members of other types are left out. Items get new ids, since those in the JSON may be anything.
 */
export function rewriteFromJson(context: RewriteContext, after: ItemsAttribute, value: string): string {
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
