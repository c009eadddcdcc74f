import { holdsLogic } from '../../lib/json-logic.js';
import type { Attribute, ContentSchema } from '../../model/model.js';
import { isStrict } from './parse-state.js';
import type { ParseState, SchemaValues } from './parse-state.js';

type WrittenValues = Pick<SchemaValues, 'sent' | 'stored'>;

/** Returns the value that an attribute has after the write. An invalid one is as it was sent. */
const resultingValue = (attribute: Attribute, values: WrittenValues): unknown => {
  if (attribute.family !== 'scalar') return undefined;
  const sent = values.sent(attribute.name);
  if (sent === null) return null;
  if (sent === undefined) {
    const stored = values.stored(attribute.name);
    return stored === undefined ? (attribute.default ?? null) : stored;
  }
  const parsed = attribute.field.parse(sent, attribute.constraints, 'draft');
  return parsed.ok ? parsed.value : sent;
};

const readValue = ({ attributes }: ContentSchema, values: WrittenValues, name: string): unknown => {
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  const value = attribute === undefined ? undefined : resultingValue(attribute, values);
  return value instanceof Date ? value.toISOString() : value;
};

/** True if the values of a write show an attribute, so that it is checked as its definition requires. */
export function isShown(schema: ContentSchema, { condition }: Attribute, values: WrittenValues): boolean {
  return condition === undefined || holdsLogic(condition.rule, (name) => readValue(schema, values, name));
}

/** True if an attribute requires a value, wherever it is shown. */
export function isRequiredIfShown({ required, condition }: Attribute): boolean {
  return required || condition?.isRequired === true;
}

/**
 * Returns the state in which the value of an attribute is parsed. If its condition hides it, that is the
 * state of drafts, in which nothing is required.
 */
export function attributeState(
  state: ParseState,
  schema: ContentSchema,
  attribute: Attribute,
  values: SchemaValues,
): ParseState {
  if (!isStrict(state) || isShown(schema, attribute, values)) return state;
  return { ...state, context: { ...state.context, strictness: 'draft' } };
}

/** True if a value is required of an attribute in the state in which it is parsed. */
export function mustBeSet(state: ParseState, attribute: Attribute): boolean {
  return isStrict(state) && isRequiredIfShown(attribute);
}
