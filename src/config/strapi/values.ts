import { isRecord } from '../../lib/is-record.js';

/** The values of a file of config/, by key. */
export type Values = Readonly<Record<string, unknown>>;

/** A setting of Galley that config/ sets, with the path of its key there. */
export type StatedSetting = readonly [setting: string, place: readonly string[], value: unknown];

/** Returns the value at a path such as `rest.maxLimit`, or undefined. */
export function valueAt(values: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce((value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined), values);
}
