import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Terminal } from './terminal.js';

type Surroundings = Pick<Terminal, 'env' | 'cwd'>;

const PROGRAMS = process.platform === 'win32' ? ['cms.cmd', 'cms.exe'] : ['cms'];
const LOCAL_BIN = join('node_modules', '.bin');

const holdsProgram = (folder: string): boolean => PROGRAMS.some((name) => existsSync(join(folder, name)));

/**
 * True where a shell finds `cms`. npm and npx put node_modules/.bin on the PATH of what they start, but not
 * on that of the shell they were called from.
 */
const isOnPath = ({ env }: Surroundings): boolean =>
  (env['PATH'] ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && !folder.includes(LOCAL_BIN) && holdsProgram(folder));

const isInstalledAbove = (folder: string): boolean =>
  holdsProgram(join(folder, LOCAL_BIN)) || (dirname(folder) !== folder && isInstalledAbove(dirname(folder)));

/** Returns how the program is called in a project that has it, or will have it, among its packages. */
export function programInProject(surroundings: Surroundings): 'cms' | 'npx cms' {
  return isOnPath(surroundings) ? 'cms' : 'npx cms';
}

const COMMAND_PATTERN = /(?<![\w./-]|npx )cms(?= [a-z])/g;

/**
 * Spells the commands in a message as they can be typed here: `npx cms dev` where a shell does not find
 * `cms`.
 */
export function spellCommands(text: string, surroundings: Surroundings): string {
  if (text.search(COMMAND_PATTERN) === -1 || isOnPath(surroundings) || !isInstalledAbove(surroundings.cwd))
    return text;
  return text.replaceAll(COMMAND_PATTERN, 'npx cms');
}
