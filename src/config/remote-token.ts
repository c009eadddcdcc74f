import { loadEnvironment } from './load-environment.js';

/** Returns the token that the environment or the project's .env holds in a variable. Null: none. */
export async function readTokenVariable(root: string, variable: string): Promise<string | null> {
  const value = (await loadEnvironment(root))[variable]?.trim();
  return value === undefined || value === '' ? null : value;
}
