import { createError } from '../../errors/catalogue.js';
import type { EnvironmentVariables } from '../load-environment.js';

/** The parameter `env` of a file in config/: reads variables of the environment as values of a type. */
export interface Env {
  (name: string, otherwise?: unknown): unknown;
  readonly int: (name: string, otherwise?: number) => number | undefined;
  readonly float: (name: string, otherwise?: number) => number | undefined;
  readonly bool: (name: string, otherwise?: boolean) => boolean | undefined;
  readonly json: (name: string, otherwise?: unknown) => unknown;
  readonly array: (name: string, otherwise?: readonly unknown[]) => readonly unknown[] | undefined;
  readonly date: (name: string, otherwise?: Date) => Date | undefined;
  readonly oneOf: (name: string, expected: readonly unknown[], otherwise?: unknown) => unknown;
}

/** `[a, "b"]` → a, b. The brackets and quotes may be left out. */
const listOf = (text: string): readonly string[] =>
  text
    .trim()
    .replace(/^\[([\s\S]*)\]$/, '$1')
    .split(',')
    .map((item) => item.trim().replace(/^(["'])(.*)\1$/, '$2'));

const parseJson = (name: string, text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw createError('config/invalid-variable', { name, expected: 'JSON' }, { cause });
  }
};

/** Creates the `env` of a project over the variables of its environment. */
export function createEnv(variables: EnvironmentVariables): Env {
  const read = <T>(name: string, otherwise: T, parse: (text: string) => T): T => {
    const text = variables[name];
    return text === undefined ? otherwise : parse(text);
  };
  const env = (name: string, otherwise?: unknown): unknown => read(name, otherwise, (text) => text);
  return Object.assign(env, {
    int: (name: string, otherwise?: number) => read(name, otherwise, (text) => Number.parseInt(text, 10)),
    float: (name: string, otherwise?: number) => read(name, otherwise, Number.parseFloat),
    bool: (name: string, otherwise?: boolean) => read(name, otherwise, (text) => text === 'true'),
    json: (name: string, otherwise?: unknown) => read(name, otherwise, (text) => parseJson(name, text)),
    array: (name: string, otherwise?: readonly unknown[]) => read(name, otherwise, listOf),
    date: (name: string, otherwise?: Date) => read(name, otherwise, (text) => new Date(text)),
    oneOf: (name: string, expected: readonly unknown[], otherwise?: unknown) => {
      const value = env(name);
      return expected.includes(value) ? value : otherwise;
    },
  });
}

/** The same over the environment of the process, which has the project's .env. */
export const processEnv: Env = createEnv(process.env);
