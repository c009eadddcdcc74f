import { holdsLogic } from '../../lib/json-logic.js';
import type { StoredScalar } from '../../lib/stored-value.js';
import type { Attribute, ContentModel, ContentSchema, ScalarAttribute } from '../../model/model.js';
import type { ComponentLink, ComponentStep, ComponentUnique, HashedValues, ParseContext } from './input.js';
import type { IssueList, Path } from './issues.js';

/** The state of parsing one write. */
export interface ParseState {
  readonly model: ContentModel;
  readonly context: ParseContext;
  readonly hashed: HashedValues;
  readonly issues: IssueList;
  /** Links and unique values in components, collected while parsing. */
  readonly componentLinks: ComponentLink[];
  readonly componentUniques: ComponentUnique[];
}

/** The values of a document or of one of its components: those sent by the client, and those stored. */
export interface SchemaValues {
  /** Returns the value sent under a name; undefined if none was sent. */
  readonly sent: (name: string) => unknown;
  /** Returns the stored value; undefined if none is stored, so that the default applies. */
  readonly stored: (name: string) => StoredScalar | undefined;
  readonly path: Path;
  /** True inside components that clients do not see. */
  readonly isPrivate: boolean;
  /** The steps from the document to the component; empty for the document. */
  readonly steps: readonly ComponentStep[];
}

/** True if errors may show the value of an attribute. */
export function isShownInErrors(
  { private: isPrivate, field }: ScalarAttribute,
  values: SchemaValues,
): boolean {
  return !isPrivate && !values.isPrivate && field.hash === undefined;
}

export const MUST_BE_SET = 'must be set';

export function isStrict(state: ParseState): boolean {
  return state.context.strictness === 'full';
}

type WrittenValues = Pick<SchemaValues, 'sent' | 'stored'>;

/** Returns the value of an attribute after the write. Invalid values are returned as sent. */
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

/** True if an attribute has no condition, or if the values of a write meet it. */
export function isShown(schema: ContentSchema, { condition }: Attribute, values: WrittenValues): boolean {
  return condition === undefined || holdsLogic(condition.rule, (name) => readValue(schema, values, name));
}

/** True if an attribute requires a value whenever it is shown. */
export function isRequiredIfShown({ required, condition }: Attribute): boolean {
  return required || condition?.isRequired === true;
}

/**
 * Returns the state in which the value of an attribute is parsed. If its condition hides it, this is the
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

/** True if an attribute requires a value in the given state. */
export function mustBeSet(state: ParseState, attribute: Attribute): boolean {
  return isStrict(state) && isRequiredIfShown(attribute);
}
