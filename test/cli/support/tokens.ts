import TokenCreate from '../../../src/commands/token/create.js';
import { rowsOf } from './migrated-project.js';
import { runCommand } from './run-command.js';
import type { TempProject } from './temp-project.js';

export const SALT = 'qW5eRt7yUi9oPa1sDf3gHj5kLz7xCv9b';
export const KEY = /^[0-9a-f]{128}\n$/;

export const tokensIn = (site: TempProject) =>
  rowsOf(site, 'SELECT name, type, key_hash, expires_at FROM cms_api_tokens ORDER BY name');
export const create = (site: TempProject, ...argv: readonly string[]) =>
  runCommand(TokenCreate, argv, { cwd: site.root });
