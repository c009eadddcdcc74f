import { PassThrough } from 'node:stream';
import { inspect } from 'node:util';
import { createError } from '../../errors/catalogue.js';
import { messageOf } from '../../lib/source-location.js';
import { readStdin } from '../prompts/secret.js';
import type { Terminal } from '../terminal/terminal.js';

/** Evaluates a statement, which may go on in the next line. */
type Evaluate = (code: string) => Promise<{ readonly result: unknown } | { readonly unfinished: Error }>;

/** Evaluates statements one after the other, as the console does. Close it afterwards. */
const openEvaluator = async (): Promise<{ readonly evaluate: Evaluate; readonly close: () => void }> => {
  const { Recoverable, start } = await import('node:repl');
  let onThrown: (error: unknown) => void = () => undefined;
  const server = start({
    prompt: '',
    input: new PassThrough(),
    output: new PassThrough().resume(),
    useGlobal: true,
    // Called with what is thrown only: this server does not print results.
    writer: (error: unknown) => {
      onThrown(error);
      return '';
    },
  });
  const evaluate: Evaluate = (code) =>
    new Promise((resolve, reject) => {
      onThrown = reject;
      server.eval(code, server.context, 'console', (error, result: unknown) => {
        if (error instanceof Recoverable) resolve({ unfinished: error.err });
        else if (error === null || error === undefined) resolve({ result });
        else reject(error);
      });
    });
  return { evaluate, close: () => server.close() };
};

const failure = (line: number, cause: unknown): Error =>
  createError(
    'project/code-failed',
    { name: 'The console', location: `line ${line} of standard input`, reason: messageOf(cause) },
    { cause },
  );

const printResult = (result: unknown): string =>
  typeof result === 'string' ? result : inspect(result, { depth: 6 });

/**
 * Evaluates lines, statement by statement, and passes on each result but undefined.
 *
 * @throws `project/code-failed`, which names the line
 */
const evaluateLines = async (
  lines: readonly string[],
  evaluate: Evaluate,
  onResult: (text: string) => void,
): Promise<void> => {
  let code = '';
  let first = 1;
  let unfinished: Error | null = null;
  for (const [index, line] of lines.entries()) {
    if (code === '') first = index + 1;
    if (code === '' && line.trim() === '.exit') return;
    code += `${line}\n`;
    if (code.trim() === '') {
      code = '';
      continue;
    }
    const evaluated = await evaluate(code).catch((error: unknown) => {
      throw failure(first, error);
    });
    unfinished = 'unfinished' in evaluated ? evaluated.unfinished : null;
    if ('unfinished' in evaluated) continue;
    code = '';
    if (evaluated.result !== undefined) onResult(printResult(evaluated.result));
  }
  if (unfinished !== null) throw failure(first, unfinished);
};

/**
 * Evaluates what is piped in, and stops at the first error.
 *
 * @throws `project/code-failed`, which names the line
 */
export async function runPiped(terminal: Terminal, onResult: (text: string) => void): Promise<void> {
  const lines = (await readStdin(terminal)).split(/\r?\n/);
  const { evaluate, close } = await openEvaluator();
  try {
    await evaluateLines(lines, evaluate, onResult);
  } finally {
    close();
  }
}
