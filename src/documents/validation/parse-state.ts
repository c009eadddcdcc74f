import type { StoredScalar } from '../../lib/stored-value.js';
import type { ContentModel, ScalarAttribute } from '../../model/model.js';
import type { IssueList, Path } from './issues.js';
import type { ComponentLink, ComponentStep, ComponentUnique, ParseContext, HashedValues } from './input.js';

/** The state of parsing one write. */
export interface ParseState {
  readonly model: ContentModel;
  readonly context: ParseContext;
  readonly hashed: HashedValues;
  readonly issues: IssueList;
  /** Collected while components are parsed. */
  readonly componentLinks: ComponentLink[];
  readonly componentUniques: ComponentUnique[];
}

/** The values of a document or of one of its components: those sent by the client, and those stored. */
export interface SchemaValues {
  /** Returns the value sent under a name. Undefined: none was sent. */
  readonly sent: (name: string) => unknown;
  /** Returns the stored value. Undefined: none is stored, so that the default applies. */
  readonly stored: (name: string) => StoredScalar | undefined;
  readonly path: Path;
  /** True inside components that clients do not see. */
  readonly isPrivate: boolean;
  /** The way from the document to the component. Empty for the document itself. */
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
