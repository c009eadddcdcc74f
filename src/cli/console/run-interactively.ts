import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { AsyncCompleter } from 'node:readline';
import type { REPLServer } from 'node:repl';
import type { App } from '../../project/open-app.js';
import type { Terminal } from '../terminal/terminal.js';
import { completeNames } from './complete-names.js';
import type { Scope } from './scope.js';

const HISTORY = 'console-history';

/** Keeps what is typed from one session to the next. A history that cannot be kept stops nobody. */
const keepHistory = async (server: REPLServer, root: string): Promise<void> => {
  const folder = join(root, '.galley');
  await mkdir(folder, { recursive: true });
  await new Promise<void>((resolve) => {
    server.setupHistory(join(folder, HISTORY), () => resolve());
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
  // Given to `start`, it would replace the completion of code.
  Reflect.set(server, 'completer', complete);
  const left = new Promise<void>((resolve) => {
    server.once('exit', resolve);
  });
  await keepHistory(server, project.root);
  await left;
}
