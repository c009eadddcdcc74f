import { ATTRIBUTE_TYPE_NAMES } from '../content-types/attribute-types.js';
import { FILE_UID } from '../content-types/builtin/registry.js';
import type { AttributeDefinition } from '../content-types/definition.js';
import { readScalarOptions } from '../content-types/scalar-options.js';
import { FIELD_TYPES, isScalarTypeName } from '../fields/registry.js';
import { snakeCase } from '../lib/casing.js';
import { isRecord } from '../lib/is-record.js';
import { nearest } from '../lib/nearest.js';
import type { ColumnKind } from '../lib/stored-value.js';
import type { Uid } from '../lib/uid.js';
import type { LinkBook } from './links.js';
import { MEDIA_KINDS } from './media-kind.js';
import type { Attribute, Column, ComponentAttribute, DynamicZoneAttribute, MediaAttribute, RelationAttribute, ScalarAttribute } from './model.js';
import type { RowNames } from './names.js';
import type { ResolvedRelation } from './relations.js';
import { attributeOf, countOption, isTypeDefinition, textOption } from './resolution.js';
import type { HolderDefinition, Resolution } from './resolution.js';

export interface AttributeContext {
  readonly resolution: Resolution;
  readonly holder: HolderDefinition;
  /** Null inside components, whose values are kept under the attributes' own names. */
  readonly rows: RowNames | null;
  readonly links: LinkBook;
  readonly relation: (attribute: AttributeDefinition) => ResolvedRelation | null;
}

const TARGET_FIELD_TYPES = ['string', 'text', 'richtext', 'email', 'enumeration', 'uid'];

const listsAttribute = (value: unknown, name: string): boolean => Array.isArray(value) && value.includes(name);

const isLocalized = ({ holder }: AttributeContext, { type, options }: AttributeDefinition): boolean => {
  if (!isTypeDefinition(holder) || !holder.localized) return false;
  if (type === 'relation' || type === 'uid') return true;
  const plugins = options['pluginOptions'];
  return isRecord(plugins) && isRecord(plugins['i18n']) && plugins['i18n']['localized'] === true;
};

const baseOf = (context: AttributeContext, attribute: AttributeDefinition) => {
  const { name, options } = attribute;
  const { holder } = context;
  const { pluginOptions } = options;
  return {
    name,
    required: options['required'] === true,
    private: options['private'] === true || (isTypeDefinition(holder) && listsAttribute(holder.options['privateAttributes'], name)),
    localized: isLocalized(context, attribute),
    configurable: options['configurable'] !== false,
    customField: textOption(attribute, 'customField') ?? null,
    pluginOptions: isRecord(pluginOptions) ? pluginOptions : {},
  };
};

const columnOf = ({ rows }: AttributeContext, name: string, kind: ColumnKind): Column =>
  ({ ...(rows === null ? { name: snakeCase(name), field: name } : rows.column(name)), kind });

const checkTargetField = ({ resolution, holder }: AttributeContext, attribute: AttributeDefinition): void => {
  const target = textOption(attribute, 'targetField');
  if (target === undefined) return;
  const possible = holder.attributes.filter((other) => other !== attribute && TARGET_FIELD_TYPES.includes(other.type)).map((other) => other.name);
  if (possible.includes(target)) return;
  const other = attributeOf(holder, target);
  if (other !== undefined && !ATTRIBUTE_TYPE_NAMES.includes(other.type)) return;
  const meant = nearest(target, possible);
  const reason = other === undefined ? 'does not exist' : `is of type ${other.type}, not a text`;
  resolution.problems.add({ holder, attribute, option: 'targetField' }, {
    code: 'invalid-target-field', message: `the attribute "${target}" named by "targetField" ${reason}${meant === undefined ? '' : `. Did you mean "${meant}"?`}`, allowed: possible,
  });
};

const compileScalar = (context: AttributeContext, attribute: AttributeDefinition, type: ScalarAttribute['type']): ScalarAttribute => {
  const { resolution, holder } = context;
  const field = FIELD_TYPES[type];
  const { constraints, default: defaultValue, faults } = readScalarOptions(attribute, field);
  for (const { option, ...finding } of faults) resolution.problems.add({ holder, attribute, option }, finding);
  if (type === 'uid') checkTargetField(context, attribute);
  return { ...baseOf(context, attribute), family: 'scalar', type, field, constraints, default: defaultValue, column: columnOf(context, attribute.name, field.column) };
};

const compileMedia = (context: AttributeContext, attribute: AttributeDefinition): MediaAttribute => {
  const { resolution, holder, links } = context;
  const given = Array.isArray(attribute.options['allowedTypes']) ? attribute.options['allowedTypes'] : MEDIA_KINDS;
  const unknown = given.filter((type) => !MEDIA_KINDS.some((known) => known === type));
  if (unknown.length > 0) {
    resolution.problems.add({ holder, attribute, option: 'allowedTypes' }, { code: 'invalid-option', message: `"allowedTypes" lists ${unknown.join(', ')}, which ${unknown.length === 1 ? 'is no kind' : 'are no kinds'} of file`, allowed: MEDIA_KINDS });
  }
  const link = isTypeDefinition(holder) ? links.of(holder.uid, attribute.name) : null;
  return {
    ...baseOf(context, attribute), family: 'media', type: 'media', target: FILE_UID, many: attribute.options['multiple'] === true, side: 'owner',
    allowedTypes: MEDIA_KINDS.filter((type) => given.includes(type)), counterpart: null, link: link?.kind === 'morph' ? null : link,
  };
};

const compileRelation = (context: AttributeContext, attribute: AttributeDefinition): RelationAttribute | null => {
  const { holder, links } = context;
  const resolved = context.relation(attribute);
  if (resolved === null) return null;
  const { side, target, counterpart } = resolved;
  const ownLink = (): RelationAttribute['link'] => links.of(holder.uid, attribute.name);
  const otherLink = (): RelationAttribute['link'] => links.of(target ?? '', counterpart ?? '');
  const link = isTypeDefinition(holder) ? (side === 'owner' ? ownLink : otherLink)() : null;
  return { ...baseOf(context, attribute), family: 'relation', type: 'relation', ...resolved, link };
};

/** Suggests the nearest uid, else the component of the same name in another category. */
const meantComponent = (uid: Uid, known: readonly Uid[]): string => {
  const name = uid.split('.').at(-1) ?? uid;
  const meant = nearest(uid, known) ?? known.find((other) => other.endsWith(`.${name}`));
  return meant === undefined ? '' : `. Did you mean "${meant}"?`;
};

const isKnownComponent = ({ resolution, holder }: AttributeContext, attribute: AttributeDefinition, uid: Uid, option: string): boolean => {
  if (resolution.component(uid) !== undefined) return true;
  if (!resolution.isUnreadable(uid)) {
    const known = resolution.components.map((component) => component.uid);
    resolution.problems.add({ holder, attribute, option }, { code: 'unknown-component', message: `there is no component ${uid}${meantComponent(uid, known)}`, allowed: known });
  }
  return false;
};

const countsOf = ({ resolution, holder }: AttributeContext, attribute: AttributeDefinition): { readonly min: number | null; readonly max: number | null } => {
  const [min, max] = [countOption(attribute, 'min'), countOption(attribute, 'max')];
  if (min !== null && max !== null && min > max) resolution.problems.add({ holder, attribute, option: 'min' }, { code: 'invalid-range', message: `min ${min} is above max ${max}` });
  return { min, max };
};

const compileComponent = (context: AttributeContext, attribute: AttributeDefinition): ComponentAttribute | null => {
  const { resolution, holder } = context;
  const uid = textOption(attribute, 'component');
  if (uid === undefined) {
    resolution.problems.add({ holder, attribute }, { code: 'missing-option', message: 'a component attribute needs "component", like shared.seo', allowed: resolution.components.map((component) => component.uid) });
    return null;
  }
  if (!isKnownComponent(context, attribute, uid, 'component')) return null;
  return {
    ...baseOf(context, attribute), family: 'component', type: 'component', component: uid, repeatable: attribute.options['repeatable'] === true,
    ...countsOf(context, attribute), column: columnOf(context, attribute.name, 'json'),
  };
};

const compileZone = (context: AttributeContext, attribute: AttributeDefinition): DynamicZoneAttribute | null => {
  const { resolution, holder } = context;
  const listed: readonly unknown[] = Array.isArray(attribute.options['components']) ? attribute.options['components'] : [];
  const uids = [...new Set(listed.filter((uid) => typeof uid === 'string'))];
  if (uids.length === 0) {
    resolution.problems.add({ holder, attribute, option: 'components' }, { code: 'missing-option', message: 'a dynamic zone needs "components", a list of at least one', allowed: resolution.components.map((component) => component.uid) });
    return null;
  }
  const known = uids.filter((uid) => isKnownComponent(context, attribute, uid, 'components'));
  return { ...baseOf(context, attribute), family: 'dynamiczone', type: 'dynamiczone', components: known, ...countsOf(context, attribute), column: columnOf(context, attribute.name, 'json') };
};

/** Compiles one attribute; null where that failed and is reported. */
export function compileAttribute(context: AttributeContext, attribute: AttributeDefinition): Attribute | null {
  const { type } = attribute;
  if (isScalarTypeName(type)) return compileScalar(context, attribute, type);
  if (type === 'media') return compileMedia(context, attribute);
  if (type === 'relation') return compileRelation(context, attribute);
  if (type === 'component') return compileComponent(context, attribute);
  return type === 'dynamiczone' ? compileZone(context, attribute) : null;
}
