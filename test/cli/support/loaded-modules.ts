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

/** Runs the built `cms`. Returns the files and addresses that it loads, and the modules bundled in them. */
export function loadedModules(argv: readonly string[], cwd = createTempFolder()): readonly string[] {
  const log = join(createTempFolder(), 'loaded.txt');
  execFileSync(process.execPath, ['--import', PRELOAD, binaryPath, ...argv], {
    cwd,
    env: { ...plainEnvironment(), LOG: log },
    stdio: 'ignore',
  });
  const loaded = readFileSync(log, 'utf8').split('\n');
  const modules = loaded
    .filter((url) => url.startsWith('file:') && url.includes('/dist/'))
    .flatMap((url) => bundledModules(fileURLToPath(url)));
  return [...loaded, ...modules];
}
