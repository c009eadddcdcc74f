import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { AsyncCompleter } from 'node:readline';
import type { REPLServer } from 'node:repl';
import { PassThrough } from 'node:stream';
import { inspect } from 'node:util';
import { createError } from '../errors/catalogue.js';
import { messageOf } from '../lib/caught-errors.js';
import { relativePath } from '../lib/text.js';
import type { ContentModel, Uid } from '../model/model.js';
import { projectCodeError } from '../project/open/extensions.js';
import type { BootstrapContext } from '../project/open/extensions.js';
import type { App } from '../project/open/open-app.js';
import { readStdin } from './prompts/secret.js';
import type { Terminal } from './terminal/terminal.js';

/** The global variables of the console and of scripts, by name. */
type Scope = Pick<BootstrapContext, 'documents' | 'prisma' | 'model' | 'config' | 'strapi'>;

export async function openScope({ openContext }: App): Promise<Scope> {
  const { documents, prisma, model, config, strapi } = await openContext();
  return { documents, prisma, model, config, strapi };
}

/** Runs work with the values as global variables. */
export async function withGlobals<T>(values: object, work: () => Promise<T>): Promise<T> {
  const originals = Object.keys(values).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(globalThis, name, { value, configurable: true, enumerable: true, writable: true });
  try {
    return await work();
  } finally {
    for (const [name, original] of originals)
      if (original === undefined) Reflect.deleteProperty(globalThis, name);
      else Object.defineProperty(globalThis, name, original);
  }
}

type Call = (...parameters: unknown[]) => unknown;

const isCall = (value: unknown): value is Call => typeof value === 'function';

/** Adds the line of the call to the stack of an error. Retries cut the original stack. */
const traced =
  (call: Call, target: object): Call =>
  (...parameters) => {
    const { stack = '' } = new Error('call');
    const result = Reflect.apply(call, target, parameters);
    if (!(result instanceof Promise)) return result;
    return result.catch((error: unknown) => {
      if (error instanceof Error)
        error.stack = `${error.stack ?? ''}\n${stack.split('\n').slice(2).join('\n')}`;
      throw error;
    });
  };

/** Returns a document service whose errors name the calling line of a script. */
function traceCalls(documents: Scope['documents']): Scope['documents'] {
  return new Proxy(documents, {
    apply: (target, self, parameters) => {
      const repository: unknown = Reflect.apply(target, self, parameters);
      if (typeof repository !== 'object' || repository === null) return repository;
      return Object.fromEntries(
        Object.entries(repository).map(([name, value]: [string, unknown]) => [
          name,
          isCall(value) ? traced(value, repository) : value,
        ]),
      );
    },
  });
}

/**
 * Returns the path of a script.
 *
 * @throws `cli/unknown-name`
 */
export function findScript(folder: string, script: string): string {
  const file = resolve(folder, script);
  if (!existsSync(file))
    throw createError('cli/unknown-name', {
      kind: 'file',
      name: script,
      remedy: 'Paths are relative to the working directory.',
    });
  return file;
}

/**
 * Evaluates a script with the project's services as global variables, and calls its default export if it is a
 * function. Returns the result of that call.
 *
 * @throws `project/code-failed`, which names the line
 */
export async function runScript(app: App, file: string, args: readonly string[]): Promise<unknown> {
  const { root } = app.project;
  const known = await openScope(app);
  const scope = { ...known, documents: traceCalls(known.documents), args };
  const source = { root, file: relativePath(root, file), name: 'The script' };
  return withGlobals(scope, async () => {
    const exported = await app.loader.load(file).catch((error: unknown) => {
      throw projectCodeError(source, error);
    });
    if (typeof exported !== 'function') return undefined;
    try {
      return (await Reflect.apply(exported, undefined, [scope])) as unknown;
    } catch (error) {
      throw projectCodeError(source, error);
    }
  });
}

/** Evaluates a statement. Reports an incomplete one, which continues in the next line. */
type Evaluate = (code: string) => Promise<{ readonly result: unknown } | { readonly unfinished: Error }>;

/** Opens an evaluator of statements, as in the console. Close it afterwards. */
const openEvaluator = async (): Promise<{ readonly evaluate: Evaluate; readonly close: () => void }> => {
  const { Recoverable, start } = await import('node:repl');
  let onThrown: (error: unknown) => void = () => undefined;
  const server = start({
    prompt: '',
    input: new PassThrough(),
    output: new PassThrough().resume(),
    useGlobal: true,
    // Called with thrown values only: this REPL does not print results.
    writer: (error: unknown) => {
      onThrown(error);
      return '';
    },
  });
  const evaluate: Evaluate = (code) =>
    new Promise((fulfill, reject) => {
      onThrown = reject;
      server.eval(code, server.context, 'console', (error, result: unknown) => {
        if (error instanceof Recoverable) fulfill({ unfinished: error.err });
        else if (error === null || error === undefined) fulfill({ result });
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
 * Evaluates lines, statement by statement, and passes each result to the callback except undefined.
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
 * Evaluates standard input, and stops at the first error.
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

interface NameCandidates {
  readonly candidates: readonly string[];
  /** The typed part of the name. */
  readonly prefix: string;
}

/** The fields of every document that are not attributes of its type. */
const DOCUMENT_FIELDS = ['documentId', 'createdAt', 'updatedAt', 'publishedAt', 'locale'] as const;

const UNFINISHED_TYPE = /\b(?:documents|query|service|controller)\(\s*['"`](?<prefix>[\w:.-]*)$/;
const LAST_TYPE =
  /\b(?:documents|query)\(\s*['"`](?<uid>[\w:.-]+)['"`]\s*\)\s*\.\s*\w+\((?<parameters>[^;]*)$/;
/** A method of a type's documents, or the beginning of one. */
const UNFINISHED_METHOD = /\bdocuments\(\s*['"`](?<uid>[\w:.-]+)['"`]\s*\)\s*\.\s*(?<prefix>\w*)$/;
/** An object key or a string that may be a name. */
const UNFINISHED_NAME = /(?:[{,[]\s*|['"`])(?<prefix>\w*)$/;

/**
 * Returns the names that may follow at the end of a line: uids within `documents('…')`, its methods after it,
 * and attributes within their parameters. Null if the completion of code applies.
 */
function completeNames(
  { types, typesByUid }: Pick<ContentModel, 'types' | 'typesByUid'>,
  line: string,
  methodsOf: (uid: Uid) => readonly string[],
): NameCandidates | null {
  const typed = UNFINISHED_TYPE.exec(line)?.groups?.['prefix'];
  if (typed !== undefined)
    return matching(
      types.map(({ uid }) => uid),
      typed,
    );
  const method = UNFINISHED_METHOD.exec(line)?.groups ?? {};
  const owner = typesByUid[method['uid'] ?? ''];
  if (owner !== undefined) return matching(methodsOf(owner.uid), method['prefix'] ?? '');
  const { uid = '', parameters = '' } = LAST_TYPE.exec(line)?.groups ?? {};
  const type = typesByUid[uid];
  const prefix = UNFINISHED_NAME.exec(parameters)?.groups?.['prefix'];
  if (type === undefined || prefix === undefined) return null;
  const found = matching([...Object.keys(type.attributes), ...DOCUMENT_FIELDS], prefix);
  return found.candidates.length === 0 ? null : found;
}

const matching = (names: readonly string[], prefix: string): NameCandidates => ({
  candidates: names.filter((name) => name.startsWith(prefix)).toSorted(),
  prefix,
});

const HISTORY = 'console-history';

/** Keeps the input history between sessions. Ignores a history that cannot be read or written. */
const keepHistory = async (server: REPLServer, root: string): Promise<void> => {
  const folder = join(root, '.galley');
  await mkdir(folder, { recursive: true });
  await new Promise<void>((ready) => {
    server.setupHistory(join(folder, HISTORY), () => ready());
  });
};

/** Reads, evaluates and prints on a terminal until Ctrl-D or `.exit`. */
export async function runInteractively(
  { project }: Pick<App, 'project'>,
  { documents }: Pick<Scope, 'documents'>,
  { terminal: { stdin, stdout }, useColors }: { readonly terminal: Terminal; readonly useColors: boolean },
): Promise<void> {
  const { start } = await import('node:repl');
  const server = start({
    prompt: 'cms> ',
    input: stdin,
    output: stdout,
    terminal: true,
    useGlobal: true,
    ignoreUndefined: true,
    useColors,
  });
  const completeCode: AsyncCompleter = server.completer;
  const complete: AsyncCompleter = (line, callback) => {
    const found = completeNames(project.model, line, (uid) => Object.keys(documents(uid)));
    if (found === null) completeCode.call(server, line, callback);
    else callback(null, [[...found.candidates], found.prefix]);
  };
  // Passed to `start`, it would replace the completion of code.
  Reflect.set(server, 'completer', complete);
  const left = new Promise<void>((exit) => {
    server.once('exit', exit);
  });
  await keepHistory(server, project.root);
  await left;
}
