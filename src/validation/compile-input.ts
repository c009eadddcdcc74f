import type { JsonValue, StoredScalar } from '../lib/stored-value.js';
import type { Attribute, ContentModel, ContentType, LinkAttribute } from '../model/model.js';
import { assertShape } from './assert-shape.js';
import { createFaultList } from './faults.js';
import type { InputValidator, LinkOperation, ParseContext, ParsedInput, PreparedInput } from './input.js';
import { readLinkOperation } from './link-input.js';
import { linkTargets } from './link-targets.js';
import { isFull, MISSING } from './parse-run.js';
import type { HolderValues, ParseRun } from './parse-run.js';
import { readComponents } from './read-components.js';
import { readScalar } from './read-scalar.js';
import { sealValues } from './seal-values.js';

/** The operation on a relation or media attribute of the document itself; undefined: its links stay. */
const readLink = (run: ParseRun, attribute: LinkAttribute, values: HolderValues): LinkOperation | undefined => {
  const sent = values.sent(attribute.name);
  const path = [attribute.name];
  const isMissing = sent === null || (sent === undefined && run.context.isNew);
  if (isMissing && attribute.required && isFull(run)) run.faults.add(path, MISSING);
  if (sent === undefined) return undefined;
  return readLinkOperation({ attribute, targets: linkTargets(attribute), path }, sent);
};

const parse = (model: ContentModel, attributes: readonly Attribute[], input: PreparedInput, context: ParseContext): ParsedInput => {
  const run: ParseRun = { model, context, sealed: input.sealed, faults: createFaultList(), componentLinks: [], componentUniques: [] };
  const values: HolderValues = {
    sent: (name) => (Object.hasOwn(input.data, name) ? input.data[name] : undefined),
    stored: (name) => context.stored.get(name),
    path: [],
    steps: [],
  };
  const scalars = new Map<string, StoredScalar>();
  const components = new Map<string, JsonValue>();
  const links = new Map<string, LinkOperation>();
  for (const attribute of attributes) {
    if (attribute.family === 'scalar') {
      const value = readScalar(run, attribute, values);
      if (value !== undefined) scalars.set(attribute.name, value);
    } else if (attribute.family === 'relation' || attribute.family === 'media') {
      const operation = readLink(run, attribute, values);
      if (operation !== undefined) links.set(attribute.name, operation);
    } else {
      const value = readComponents(run, attribute, values);
      if (value !== undefined) components.set(attribute.name, value);
    }
  }
  run.faults.throwIfAny();
  return { scalars, components, links, componentLinks: run.componentLinks, componentUniques: run.componentUniques };
};

/**
 * The input side of one content-type: what a client may send, turned into stored values, links and components.
 *
 * @example
 * const input = compileInput(model, article);
 * const parsed = input.parse(await input.prepare(body.data, access), context);
 */
export function compileInput(model: ContentModel, type: ContentType): InputValidator {
  const attributes = Object.values(type.attributes);
  const validator: InputValidator = {
    prepare: async (data, access): Promise<PreparedInput> => {
      assertShape(model, type, data, access);
      return { data, sealed: await sealValues(model, type, data) };
    },
    parse: (input, context) => parse(model, attributes, input, context),
  };
  return Object.freeze(validator);
}
