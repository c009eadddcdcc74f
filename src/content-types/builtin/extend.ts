import { isRecord } from '../../lib/is-record.js';
import type { FileProblems } from '../file-problems.js';

type Settings = Readonly<Record<string, unknown>>;

const asRecord = (value: unknown): Settings => (isRecord(value) ? value : {});

const FIXED_OPTIONS = ['private', 'required', 'unique'];

/**
 * One attribute of a built-in type with a project's own options. Its type and links stay what the server relies on,
 * and so does what is private, required or unique.
 */
const extendAttribute = (name: string, own: Settings, given: unknown, problems: FileProblems): Settings => {
  if (!isRecord(given)) return own;
  const path = ['attributes', name, 'type'];
  if (given['type'] !== own['type']) {
    problems.add({ code: 'fixed-attribute', path, attribute: name, message: `"${name}" must stay of type ${String(own['type'])}: the server itself uses it`, allowed: [String(own['type'])] });
    return own;
  }
  if (own['type'] === 'relation') return own;
  const fixed = Object.entries(own).filter(([option, value]) => FIXED_OPTIONS.includes(option) && value === true);
  return { ...own, ...given, ...Object.fromEntries(fixed) };
};

/** A built-in type's file form with a project's extension laid over it: its options win, its attributes are added, the built-in ones stay. */
export function extendBuiltin(builtin: Settings, extension: Settings, problems: FileProblems): Settings {
  const own = asRecord(builtin['attributes']);
  const given = asRecord(extension['attributes']);
  const kept = Object.entries(own).map(([name, attribute]) => [name, extendAttribute(name, asRecord(attribute), given[name], problems)] as const);
  const added = Object.entries(given).filter(([name]) => !Object.hasOwn(own, name));
  return {
    ...builtin,
    info: { ...asRecord(builtin['info']), displayName: asRecord(extension['info'])['displayName'] ?? asRecord(builtin['info'])['displayName'] },
    pluginOptions: extension['pluginOptions'] ?? {},
    attributes: Object.fromEntries([...kept, ...added]),
  };
}
