import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { binaryPath, plainEnvironment } from './binary.js';
import { bundledModules } from './bundled-modules.js';
import { createTempFolder } from './temp-project.js';

const HOOK = `
  import { appendFileSync } from 'node:fs';
  export const load = (url, context, next) => {
    appendFileSync(process.env.LOG, url + '\\n');
    return next(url, context);
  };
`;

const asUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;

/** Logs what is imported, and in the end what was required. */
const PRELOAD = asUrl(`
  import { appendFileSync } from 'node:fs';
  import { createRequire, register } from 'node:module';
  register(${JSON.stringify(asUrl(HOOK))});
  const { cache } = createRequire(process.execPath);
  process.on('exit', () => appendFileSync(process.env.LOG, Object.keys(cache).join('\\n')));
`);

/** Modules that a process loads. */
interface LoadLog {
  /** The variables of its environment that make it log what it loads. */
  readonly env: Readonly<Record<string, string>>;
  /** Returns the files and addresses that it has loaded, once it has ended. */
  readonly read: () => readonly string[];
}

/** Prepares the log of the modules that a process loads. */
export function createLoadLog(): LoadLog {
  const log = join(createTempFolder(), 'loaded.txt');
  return {
    env: { NODE_OPTIONS: `--import ${PRELOAD}`, LOG: log },
    read: () => readFileSync(log, 'utf8').split('\n'),
  };
}

/** Runs the built `cms`. Returns the files and addresses that it loads, and the modules bundled in them. */
export function loadedModules(argv: readonly string[], cwd = createTempFolder()): readonly string[] {
  const log = createLoadLog();
  execFileSync(process.execPath, [binaryPath, ...argv], {
    cwd,
    env: plainEnvironment(log.env),
    stdio: 'ignore',
  });
  const loaded = log.read();
  const modules = loaded
    .filter((url) => url.startsWith('file:') && url.includes('/dist/'))
    .flatMap((url) => bundledModules(fileURLToPath(url)));
  return [...loaded, ...modules];
}
