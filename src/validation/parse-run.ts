import type { StoredScalar } from '../lib/stored-value.js';
import type { ContentModel } from '../model/model.js';
import type { FaultList, Path } from './faults.js';
import type { ComponentLink, ComponentStep, ComponentUnique, ParseContext, SealedValues } from './input.js';

/** What all parts of one write's reading share. */
export interface ParseRun {
  readonly model: ContentModel;
  readonly context: ParseContext;
  readonly sealed: SealedValues;
  readonly faults: FaultList;
  /** Filled as components are read. */
  readonly componentLinks: ComponentLink[];
  readonly componentUniques: ComponentUnique[];
}

/** The values of one holder (the document or a component of it): what the client sent, and what is stored. */
export interface HolderValues {
  /** Undefined: nothing was sent under that name. */
  readonly sent: (name: string) => unknown;
  /** Undefined: nothing is stored, so that a default applies. */
  readonly stored: (name: string) => StoredScalar | undefined;
  readonly path: Path;
  /** Empty for the document itself. */
  readonly steps: readonly ComponentStep[];
}

export const MISSING = 'must be set';

export function isFull(run: ParseRun): boolean {
  return run.context.strictness === 'full';
}
