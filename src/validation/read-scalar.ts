import type { FieldFault } from '../fields/field-type.js';
import type { JsonValue, StoredScalar } from '../lib/stored-value.js';
import type { ScalarAttribute } from '../model/model.js';
import type { Path } from './faults.js';
import { isFull, MISSING } from './parse-run.js';
import type { HolderValues, ParseRun } from './parse-run.js';

/** An index entry must fit a page of the smallest database. */
const UNIQUE_BYTES = 2000;

/** Whether two documents may not have the same value (per locale and status). */
export function isUnique(attribute: ScalarAttribute): boolean {
  return (attribute.constraints.unique || attribute.type === 'uid') && attribute.column.kind !== 'json';
}

const addFaults = (run: ParseRun, path: Path, faults: readonly FieldFault[]): void => {
  for (const fault of faults) run.faults.add([...path, ...fault.path], fault.message);
};

const sealedForm = (run: ParseRun, attribute: ScalarAttribute, value: StoredScalar): StoredScalar => {
  if (attribute.field.seal === undefined || typeof value !== 'string') return value;
  const sealed = run.sealed.get(attribute.type)?.get(value);
  if (sealed === undefined) throw new TypeError(`${attribute.name} was not sealed`);
  return sealed;
};

const readSent = (run: ParseRun, attribute: ScalarAttribute, input: unknown, path: Path): StoredScalar => {
  // A sealed value can't be checked again when it is published, so a draft's is checked whole.
  const strictness = attribute.field.seal === undefined ? run.context.strictness : 'full';
  const parsed = attribute.field.parse(input, attribute.constraints, strictness);
  if (!parsed.ok) {
    addFaults(run, path, parsed.faults);
    return null;
  }
  if (typeof parsed.value === 'string' && isUnique(attribute) && Buffer.byteLength(parsed.value) > UNIQUE_BYTES) {
    run.faults.add(path, `must be at most ${UNIQUE_BYTES} bytes, as it is unique`);
  }
  return sealedForm(run, attribute, parsed.value);
};

const checkKept = (run: ParseRun, attribute: ScalarAttribute, stored: StoredScalar, path: Path): void => {
  if (stored === null) {
    if (attribute.required) run.faults.add(path, MISSING);
    return;
  }
  if (attribute.field.seal !== undefined) return;
  const parsed = attribute.field.parse(stored, attribute.constraints, 'full');
  if (!parsed.ok) addFaults(run, path, parsed.faults);
};

const initialValue = (attribute: ScalarAttribute): StoredScalar => (attribute.field.seal === undefined ? (attribute.default ?? null) : null);

/** The value to store, or undefined: the stored one stays. Faults go to the run. */
export function readScalar(run: ParseRun, attribute: ScalarAttribute, values: HolderValues): StoredScalar | undefined {
  const path = [...values.path, attribute.name];
  const sent = values.sent(attribute.name);
  if (sent !== undefined && sent !== null) return readSent(run, attribute, sent, path);
  const stored = values.stored(attribute.name);
  if (sent === undefined && stored !== undefined) {
    if (isFull(run)) checkKept(run, attribute, stored, path);
    return undefined;
  }
  const value = sent === null ? null : initialValue(attribute);
  if (value === null && attribute.required && isFull(run)) run.faults.add(path, MISSING);
  return value;
}

/** A scalar as it is kept inside a component's JSON: times and big integers as the API writes them. */
export function toJson(value: StoredScalar): JsonValue {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'bigint' ? String(value) : value;
}
