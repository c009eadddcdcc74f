import { defined } from '../lib/assert.js';
import type { Uid } from '../lib/ids.js';
import { snakeCase } from '../lib/names.js';
import { nearest, withSuggestion } from '../lib/nearest.js';
import { isRecord } from '../lib/records.js';
import type { ColumnKind } from '../lib/stored-value.js';
import { compileCondition } from './attribute-condition.js';
import type { ClosesCycle } from './check-model.js';
import { FILE_UID, USER_UID } from './content-types/builtin-types.js';
import type { AttributeDefinition } from './content-types/definition.js';
import { readScalarOptions } from './content-types/scalar-options.js';
import { ATTRIBUTE_TYPE_NAMES } from './content-types/schema-options.js';
import { FIELD_TYPES, isScalarTypeName } from './fields/registry.js';
import { polymorphicTargets } from './links.js';
import type { LinkRegistry } from './links.js';
import { CALLER, MEDIA_KINDS } from './model.js';
import type {
  Attribute,
  Column,
  ComponentAttribute,
  DynamicZoneAttribute,
  MediaAttribute,
  RelationAttribute,
  ScalarAttribute,
} from './model.js';
import type { RowNames } from './names.js';
import type { ResolvedRelation } from './relations.js';
import { findAttribute, countOption, isTypeDefinition, textOption } from './resolution.js';
import type { SchemaDefinition, Resolution } from './resolution.js';

export interface AttributeContext {
  readonly resolution: Resolution;
  readonly closesCycle: ClosesCycle;
  readonly schema: SchemaDefinition;
  /** Null inside components, whose values are stored in JSON under the names of the attributes. */
  readonly rowNames: RowNames | null;
  readonly links: LinkRegistry;
  readonly relation: (attribute: AttributeDefinition) => ResolvedRelation | null;
}

/** Relations have links for each locale, except those that link the owner of a document. */
const isLocalized = ({ schema }: AttributeContext, { type, options }: AttributeDefinition): boolean => {
  if (!isTypeDefinition(schema) || !schema.localized) return false;
  if ((type === 'relation' && options['default'] !== CALLER) || type === 'uid') return true;
  const plugins = options['pluginOptions'];
  return isRecord(plugins) && isRecord(plugins['i18n']) && plugins['i18n']['localized'] === true;
};

/**
 * True if clients may write an attribute. `writable` of one side of a relation applies to both, which share
 * links.
 */
const isWritable = ({ resolution, relation }: AttributeContext, attribute: AttributeDefinition): boolean => {
  const { writable } = attribute.options;
  if (typeof writable === 'boolean') return writable;
  const { target = null, counterpart = null } = relation(attribute) ?? {};
  const other = resolution.types
    .find(({ uid }) => uid === target)
    ?.attributes.find(({ name }) => name === counterpart);
  return other?.options['writable'] !== false;
};

const attributeBase = (context: AttributeContext, attribute: AttributeDefinition) => {
  const { name, options } = attribute;
  const { pluginOptions } = options;
  const writable = isWritable(context, attribute);
  const isRequired =
    writable && options['required'] === true && !context.resolution.isUnchecked(attribute, 'required');
  const condition = compileCondition(context, attribute);
  return {
    name,
    required: condition === null && isRequired,
    ...(condition === null ? {} : { condition: { ...condition, isRequired } }),
    writable,
    private: options['private'] === true || context.resolution.listsAsPrivate(context.schema, name),
    localized: isLocalized(context, attribute),
    configurable: options['configurable'] !== false,
    customField: textOption(attribute, 'customField') ?? null,
    pluginOptions: isRecord(pluginOptions) ? pluginOptions : {},
    ...(options['searchable'] === false ? { searchable: false as const } : {}),
  };
};

const columnFor = ({ rowNames }: AttributeContext, name: string, kind: ColumnKind): Column => ({
  ...(rowNames === null ? { name: snakeCase(name), field: name } : rowNames.column(name)),
  kind,
});

const TARGET_FIELD_TYPES = ['string', 'text', 'richtext', 'email', 'enumeration', 'uid'];

const checkTargetField = ({ resolution, schema }: AttributeContext, attribute: AttributeDefinition): void => {
  const target = textOption(attribute, 'targetField');
  if (target === undefined) return;
  const possible = schema.attributes
    .filter((other) => other !== attribute && TARGET_FIELD_TYPES.includes(other.type))
    .map((other) => other.name);
  if (possible.includes(target)) return;
  const other = findAttribute(schema, target);
  if (other !== undefined && !ATTRIBUTE_TYPE_NAMES.includes(other.type)) return;
  const reason =
    other === undefined ? 'does not exist' : `is of type ${other.type}, which is not a text type`;
  resolution.problems.add(
    { schema, attribute, option: 'targetField' },
    {
      severity: 'warning',
      code: 'invalid-target-field',
      message: withSuggestion(
        `the attribute "${target}" named by "targetField" ${reason}; no value is generated from it`,
        target,
        possible,
      ),
      allowed: possible,
    },
  );
};

/** Components are stored in the JSON of their owner. */
const warnOfIndexes = ({ resolution, schema }: AttributeContext, attribute: AttributeDefinition): void => {
  for (const option of ['index', 'search'])
    if (attribute.options[option] === true)
      resolution.problems.add(
        { schema, attribute, option },
        {
          severity: 'warning',
          code: 'unknown-option',
          message: `attributes of components cannot have an index; "${option}" is ignored`,
        },
      );
};

const compileScalar = (
  context: AttributeContext,
  attribute: AttributeDefinition,
  type: ScalarAttribute['type'],
): ScalarAttribute => {
  const { resolution, schema } = context;
  const field = FIELD_TYPES[type];
  const { constraints, default: defaultValue, issues } = readScalarOptions(attribute, field);
  for (const { option, ...finding } of issues)
    resolution.problems.add({ schema, attribute, option }, finding);
  if (type === 'uid') checkTargetField(context, attribute);
  if (context.rowNames === null) warnOfIndexes(context, attribute);
  return {
    ...attributeBase(context, attribute),
    family: 'scalar',
    type,
    field,
    constraints: resolution.isUnchecked(attribute, 'unique')
      ? { ...constraints, unique: false }
      : constraints,
    default: defaultValue,
    isIndexed: attribute.options['index'] === true,
    isSearched: attribute.options['search'] === true,
    column: columnFor(context, attribute.name, field.column),
  };
};

const compileMedia = (context: AttributeContext, attribute: AttributeDefinition): MediaAttribute => {
  const { resolution, schema, links } = context;
  const listedKinds = Array.isArray(attribute.options['allowedTypes'])
    ? attribute.options['allowedTypes']
    : MEDIA_KINDS;
  const unknown = listedKinds.filter((type) => !MEDIA_KINDS.some((kind) => kind === type));
  if (unknown.length > 0) {
    resolution.problems.add(
      { schema, attribute, option: 'allowedTypes' },
      {
        severity: 'warning',
        code: 'invalid-option',
        message:
          unknown.length === 1
            ? `"allowedTypes" lists ${unknown.join()}, which is not a kind of file and is ignored`
            : `"allowedTypes" lists ${unknown.join(', ')}, which are not kinds of files and are ignored`,
        allowed: MEDIA_KINDS,
      },
    );
  }
  const allowedKinds = MEDIA_KINDS.filter((kind) => listedKinds.includes(kind));
  const link = isTypeDefinition(schema) ? links.get(schema.uid, attribute.name) : null;
  return {
    ...attributeBase(context, attribute),
    family: 'media',
    type: 'media',
    target: FILE_UID,
    many: attribute.options['multiple'] === true,
    side: 'owner',
    allowedTypes: allowedKinds.length === 0 ? MEDIA_KINDS : allowedKinds,
    counterpart: null,
    link: link?.kind === 'morph' ? null : link,
  };
};

/** Returns the reason why a relation cannot link the caller by default. Null: it can. */
const callerObstacle = (
  { schema }: AttributeContext,
  { side, target, counterpart, relation }: ResolvedRelation,
): string | null => {
  if (!isTypeDefinition(schema)) return 'a component has no creator; add the relation to the content-type';
  if (schema.origin === 'builtin') return `the server creates documents of ${schema.uid} in other ways`;
  if (target !== USER_UID) return `its target must be ${USER_UID}`;
  if (side === 'inverse') return 'the other side stores the relation; set the option there';
  if (relation === 'oneToOne' && counterpart !== null)
    return 'each user could then own one document; use manyToOne';
  return null;
};

/** True if a relation links the caller by default. Reports other defaults. */
const readsCaller = (
  context: AttributeContext,
  attribute: AttributeDefinition,
  resolved: ResolvedRelation,
): boolean => {
  const { default: value } = attribute.options;
  if (value === undefined || value === null) return false;
  const location = { schema: context.schema, attribute, option: 'default' };
  const obstacle = value === CALLER ? callerObstacle(context, resolved) : null;
  if (value !== CALLER)
    context.resolution.problems.add(location, {
      severity: 'warning',
      code: 'invalid-default',
      message: `the default ${JSON.stringify(value)} is ignored: a relation has no default but "${CALLER}"`,
      allowed: [CALLER],
    });
  else if (obstacle !== null)
    context.resolution.problems.add(location, {
      code: 'invalid-default',
      message: `the relation "${attribute.name}" cannot have the default "${CALLER}": ${obstacle}`,
    });
  return value === CALLER && obstacle === null;
};

const compileRelation = (
  context: AttributeContext,
  attribute: AttributeDefinition,
): RelationAttribute | null => {
  const { schema, links } = context;
  const resolved = context.relation(attribute);
  if (resolved === null) return null;
  const defaultsToCaller = readsCaller(context, attribute, resolved);
  const { side, target, counterpart } = resolved;
  const ownLink = (): RelationAttribute['link'] => links.get(schema.uid, attribute.name);
  const otherLink = (): RelationAttribute['link'] =>
    links.get(defined(target, "The inverse side's target"), defined(counterpart, "The inverse side's owner"));
  const link = isTypeDefinition(schema) ? (side === 'owner' ? ownLink : otherLink)() : null;
  const targets =
    link?.kind === 'morph'
      ? link.targets.map(({ uid }) => uid)
      : polymorphicTargets(context.resolution).map(({ uid }) => uid);
  return {
    ...attributeBase(context, attribute),
    family: 'relation',
    type: 'relation',
    ...resolved,
    ...(target === null ? { targets } : {}),
    ...(defaultsToCaller ? { defaultsToCaller } : {}),
    link,
  };
};

/** Suggests the nearest uid, or else the component of the same name in another category. */
const suggestComponent = (uid: Uid, knownUids: readonly Uid[]): string => {
  const name = uid.split('.').at(-1) ?? uid;
  const suggestion = nearest(uid, knownUids) ?? knownUids.find((other) => other.endsWith(`.${name}`));
  return suggestion === undefined ? '' : `. Did you mean "${suggestion}"?`;
};

const canonicalUid = ({ resolution }: AttributeContext, uid: Uid): Uid =>
  resolution.component(uid)?.uid ?? uid;

/** True if the component exists and does not lead back to where it is used. */
const canContain = (
  { resolution, closesCycle, schema }: AttributeContext,
  attribute: AttributeDefinition,
  uid: Uid,
  option: string,
): boolean => {
  if (resolution.component(uid) !== undefined) return !closesCycle(attribute, uid);
  if (!resolution.isUnreadable(uid)) {
    const knownUids = resolution.components.map((component) => component.uid);
    resolution.problems.add(
      { schema, attribute, option },
      {
        code: 'unknown-component',
        message: `there is no component ${uid}${suggestComponent(uid, knownUids)}`,
        allowed: knownUids,
      },
    );
  }
  return false;
};

const itemLimits = (
  { resolution, schema }: AttributeContext,
  attribute: AttributeDefinition,
): { readonly min: number | null; readonly max: number | null } => {
  const [min, max] = [countOption(attribute, 'min'), countOption(attribute, 'max')];
  if (min !== null && max !== null && min > max)
    resolution.problems.add(
      { schema, attribute, option: 'min' },
      { severity: 'warning', code: 'invalid-range', message: `min ${min} is above max ${max}` },
    );
  return { min, max };
};

const compileComponent = (
  context: AttributeContext,
  attribute: AttributeDefinition,
): ComponentAttribute | null => {
  const { resolution, schema } = context;
  const uid = textOption(attribute, 'component');
  if (uid === undefined) {
    resolution.problems.add(
      { schema, attribute },
      {
        code: 'missing-option',
        message: 'a component attribute needs "component", like shared.seo',
        allowed: resolution.components.map((component) => component.uid),
      },
    );
    return null;
  }
  if (!canContain(context, attribute, uid, 'component')) return null;
  return {
    ...attributeBase(context, attribute),
    family: 'component',
    type: 'component',
    component: canonicalUid(context, uid),
    repeatable: attribute.options['repeatable'] === true,
    ...itemLimits(context, attribute),
    column: columnFor(context, attribute.name, 'json'),
  };
};

const compileDynamicZone = (
  context: AttributeContext,
  attribute: AttributeDefinition,
): DynamicZoneAttribute | null => {
  const { resolution, schema } = context;
  const listed: readonly unknown[] = Array.isArray(attribute.options['components'])
    ? attribute.options['components']
    : [];
  const uids = [...new Set(listed.filter((uid) => typeof uid === 'string'))];
  if (uids.length === 0) {
    resolution.problems.add(
      { schema, attribute, option: 'components' },
      {
        severity: 'warning',
        code: 'missing-option',
        message: 'a dynamic zone needs "components", a list of at least one; the zone is left out',
        allowed: resolution.components.map((component) => component.uid),
      },
    );
    return null;
  }
  const existingUids = uids
    .filter((uid) => canContain(context, attribute, uid, 'components'))
    .map((uid) => canonicalUid(context, uid));
  return {
    ...attributeBase(context, attribute),
    family: 'dynamiczone',
    type: 'dynamiczone',
    components: existingUids,
    ...itemLimits(context, attribute),
    column: columnFor(context, attribute.name, 'json'),
  };
};

/** Compiles one attribute. Returns null after reporting a problem. */
export function compileAttribute(
  context: AttributeContext,
  attribute: AttributeDefinition,
): Attribute | null {
  const { type } = attribute;
  if (isScalarTypeName(type)) return compileScalar(context, attribute, type);
  if (type === 'media') return compileMedia(context, attribute);
  if (type === 'relation') return compileRelation(context, attribute);
  if (type === 'component') return compileComponent(context, attribute);
  return type === 'dynamiczone' ? compileDynamicZone(context, attribute) : null;
}
