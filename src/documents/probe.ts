import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Transaction } from '../database/database.js';
import type { Dialect } from '../dialects/dialect.js';

const TEXTS = ['text1', 'text2', 'text3', 'text4', 'text5', 'text6'] as const;
const NUMBERS = ['number1', 'number2', 'number3', 'number4', 'number5'] as const;
const NAMES = [...TEXTS, ...NUMBERS];

/** More of them in one statement would cost more to plan than another statement costs. */
const PARTS_PER_STATEMENT = 60;

/** One row of an answer: text and numbers in places that the asking part has given a meaning. */
export type ProbeRow = { readonly [Key in (typeof TEXTS)[number]]: string | null } & { readonly [Key in (typeof NUMBERS)[number]]: number | null };

type ProbeColumn = keyof ProbeRow;

export interface ProbePart {
  readonly select: { readonly [Key in ProbeColumn]?: RawBuilder<unknown> };
  /** What follows `FROM`. */
  readonly from: RawBuilder<unknown>;
  readonly onRow: (row: ProbeRow) => void;
}

/**
 * Everything a write has to know of other rows, asked in one statement: parts are joined by UNION ALL, and each row of the answer goes
 * back to the part that asked for it.
 */
export interface Probe {
  readonly dialect: Dialect;
  readonly add: (part: ProbePart) => void;
  /** Asks for what was added since the last time; nothing is sent where that is nothing. */
  readonly run: (tx: Transaction) => Promise<void>;
}

const isText = (name: ProbeColumn): boolean => TEXTS.some((text) => text === name);

const column = (part: ProbePart, name: ProbeColumn): RawBuilder<unknown> =>
  sql`cast(${part.select[name] ?? sql`null`} as ${sql.raw(isText(name) ? 'text' : 'integer')}) as ${sql.raw(name)}`;

const statement = (part: ProbePart, index: number, names: readonly ProbeColumn[]): RawBuilder<unknown> =>
  sql`select ${sql.lit(index)} as part, ${sql.join(names.map((name) => column(part, name)))} from ${part.from}`;

const toText = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const toNumber = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));

const readRow = (row: Readonly<Record<string, unknown>>): ProbeRow => Object.fromEntries(NAMES.map((name) => [name, isText(name) ? toText(row[name]) : toNumber(row[name])])) as ProbeRow;

const runParts = async (tx: Transaction, dialect: Dialect, parts: readonly ProbePart[]): Promise<void> => {
  const names = NAMES.filter((name) => parts.some(({ select }) => select[name] !== undefined));
  const compiled = sql.join(parts.map((part, index) => statement(part, index, names)), sql` union all `).compile(dialect.kysely);
  for (const row of await tx.query(compiled.sql, compiled.parameters)) parts[Number(row['part'])]?.onRow(readRow(row));
};

export function createProbe(dialect: Dialect): Probe {
  let waiting: ProbePart[] = [];
  return {
    dialect,
    add: (part) => {
      waiting.push(part);
    },
    run: async (tx) => {
      const parts = waiting;
      waiting = [];
      for (let start = 0; start < parts.length; start += PARTS_PER_STATEMENT) await runParts(tx, dialect, parts.slice(start, start + PARTS_PER_STATEMENT));
    },
  };
}
