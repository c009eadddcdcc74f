import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import type { JsonValue, StoredScalar } from '../../lib/stored-value.js';
import { targetsOf } from '../../model/lookup.js';
import type {
  Attribute,
  ContentModel,
  ContentSchema,
  ContentType,
  LinkAttribute,
  ScalarAttribute,
} from '../../model/model.js';
import { assertShape } from './assert-shape.js';
import { MUST_BE_SET, attributeState, mustBeSet } from './attribute-state.js';
import type { ParseState, SchemaValues } from './attribute-state.js';
import type {
  HashedValues,
  InputValidator,
  LinkOperation,
  ParseContext,
  ParsedInput,
  PreparedInput,
} from './input.js';
import { createIssueList } from './issues.js';
import { parseComponents } from './parse-components.js';
import { parseLinkOperation } from './parse-link-operation.js';
import { parseScalar } from './parse-scalar.js';

/*
 * Validates the data of writes. assert-shape checks keys and access before values are parsed.
 * parse-scalar, parse-components and parse-link-operation parse the values.
 */

/** Maximum number of passwords in one write. Hashing one takes up to 100 ms. */
const HASH_LIMIT = 20;

type PlainValues = Map<string, { readonly attribute: ScalarAttribute; readonly values: Set<string> }>;

const addPlainValue = (plainValues: PlainValues, attribute: ScalarAttribute, value: unknown): void => {
  if (
    attribute.field.hash === undefined ||
    typeof value !== 'string' ||
    !attribute.field.parse(value, attribute.constraints, 'full').ok
  )
    return;
  const collected = plainValues.get(attribute.type) ?? { attribute, values: new Set<string>() };
  collected.values.add(value);
  plainValues.set(attribute.type, collected);
  if (collected.values.size > HASH_LIMIT) throw createError('request/too-many-items', { limit: HASH_LIMIT });
};

const componentUid = (attribute: Attribute, item: Readonly<Record<string, unknown>>): unknown =>
  attribute.family === 'component' ? attribute.component : item['__component'];

const collectPlainValues = (
  model: ContentModel,
  plainValues: PlainValues,
  schema: ContentSchema,
  data: Readonly<Record<string, unknown>>,
): void => {
  for (const key of Object.keys(data)) {
    const attribute = Object.hasOwn(schema.attributes, key) ? schema.attributes[key] : undefined;
    if (attribute?.family === 'scalar') addPlainValue(plainValues, attribute, data[key]);
    if (attribute?.family !== 'component' && attribute?.family !== 'dynamiczone') continue;
    const value = data[key];
    for (const item of Array.isArray(value) ? value : [value]) {
      const uid = isRecord(item) ? componentUid(attribute, item) : undefined;
      const component =
        typeof uid === 'string' && Object.hasOwn(model.componentsByUid, uid)
          ? model.componentsByUid[uid]
          : undefined;
      if (component !== undefined && isRecord(item)) collectPlainValues(model, plainValues, component, item);
    }
  }
};

/** Hashes every valid password in the data, one after the other, since each hash occupies a core. */
async function hashValues(
  model: ContentModel,
  schema: ContentSchema,
  data: Readonly<Record<string, unknown>>,
): Promise<HashedValues> {
  const plainValues: PlainValues = new Map();
  collectPlainValues(model, plainValues, schema, data);
  const hashed = new Map<string, ReadonlyMap<string, StoredScalar>>();
  for (const [type, { attribute, values }] of plainValues) {
    const hashes = new Map<string, StoredScalar>();
    for (const value of values) hashes.set(value, (await attribute.field.hash?.(value)) ?? value);
    hashed.set(type, hashes);
  }
  return hashed;
}

/** Returns the operation on a relation or media attribute; undefined if its links stay. */
const parseLink = (
  state: ParseState,
  attribute: LinkAttribute,
  values: SchemaValues,
): LinkOperation | undefined => {
  const sent = values.sent(attribute.name);
  const path = [attribute.name];
  const { isNew, sharesLinks = false } = state.context;
  // Shared links are checked once they are loaded.
  const mustBeSent = isNew && (attribute.localized || !sharesLinks);
  const isMissing = sent === null || (sent === undefined && mustBeSent);
  if (isMissing && mustBeSet(state, attribute)) state.issues.add(path, MUST_BE_SET, sent);
  if (sent === undefined) return undefined;
  return parseLinkOperation({ attribute, targets: targetsOf(attribute), path }, sent);
};

const createState = (
  model: ContentModel,
  { hashed }: PreparedInput,
  context: ParseContext,
  issues = createIssueList(),
): ParseState => ({
  model,
  context,
  hashed,
  issues,
  componentLinks: [],
  componentUniques: [],
});

/** Parses all attributes. Adds issues to the state. */
const parseAttributes = (state: ParseState, type: ContentType, input: PreparedInput): ParsedInput => {
  const { context } = state;
  const values: SchemaValues = {
    sent: (name) => (Object.hasOwn(input.data, name) ? input.data[name] : undefined),
    stored: (name) => context.stored.get(name),
    path: [],
    isPrivate: false,
    steps: [],
  };
  const scalars = new Map<string, StoredScalar>();
  const components = new Map<string, JsonValue>();
  const links = new Map<string, LinkOperation>();
  const requiredLinks = new Set<string>();
  for (const attribute of Object.values(type.attributes)) {
    const attributeContext = attributeState(state, type, attribute, values);
    if (attribute.family === 'scalar') {
      const value = parseScalar(attributeContext, attribute, values);
      if (value !== undefined) scalars.set(attribute.name, value);
    } else if (attribute.family === 'relation' || attribute.family === 'media') {
      const operation = parseLink(attributeContext, attribute, values);
      if (operation !== undefined) links.set(attribute.name, operation);
      if (mustBeSet(attributeContext, attribute)) requiredLinks.add(attribute.name);
    } else {
      const value = parseComponents(attributeContext, attribute, values);
      if (value !== undefined) components.set(attribute.name, value);
    }
  }
  return {
    scalars,
    components,
    links,
    requiredLinks,
    componentLinks: state.componentLinks,
    componentUniques: state.componentUniques,
  };
};

const parseInput = (
  model: ContentModel,
  type: ContentType,
  input: PreparedInput,
  context: ParseContext,
): ParsedInput => {
  const state = createState(model, input, context);
  const parsed = parseAttributes(state, type, input);
  state.issues.throwIfAny();
  return parsed;
};

/** The context of a document that is not stored. The ids of its components are not used. */
const NEW_DOCUMENT: Omit<ParseContext, 'strictness'> = {
  stored: new Map(),
  isNew: true,
  isKnownComponent: () => false,
  newComponentId: () => 1,
};

/**
 * Compiles the validator of a content-type, which parses the client's data into stored values, links and
 * components.
 *
 * @example
 *   const input = compileInput(model, article);
 *   const parsed = input.parse(await input.prepare(body.data, access), context);
 */
export function compileInput(model: ContentModel, type: ContentType): InputValidator {
  const validator: InputValidator = {
    prepare: async (data, access): Promise<PreparedInput> => {
      assertShape(model, type, data, access);
      return { data, hashed: await hashValues(model, type, data) };
    },
    parse: (input, context) => parseInput(model, type, input, context),
    check: (data, strictness) => {
      const input = { data, hashed: new Map() };
      const state = createState(model, input, { ...NEW_DOCUMENT, strictness }, createIssueList(Infinity));
      parseAttributes(state, type, input);
      return state.issues.list();
    },
  };
  return Object.freeze(validator);
}
