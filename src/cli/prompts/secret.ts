import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { createError } from '../../errors/catalogue.js';
import { promptIfMissing, textQuestion } from './prompt.js';
import type { Prompter, Validate } from './prompt.js';
import type { InputStream, Terminal } from '../terminal/terminal.js';

type SecretFlags<Name extends string> = Record<Name | `${Name}-file`, ReturnType<typeof Flags.string>>;

/**
 * Declares `--password` (a value, or `-` for standard input) and `--password-file`, so that secrets need not
 * appear in the process list or the shell's history.
 */
export function secretFlags<Name extends string>(name: Name, description: string): SecretFlags<Name> {
  const file = `${name}-file` as const;
  return {
    [name]: Flags.string({
      description: `${description} "-" reads it from standard input.`,
      exclusive: [file],
      helpValue: '<value|->',
    }),
    [file]: Flags.string({
      description: `Read ${name} from a file.`,
      exclusive: [name],
      helpValue: '<file>',
    }),
  } as SecretFlags<Name>;
}

const readAll = async (stream: InputStream): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
};

/** Reads standard input to its end. Returns the text without its last line break. */
export async function readStdin(terminal: Terminal): Promise<string> {
  return (await readAll(terminal.stdin)).replace(/\r?\n$/, '');
}

export interface SecretSource {
  /** The flag's name as passed to {@link secretFlags}. */
  readonly name: string;
  readonly flags: Readonly<Record<string, unknown>>;
  /** The question on a terminal. The answer is masked. */
  readonly message: string;
  /** Validates an answer. */
  readonly validate?: Validate | undefined;
}

const readSource = async (
  terminal: Terminal,
  { name, flags }: Omit<SecretSource, 'message'>,
): Promise<string | undefined> => {
  const file = flags[`${name}-file`];
  if (typeof file === 'string')
    return (await readFile(resolve(terminal.cwd, file), 'utf8')).replace(/\r?\n$/, '');
  const value = flags[name];
  if (value === '-') return readStdin(terminal);
  return typeof value === 'string' ? value : undefined;
};

/**
 * Reads a secret from its flag, standard input or a file. Undefined if none is given.
 *
 * @throws `cli/empty-secret`
 */
export async function readGivenSecret(
  terminal: Terminal,
  source: Omit<SecretSource, 'message'>,
): Promise<string | undefined> {
  const secret = await readSource(terminal, source);
  if (secret === '') throw createError('cli/empty-secret', { label: `--${source.name}` });
  return secret;
}

/**
 * Reads a secret from its flag, standard input, a file or a masked question.
 *
 * @throws `cli/empty-secret`
 */
export async function readSecret(
  terminal: Terminal,
  prompter: Prompter | null,
  source: SecretSource,
): Promise<string> {
  return promptIfMissing(prompter, {
    name: source.name,
    value: await readGivenSecret(terminal, source),
    question: textQuestion({
      message: source.message,
      isRequired: true,
      isSecret: true,
      validate: source.validate,
    }),
  });
}
