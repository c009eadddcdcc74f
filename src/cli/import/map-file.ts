import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { didYouMean } from '../../lib/nearest.js';
import { writeText } from '../../project/write-text.js';
import { ENCODINGS, TABLE_FORMATS } from '../../transfer/tables/table.js';
import type { TableFlagValues } from './import-flags.js';

/*
 * A map file keeps the flags of a table import, so that tables of the same form are imported with the same
 * command again. `--save-map` writes it, `--map-file` reads it. Flags take precedence over the file.
 */

/** The attribute of each column; null skips a column. */
type ColumnMap = Readonly<Record<string, string | null>>;

const HEADER =
  '# Mapping of the columns of a table. Written by: cms import --save-map. ' +
  'Applied by: cms import --map-file.\n';

const TEXT_KEYS = ['type', 'key', 'existing', 'locale', 'delimiter'] as const;
const KEYS = [...TEXT_KEYS, 'format', 'encoding', 'publish', 'columns'];

const invalidFile = (file: string, reason: string, cause?: unknown): Error =>
  createError('table/invalid-map-file', { file, reason }, { cause });

const parseYaml = (file: string, text: string): Readonly<Record<string, unknown>> => {
  let content: unknown;
  try {
    content = parse(text, { maxAliasCount: 0 });
  } catch (cause) {
    throw invalidFile(
      file,
      cause instanceof Error ? cause.message.replace(/\n.*$/s, '') : 'invalid YAML',
      cause,
    );
  }
  if (!isRecord(content)) throw invalidFile(file, 'it is not a mapping');
  const unknownKey = Object.keys(content).find((key) => !KEYS.includes(key));
  if (unknownKey === undefined) return content;
  const hint = didYouMean(unknownKey, KEYS, `The keys are ${KEYS.join(', ')}.`);
  throw invalidFile(file, `the key ${unknownKey} is unknown. ${hint}`);
};

const parseColumns = (file: string, columns: unknown): ColumnMap => {
  if (!isRecord(columns)) throw invalidFile(file, 'columns is not a mapping from columns to attributes');
  return Object.fromEntries(
    Object.entries(columns).map(([column, path]) => {
      if (path !== null && typeof path !== 'string')
        throw invalidFile(file, `the attribute of the column ${column} is neither text nor null`);
      return [column, path];
    }),
  );
};

const parseOption = <T extends string>(
  file: string,
  { key, value, options }: { readonly key: string; readonly value: unknown; readonly options: readonly T[] },
): T | undefined => {
  const option = options.find((candidate) => candidate === value);
  if (value === undefined || option !== undefined) return option;
  throw invalidFile(file, `${key} is not one of ${options.join(', ')}`);
};

/** The flags of a map file. */
interface TableMap extends Pick<TableFlagValues, 'key' | 'existing' | 'locale' | 'delimiter'> {
  readonly type: readonly string[] | undefined;
  readonly format: TableFlagValues['format'];
  readonly encoding: TableFlagValues['encoding'];
  readonly publish: boolean;
  readonly columns: ColumnMap;
}

/**
 * Parses the YAML of a map file.
 *
 * @param file the file's path, for error messages
 * @throws `table/invalid-map-file`
 */
function parseMapFile(file: string, text: string): TableMap {
  const content = parseYaml(file, text);
  const { publish = false, columns = {}, format, encoding } = content;
  if (typeof publish !== 'boolean') throw invalidFile(file, 'publish is neither true nor false');
  const [type, key, existing, locale, delimiter] = TEXT_KEYS.map((name) => {
    const value = content[name];
    if (value === undefined || typeof value === 'string') return value;
    throw invalidFile(file, `${name} is not text`);
  });
  return {
    type: type === undefined ? undefined : [type],
    key,
    existing,
    locale,
    delimiter,
    format: parseOption(file, { key: 'format', value: format, options: TABLE_FORMATS }),
    encoding: parseOption(file, { key: 'encoding', value: encoding, options: ENCODINGS }),
    publish,
    columns: parseColumns(file, columns),
  };
}

const toMaps = (columns: ColumnMap): readonly string[] =>
  Object.entries(columns).map(([column, path]) => `${column}=${path ?? ''}`);

/**
 * Returns flags with the values of the file of `--map-file`. Given flags take precedence.
 *
 * @throws `table/invalid-map-file`, and the file system's error for a missing file
 */
export async function applyMapFile<T extends TableFlagValues>(flags: T, cwd: string): Promise<T> {
  const file = flags['map-file'];
  if (file === undefined) return flags;
  const { columns, publish, ...values } = parseMapFile(file, await readFile(resolve(cwd, file), 'utf8'));
  const given = Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)) as T;
  return {
    ...values,
    ...given,
    publish: flags.publish || publish,
    map: [...toMaps(columns), ...(flags.map ?? [])],
  };
}

/** Prints a map file. Empty values are omitted. */
function printMapFile({ columns, type, publish, ...values }: TableMap): string {
  const content = { type: type?.[0], ...values, ...(publish ? { publish } : {}), columns };
  return HEADER + stringify(content, { lineWidth: 0, keepUndefined: false });
}

/** Writes a map file. */
export async function writeMapFile(path: string, map: TableMap): Promise<void> {
  await writeText(path, printMapFile(map));
}
