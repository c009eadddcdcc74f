import type { JsonValue, StoredScalar } from '../../lib/stored-value.js';
import { targetsOf } from '../../model/lookup.js';
import type { ContentModel, ContentType, LinkAttribute } from '../../model/model.js';
import { assertShape } from './assert-shape.js';
import { attributeState, mustBeSet } from './attribute-state.js';
import { createIssueList } from './issues.js';
import type { InputValidator, LinkOperation, ParseContext, ParsedInput, PreparedInput } from './input.js';
import { parseLinkOperation } from './parse-link-operation.js';
import { MUST_BE_SET } from './parse-state.js';
import type { SchemaValues, ParseState } from './parse-state.js';
import { parseComponents } from './parse-components.js';
import { parseScalar } from './parse-scalar.js';
import { hashValues } from './hash-values.js';

/** Returns the operation on a relation or media attribute. Undefined: its links stay. */
const parseLink = (
  state: ParseState,
  attribute: LinkAttribute,
  values: SchemaValues,
): LinkOperation | undefined => {
  const sent = values.sent(attribute.name);
  const path = [attribute.name];
  const isMissing = sent === null || (sent === undefined && state.context.isNew);
  if (isMissing && mustBeSet(state, attribute)) state.issues.add(path, MUST_BE_SET, sent);
  if (sent === undefined) return undefined;
  return parseLinkOperation({ attribute, targets: targetsOf(attribute), path }, sent);
};

const parseInput = (
  model: ContentModel,
  type: ContentType,
  input: PreparedInput,
  context: ParseContext,
): ParsedInput => {
  const state: ParseState = {
    model,
    context,
    hashed: input.hashed,
    issues: createIssueList(),
    componentLinks: [],
    componentUniques: [],
  };
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
    const own = attributeState(state, type, attribute, values);
    if (attribute.family === 'scalar') {
      const value = parseScalar(own, attribute, values);
      if (value !== undefined) scalars.set(attribute.name, value);
    } else if (attribute.family === 'relation' || attribute.family === 'media') {
      const operation = parseLink(own, attribute, values);
      if (operation !== undefined) links.set(attribute.name, operation);
      if (mustBeSet(own, attribute)) requiredLinks.add(attribute.name);
    } else {
      const value = parseComponents(own, attribute, values);
      if (value !== undefined) components.set(attribute.name, value);
    }
  }
  state.issues.throwIfAny();
  return {
    scalars,
    components,
    links,
    requiredLinks,
    componentLinks: state.componentLinks,
    componentUniques: state.componentUniques,
  };
};

/**
 * Compiles the validator of a content-type, which turns the client's data into stored values, links and
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
  };
  return Object.freeze(validator);
}
