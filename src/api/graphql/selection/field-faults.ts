import type { FieldNode } from 'graphql';
import { isGalleyError } from '../../../errors/galley-error.js';
import type { GalleyError } from '../../../errors/galley-error.js';

/** Faults in the arguments of fields, by the position of the field in the document. */
export type FieldFaults = Map<number, GalleyError>;

/** Errors that say what is wrong with one field. Those about the whole request are no fault of a field. */
const FIELD_ERRORS: readonly string[] = ['request/invalid-parameter', 'request/mixed-pagination'];

const positionOf = (node: FieldNode | undefined): number => node?.loc?.start ?? -1;

/** Returns what `parse` returns, or null if the arguments are at fault, which is then recorded. */
export function recordFault<T>(faults: FieldFaults, node: FieldNode, parse: () => T): T | null {
  try {
    return parse();
  } catch (error) {
    if (!isGalleyError(error) || !FIELD_ERRORS.includes(error.code)) throw error;
    faults.set(positionOf(node), error);
    return null;
  }
}

/** Returns the fault in the arguments of the field, if there is one. */
export function faultOf(faults: FieldFaults, node: FieldNode | undefined): GalleyError | undefined {
  return faults.get(positionOf(node));
}
