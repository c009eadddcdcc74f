import { isRecord } from '../lib/is-record.js';
import type { Option } from './option.js';

/** Returns a function that reads options of a plugin's validated `config`, with their defaults. */
export function createOptionReader<Options extends Readonly<Record<string, Option<unknown>>>>(
  options: Options,
  config: unknown,
) {
  return <Path extends keyof Options & string>(path: Path): ValueOf<Options[Path]> => {
    const value = path
      .split('.')
      .reduce<unknown>((parent, key) => (isRecord(parent) ? parent[key] : undefined), config);
    const { check, fallback } = options[path] as Option<ValueOf<Options[Path]>>;
    return value === undefined ? fallback : (check.read(value) ?? fallback);
  };
}

type ValueOf<Item> = Item extends Option<infer Value> ? Value : never;
