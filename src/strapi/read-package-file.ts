import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRecord } from '../lib/is-record.js';

/** Returns what package.json of a folder says. Empty where there is none. */
export function readPackageFile(folder: string): Record<string, unknown> {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return {};
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return isRecord(value) ? value : {};
}
